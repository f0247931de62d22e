"""Checks that house.py finds violations of each rule, planted in a copy of the tracked files.

    planted_test.py ROOT LINKS
"""

import pathlib
import shutil
import sys
import tempfile

from house import RULES, House

# Rule, file, the text appended to it, and what the report must contain.
PLANTED = [
    ("includes", "core/planted.h", '#include "layers/program.h"\n', "against the arrows"),
    ("includes", "core/planted.h", "#include <strata/runtime.h>\n", "against the arrows"),
    ("includes", "core/planted.h", '#include "../layers/program.h"\n', "against the arrows"),
    ("includes", "layers/planted.h", '#include "schedule/planted.h"\n', "against the arrows"),
    ("includes", "schedule/commands/loops/planted.cpp", '#include "codegen/tree/loop_tree.h"\n',
     "against the arrows"),
    ("includes", "layers/affine/planted.h", '#include "layers/program.h"\n', "against the arrows"),
    ("includes", "codegen/tree/planted.h", '#include "codegen/planted.h"\n',
     "against the arrows"),
    ("includes", "schedule/legality/planted.cpp", '#include "schedule/planted.h"\n',
     "against the arrows"),
    ("includes", "codegen/planted.cpp", '#include "schedule/planted.h"\n', "against the arrows"),
    ("includes", "codegen/planted.cpp", '#include "codegen/halide/planted.h"\n',
     "against the arrows"),
    ("includes", "driver/planted.cpp", '#include "codegen/halide/planted.h"\n',
     "against the arrows"),
    ("includes", "viewer/drawing/planted.cpp", '#include "codegen/planted.h"\n',
     "against the arrows"),
    ("includes", "codegen/planted.cpp", "#include <Halide.h>\n", "only codegen/halide may"),
    ("includes", "tests/unit/planted.cpp", "#include <Halide.h>\n", "only codegen/halide may"),
    ("includes", "viewer/planted.cpp", '#include "dsl/author.h"\n', "against the arrows"),
    ("includes", "runtime/planted.c", '#include "core/error.h"\n', "against the arrows"),
    ("includes", "include/strata/runtime.h", '#include "core/error.h"\n', "against the arrows"),
    ("includes", "runtime/planted.c", "#include <mpi.h>\n", "only runtime/mpi"),
    ("includes", "include/strata/team.h", "#include <strata/mpi.h>\n", "only runtime/mpi"),
    ("includes", "runtime/mpi/planted.c", '#include "core/error.h"\n', "against the arrows"),
    ("includes", "reference/planted.cpp", '#include "codegen/tree/loop_tree.h"\n',
     "against the arrows"),
    ("includes", "reference/loop_tree_planted.cpp", '#include "codegen/planted.h"\n',
     "against the arrows"),
    ("includes", "reference/loop_tree_planted.cpp", '#include "schedule/planted.h"\n',
     "against the arrows"),
    ("includes", "reference/planted.cpp", '#include "layers/flow/initial_values.h"\n',
     "against the arrows"),
    ("includes", "reference/planted.cpp", '#include "core/sets/coalesce.h"\n',
     "against the arrows"),
    ("judges", "strata_reference.calls", " U strata::branches(strata::Mapping const&)\n",
     "calls strata::branches, which no judge may"),
    ("targets", "links.txt", "core strata_second: strata_layers\n", "makes strata_second"),
    ("targets", "links.txt", "attic strata_attic: strata_core\n", "does not list"),
    ("words", "docs/planted.md", "see /" + "work/notes\n", "a path of one machine"),
    ("words", "docs/planted.md", "TO" + "DO: write this\n", "unfinished work"),
    ("words", "docs/planted.md", "a place" + "holder\n", "unfinished work"),
    ("words", "docs/planted.md", "a call is " + "no leaf\n", "read twice"),
    ("words", "docs/planted.md", "from pypi" + ".org\n", "a registry's host"),
    ("words", "docs/planted.md", ".." + "/shared/notes\n", "outside the repository"),
    ("calls", "layers/planted.cpp", "return set.coalesce();\n", "call coalesced"),
    ("calls", "layers/planted.h", "#include <isl/cpp.h>\n", "call its methods, which are metered"),
    ("lengths", "docs/planted.md", "line\n" * 501, "501 lines"),
    ("test_names", "tests/unit/planted_test.cpp", 'TEST_CASE("one; two") {\n', "write a comma"),
    ("commands", "schedule/commands/loops/planted.h", "", "the command has no unit test"),
    ("commands", "schedule/commands/loops/planted.h", "", "no row in section 4 of docs/semantics.md"),
    ("commands", "schedule/commands/loops/planted.h", "", "the command has no kind of the fuzzer"),
    ("commands", "schedule/commands/loops/planted.h", "", "the command has no row of the budget test"),
    ("commands", "schedule/commands/loops/planted.h", "", "the command has no call in the misuse test"),
    ("commands", "tests/error/budget_test.cpp", '    {"barrier_at", nothing, make},\n',
     "the command has a row of the budget test, and is exempt from it"),
    ("private_templates", "include/strata/planted.h",
     "class X {\n private:\n  template <typename T>\n  void f();\n};\n", "a private template"),
    ("types", "codegen/tree/planted.h", "namespace strata {\n\nstruct Site {\n};\n",
     "defines strata::Site, too"),
    ("error_codes", "core/error.h", "  E0999_planted = 999,\n", "no test compares the whole text of E0999"),
]
# Files that the planted lines include: they must exist, so that only the arrow is wrong.
INCLUDED = ["layers/program.h", "schedule/planted.h", "codegen/planted.h", "codegen/tree/loop_tree.h",
            "codegen/halide/planted.h", "core/error.h", "include/strata/runtime.h",
            "layers/flow/initial_values.h", "core/sets/coalesce.h"]


def copy_of(source, folder):
    """A copy of the tracked files and the list of links in `folder`, as a House."""
    for path in [*source.files(), *INCLUDED]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if (source.root / path).is_file():
            shutil.copy(source.root / path, folder / path)
        else:
            (folder / path).touch()
    for file in [source.links, *source.links.parent.glob("*.calls")]:
        shutil.copy(file, folder / file.name)
    return House(folder, folder / "links.txt")


def broken_rules(copy, rule, file, text):
    """The report of `rule` while `text` is appended to `file`."""
    path = copy.root / file
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text((before or "") + text, encoding="utf-8")
    report = list(RULES[rule](copy))
    if before is None:
        path.unlink()
    else:
        path.write_text(before, encoding="utf-8")
    return report


def main():
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of(House(*sys.argv[1:]), pathlib.Path(folder))
        for rule, file, text, expected in PLANTED:
            if not any(expected in found for found in broken_rules(copy, rule, file, text)):
                missed.append(f"{rule} did not find in {file}: {text[:60]!r}")
    print(*missed, f"{len(PLANTED) - len(missed)} of {len(PLANTED)} planted breaks found", sep="\n")
    return 1 if missed or {planted[0] for planted in PLANTED} != RULES.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
