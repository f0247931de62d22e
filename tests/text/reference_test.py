"""Checks that Doxygen makes the reference of the headers without a warning, with all comments.

    reference_test.py DOXYGEN DOXYFILE HTML

HTML is the folder to which the Doxyfile has it written.
"""

import html
import re
import subprocess
import sys


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", file.read())).split())


def main():
    doxygen, doxyfile, folder = sys.argv[1:]
    run = subprocess.run([doxygen, doxyfile], capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"Doxygen ended with {run.returncode}\n{run.stdout}{run.stderr}")
    for page, count, words in [
        # of a file; what needs escapes; of overloads; behind a declaration; in C, twice
        ("index", 1, "A Function holds computations over iteration domains"),
        ("structstrata_1_1Domain", 1, "{ S[i, j] : 0 <= i <= j < N }"),
        ("classstrata_1_1Computation", 2, "A size is a number or a Param"),
        ("classstrata_1_1Computation", 1, "where its values are stored"),
        ("runtime_8h", 1, "The message of the last failed kernel on this thread"),
        ("runtime_8h", 1, "The host pointer is not aligned"),
    ]:
        found = text_of(f"{folder}/{page}.html").count(words)
        if found < count:
            sys.exit(f"{page}.html says {found} times, not {count}: {words}")


main()
