"""plant.py finds the place of a fault again after harmless changes, and says what it does not find."""

import pathlib
import tempfile

from plant import Library, find_place, no_place, overlapping, with_faults

SOURCE = """
// before(t) in a comment, and "before(t)" in a text
bool before(const Time& t) { return t.first; }

bool is_legal(const Order& o, int p) {
  if (o.at(p) < p) return false;
  if (o.at(p) > p) return is_concurrent(o.loop(p)) && p > 0;
  return o.side == 0;
}
"""
FAULT = {"name": "order: threads are not looked at", "file": "layers/order.cpp",
         "function": "is_legal", "before": "is_concurrent(o.loop(p))", "after": "!o.loop(p).any()"}

# What happens to the source, the file it is in then, and the expression that must be found, or none
# if plant.py must report that the fault has no place.
CHANGES = [
    ("nothing", lambda s: s, "layers/order.cpp", "is_concurrent(o.loop(p))"),
    ("lines and blanks", lambda s: s.replace("(o.loop(p))", "(\n      o.loop( p ))  // why\n"),
     "layers/order.cpp", "is_concurrent(\n      o.loop( p ))"),
    ("lines in front", lambda s: "int more();\n" * 40 + s, "layers/order.cpp",
     "is_concurrent(o.loop(p))"),
    ("another file", lambda s: s, "codegen/nests/order.cpp", "is_concurrent(o.loop(p))"),
    ("the function's name", lambda s: s.replace("is_legal", "may_run"), "layers/order.cpp",
     "is_concurrent(o.loop(p))"),
    ("a name in it", lambda s: s.replace("(p)", "(level)"), "layers/order.cpp",
     "is_concurrent(o.loop(level))"),
    ("two names in it", lambda s: s.replace("o.", "order.").replace("is_concurrent", "is_parallel"),
     "layers/order.cpp", "is_parallel(order.loop(p))"),
    ("all its names", lambda s: s.replace("is_concurrent(o.loop(p))", "a(b.c(d))"),
     "layers/order.cpp", None),
    ("twice there", lambda s: s.replace("return false", "return is_concurrent(o.loop(p))"),
     "layers/order.cpp", None),
    ("gone", lambda s: s.replace("is_concurrent(o.loop(p)) && ", ""), "layers/order.cpp", None),
]


def found_in(folder, text, file, fault):
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text, encoding="utf-8")
    place = find_place(Library(folder), fault)
    return place and (place, text[place.start:place.end])


def check_change(what, change, file, expected):
    with tempfile.TemporaryDirectory() as folder:
        found = found_in(pathlib.Path(folder), change(SOURCE), file, FAULT)
    assert (found and found[1]) == expected, (what, found)
    assert not found or found[0].file == file, what


def check_renamed_after():
    with tempfile.TemporaryDirectory() as folder:
        text = SOURCE.replace("o.", "order.")
        place, _ = found_in(pathlib.Path(folder), text, FAULT["file"], FAULT)
    assert place.after == "!order.loop(p).any()", place.after
    assert ('return (strata::fuzz::planted("order: threads are not looked at") ? '
            "(!order.loop(p).any()) : (is_concurrent(order.loop(p)))) && p > 0;"
            in with_faults(text, [place]))
    assert overlapping([place]) is None and overlapping([place, place]) == (place, place)


def check_context():
    fault = {**FAULT, "before": "o.at(p)", "after": "0"}
    with tempfile.TemporaryDirectory() as folder:
        assert found_in(pathlib.Path(folder), SOURCE, fault["file"], fault) is None
        fault["context"] = "if (o.at(p) > p)"
        place, _ = found_in(pathlib.Path(folder), SOURCE, fault["file"], fault)
    assert SOURCE[place.end:].startswith(" > p"), place.start


def check_message():
    assert no_place(FAULT) == (
        "the fault 'order: threads are not looked at' has no place: layers/order.cpp, function "
        "is_legal, does not have once: is_concurrent(o.loop(p))")


def main():
    for change in CHANGES:
        check_change(*change)
    check_renamed_after()
    check_context()
    check_message()
    print(f"{len(CHANGES) + 3} checks")


if __name__ == "__main__":
    main()
