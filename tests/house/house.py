"""The rules of the source tree, checked on the tracked files.

    house.py RULE ROOT LINKS

RULE is one of the functions in RULES. LINKS is a file that CMake writes, one line per library:
`folder target: what it links`. In the same folder the build writes a list of the undefined symbols
of each judge, NAME.calls. Prints every place that breaks the rule; exit status 1 if any.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

# Whole folders, by their rooms.
CORE = {"core", "core/expr", "core/machine", "core/sets"}
LAYERS = {"layers", "layers/affine", "layers/flow", "layers/verify", "layers/define", "layers/text"}
SCHEDULE = {"schedule", "schedule/legality", "schedule/edit", "schedule/commands",
            "schedule/table"}
CODEGEN = {"codegen", "codegen/nests", "codegen/loops", "codegen/memory", "codegen/tree",
           "codegen/passes", "codegen/remarks", "codegen/entry", "codegen/object",
           "codegen/device", "codegen/c"}
HALIDE = {"codegen/halide", "codegen/halide/arithmetic", "codegen/halide/emit",
          "codegen/halide/entry", "codegen/halide/passes", "codegen/halide/product"}
# What emits statements sees of a kernel.
EMITTED = CORE | {"codegen/refusal.h", "codegen/tree", "codegen/entry", "codegen/device",
                  "codegen/halide"}
# The rooms of the operator graph.
DIM = CORE | {"layers", "layers/affine", "graph/dim"}
TENSOR = CORE | {"graph/dim", "graph/vm", "graph/tensor"}
IR = TENSOR | {"graph/evaluate", "graph/operator", "graph/ops", "graph/ir"}

# Folder -> the folders and files that it may include. The longest folder that holds a file counts.
ARROWS = {
    "core": {"core"},
    "core/expr": {"core", "core/expr"},
    "core/machine": {"core", "core/machine"},
    "core/sets": {"core", "core/sets"},
    "layers": CORE | {"layers", "layers/affine"},
    "layers/affine": CORE | {"layers/affine"},
    "layers/flow": CORE | {"layers", "layers/affine", "layers/flow"},
    "layers/verify": CORE | {"layers", "layers/affine", "layers/flow", "layers/verify"},
    "layers/define": CORE | {"layers", "layers/affine", "layers/flow", "layers/verify",
                            "layers/define"},
    "layers/text": CORE | LAYERS,
    # Legality does not include the commands, which use it.
    "schedule/legality": CORE | LAYERS | {"schedule/legality"},
    # vectorize(i, 8) is split and vectorize.
    "schedule/edit": CORE | LAYERS | {"schedule/legality", "schedule/edit",
                                      "schedule/commands/loops/split.h"},
    "schedule/commands": CORE | LAYERS | {"schedule/legality", "schedule/edit",
                                          "schedule/commands"},
    "schedule/table": CORE | LAYERS | SCHEDULE,
    "schedule": CORE | LAYERS | SCHEDULE,
    "codegen/tree": CORE | LAYERS | {"codegen/tree"},
    "codegen/nests": CORE | LAYERS | {"codegen/nests"},
    "codegen/loops": CORE | LAYERS | {"codegen/tree", "codegen/nests", "codegen/loops"},
    "codegen/memory": CORE | LAYERS | {"codegen/tree", "codegen/nests", "codegen/loops",
                                       "codegen/memory"},
    "codegen/passes": CORE | LAYERS | {"codegen/tree", "codegen/passes"},
    "codegen/remarks": CORE | LAYERS | {"codegen/tree", "codegen/remarks"},
    "codegen/entry": CORE | {"layers", "codegen/refusal.h", "codegen/tree", "codegen/entry",
                             "strata/runtime.h"},
    "codegen/object": {"core", "codegen/refusal.h", "codegen/object"},
    "codegen/device": {"core", "codegen/refusal.h", "codegen/device"},
    "codegen/c": CORE | {"codegen/refusal.h", "codegen/tree", "codegen/entry", "codegen/object",
                         "codegen/c"},
    "codegen": CORE | LAYERS | CODEGEN,
    "codegen/halide": CORE | {"codegen/halide"},
    "codegen/halide/arithmetic": EMITTED | {"codegen/halide/arithmetic",
                                            "runtime/math_functions.inc"},
    "codegen/halide/emit": EMITTED | {"codegen/halide/arithmetic", "codegen/halide/emit"},
    "codegen/halide/entry": EMITTED | {"codegen/halide/arithmetic", "codegen/halide/emit",
                                       "codegen/halide/entry", "strata/runtime.h"},
    "codegen/halide/passes": CORE | {"codegen/refusal.h", "codegen/device", "codegen/halide",
                                     "codegen/halide/arithmetic", "codegen/halide/passes"},
    "codegen/halide/product": CORE | LAYERS | CODEGEN | HALIDE | {"strata/runtime.h",
                                                                  "runtime/cpu.h"},
    "runtime": {"runtime", "strata/model.h", "strata/runtime.h", "strata/team.h"},
    "runtime/mpi": {"runtime", "runtime/mpi", "strata/runtime.h", "strata/team.h", "strata/mpi.h"},
    "viewer/drawing": CORE | LAYERS | SCHEDULE | {"viewer/drawing"},
    "viewer": CORE | LAYERS | SCHEDULE | CODEGEN | {"viewer/drawing", "viewer"},
    "automatic/facts": CORE | LAYERS | {"codegen/remarks/estimate.h", "automatic/facts"},
    "automatic/model": CORE | LAYERS | {"automatic/facts", "automatic/model"},
    "automatic/rules": CORE | LAYERS | SCHEDULE | {"automatic/facts", "automatic/rules"},
    "automatic": CORE | LAYERS | SCHEDULE | CODEGEN | {"automatic", "automatic/facts",
                                                       "automatic/model", "automatic/rules"},
    # In process, emitted code calls the runtime of the compiler that made it.
    "driver": CORE | LAYERS | SCHEDULE | CODEGEN | {
        "viewer", "driver", "strata/codegen_options.h", "strata/runtime.h",
        "runtime/math_functions.inc", "runtime/vector_math.h", "runtime/threads.h",
        "runtime/atomic.h", "runtime/device.h", "runtime/profile.h", "runtime/atomic_types.inc"},
    # The row of a back end.
    "driver/halide_back_end.cpp": CORE | CODEGEN | HALIDE | {"driver", "strata/codegen_options.h"},
    "dsl": CORE | LAYERS | SCHEDULE | {"automatic", "viewer/drawing", "driver", "dsl", "strata"},
    "tuning": CORE | LAYERS | SCHEDULE | {
        "automatic", "automatic/facts", "automatic/model", "codegen/remarks/estimate.h",
        "codegen/tree", "driver", "dsl", "strata", "tuning"},
    "graph/vm": {"graph/vm", "strata"},
    "graph/dim": DIM,
    "graph/tensor": TENSOR,
    "graph/evaluate": TENSOR | {"graph/evaluate"},
    "graph/compile": TENSOR | LAYERS | {"graph/evaluate", "graph/compile", "dsl", "strata"},
    "graph/operator": TENSOR | {"graph/operator"},
    "graph/ops": TENSOR | {"graph/operator", "graph/ops"},
    "graph/ir": IR,
    "graph/text": IR | {"graph/text"},
    "graph/builder": IR | {"graph/builder"},
    "graph/onnx": IR | {"graph/builder", "graph/onnx"},
    "graph/fuse": IR | LAYERS | {"graph/builder", "graph/compile", "graph/fuse", "strata"},
    "graph/run": IR | {"graph/builder", "graph/compile", "graph/fuse", "graph/run"},
    "graph/pass": IR | {"graph/builder", "graph/compile", "graph/fuse", "graph/pass",
                        "graph/run", "graph/text"},
    "graph/build": IR | {"graph/build", "graph/builder", "graph/compile", "graph/fuse",
                         "graph/pass", "graph/run", "graph/text"},
    "graph/library": IR | {"codegen/entry/c_literals.h", "codegen/entry/contract.h",
                           "codegen/object/temporary_folder.h", "graph/build", "graph/compile",
                           "graph/fuse", "graph/library", "graph/onnx", "graph/run", "strata"},
    "graph/page": IR | {"dsl", "graph/builder", "graph/compile", "graph/fuse", "graph/page",
                        "graph/pass", "graph/run", "graph/text", "viewer", "viewer/drawing"},
    "include/strata/vm.h": {"graph/vm"},
    "include/strata/graph.h": {"graph/build", "graph/builder", "graph/compile", "graph/dim",
                               "graph/evaluate", "graph/fuse", "graph/ir", "graph/library",
                               "graph/onnx", "graph/ops", "graph/page", "graph/pass", "graph/run",
                               "graph/tensor", "graph/text", "graph/vm"},
    "include/strata": CORE | LAYERS | SCHEDULE | {"automatic", "dsl", "strata"},
    "python": CORE | {"automatic", "layers", "dsl", "strata", "graph", "graph/build", "graph/builder",
                      "graph/compile",
                      "graph/dim", "graph/evaluate", "graph/ir", "graph/onnx", "graph/ops", "graph/page",
                      "graph/pass", "graph/run", "graph/tensor", "graph/text", "graph/vm", "python"},
    "examples": {"examples", "strata"},
    "benchmarks": {"benchmarks", "examples", "strata"},
}
# The judges execute the compiler's decisions, so they share no code with it: they include the
# headers of the data that they judge and call only the functions in JUDGE_CALLS.
JUDGE_ARROWS = {"reference", "core/error.h", "core/expr/expr.h", "core/sets/relation.h",
                "core/sets/session.h", "core/type.h", "layers/algorithm.h", "layers/tail_strategy.h",
                "layers/layout.h", "layers/loop_head.h", "layers/mapping.h", "layers/memory.h",
                "layers/processor.h", "layers/program.h", "layers/transfer.h"}
LOOP_TREE_JUDGE_ARROWS = JUDGE_ARROWS | {"codegen/tree/loop_tree.h"}
# Function that the judges may call -> why that does not share a computation with the compiler.
JUDGE_CALLS = {
    "strata::Algorithm::array_of": "looks up a name",
    "strata::Algorithm::definitions_of": "looks up a name",
    "strata::Algorithm::find": "looks up a name",
    "strata::Algorithm::find_input": "looks up a name",
    "strata::Layout::find": "looks up a name",
    "strata::IslOperands::add": "counts the work of isl",
    "strata::Session::Session": "makes the isl context of a program put together by hand",
    "strata::begin_metered": "counts the work of isl",
    "strata::bits": "a property of a type",
    "strata::end_metered": "counts the work of isl",
    "strata::is_float": "a property of a type",
    "strata::is_signed_integer": "a property of a type",
    "strata::to_string": "the name of a type, an operator or a processor, for messages",
}
# The headers that emitted code and C programs see.
C_HEADER_ARROWS = {
    "include/strata/runtime.h": set(),
    **dict.fromkeys(["include/strata/model.h", "include/strata/team.h"], {"strata/runtime.h"}),
    "include/strata/mpi.h": {"strata/team.h", "include/strata/mpi.h"},
}

# Folder -> its library and the targets that it links.
LINKS = {
    "core": ("strata_core", {"Isl::isl", "fmt::fmt"}),
    "layers": ("strata_layers", {"strata_core"}),
    "schedule": ("strata_schedule", {"strata_layers"}),
    "viewer/drawing": ("strata_drawing", {"strata_schedule"}),
    "codegen": ("strata_codegen", {"strata_layers"}),
    "codegen/halide": ("strata_halide", {
        "strata_codegen", "strata_runtime", "$<BUILD_INTERFACE:Halide::Halide>",
        "$<INSTALL_INTERFACE:Strata::libHalide>"}),
    "runtime": ("strata_runtime", {"Threads::Threads", "dl", "m"}),
    "runtime/mpi": ("strata_mpi", {"strata_runtime", "MPI::MPI_C"}),
    "viewer": ("strata_viewer", {"strata_drawing", "strata_codegen"}),
    "driver": ("strata_driver", {"strata_schedule", "strata_codegen", "strata_halide",
                                 "strata_viewer", "strata_runtime"}),
    "automatic": ("strata_automatic", {"strata_schedule", "strata_codegen"}),
    "dsl": ("strata_dsl", {"strata_driver", "strata_automatic"}),
    "tuning": ("strata_tuning", {"strata_dsl"}),
    "graph/vm": ("strata_vm", {"strata_runtime"}),
    "graph/dim": ("strata_dim", {"strata_layers"}),
    "graph/tensor": ("strata_tensor", {"strata_dim", "strata_vm"}),
    "graph/evaluate": ("strata_evaluate", {"strata_tensor"}),
    "graph/compile": ("strata_compile", {"strata_evaluate", "strata_dsl"}),
    "graph/operator": ("strata_operator", {"strata_tensor"}),
    "graph/ops": ("strata_ops", {"strata_operator"}),
    "graph/ir": ("strata_ir", {"strata_ops", "strata_evaluate"}),
    "graph/text": ("strata_graph_text", {"strata_ir"}),
    "graph/builder": ("strata_builder", {"strata_ir"}),
    "graph/onnx": ("strata_onnx", {"strata_builder"}),
    "graph/fuse": ("strata_fuse", {"strata_builder", "strata_compile"}),
    "graph/run": ("strata_run", {"strata_fuse"}),
    "graph/pass": ("strata_pass", {"strata_graph_text", "strata_run"}),
    "graph/page": ("strata_graph_page", {"strata_pass", "strata_viewer"}),
    "graph/build": ("strata_build", {"strata_pass"}),
    "graph/library": ("strata_library", {"strata_build"}),
}
# Left out where Halide or MPI is.
OPTIONAL = {"codegen/halide", "runtime/mpi"}
# The same files as strata_runtime and strata_mpi.
SAME_AS_SHARED = {"strata_shared_runtime", "strata_shared_mpi"}

FORBIDDEN = {
    r"/(work|root|tmp|home)/": "a path of one machine",
    r"\b(deb\.debian|pypi|pythonhosted)\.org\b": "a registry's host",
    r"\.\.[/]shared|\.[l]ibrary": "a path outside the repository",
    r"\b(T[O]DO|F[I]XME|X[X]X)\b": "unfinished work",
    # Not where it is a name of the operator graph.
    r"\b[s]tub\b|\b[p]laceholder\b(?![(_`\"])": "unfinished work",
    # "There is no" and "is no longer" read well.
    r"\S(?<![Tt]here) (is|are) [n]o (?!longer|more|less|better|worse)\w+": "read twice",
}
# Calls that only one file may make -> that file, and the function that others call instead.
ONLY_IN = {
    r"\.coalesce\(|\bisl_\w+_coalesce\(": ("core/sets/coalesce.cpp", "coalesced"),
    r"#include <isl/(typed_)?cpp\.h>": ("core/sets/metered.h", "its methods, which are metered"),
}
LONGEST_FILE = 500
SOURCE = {".cpp", ".h", ".c", ".inc"}


class House:
    def __init__(self, root, links):
        self.root, self.links = pathlib.Path(root), pathlib.Path(links)

    def files(self):
        """Paths of the tracked files, or of all outside hidden and build folders without git."""
        if (self.root / ".git").exists() and shutil.which("git"):
            names = subprocess.run(["git", "-C", self.root, "ls-files", "-z"], check=True,
                                   capture_output=True, text=True).stdout.split("\0")
            paths = [pathlib.PurePosixPath(name) for name in names if name]
        else:
            paths = [path.relative_to(self.root) for path in self.root.rglob("*")]
            paths = [p for p in paths if p.parts[0] not in {"build", ".venv", ".git"}]
        return sorted(p for p in paths if (self.root / p).is_file())

    def lines(self, path):
        try:
            return (self.root / path).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            return []


def allowed_includes(path):
    """The entries of ARROWS for a file, or None if no rule applies."""
    if path.parts[0] == "reference":
        return LOOP_TREE_JUDGE_ARROWS if path.name.startswith("loop_tree_") else JUDGE_ARROWS
    if str(path) in C_HEADER_ARROWS:
        return C_HEADER_ARROWS[str(path)]
    holders = [folder for folder in ARROWS if path.is_relative_to(folder)]
    return ARROWS[max(holders, key=len)] if holders else None


def may_include_halide(path):
    """The back end, and benchmarks that compare with Halide's own front end."""
    return (path.is_relative_to("codegen/halide") or
            path.is_relative_to("benchmarks") and path.stem == "halide")


