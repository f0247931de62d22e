"""The CPUs that code is judged for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cpu:
    name: str           # in LLVM, and the target of the generators
    openblas: str = ""  # the suffix of the kernels that OpenBLAS chooses there
    onednn: str = ""    # the value of ONEDNN_MAX_CPU_ISA for its instructions
    triple: str = "x86_64"


CPUS = {cpu.name: cpu for cpu in (
    Cpu("skylake-avx512", "SKYLAKEX", "AVX512_CORE"),
    Cpu("icelake-server", "SKYLAKEX", "AVX512_CORE"),
    Cpu("sapphirerapids", "SKYLAKEX", "AVX512_CORE"),
    Cpu("znver3", "HASWELL", "AVX2"),
    Cpu("znver4", "SKYLAKEX", "AVX512_CORE"),
    Cpu("haswell", "HASWELL", "AVX2"),
    Cpu("neoverse-v1", "NEOVERSEV1", triple="aarch64"),
)}
