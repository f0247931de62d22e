"""Prints the build targets of the generators of these kernels, or of all: generators.py [KERNEL]..
An unknown kernel is left to mca.py, which names the known ones."""

import sys

from kernels import KERNELS

wanted = [KERNELS[name] for name in sys.argv[1:] if name in KERNELS] or KERNELS.values()
print(*dict.fromkeys(f"{kernel.function}_generator" for kernel in wanted))