def may_include_mpi(path):
    """Teams, what runs them, and no file that emitted code is made or linked with."""
    folders = ("runtime/mpi", "tests", "examples", "benchmarks")
    return (str(path) == "include/strata/mpi.h" or
            any(path.is_relative_to(folder) for folder in folders))


def ours(house, path, included):
    """The project's file that an #include in `path` names, relative to an include root, or None."""
    beside = pathlib.PurePosixPath(os.path.normpath(path.parent / included))
    for root in ("", "include"):
        if (house.root / root / included).is_file():
            return pathlib.PurePosixPath(included)
    return beside if (house.root / beside).is_file() else None


def includes(house):
    """Includes follow the arrows; only codegen/halide uses Halide, only runtime/mpi MPI."""
    for path in house.files():
        if path.suffix not in SOURCE:
            continue
        allowed = allowed_includes(path)
        for number, line in enumerate(house.lines(path), 1):
            match = re.match(r'\s*#\s*include\s*["<]([^">]+)[">]', line)
            if not match:
                continue
            place = f"{path}:{number}: {path.parent} includes {match[1]}"
            if match[1].startswith("Halide") and not may_include_halide(path):
                yield f"{place}, which only codegen/halide may"
            if match[1] in ("mpi.h", "strata/mpi.h") and not may_include_mpi(path):
                yield f"{place}, which only runtime/mpi and host programs may"
            included = ours(house, path, match[1])
            if included is None or allowed is None:
                continue
            holder = included if str(included) in allowed else included.parent
            inside = [folder for folder in ARROWS if holder.is_relative_to(folder)]
            holder = max(inside, key=len) if inside else str(holder)
            if str(included) not in allowed and holder not in allowed:
                yield f"{place}, against the arrows"


