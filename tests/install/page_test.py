"""Runs what a page says to type, in order, in one shell, and compares what is printed.

    page_test.py PAGE FOLDER

Blocks of the language "console" hold lines "$ COMMAND", each followed by what it prints.  They run
in FOLDER.  Times and ratios ("12.5 ms", "3.1 x") may differ.
"""

import re
import subprocess
import sys


def commands_of(page):
    """Pairs of a command and what the page says that it prints."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = entry.partition("\n")
            yield command, output


def without_times(text):
    return re.sub(r" *\d+\.\d+ (ms|x)\b", r" # \1", text).strip()


def main():
    page, folder = sys.argv[1:]
    pairs = list(commands_of(page))
    if not pairs:
        sys.exit(f"{page} has no commands")
    shell = subprocess.Popen(["bash"], cwd=folder, text=True, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for command, promised in pairs:
        print("$", command, flush=True)
        shell.stdin.write(f"{command}\necho; echo @@\n")
        shell.stdin.flush()
        lines = []
        while not (line := shell.stdout.readline()).startswith("@@"):
            if not line:
                sys.exit("the shell has ended")
            lines.append(line)
        printed = "".join(lines)
        if without_times(printed) != without_times(promised):
            sys.exit(f"it printed:\n{printed}\n{page} says:\n{promised}")


main()
