"""The machine code of a whole step of a kernel's main loop, by ptxas and nvdisasm for sm_90.

    steps_test.py TABLE FOLDER..     compares; exit status 1 if a step has more instructions
    steps_test.py --write TABLE FOLDER..     writes the numbers anew

The main loop of a launch is the outermost loop with the most multiply-adds.  A row of the table
has how often each loop inside of it runs, in their order ("-": there are none), which the schedule says;
then the instructions of a step, copies and all, how many of them are FFMA, their share in percent,
how many read shared memory, 16 bytes among them, and how many access local memory.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import ptxas_test

COUNTED = {"instructions": r"\S", "ffma": r"(^|\s)FFMA\b", "lds": r"(^|\s)LDS\b",
           "lds_128": r"(^|\s)LDS\.128\b", "local": r"(^|\s)(LDL|STL)\b"}
COLUMNS = ["instructions", "ffma", "share", "lds", "lds_128", "local"]


def disassembled(ptxas, text):
    """The machine code of each launch: labels and instructions, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder, "kernels.ptx"), pathlib.Path(folder, "kernels.cubin")
        source.write_text(text)
        subprocess.run([ptxas, f"-arch={ptxas_test.ARCHITECTURE}", source, "-o", binary],
                       check=True)
        found = subprocess.run([pathlib.Path(ptxas).with_name("nvdisasm"), "-c", binary],
                               capture_output=True, text=True, check=True).stdout
    parts = re.split(r"^\.text\.(\w+):$", found, flags=re.MULTILINE)
    return {name: re.findall(r"^(\.\w+):|^\s+/\*\w+\*/\s+(.*?) ;", code, flags=re.MULTILINE)
            for name, code in zip(parts[1::2], parts[2::2])}


def loops_of(lines):
    """(first, last) lines of each loop, outer ones first: what ends in a branch back."""
    labels = {label: at for at, (label, _) in enumerate(lines) if label}
    ends = {}
    for at, (_, instruction) in enumerate(lines):
        target = re.search(r"\bBRA `\((\.\w+)\)", instruction)
        if target and labels[target[1]] < at - 1:  # not to itself, which ends a kernel
            ends[labels[target[1]]] = at
    return sorted(ends.items(), key=lambda loop: (loop[0], -loop[1]))


def is_ffma(instruction):
    return re.search(COUNTED["ffma"], instruction) is not None


def step_of(name, lines, trips):
    """How often a step of the main loop runs what is counted."""
    def count(loop):
        return sum(is_ffma(instruction) for _, instruction in lines[loop[0]:loop[1]])
    loops = loops_of(lines)
    outermost = [loop for loop in loops
                 if not any(o != loop and o[0] <= loop[0] and loop[1] <= o[1] for o in loops)]
    main_loop = max(outermost, key=count)
    inside = [loop for loop in loops if loop != main_loop
              and main_loop[0] <= loop[0] and loop[1] <= main_loop[1]]
    if len(inside) != len(trips):
        sys.exit(f"the main loop of {name} has {len(inside)} loops inside, not {len(trips)}")
    total = dict.fromkeys(COUNTED, 0)
    for at in range(main_loop[0], main_loop[1] + 1):
        runs = 1
        for loop, times in zip(inside, trips):
            runs *= times if loop[0] <= at <= loop[1] else 1
        for key, pattern in COUNTED.items():
            total[key] += runs if re.search(pattern, lines[at][1]) else 0
    return {**total, "share": f"{100 * total['ffma'] / total['instructions']:.1f}"}


def read_table(path):
    """Launch -> the text of its trips, and column -> the number written down."""
    rows = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return {name: (trips, dict(zip(COLUMNS, numbers))) for name, trips, *numbers in rows}


def write_table(path, rows):
    """Replaces the table's rows."""
    width = max(map(len, rows))
    text = "# launch".ljust(width) + "  loops inside  " + "  ".join(COLUMNS) + "\n"
    for name, (trips, numbers) in sorted(rows.items()):
        text += name.ljust(width) + "  " + trips.ljust(len("loops inside")) + "".join(
            f"  {numbers[column]:>{len(column)}}" for column in COLUMNS) + "\n"
    path.write_text(text)


def measured(ptxas, table, folders):
    """The table with the numbers found."""
    found = {}
    for folder in folders:
        for object_file in sorted(pathlib.Path(folder).glob("*.o")):
            for text in ptxas_test.ptx_of(object_file):
                if not any(name in table for name in ptxas_test.launches(text)):
                    continue
                for name, lines in disassembled(ptxas, text).items():
                    if name not in table:
                        continue
                    trips = table[name][0]
                    numbers = [] if trips == "-" else [int(n) for n in trips.split(",")]
                    found[name] = trips, step_of(name, lines, numbers)
    return found


def differences(written, found):
    """What is worse than in the table, as text."""
    for name, (_, numbers) in written.items():
        if name not in found:
            yield f"{name} is in no object"
            continue
        now = found[name][1]
        if now["instructions"] > int(numbers["instructions"]):
            yield f"a step of {name} has {now['instructions']} instructions ({now['share']} % FFMA)"
        for column in COUNTED.keys() - {"instructions"}:
            if now[column] != int(numbers[column]):
                yield f"a step of {name} has {now[column]} {column}, not {numbers[column]}"


def main(arguments):
    """The exit status."""
    write = arguments[:1] == ["--write"]
    table, *folders = arguments[write:]
    path = pathlib.Path(table)
    ptxas = ptxas_test.find_ptxas()
    if not ptxas:
        print("ptxas is missing: see ptxas_test.py")
        return 1
    written = read_table(path)
    found = measured(ptxas, written, folders)
    if write:
        write_table(path, found)
        return 0
    wrong = list(differences(written, found))
    print("\n".join(wrong) or f"{len(found)} steps as written down")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
