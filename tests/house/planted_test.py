"""Plants one break of each rule in a copy of the tracked files and sees that house.py finds it.

    planted_test.py ROOT LINKS
"""

import pathlib
import shutil
import sys
import tempfile

from house import RULES, House

# Rule, file, the text added to it, and what the report must say.
PLANTED = [
    ("includes", "core/planted.h", '#include "layers/program.h"\n', "against the arrows"),
    ("includes", "core/planted.h", "#include <strata/runtime.h>\n", "against the arrows"),
    ("includes", "core/planted.h", '#include "../layers/program.h"\n', "against the arrows"),
    ("includes", "layers/planted.h", '#include "schedule/planted.h"\n', "against the arrows"),
    ("includes", "schedule/commands/planted.cpp", '#include "codegen/loop_tree.h"\n',
     "against the arrows"),
    ("includes", "codegen/planted.cpp", '#include "schedule/planted.h"\n', "against the arrows"),
    ("includes", "codegen/planted.cpp", '#include "codegen/halide/planted.h"\n',
     "against the arrows"),
    ("includes", "codegen/planted.cpp", "#include <Halide.h>\n", "only codegen/halide may"),
    ("includes", "tests/unit/planted.cpp", "#include <Halide.h>\n", "only codegen/halide may"),
    ("includes", "runtime/planted.c", '#include "core/error.h"\n', "against the arrows"),
    ("includes", "include/strata/runtime.h", '#include "core/error.h"\n', "against the arrows"),
    ("includes", "tests/judge/planted.cpp", '#include "codegen/loop_tree.h"\n',
     "against the arrows"),
    ("includes", "tests/judge/loop_tree_planted.cpp", '#include "codegen/planted.h"\n',
     "against the arrows"),
    ("includes", "tests/judge/loop_tree_planted.cpp", '#include "schedule/planted.h"\n',
     "against the arrows"),
    ("targets", "links.txt", "core strata_second: strata_layers\n", "makes strata_second"),
    ("targets", "links.txt", "attic strata_attic: strata_core\n", "does not know"),
    ("words", "docs/planted.md", "see /" + "work/notes\n", "a path of one machine"),
    ("words", "docs/planted.md", "TO" + "DO: write this\n", "unfinished work"),
    ("words", "docs/planted.md", "a place" + "holder\n", "unfinished work"),
    ("words", "docs/planted.md", "from pypi" + ".org\n", "a registry's host"),
    ("words", "docs/planted.md", ".." + "/shared/notes\n", "outside the repository"),
    ("lengths", "docs/planted.md", "line\n" * 501, "501 lines"),
    ("error_codes", "core/error.h", "  E0999_planted = 999,\n", "no test mentions E0999_planted"),
]
# What the planted lines include exists, so that only the rule is broken.
INCLUDED = ["layers/program.h", "schedule/planted.h", "codegen/planted.h", "codegen/loop_tree.h",
            "codegen/halide/planted.h", "core/error.h", "include/strata/runtime.h"]


def broken_rules(source, links, rule, file, text):
    """What `rule` reports in a copy of the sources with `text` added to `file`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        for path in source.files():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source.root / path, copy / path)
        shutil.copy(links, copy / "links.txt")
        for path in [*INCLUDED, file]:
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).touch()
        with open(copy / file, "a", encoding="utf-8") as planted:
            planted.write(text)
        return list(RULES[rule](House(copy, copy / "links.txt")))


def main():
    root, links = sys.argv[1:]
    source = House(root, links)
    missed = [(rule, file, text) for rule, file, text, report in PLANTED
              if not any(report in found for found in broken_rules(source, links, rule, file, text))]
    for rule, file, text in missed:
        print(f"{rule} did not find in {file}: {text[:60]!r}")
    print(f"{len(PLANTED) - len(missed)} of {len(PLANTED)} planted breaks found")
    return 1 if missed or {planted[0] for planted in PLANTED} != RULES.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
