// A kernel in this process.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/object/machine_code.h"
#include "codegen/tree/loop_tree.h"
#include "core/scalar_value.h"
#include "core/stage.h"
#include "strata/codegen_options.h"

struct halide_buffer_t;

namespace strata {

// A kernel compiled for this CPU and loaded into this process.
class JitKernel {
 public:
  // Compiles by the back end of the options. C functions that the kernel calls are found by name in
  // the options' functions, then in the program and its libraries (a program exports its own
  // functions only if it is linked with -rdynamic). Launches run on the device of the options'
  // target, through the runtime that this program is linked with. The CPU that a target names must
  // be known, but is not used. Errors: E0105, E0106, E0308, E0501, E0502.
  JitKernel(const Kernel& kernel, const CodegenOptions& options, StageRun& stages);
  explicit JitKernel(const Kernel& kernel, const CodegenOptions& options = {});

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
  // The kernel that was saved. Nothing if the text is damaged or has another code_kind(), or if the
  // kernel calls a function that does not exist here.
  static std::optional<JitKernel> find_saved(const std::string& saved,
                                             const std::map<std::string, void*>& functions = {});

 private:
  JitKernel() = default;

  std::string name_;
  std::size_t parameters_ = 0;
  std::vector<ScalarArgument> scalars_;
  std::size_t buffers_ = 0;
  std::shared_ptr<const MachineCode> code_;
};

// What machine code in a process depends on besides the program: the builds of Strata and of its
// back ends, and the features of the CPU. Empty if the files of these builds are not found.
const std::string& code_kind();

}  // namespace strata