def judges(house):
    """The judges call only the library functions in JUDGE_CALLS."""
    lists = sorted(house.links.parent.glob("*.calls"))
    if not lists:
        yield "reference: not built, so its calls are unknown"
    for path in lists:
        for line in path.read_text(encoding="utf-8").splitlines():
            match = re.search(r"\b[Uuw] (?:\w+ for )?(strata::(?!reference::)[^\[( ]*)", line)
            if match and match[1] not in JUDGE_CALLS:
                yield f"{path.stem}: calls {match[1]}, which no judge may"


def targets(house):
    """Each folder makes one library, which links exactly the targets of LINKS."""
    found = {}
    for line in house.links.read_text().splitlines():
        made, linked = line.split(":", 1)
        folder, target = made.split(" ")
        found.setdefault(folder, []).append((target, set(linked.split())))
    absent = {LINKS[folder][0] for folder in OPTIONAL if folder not in found}
    for folder, (name, links) in LINKS.items():
        if folder not in found:
            if folder not in OPTIONAL and not folder.startswith("graph/"):
                yield f"{folder}: makes no library"
            continue
        for target, linked in found[folder]:
            if target not in SAME_AS_SHARED and (target, linked) != (name, links - absent):
                yield (f"{folder}: makes {target} linking {sorted(linked)}, "
                       f"the arrows say {name} linking {sorted(links - absent)}")
    for folder in found.keys() - LINKS.keys():
        yield f"{folder}: makes {found[folder]}, which LINKS does not list"


