// From kernels to objects, through Halide.
#pragma once

#include <string>
#include <vector>

#include "codegen/outputs.h"
#include "core/stage.h"

namespace strata {

// A target is "host" (this CPU with all its features), the name of a CPU, or a target string of
// Halide, such as "x86-64-linux-avx2-fma". A GPU's suffix may follow (core/machine/device.h). E0501
// for any other text, with the allowed ones.
//
// Writes the kernels into one object file, each as a function of its name with the C calling
// convention, and one header. The object does not contain the runtime: programs link
// strata_runtime. The same kernels and target always give the same bytes. Errors E0105 (names),
// E0308 (more shared memory than the target's GPU has), E0501, E0502, E0503.
//
// Float modes. Neither reorders operations, or assumes that NaN and infinity do not occur. In
// "exact" every operation is rounded separately: the results are bit for bit those of evaluating
// the expressions one operation at a time. In "fast", in float32 and float64, a * b + c is one
// fused multiply-add on targets that have the instruction, and x / c with a constant c becomes
// x * (1 / c) if 1 / c is a normal number: its relative error is at most twice that of a division.
// Math calls are the C library's; for vectors in "fast" they are those of runtime/vector_math.h.
void compile(const std::vector<Kernel>& kernels, const std::string& target, const Outputs& outputs,
             StageRun& stages);
void compile(const std::vector<Kernel>& kernels, const std::string& target, const Outputs& outputs);

// Writes one object with all versions. A function with each kernel's name calls the best version
// that the CPU can execute (runtime/cpu.h): the one that uses most features, and the first of
// several. If there is none, it returns strata_error_wrong_cpu. The assembly of a version is
// written to the path with its target before the extension: "smooth.x86-64-v3.s". "compile" above
// does this for a list of targets, "x86-64-v3,x86-64-v4". Further errors: E0501 if the targets are
// not of one architecture, or use the same features; E0106 if kernels differ in their arguments.
void compile(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages);

}  // namespace strata
