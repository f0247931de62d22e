"""Each public method and function of the C++ API is there, with its arguments' names."""

import keyword
import os
import pathlib
import re

import pytest

import strata as st

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])

# (class, method) -> why Python lacks it, or has other arguments.
EXEMPT = {
    ("Function", "program"): "a C++ structure; text() shows it",
    ("Function", "unscheduled"): "a C++ structure",
    ("Function", "jit"): "the fields of CodegenOptions are keyword arguments",
    ("Function", "codegen"): "the fields of CodegenOptions are keyword arguments",
    ("Function", "autoschedule"): "the fields of AutoscheduleOptions are keyword arguments",
    ("Function", "to_c"): "the fields of CodegenOptions that it reads are keyword arguments",
    ("Function", "partition"): "kernels on ranks do not run in process yet",
    ("Computation", "distribute"): "kernels on ranks do not run in process yet",
    ("Computation", "owner"): "identities of C++ handles",
    ("Input", "owner"): "identities of C++ handles",
    ("Buffer", "owner"): "identities of C++ handles",
    ("Kernel", "saved"): "only the machine code, without what Python asks of arguments",
    ("Kernel", "find_saved"): "only the machine code, without what Python asks of arguments",
    ("Kernel", "code_kind"): "of saved machine code",
}
CLASSES = [("function.h", "Function", "Function"), ("computation.h", "Computation", "Computation"),
           ("input.h", "Input", "Input"), ("kernel_buffer.h", "Buffer", "Buffer"),
           ("jit_function.h", "JitFunction", "Kernel")]


def without_comments(text):
    return re.sub(r"//[^\n]*", "", text)


def split_arguments(text):
    parts, depth = [""], 0
    for c in text:
        depth += c in "<({"
        depth -= c in ">)}"
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def name_of(argument):
    """The name of a C++ argument; a Root without one is a loop."""
    left = argument.split("=")[0].strip()
    if left == "Root":
        return "loop"
    return re.search(r"(\w+)$", left)[1]


def public_methods(header, name):
    """(method, names of its arguments) for each overload, without the place."""
    text = without_comments((SOURCE / "include/strata" / header).read_text())
    body = re.search(rf"\nclass {name}\b[^;]*?\{{(.*?)\n\}};", text, re.DOTALL)[1]
    sections = re.split(r"\n (public|private):", body)
    public = "".join(s for kind, s in zip(sections[1::2], sections[2::2]) if kind == "public")
    public = re.sub(r"\)\s*(const)?\s*\{.*?\n?\s*\}\n", r") \1;\n", public, flags=re.DOTALL)
    for statement in public.split(";"):
        match = re.search(r"([\w:]+)\(((?:[^()]|\([^()]*\))*)\)\s*(?:const)?\s*$",
                          statement.strip())
        if (not match or re.search("operator|std::move", statement)
                or match[1] in (name, "std::function")):
            continue
        arguments = [a for a in split_arguments(match[2]) if not a.startswith("const Where&")]
        yield match[1], tuple(name_of(a) for a in arguments)


def python_overloads(cls, method):
    found = getattr(cls, method)
    if isinstance(found, property):
        return {()}
    names = set()
    for signature, *_ in found.__nb_signature__:
        inside = re.search(r"\((.*)\)", signature, re.DOTALL)[1]
        arguments = [re.match(r"[*\w]+", a)[0] for a in split_arguments(inside.replace("[", "(")
                                                                       .replace("]", ")"))]
        names.add(tuple("loop" if a == "root" else a for a in arguments if a not in ("self", "/")))
    return names


@pytest.mark.parametrize("header, cpp, python", CLASSES)
def test_every_method_is_bound_with_its_arguments(header, cpp, python):
    cls = getattr(st, python)
    methods = list(public_methods(header, cpp))
    assert len(methods) >= (1 if cpp in ("Input", "Buffer", "JitFunction") else 4)
    missing = []
    for method, arguments in methods:
        method += "_" if keyword.iskeyword(method) else ""
        if (python, method) in EXEMPT:
            assert not hasattr(cls, method) or method in ("jit", "codegen", "to_c", "autoschedule")
        elif not hasattr(cls, method):
            missing.append(f"{python}.{method}")
        elif arguments not in python_overloads(cls, method):
            missing.append(f"{python}.{method}{arguments}, not {python_overloads(cls, method)}")
    assert not missing


def test_the_parser_of_headers_sees_overloads():
    methods = list(public_methods("computation.h", "Computation"))
    assert methods.count(("split", ("i", "size"))) == 1
    assert ("split", ("i", "size", "outer", "inner")) in methods
    assert len({name for name, _ in methods}) >= 45


def test_every_option_of_code_generation_is_a_keyword():
    text = without_comments((SOURCE / "include/strata/codegen_options.h").read_text())
    fields = set(re.findall(r"^  [\w:<>, *]+ (\w+)(?: = [^;]*)?;", text, re.MULTILINE))
    assert {"target", "floats", "profile", "header", "print_notes"} <= fields
    signature = st.Function.codegen.__nb_signature__[0][0]
    in_process = st.Function.jit.__nb_signature__[0][0]
    for field in fields - {"functions"}:
        assert f"{field}:" in signature
    for field in fields - {"header", "assembly"}:
        assert f"{field}:" in in_process


# Functions of expr.h and tuple.h that authors do not need.
MAKERS_OF_NODES = {"variable", "parameter", "real_constant", "load", "checked", "array_argument",
                   "invalid", "make", "both", "with_args", "identity_of", "combine", "find_invalid",
                   "visit", "rewrite", "free_variables", "substitute", "takes_arrays", "same",
                   "to_string", "reduction_named", "left_operand", "right_operand", "applied"}


@pytest.mark.parametrize("header", ["expr.h", "tuple.h"])
def test_every_function_of_expressions_is_there(header):
    text = without_comments((SOURCE / "core/expr" / header).read_text())
    names = set(re.findall(r"^\w[\w:<>*& ]* (\w+)\(", text, re.MULTILINE))
    names |= set(re.findall(r"^STRATA_(?:UNARY|BINARY_FUNCTION)\((\w+)[,)]", text, re.MULTILINE))
    assert len(names) >= 7
    assert [n for n in sorted(names - MAKERS_OF_NODES) if not hasattr(st, n)] == []


@pytest.mark.parametrize("header, enumeration, prefix", [
    ("core/error.h", "Code", ""), ("core/type.h", "Type", ""),
    ("include/strata/runtime.h", "KernelCode", "strata_error_"), ("layers/memory.h", "Memory", ""),
    ("core/floats.h", "Floats", "")])
def test_every_enumerator_is_there(header, enumeration, prefix):
    text = without_comments((SOURCE / header).read_text())
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    cpp = "strata_code" if enumeration == "KernelCode" else enumeration
    body = re.search(rf"enum (?:class )?{cpp} \{{(.*?)\}}", text, re.DOTALL)[1]
    names = {item.split("=")[0].strip() for item in body.split(",")}
    names = {n.removeprefix(prefix) for n in names if n and n != "strata_success"}
    # "global" is a keyword of Python.
    assert {n.removesuffix("_") for n in getattr(st, enumeration).__members__} == names