def words(house):
    """No file contains a path of one machine, marks of unfinished work, or what is read twice."""
    for path in house.files():
        for number, line in enumerate(house.lines(path), 1):
            for pattern, meaning in FORBIDDEN.items():
                if match := re.search(pattern, line):
                    yield f"{path}:{number}: '{match[0]}' is {meaning}"


def test_names(house):
    """No test's name has a semicolon: CTest's lists would cut it in two."""
    for path in house.files():
        if path.suffix == ".cpp" and path.is_relative_to("tests"):
            for number, line in enumerate(house.lines(path), 1):
                if re.search(r'^TEST_CASE\("[^"]*;', line):
                    yield f"{path}:{number}: a test's name with a semicolon; write a comma"


def calls(house):
    """Library functions that need care are called only in the file that wraps them."""
    for path in house.files():
        if path.suffix not in SOURCE or path.is_relative_to("tests"):
            continue
        for number, line in enumerate(house.lines(path), 1):
            for pattern, (home, instead) in ONLY_IN.items():
                if str(path) != home and (match := re.search(pattern, line)):
                    yield f"{path}:{number}: '{match[0]}' outside of {home}; call {instead}"


def lengths(house):
    """No file has more than LONGEST_FILE lines."""
    for path in house.files():
        length = len(house.lines(path))
        if length > LONGEST_FILE:
            yield f"{path}: {length} lines, more than {LONGEST_FILE}"


