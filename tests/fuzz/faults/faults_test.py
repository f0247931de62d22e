"""Every fault that is planted in the library is found by the fuzzer.

    faults_test.py PLANT FAULTS ROOT BINARY [SECONDS]
"""

import json
import subprocess
import sys


def main(plant, list_of_faults, root, binary, seconds="60"):
    missing = subprocess.run([sys.executable, "-B", plant, list_of_faults, root, "--missing"],
                             check=True, capture_output=True, text=True).stdout
    failed = bool(missing)
    if missing:
        print("faults that have no place in the library any more:", missing, sep="\n")
    with open(list_of_faults, encoding="utf-8") as file:
        faults = json.load(file)
    for fault in faults:
        kind = "refused" if fault.get("finds") == "false refusal" else "found"
        run = subprocess.run([binary, fault["name"], kind, seconds, str(fault.get("first", 1))],
                             capture_output=True, text=True)
        print(f"{fault['name']}: {run.stdout.splitlines()[0] if run.stdout else run.returncode}",
              flush=True)
        failed = failed or run.returncode != 0
    print(f"{len(faults)} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
