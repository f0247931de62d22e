"""Checks that a page shows lines of a file as they are, but for the indentation.

    excerpt_test.py PAGE FILE

PAGE holds blocks of code that begin with "// FILE" or "# FILE".
"""

import re
import sys


def unindented(text):
    return "\n".join(line.strip() for line in text.splitlines())


def main():
    page, name = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"```\w+\n(?://|#) " + re.escape(name) + r"\n(.*?\n)```", file.read(),
                            re.DOTALL)
    if not blocks:
        sys.exit(f"{page} shows nothing of {name}")
    with open(name, encoding="utf-8") as file:
        text = unindented(file.read())
    for block in blocks:
        if unindented(block) not in text:
            sys.exit(f"{page} shows lines that {name} does not have:\n{block}")


main()