# Refusals with these codes are about executions, and show a witness.
WITH_WITNESS = ("E0113", "E0114", "E0201", "E0202", "E0203", "E0204", "E0206", "E0207", "E0301",
                "E0302", "E0303", "E0304", "E0305", "E0306", "E0307", "E0309",
                "E0504")


def error_codes(house):
    """For every error code a test compares the whole text, with its place and its witness."""
    tests = [path for path in house.files()
             if path.is_relative_to("tests/error") and path.suffix == ".cpp"]
    text = "\n".join("\n".join(house.lines(path)) for path in tests)
    texts = re.findall(r'==\s*R"\((error E\d{4} .*?)\)"', text, re.DOTALL)
    codes = re.findall(r"^\s*(E\d{4})\w+ =", "\n".join(house.lines("core/error.h")), re.MULTILINE)
    if not codes:
        yield "core/error.h: no error codes found"
    for code in codes:
        told = [text for text in texts if text.startswith(f"error {code} ")]
        if not told:
            yield f"core/error.h: no test compares the whole text of {code}"
        elif not any(" at HERE\n" in text for text in told):
            yield f"core/error.h: no test compares the place of {code}"
        elif code in WITH_WITNESS and not any("\n  for example" in text for text in told):
            yield f"core/error.h: no test compares the witness of {code}"


