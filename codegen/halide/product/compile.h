// From kernels to machine code, through Halide.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/scalar_value.h"
#include "core/stage.h"

struct halide_buffer_t;

namespace strata {

// Files to write; an empty name means that the file is not written.
struct Outputs {
  std::string object;
  std::string header;     // C, for host programs
  std::string assembly;   // for people
  std::string statement;  // Halide's text of the lowered statement, for people
};

// A target is "host", for this CPU with all its features, the name of a CPU, or a target string of
// Halide, such as "x86-64-linux-avx2-fma"; each with a GPU's suffix, if it has one
// (core/machine/device.h). E0501 for any other text, with the allowed ones.
//
// Writes the kernels into one object file, each a function of its name with the C calling
// convention, and one header. The object does not contain the runtime: programs link
// strata_runtime. The same kernels and target always give the same bytes. Errors E0105 (names),
// E0308 (more shared memory than the target's GPU has), E0501, E0502, E0503.
//
// Float modes. Neither reorders operations, or assumes that NaN and infinity do not occur. In
// "exact" every operation is rounded separately: the results are bit for bit those of evaluating
// the expressions one operation at a time. In "fast", in float32 and float64, a * b + c is one
// fused multiply-add on targets that have the instruction, and x / c, c a constant, is x * (1 / c)
// if 1 / c is a normal number: its relative error is at most twice that of a division. Math calls
// are the C library's, but for vectors in "fast" those of runtime/vector_math.h.
void compile(const std::vector<Kernel>& kernels, const std::string& target, const Outputs& outputs,
             StageRun& stages);
void compile(const std::vector<Kernel>& kernels, const std::string& target, const Outputs& outputs);

// Kernels for one target of several.
struct Version {
  std::string target;
  std::vector<Kernel> kernels;
};

// Writes one object with all versions, in which a function with each kernel's name calls the best
// one that the CPU can execute (runtime/cpu.h): of those, the one that uses most features, and the
// first of several. Without one, it returns strata_error_wrong_cpu. The assembly of a version is
// written to the path with its target before the extension: "smooth.x86-64-v3.s". "compile" above
// does this for a list of targets, "x86-64-v3,x86-64-v4". Errors also: E0501 if the targets are not
// of one architecture, or use the same features; E0106 if kernels differ in their arguments.
void compile(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages);

// The single targets that a text stands for: the items of a list; those of STRATA_MACHINE if it is
// "host". E0501 for a list with an empty item, or one that is there twice.
std::vector<std::string> single_targets(const std::string& target);

// A kernel compiled for this CPU and loaded into this process.
class JitKernel {
 public:
  // The C functions that the kernel calls are looked up by name in "functions", then in the program
  // and its libraries (a program exports its own only if it is linked with -rdynamic). Launches run
  // on the device of "target", through the runtime that this program is linked with. The CPU that
  // a target names must be known, and is not used. E0105, E0308, E0501, E0502.
  explicit JitKernel(const Kernel& kernel, const std::map<std::string, void*>& functions = {});
  JitKernel(const Kernel& kernel, StageRun& stages,
            const std::map<std::string, void*>& functions = {}, const std::string& target = "host");
  // The kernel in an object for this CPU that another back end made; the object has NAME_argv.
  JitKernel(const Kernel& kernel, std::string object,
            const std::map<std::string, void*>& functions);
  ~JitKernel();
  JitKernel(JitKernel&&) noexcept;
  JitKernel& operator=(JitKernel&&) noexcept;

  // Calls the kernel with its arguments, in the kernel's order. Returns 0 or a negative code of
  // strata/runtime.h (strata_error_wrong_arguments for a wrong number of them, or a scalar whose
  // type does not have the value); strata_last_error() has the message. Thread-safe.
  int call(const std::vector<std::int64_t>& parameters, const std::vector<ScalarValue>& scalars,
           const std::vector<halide_buffer_t*>& buffers) const;
  int call(const std::vector<std::int64_t>& parameters,
           const std::vector<halide_buffer_t*>& buffers) const {
    return call(parameters, {}, buffers);
  }

  // The machine code with what a call needs, for find_saved() in another process. Empty on CPUs
  // whose code Halide places (docs/decisions.md).
  std::string saved() const;
  // The kernel that was saved; nothing if the text is damaged or of another code_kind(), or calls a
  // function that is not there.
  static std::optional<JitKernel> find_saved(const std::string& saved,
                                             const std::map<std::string, void*>& functions = {});

 private:
  struct Impl;
  explicit JitKernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// What machine code in a process depends on besides the program: this build of Strata and of
// Halide, and the features of the CPU. Empty if the files of these builds are not found.
const std::string& code_kind();

}  // namespace strata
