"""Checks that the fuzzer finds every fault that is planted in the library.

    faults_test.py PLANT FAULTS ROOT BINARY [--seek PROGRAMS]

Each fault is sought in a number of programs, beginning with the one that the list gives as its
first. After a change of the fuzzer's random choices, --seek searches that many programs and updates
the list.
"""

import json
import re
import subprocess
import sys

PROGRAMS = 200


def look_for(binary, fault, first, programs):
    """Prints the fuzzer's answer; the number of the program that found the fault, or None."""
    kind = "refused" if fault.get("finds") == "false refusal" else "found"
    run = subprocess.run([binary, fault["name"], kind, str(first), str(programs)],
                         capture_output=True, text=True)
    said = run.stdout.splitlines()[0] if run.stdout else f"status {run.returncode}"
    found = re.match(r"program (\d+),", said)
    print(f"{fault['name']}: {said}", flush=True)
    return int(found[1]) if found and run.returncode == 0 else None


def without_place(plant, list_of_faults, root):
    return subprocess.run([sys.executable, "-B", plant, list_of_faults, root, "--missing"],
                          check=True, capture_output=True, text=True).stdout


def write_starts(list_of_faults, starts):
    """Writes each fault's "first" on a line of its own, at the end of its entry."""
    with open(list_of_faults, encoding="utf-8") as file:
        parts = re.split(r"(?=^  \{)", file.read(), flags=re.MULTILINE)
    for name, first in starts.items():
        mine = [n for n, part in enumerate(parts) if f'"name": {json.dumps(name)}' in part]
        assert len(mine) == 1, name
        part = re.sub(r',\s*"first": \d+', "", parts[mine[0]])
        end = part.rindex("}")
        parts[mine[0]] = f'{part[:end]},\n   "first": {first}{part[end:]}'
    with open(list_of_faults, "w", encoding="utf-8") as file:
        file.write("".join(parts))


def main(plant, list_of_faults, root, binary, option="", programs=PROGRAMS):
    missing = without_place(plant, list_of_faults, root)
    failed = bool(missing)
    if missing:
        print("faults without a place in the library:", missing, sep="\n")
    with open(list_of_faults, encoding="utf-8") as file:
        faults = json.load(file)
    finders = {fault["name"]: look_for(binary, fault, fault.get("first", 1), int(programs))
               for fault in faults}
    failed = failed or None in finders.values()
    if option == "--seek":
        write_starts(list_of_faults, {name: n for name, n in finders.items() if n is not None})
    print(f"{len(faults)} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
