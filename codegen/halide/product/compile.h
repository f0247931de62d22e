// From kernels to machine code, through Halide.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/stage.h"

struct halide_buffer_t;

namespace strata {

// Files to write; an empty name is a file not wanted.
struct Outputs {
  std::string object;
  std::string header;     // C, for host programs
  std::string assembly;   // for people
  std::string statement;  // Halide's text of the lowered statement, for people
};

// A target is "host", for the CPU this runs on with all its features, or Halide's text for one,
// such as "x86-64-linux-avx2-fma".  Error E0501 for any other text, which says what is allowed.

// Writes the kernels into one object file, each a function of its name with the C calling
// convention, and one header.  The object has no runtime inside: programs link strata_runtime.
// The same kernels and target always give the same bytes.  Errors E0501, E0502, E0503.
//
// Float modes.  Neither reorders operations, or takes NaN or infinity for impossible.  In "exact"
// every operation rounds by itself: the results are bit for bit those of evaluating the expressions
// one operation at a time.  In "fast", in float32 and float64, a * b + c is one fused multiply-add on
// targets that have the instruction, and x / c, c a constant, is x * (1 / c) where 1 / c is a normal
// number: its relative error is twice that of a division at most.  Math functions are the C
// library's in both.
void compile(const std::vector<Kernel>& kernels, const std::string& target,
             const Outputs& outputs, StageRun& stages);
void compile(const std::vector<Kernel>& kernels, const std::string& target,
             const Outputs& outputs);

// The header that compile writes.
std::string c_header(const std::vector<Kernel>& kernels);

// A kernel compiled for this CPU into this process.
class JitKernel {
 public:
  // The C functions that the kernel calls are looked up by name among "functions", then in the
  // program and its libraries (a program shows its own only if it is linked with -rdynamic).
  explicit JitKernel(const Kernel& kernel, const std::map<std::string, void*>& functions = {});
  JitKernel(const Kernel& kernel, StageRun& stages,
            const std::map<std::string, void*>& functions = {});
  ~JitKernel();
  JitKernel(JitKernel&&) noexcept;
  JitKernel& operator=(JitKernel&&) noexcept;

  // Calls it with its scalars and buffers, in the order of the kernel.  Returns 0 or a negative
  // code of strata/runtime.h; strata_last_error() has the message.  Safe from several threads.
  int call(const std::vector<std::int64_t>& scalars,
           const std::vector<halide_buffer_t*>& buffers) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strata
