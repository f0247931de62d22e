// A kernel in this process, made by Function::jit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/scalar_value.h"

struct halide_buffer_t;

namespace strata {

// A compiled kernel in this process.
class JitFunction {
 public:
  // Parameters in order of declaration, then buffers in the order given to jit(): an Array of
  // strata/buffer.h, or any halide_buffer_t*. Returns 0, or a negative code of strata/runtime.h
  // (strata_last_error() has the message). E0106 if the kernel was not made by jit().
  int operator()(const std::vector<std::int64_t>& parameters,
                 const std::vector<halide_buffer_t*>& buffers,
                 const Where& where = Where::here()) const;
  // With the scalars between them, in order of declaration: kernel({N}, {0.5f}, {x, y}).
  int operator()(const std::vector<std::int64_t>& parameters,
                 const std::vector<ScalarValue>& scalars,
                 const std::vector<halide_buffer_t*>& buffers,
                 const Where& where = Where::here()) const;

  // The profile of the calls of this kernel, and of other kernels of its name in this process, as
  // the table of strata_print_profile. E0106 if it was made without CodegenOptions::profile, or not
  // called.
  std::string profile(const Where& where = Where::here()) const;

  // The machine code, for find_saved() in another process. Empty if there is none that can be
  // kept: with CodegenOptions::profile, and on CPUs other than x86-64.
  std::string saved() const;
  // The kernel that was saved. Nothing if the text is damaged, or saved by another build of Strata
  // or for a CPU with other features, or if a function that it calls is neither in "functions" nor
  // in this process: then compile it anew.
  static std::optional<JitFunction> find_saved(const std::string& saved,
                                               const std::map<std::string, void*>& functions = {});
  // What saved code depends on besides the program: the build of Strata, and the CPU's features.
  static const std::string& code_kind();

 private:
  friend class Function;
  std::shared_ptr<const void> kernel_;
  std::string name_ = {};
  bool profiled_ = false;
};

}  // namespace strata
