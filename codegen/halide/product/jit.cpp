#include <strata/runtime.h>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/jit_symbols.h"
#include "codegen/halide/product/llvm_options.h"
#include "codegen/halide/product/module.h"
#include "codegen/tree/shared_memory.h"

namespace strata {

namespace {

using Halide::Internal::JITModule;

int wrong_count(const std::string& kernel, const char* what, std::size_t found,
                std::size_t expected) {
  const std::string text =
      kernel + " takes " + std::to_string(expected) + " " + what + ", not " + std::to_string(found);
  return halide::report_failure(strata_error_wrong_arguments, text);
}

// The same code for the CPU alone: for a target with a device Halide would add a runtime of its own,
// whose buffers and errors linked kernels would not know.
Halide::Module without_devices(const Halide::Module& module, const Halide::Target& target) {
  Halide::Module result(module.name(), target);
  result.set_any_strict_float(module.any_strict_float());
  for (const auto& function : module.functions()) result.append(function);
  for (const auto& buffer : module.buffers()) result.append(buffer);
  return result;
}

// E0501 for a target that there is not: the CPU of "host" is the one at hand.
void require_known(const std::string& target) {
  if (target_parts(target).cpu == "host") return;
  for (const std::string& single : single_targets(target)) halide::target_named(single);
}

}  // namespace

struct JitKernel::Impl {
  std::string name;
  std::size_t scalars = 0, buffers = 0;
  JITModule code;
};

JitKernel::JitKernel(const Kernel& kernel, StageRun& stages,
                     const std::map<std::string, void*>& functions, const std::string& named)
    : impl_(std::make_unique<Impl>()) {
  require_known(named);
  require_shared_memory_on(named, kernel, {});
  impl_->name = kernel.name;
  impl_->scalars = kernel.parameters.size();
  impl_->buffers = kernel.buffers.size();
  const Halide::Target target = halide::host_target().with_feature(Halide::Target::JIT);
  const Halide::Module module = without_devices(
      halide::make_module({kernel}, halide::with_device(target, target_parts(named)),
                          halide::Callers::argument_list, stages),
      target);
  stages.timed("machine code", "LLVM", [&] {
    halide::with_halide_errors("kernel " + kernel.name, [&] {
      const halide::LlvmOptions options;
      impl_->code = JITModule(module, module.get_function_by_name(kernel.name),
                              {halide::symbols_for_kernels(functions)});
    });
  });
}

JitKernel::JitKernel(const Kernel& kernel, const std::map<std::string, void*>& functions)
    : impl_(nullptr) {
  StageRun stages(kernel.name);
  *this = JitKernel(kernel, stages, functions);
}

JitKernel::~JitKernel() = default;
JitKernel::JitKernel(JitKernel&&) noexcept = default;
JitKernel& JitKernel::operator=(JitKernel&&) noexcept = default;

// The argument list has a pointer to each scalar, and the pointer to each buffer itself.
int JitKernel::call(const std::vector<std::int64_t>& scalars,
                    const std::vector<halide_buffer_t*>& buffers) const {
  if (scalars.size() != impl_->scalars)
    return wrong_count(impl_->name, "scalars", scalars.size(), impl_->scalars);
  if (buffers.size() != impl_->buffers)
    return wrong_count(impl_->name, "buffers", buffers.size(), impl_->buffers);
  std::vector<const void*> list;
  for (const std::int64_t& scalar : scalars) list.push_back(&scalar);
  for (const halide_buffer_t* buffer : buffers) list.push_back(buffer);
  return impl_->code.argv_function()(list.data());
}

}  // namespace strata
