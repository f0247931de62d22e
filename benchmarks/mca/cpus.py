"""The CPUs that code is judged for."""

from dataclasses import dataclass

AVX2 = "x86-64-linux-sse41-avx-f16c-fma-avx2"
AVX512 = AVX2 + "-avx512-avx512_skylake"


@dataclass(frozen=True)
class Cpu:
    name: str           # in LLVM
    target: str         # of the generators
    openblas: str = ""  # the suffix of the kernels that OpenBLAS chooses there
    onednn: str = ""    # the value of ONEDNN_MAX_CPU_ISA for its instructions
    triple: str = "x86_64"


CPUS = {cpu.name: cpu for cpu in (
    Cpu("skylake-avx512", AVX512, "SKYLAKEX", "AVX512_CORE"),
    Cpu("icelake-server", AVX512 + "-avx512_cannonlake", "SKYLAKEX", "AVX512_CORE"),
    Cpu("sapphirerapids", AVX512 + "-avx512_cannonlake-avx512_zen4-avx512_sapphirerapids",
        "SKYLAKEX", "AVX512_CORE"),
    Cpu("znver3", AVX2, "HASWELL", "AVX2"),
    Cpu("znver4", AVX512 + "-avx512_cannonlake-avx512_zen4", "SKYLAKEX", "AVX512_CORE"),
    Cpu("haswell", AVX2, "HASWELL", "AVX2"),
    Cpu("neoverse-v1", "arm-64-linux", "NEOVERSEV1", triple="aarch64"),
)}
