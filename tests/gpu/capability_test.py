"""The PTX of each compute capability that a target may name says it, and ptxas takes it.

    capability_test.py GENERATOR KERNEL

GENERATOR FOLDER TARGET writes the object of a kernel for the target.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import ptxas_test

# Of a target's name, and in PTX.  Halide knows capabilities up to 8.6, which all later ones run.
CAPABILITIES = {"": 86, "75": 75, "80": 80, "86": 86, "87": 87, "89": 89, "90": 90, "100": 100,
                "103": 103, "110": 110, "120": 120, "121": 121}


def wrong_with(generator, kernel, ptxas, named, said):
    """What is wrong with the kernel for a capability; "" if nothing."""
    target = "host-cuda" + (f"-sm_{named}" if named else "")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([generator, folder, target], check=True)
        text, = ptxas_test.ptx_of(pathlib.Path(folder, f"{kernel}.o"))
        found = re.findall(r"^\.target (\w+)", text, flags=re.MULTILINE)
        if found != [f"sm_{said}"]:
            return f"{target}: {kernel} is for {found}"
        source = pathlib.Path(folder, "kernels.ptx")
        source.write_text(text)
        run = subprocess.run([ptxas, f"-arch=sm_{said}", source, "-o", source.with_suffix("")],
                             capture_output=True, text=True, check=False)
        return f"{target}: ptxas refuses {kernel}: {run.stderr}" if run.returncode else ""


def main(arguments):
    """The exit status."""
    ptxas = ptxas_test.find_ptxas()
    if not ptxas:
        print("ptxas is missing: see ptxas_test.py")
        return 1
    wrong = [text for named, said in CAPABILITIES.items()
             if (text := wrong_with(*arguments, ptxas, named, said))]
    print("\n".join(wrong) or f"{len(CAPABILITIES)} targets")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
