"""Adds to a wheel the licences of the libraries that auditwheel will put into it.

    add_licences.py WHEEL FOLDER

Debian's packages hold the texts.
"""

import pathlib
import re
import shutil
import sys

from auditwheel.wheeltools import InWheelCtx

DOCS = pathlib.Path("/usr/share/doc")
COMMON = pathlib.Path("/usr/share/common-licenses")
TEXTS = {"isl.txt": DOCS / "libisl-dev/copyright", "LGPL-2.1.txt": COMMON / "LGPL-2.1",
         "fmt.txt": DOCS / "libfmt-dev/copyright",
         "GMP.txt": DOCS / "libgmp-dev/copyright", "LGPL-3.txt": COMMON / "LGPL-3",
         "GPL-3.txt": COMMON / "GPL-3"}
README = """\
The folder strata.libs has these libraries as they are in Debian, each under its own licence:

    isl   MIT, with parts under other licences            isl.txt, LGPL-2.1.txt
    fmt   MIT                                             fmt.txt
    GMP   LGPL-3 or later                                 GMP.txt, LGPL-3.txt, GPL-3.txt

isl and strata._strata are linked with them dynamically. To run Strata with another build of GMP
(or isl, or fmt), put a shared library with the same interface in the place of
strata.libs/libgmp-*.so.*, under the same file name; nothing else changes. Debian has the sources:
`apt-get source libgmp10 libisl23 libfmt9`, or https://gmplib.org, https://libisl.sourceforge.io and
https://fmt.dev.
"""


def add_licences(metadata: pathlib.Path) -> None:
    folder = metadata.parent / "licenses/libraries"
    folder.mkdir(parents=True)
    for name, text in TEXTS.items():
        shutil.copyfile(text, folder / name)
    (folder / "README.txt").write_text(README)
    lines = "".join(f"License-File: libraries/{path.name}\n" for path in sorted(folder.iterdir()))
    text, found = re.subn(r"License-Expression: MIT\n",
                          "License-Expression: MIT AND LGPL-3.0-or-later\n" + lines,
                          metadata.read_text(), count=1)
    assert found
    metadata.write_text(text)


def main() -> None:
    wheel, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    with InWheelCtx(wheel, folder / wheel.name) as content:
        [metadata] = pathlib.Path(content.path).glob("*.dist-info/METADATA")
        add_licences(metadata)


main()
