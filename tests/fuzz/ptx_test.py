"""Every kernel that the fuzzer draws for CUDA goes through ptxas.

    ptx_test.py FUZZER FOLDER PROGRAMS [SEED]     FOLDER is emptied
"""

import pathlib
import shutil
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "gpu"))
# pylint: disable-next=wrong-import-position
from ptxas_test import find_ptxas, ptx_of  # noqa: E402


def refused(ptxas, object_file):
    """What ptxas says of each text of an object that it refuses."""
    source, made = object_file.with_suffix(".ptx"), object_file.with_suffix(".cubin")
    for text in ptx_of(object_file):
        source.write_text(text)
        run = subprocess.run([ptxas, "-arch=sm_90", source, "-o", made], capture_output=True,
                             text=True, check=False)
        if run.returncode:
            yield run.stderr


def main(fuzzer, folder, programs, seed="1"):
    """The exit status."""
    ptxas = find_ptxas()
    if not ptxas:
        print("ptxas is missing: see ptxas_test.py")
        return 1
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    drawn = subprocess.run([fuzzer, "--ptx", folder, "--programs", programs, "--seed", seed],
                           capture_output=True, text=True, check=False)
    objects = sorted(folder.glob("*.o"))
    wrong = 0
    for object_file in objects:
        for said in refused(ptxas, object_file):
            wrong += 1
            print(f"{said}in the kernel of\n{object_file.with_suffix('.strata').read_text()}")
    print(f"{len(objects)} kernels, {wrong} refused by ptxas\n{drawn.stdout[-2000:]}{drawn.stderr}")
    return 1 if wrong or drawn.returncode or not objects else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
