"""Checks that README's programs print the output that README shows.

    readme_test.py README NAME EXECUTABLE

README holds a block of C++ that begins with "// NAME", and after it a block of text, or of commands
("$ ..") the last of which runs the program.
"""

import re
import subprocess
import sys


def promised(readme, name):
    """What the first block of text or commands after the program says that is printed."""
    with open(readme, encoding="utf-8") as file:
        match = re.search(r"```cpp\n// " + re.escape(name) + r"\n.*?\n```.*?"
                          r"```(?:text|console)\n(.*?)```", file.read(), re.DOTALL)
    if not match:
        sys.exit(f"{readme} has no program {name} with its output")
    return re.sub(r"^\$ .*\n", "", match[1], flags=re.MULTILINE)


def main():
    readme, name, executable = sys.argv[1:]
    run = subprocess.run([executable], capture_output=True, text=True)
    print(run.stdout + run.stderr, end="")
    if run.returncode != 0:
        sys.exit(f"{name} ended with {run.returncode}")
    # README shows the output of a program compiled in its own folder.
    output = re.sub(r"\S*/(?=" + re.escape(name) + ")", "", run.stdout)
    if output.strip() != promised(readme, name).strip():
        sys.exit(f"README promises:\n{promised(readme, name)}")


main()