# Command -> the name of its method, where that differs.
AUTHORS_NAME = {"inline_computation": "set_inline"}
# Command -> the unit test that it shares with others.
TESTED_WITH = {"guard": "tail", "mask": "tail", "separate": "tail", "set_memory": "set_size"}
# (command, what it lacks) -> the reason.
EXEMPT = {
    ("barrier_at", "row of the budget test"): "asks isl nothing that other tags do not",
    ("async", "kind of the fuzzer"): "changes no value; unit tests judge its waits",
    ("mma", "kind of the fuzzer"): "needs loops that are not drawn; unit tests judge its values",
    ("distribute", "kind of the fuzzer"): "its kernels run on ranks, which tests/mpi compares",
    ("min_blocks", "kind of the fuzzer"): "always refused, or a hint that changes nothing",
}


def texts(house, folder, pattern):
    """The text of the tracked files of a folder whose names match the pattern."""
    return "\n".join("\n".join(house.lines(path)) for path in house.files()
                     if path.parent == pathlib.PurePosixPath(folder) and path.match(pattern))


def has_unit_test(house, command):
    test = f"tests/unit/schedule/{TESTED_WITH.get(command, command)}_test.cpp"
    text = "\n".join(house.lines(test)) if (house.root / test).is_file() else ""
    include = re.compile(rf'#include "schedule/commands/\w+/{command}\.h"')
    return bool(include.search(text)) and "TEST_CASE(" in text


