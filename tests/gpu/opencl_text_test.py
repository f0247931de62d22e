"""opencl_text_test.py FOLDER: what results alone do not show of the OpenCL text of
device_code_generator.cpp's kernels, which ran in FOLDER."""

import pathlib
import re
import sys


def text_of(folder, kernel):
    """The OpenCL text that the object of a kernel holds."""
    data = pathlib.Path(folder, f"{kernel}.o").read_bytes()
    return re.search(rb"/\*OpenCL C[^\0]*", data)[0].decode()


def joined_operations(text):
    """Statements with more than one operation on floats, which a compiler might join."""
    return re.findall(r"^ *(?:float|double) \w+ = .*[-+*/].* [-+*/] .*;$", text, re.MULTILINE)


def looks_at_place(loop):
    """How often a loop of compare-and-exchange reads the place that it exchanges."""
    place = re.search(r"old_val(?:\.f)? = (.*);", loop)[1]
    return loop.count(f"= {place};")


def narrow_places(text):
    """Accesses to arguments at places of fewer than 64 bits: arrays have more than 2^31 elements."""
    names = re.findall(r"\b_device_\w+\)?\[(\w+)\]", text)
    return [name for name in names if not re.search(rf"\blong\d* {name} = ", text)]


def constants(text):
    """Each argument that may be in constant memory, with the condition for it."""
    return re.findall(r"#if (.*)\n#define __address_space__device_(\w+) __constant\n#else\n"
                      r"#define __address_space__device_\2 __global\n#endif\n", text)


def findings(folder):
    """What is wrong."""
    for kernel in ("exact_float", "exact_double"):
        text = text_of(folder, kernel)
        if "FP_CONTRACT OFF" not in text or "FP_CONTRACT ON" in text or "fma(" in text:
            yield f"{kernel}: operations may be joined"
        for statement in joined_operations(text):
            yield f"{kernel}: more than one operation: {statement}"
    for path in sorted(pathlib.Path(folder).glob("*.o")):
        for place in narrow_places(text_of(folder, path.stem)):
            yield f"{path.stem}: the place {place} has not 64 bits"
    exact = text_of(folder, "exact_float")
    if not re.search(r"double \w+ = \w+ / \w+;", exact) or "double" not in exact:
        yield "exact_float: a quotient that OpenCL does not round as it should"
    if "fma(" not in text_of(folder, "fast_float"):
        yield "fast_float: a product and a sum are two operations"
    if "FP_CONTRACT ON" not in text_of(folder, "fast_float"):
        yield "fast_float: no operations may be joined"
    loops = re.findall(r"do \{.*?while\(atomic_cmpxchg", text_of(folder, "atomics"), re.DOTALL)
    if len(loops) != 4:
        yield f"atomics: {len(loops)} loops, not 4"
    for loop in loops:
        if looks_at_place(loop) != 1:
            yield f"atomics: {looks_at_place(loop)} looks at the place in one step: {loop}"
    if text_of(folder, "atomics").count("atomic_add(") != 1:
        yield "atomics: the sum of integers is not an operation of the device"
    if constants(text_of(folder, "weights")) != [
            (f"{bytes} <= MAX_CONSTANT_BUFFER_SIZE && {place} < MAX_CONSTANT_ARGS", name)
            for place, name, bytes in ((0, "w", 36), (1, "shares", 36 + 64))]:
        yield f"weights: {constants(text_of(folder, 'weights'))} in constant memory"
    if "vload" in text_of(folder, "vectors") or "float4" not in text_of(folder, "vectors"):
        yield "vectors: no aligned vectors"


if __name__ == "__main__":
    FOUND = list(findings(sys.argv[1]))
    print("\n".join(FOUND))
    sys.exit(1 if FOUND else 0)
