"""Plants the faults of a list into copies of the library's sources.

    plant.py FAULTS ROOT OUTPUT         writes OUTPUT/FILE for each file that has a fault
    plant.py FAULTS ROOT --files        lists these files
    plant.py FAULTS ROOT --missing      lists the faults whose text is missing in the library

A fault is {name, file, context, before, after, finds, first}: at the one place where the file has
the text "context", the expression "before" becomes (planted("name") ? (after) : (before)). The
fuzzer must find an illegal program that is accepted or a wrong result, or, with "finds", a false
refusal. "first" is the number of the program to begin with, one that finds it.
"""

import json
import pathlib
import sys

DECLARATION = "namespace strata::fuzz { bool planted(const char* fault); }\n"


def planted(fault, expression):
    return f"(strata::fuzz::planted(\"{fault['name']}\") ? ({fault['after']}) : ({expression}))"


def is_there(fault, text):
    return text.count(fault["context"]) == 1 and fault["before"] in fault["context"]


def with_faults(text, faults):
    """The text with those of the faults that it contains; several may share a place."""
    found, places = [fault for fault in faults if is_there(fault, text)], []
    for fault in found:
        start = text.index(fault["context"]) + fault["context"].index(fault["before"])
        places.append((start, fault))
    for start, fault in sorted(places, key=lambda place: -place[0]):
        end = start + len(fault["before"])
        text = text[:start] + expanded(fault) + text[end:]
    return DECLARATION + text


def expanded(fault):
    """The planted expression. Of "a ? b", which is not an expression, only b is replaced."""
    before, after = fault["before"], fault["after"]
    if "?" not in before:
        return planted(fault, before)
    condition, value = before.split("?")
    return f"{condition}? " + planted({**fault, "after": after.split("?")[1]}, value)


def main(list_of_faults, root, what):
    faults, root = json.loads(pathlib.Path(list_of_faults).read_text()), pathlib.Path(root)
    files = sorted({fault["file"] for fault in faults})
    if what == "--files":
        print("\n".join(files))
        return
    for file in files:
        text = (root / file).read_text()
        own = [fault for fault in faults if fault["file"] == file]
        if what == "--missing":
            for fault in own:
                if not is_there(fault, text):
                    print(f"{fault['name']}: {file} does not contain exactly once: {fault['context']}")
            continue
        output = pathlib.Path(what) / file
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(with_faults(text, own))


if __name__ == "__main__":
    main(*sys.argv[1:])
