"""Checks that README's pictures are what the tool draws today, and well-formed.

    pictures_test.py TOOL DRAWN COMMITTED

TOOL draws into the folder DRAWN; COMMITTED is the folder of README's pictures.
"""

import pathlib
import subprocess
import sys
import xml.etree.ElementTree


def main():
    tool, drawn, committed = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for old in drawn.glob("*.svg"):
        old.unlink()
    subprocess.run([tool, drawn], check=True)
    names = sorted(path.name for path in drawn.glob("*.svg"))
    if names != sorted(path.name for path in committed.glob("*.svg")) or len(names) != 3:
        sys.exit(f"the tool draws {', '.join(names)}; {committed} has other pictures")
    for name in names:
        text = (committed / name).read_bytes()
        if text != (drawn / name).read_bytes():
            sys.exit(f"{name} is not what the tool draws: build the target 'pictures'")
        xml.etree.ElementTree.fromstring(text)
        if len(text) > 30_000:
            sys.exit(f"{name} has {len(text)} bytes")


main()
