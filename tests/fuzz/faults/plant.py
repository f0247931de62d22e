"""Plants the faults of a list into copies of the library's sources.

    plant.py FAULTS ROOT OUTPUT FILE..  writes OUTPUT/FILE for each file that has a fault
    plant.py FAULTS ROOT --files        lists these files
    plant.py FAULTS ROOT --missing      lists the faults that no longer have a place in the library

A fault is {name, file, function, context, before, after, finds, first}. The text "context" (by
default "before") must occur once in the function; the expression "before" in it becomes
(planted("name") ? (after) : (before)). "finds" says what the fuzzer must find: by default a wrong
result or something illegal that is accepted, else a false refusal. "first" is the number of the first
program to try, one that finds the fault.

White space, comments and line numbers are ignored. If the file does not have the function, the other
files of the library are searched; if no file has it, it was renamed, and the text must occur once in
the file. Up to MOST_RENAMED names in the text may differ from the source; "after" is renamed too.
"""

import json
import pathlib
import sys

from source import bodies, places, tokens

DECLARATION = "namespace strata::fuzz { bool planted(const char* fault); }\n"
LIBRARY = ("core", "layers", "schedule", "codegen")
MOST_RENAMED = 2


class Place:
    """Where a fault goes: a file, the text from `start` to `end`, and what it becomes."""

    def __init__(self, file, start, end, name, after):
        self.file, self.start, self.end, self.name, self.after = file, start, end, name, after


class Library:
    def __init__(self, root):
        self.root, self.known = pathlib.Path(root), {}

    def source(self, file):
        """Text and tokens of a file, or None where there is none."""
        if file not in self.known:
            path = self.root / file
            text = path.read_text(encoding="utf-8") if path.is_file() else None
            self.known[file] = text and (text, tokens(text))
        return self.known[file]

    def files(self):
        paths = [path for folder in LIBRARY for path in (self.root / folder).rglob("*.cpp")]
        return sorted(str(path.relative_to(self.root)) for path in paths)

    def ranges(self, fault):
        """The files, and the ranges of tokens in them, in which the fault may have its place."""
        function, file = fault["function"], fault["file"]
        own = self.source(file)
        if own and bodies(own[1], function):
            return {file: bodies(own[1], function)}
        others = {other: bodies(self.source(other)[1], function) for other in self.files()}
        others = {other: found for other, found in others.items() if found}
        return others or ({file: [(0, len(own[1]))]} if own else {})


def renamed(text, renaming):
    """The text with other names."""
    for token in reversed(tokens(text)):
        if token.is_free():
            text = text[:token.start] + renaming.get(token.text, token.text) + text[token.end:]
    return text


def find_place(library, fault):
    """The one place of the fault with the fewest names that differ, or None."""
    before = tokens(fault["before"])
    context = tokens(fault.get("context", fault["before"]))
    inside = places(before, context, [(0, len(context))], False)
    if len(inside) != 1:
        return None
    hits = []
    for file, ranges in library.ranges(fault).items():
        for at, renaming in places(context, library.source(file)[1], ranges, True):
            others = sum(name != there for name, there in renaming.items())
            hits.append((others, file, at + inside[0][0], renaming))
    best = [hit for hit in hits if hit[0] == min(hits, key=lambda hit: hit[0])[0]]
    if len(best) != 1 or best[0][0] > MOST_RENAMED:
        return None
    _, file, at, renaming = best[0]
    found = library.source(file)[1]
    return Place(file, found[at].start, found[at + len(before) - 1].end, fault["name"],
                 renamed(fault["after"], renaming))


def no_place(fault):
    return (f"the fault '{fault['name']}' has no place: {fault['file']}, function "
            f"{fault['function']}, does not have once: {fault.get('context', fault['before'])}")


def with_faults(text, own):
    """The file with its faults switched on by name; places may be the same, but not overlap."""
    for place in sorted(own, key=lambda place: place.start, reverse=True):
        expression = text[place.start:place.end]
        text = (f"{text[:place.start]}(strata::fuzz::planted(\"{place.name}\") ? ({place.after}) : "
                f"({expression})){text[place.end:]}")
    return DECLARATION + text


def overlapping(own):
    """A pair of places of which one begins inside the other, or None."""
    own = sorted(own, key=lambda place: (place.start, place.end))
    return next(((a, b) for a, b in zip(own, own[1:]) if b.start < a.end), None)


def by_file(found):
    files = {}
    for place in found:
        files.setdefault(place.file, []).append(place)
    return files


def write(library, files, output):
    """Why the copies cannot be written to the folder, or ""."""
    for file, own in files.items():
        if pair := overlapping(own):
            return f"the faults '{pair[0].name}' and '{pair[1].name}' overlap in {file}"
        path = pathlib.Path(output) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(with_faults(library.source(file)[0], own), encoding="utf-8")
    return ""


def main(list_of_faults, root, what, *expected):
    faults, library = json.loads(pathlib.Path(list_of_faults).read_text()), Library(root)
    found = {fault["name"]: find_place(library, fault) for fault in faults}
    missing = [no_place(fault) for fault in faults if found[fault["name"]] is None]
    files = by_file(place for place in found.values() if place)
    if what == "--missing":
        print(*missing, sep="\n", end="\n" if missing else "")
        return 0
    if missing:
        print("\n".join(missing), file=sys.stderr)
    if what == "--files":
        print("\n".join(sorted(files)))
        return 0
    if sorted(files) != sorted(expected):
        print("faults have moved to other files: run cmake again", file=sys.stderr)
        return 1
    if why := write(library, files, what):
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
