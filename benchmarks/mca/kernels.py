"""The kernels that are judged: their generators, the sizes at which instances are counted, and what
their inner loops are measured by."""

from dataclasses import dataclass

MULTIPLY_ADDS, LOADS, WORK = "multiply-adds", "loads", "work"


@dataclass(frozen=True)
class Kernel:
    name: str           # in tables, as in tools/bench
    folder: str         # of its generator, in a build
    function: str       # the generator is FUNCTION_generator
    measure: str        # MULTIPLY_ADDS, or LOADS, which is followed by WORK
    sizes: dict         # parameter -> value
    openblas: str = ""  # the routine that does the same work
    onednn: str = ""    # the size at which oneDNN's program of this benchmark runs


def polybench(name, measure, sizes, openblas=""):
    return Kernel(name, f"benchmarks/polybench/{name}", "kernel_" + name.replace("-", "_"), measure,
                  sizes, openblas)


IMAGE = {"N": 1024, "W": 3072}
# Sizes of tools/bench; where loops run over time, fewer steps.
KERNELS = {kernel.name: kernel for kernel in (
    Kernel("sgemm", "examples/matmul", "matmul", MULTIPLY_ADDS,
           {"N": 1000, "M": 1000, "K": 1000}, "sgemm"),
    polybench("gemm", MULTIPLY_ADDS, {"NI": 1000, "NJ": 1100, "NK": 1200}, "dgemm"),
    polybench("2mm", MULTIPLY_ADDS, {"NI": 800, "NJ": 900, "NK": 1100, "NL": 1200}, "dgemm"),
    Kernel("conv", "benchmarks/conv", "conv", MULTIPLY_ADDS,
           {"B": 5, "H": 80, "W": 100, "CI": 128, "CO": 128}, onednn="128to128"),
    Kernel("vgg", "benchmarks/vgg", "vgg", MULTIPLY_ADDS,
           {"P": 112, "Q": 112, "CI": 3, "C": 64}),
    Kernel("lstm", "examples/lstm", "lstm", MULTIPLY_ADDS, {"T": 100, "H": 512, "D": 512}),
    polybench("lu", MULTIPLY_ADDS, {"N": 400}),
    polybench("jacobi-1d", LOADS, {"T": 100, "N": 2000}),
    polybench("jacobi-2d", LOADS, {"T": 20, "N": 1300}),
    polybench("heat-3d", LOADS, {"T": 20, "N": 120}),
    polybench("fdtd-2d", LOADS, {"T": 20, "NX": 1000, "NY": 1200}),
    Kernel("blur", "examples/blur", "blur", LOADS, IMAGE),
    Kernel("gaussian", "benchmarks/gaussian", "gaussian", LOADS, IMAGE),
    Kernel("edge", "benchmarks/edge", "edge", LOADS, IMAGE),
)}