def commands(house):
    """Every command is documented, and in all tests that commands must be in, or exempt."""
    semantics = "\n".join(house.lines("docs/semantics.md"))
    rows = re.findall(r"^\| (`.*?) \|", semantics, re.MULTILINE)
    budget, misuse = (texts(house, "tests/error", name) for name in ("budget_test.cpp", "misuse.cpp"))
    kinds = texts(house, "tests/fuzz", "commands_on_*.cpp")
    for path in house.files():
        if not path.is_relative_to("schedule/commands") or path.suffix != ".h":
            continue
        command, name = path.stem, AUTHORS_NAME.get(path.stem, path.stem)
        has = {
            "unit test": has_unit_test(house, command),
            "row in section 4 of docs/semantics.md": any(f"`{name}(" in row or f"`{name}`" in row
                                                         for row in rows),
            "kind of the fuzzer": re.search(rf'{{"{name}[" ]', kinds),
            "row of the budget test": re.search(rf'{{"{name}[" ]', budget),
            "call in the misuse test": f".{name}(" in misuse,
        }
        for what, there in has.items():
            if not there and (command, what) not in EXEMPT:
                yield f"{path}: the command has no {what}"
            if there and (command, what) in EXEMPT:
                yield f"{path}: the command has a {what}, and is exempt from it"
    for command, what in EXEMPT:
        if not list((house.root / "schedule/commands").glob(f"*/{command}.h")):
            yield f"{command} is exempt from a {what}, and there is no such command"


def private_templates(house):
    """Public headers have no private templates."""
    for path in house.files():
        if not path.is_relative_to("include/strata") or path.suffix != ".h":
            continue
        hidden = False
        for number, line in enumerate(house.lines(path), 1):
            if section := re.match(r" (public|protected|private):", line):
                hidden = section[1] != "public"
            hidden = hidden and not line.startswith("};")
            if hidden and re.match(r"\s*template\b", line):
                yield f"{path}:{number}: a private template in a public header"


def types(house):
    """A namespace of the libraries has each type in one header: two definitions of a type, in
    files that never meet, compile, and the linker takes the functions of either."""
    found = {}
    for path in house.files():
        if path.suffix != ".h" or path.parts[0] not in {*LINKS, "include"} - {"runtime"}:
            continue
        space = ""
        for line in house.lines(path):
            if opened := re.match(r"namespace ([\w:]+) \{", line):
                space = opened[1]
            if defined := re.match(r"(?:struct|class|enum class) (\w+)\b[^;]*\{", line):
                found.setdefault((space, defined[1]), set()).add(str(path))
    for (space, name), paths in sorted(found.items()):
        if len(paths) > 1:
            yield f"{min(paths)}: {max(paths)} defines {space}::{name}, too"


RULES = {rule.__name__: rule for rule in (
    includes, judges, targets, words, test_names, calls, lengths, error_codes, commands,
    private_templates, types)}


def main():
    rule, root, links = sys.argv[1:]
    broken = list(RULES[rule](House(root, links)))
    print("\n".join(broken) or f"{rule}: the house is in order")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
