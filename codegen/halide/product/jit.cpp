#include <strata/runtime.h>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/jit_symbols.h"
#include "codegen/halide/product/llvm_options.h"
#include "codegen/halide/product/module.h"
#include "codegen/object/loaded_object.h"
#include "codegen/object/temporary_folder.h"
#include "codegen/refusal.h"
#include "codegen/tree/shared_memory.h"
#include "core/record.h"

// Halide's own places code for all its CPUs, and takes much longer (docs/decisions.md).
#if defined(__x86_64__) && !defined(STRATA_LOADER_OF_HALIDE)
#define STRATA_OWN_LOADER
#endif

namespace strata {

namespace {

int wrong_count(const std::string& kernel, const char* what, std::size_t found,
                std::size_t expected) {
  const std::string text =
      kernel + " takes " + std::to_string(expected) + " " + what + ", not " + std::to_string(found);
  return halide::report_failure(strata_error_wrong_arguments, text);
}

int wrong_scalar(const std::string& kernel, const ScalarArgument& scalar,
                 const ScalarValue& value) {
  const std::string text = kernel + ": the scalar " + scalar.name + " is " + value.text() +
                           ", which " + to_string(scalar.type) + " does not have";
  return halide::report_failure(strata_error_wrong_arguments, text);
}

#ifdef STRATA_OWN_LOADER

std::string object_of(const Halide::Module& module) {
  const MemoryFile memory;
  const auto folder = memory.is_there() ? nullptr : std::make_unique<TemporaryFolder>();
  const std::string file = folder ? *folder / "kernel.o" : memory.name();
  module.compile({{Halide::OutputFileType::object, file}});
  return read_bytes(file);
}

}  // namespace

// The machine code of a kernel.
class MachineCode {
 public:
  MachineCode(const Halide::Module& module, const std::string& kernel, const Addresses& known)
      : MachineCode(object_of(module), kernel, known) {}
  MachineCode(std::string object, const std::string& kernel, const Addresses& known)
      : bytes_(std::move(object)),
        object_(bytes_, known),
        function_(reinterpret_cast<Function>(object_.address_of(kernel + "_argv"))) {}
  const std::string& object() const { return bytes_; }
  static Halide::Target target() { return halide::host_target(); }
  int operator()(const void* const* arguments) const { return function_(arguments); }

 private:
  using Function = int (*)(const void* const* arguments);
  std::string bytes_;
  LoadedObject object_;
  Function function_;
};

namespace {

#else

using Halide::Internal::JITModule;

JITModule as_module(const Addresses& known) {
  JITModule symbols;
  for (const auto& [name, address] : known)
    symbols.add_symbol_for_export(name, JITModule::Symbol(address));
  return symbols;
}

// The same code for the CPU alone: for a target with a device Halide would add a runtime of its
// own, whose buffers and errors linked kernels would not know.
Halide::Module without_devices(const Halide::Module& module, const Halide::Target& target) {
  Halide::Module result(module.name(), target);
  result.set_any_strict_float(module.any_strict_float());
  for (const auto& function : module.functions()) result.append(function);
  for (const auto& buffer : module.buffers()) result.append(buffer);
  return result;
}

}  // namespace

// The machine code of a kernel: Halide places it.
class MachineCode {
 public:
  MachineCode(const Halide::Module& module, const std::string& kernel, const Addresses& known) {
    code_ = JITModule(without_devices(module, target()), module.get_function_by_name(kernel),
                      {as_module(known)});
  }
  MachineCode(const std::string&, const std::string& kernel, const Addresses&) {
    throw refused(Code::E0502_code_generation_failed,
                  "the code of " + kernel + " was not saved on this CPU", "compile it");
  }
  std::string object() const { return {}; }
  static Halide::Target target() { return halide::host_target().with_feature(Halide::Target::JIT); }
  int operator()(const void* const* arguments) const { return code_.argv_function()(arguments); }

 private:
  JITModule code_;
};

namespace {

#endif

// E0501 for a target that there is not: the CPU of "host" is the one at hand.
void require_known(const std::string& target) {
  if (target_parts(target).cpu == "host") return;
  for (const std::string& single : single_targets(target)) halide::target_named(single);
}

}  // namespace

struct JitKernel::Impl {
  std::string name;
  std::size_t parameters;
  std::vector<ScalarArgument> scalars;
  std::size_t buffers;
  MachineCode code;
};

JitKernel::JitKernel(const Kernel& kernel, StageRun& stages,
                     const std::map<std::string, void*>& functions, const std::string& named)
    : impl_(nullptr) {
  require_known(named);
  require_shared_memory_on(named, kernel, {});
  const Halide::Module module =
      halide::make_module({kernel}, halide::with_device(MachineCode::target(), target_parts(named)),
                          target_parts(named).capability, halide::Callers::argument_list, stages);
  stages.timed("machine code", "LLVM", [&] {
    const halide::LlvmOptions options;
    halide::with_halide_errors("the machine code of " + kernel.name, [&] {
      MachineCode code(module, kernel.name, halide::symbols_for_kernels(functions));
      impl_.reset(new Impl{kernel.name, kernel.parameters.size(), kernel.scalars,
                           kernel.buffers.size(), std::move(code)});
    });
  });
}

JitKernel::JitKernel(const Kernel& kernel, const std::map<std::string, void*>& functions)
    : impl_(nullptr) {
  StageRun stages(kernel.name);
  *this = JitKernel(kernel, stages, functions);
}

JitKernel::JitKernel(const Kernel& kernel, std::string object,
                     const std::map<std::string, void*>& functions) {
  MachineCode code(std::move(object), kernel.name, halide::symbols_for_kernels(functions));
  impl_.reset(new Impl{kernel.name, kernel.parameters.size(), kernel.scalars, kernel.buffers.size(),
                       std::move(code)});
}

JitKernel::JitKernel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

JitKernel::~JitKernel() = default;
JitKernel::JitKernel(JitKernel&&) noexcept = default;
JitKernel& JitKernel::operator=(JitKernel&&) noexcept = default;

// The argument list has a pointer to each number, and the pointer to each buffer itself.
int JitKernel::call(const std::vector<std::int64_t>& parameters,
                    const std::vector<ScalarValue>& scalars,
                    const std::vector<halide_buffer_t*>& buffers) const {
  if (parameters.size() != impl_->parameters)
    return wrong_count(impl_->name, "parameters", parameters.size(), impl_->parameters);
  if (scalars.size() != impl_->scalars.size())
    return wrong_count(impl_->name, "scalars", scalars.size(), impl_->scalars.size());
  if (buffers.size() != impl_->buffers)
    return wrong_count(impl_->name, "buffers", buffers.size(), impl_->buffers);
  std::vector<std::uint64_t> passed;
  for (std::size_t n = 0; n < scalars.size(); ++n) {
    const auto bytes = scalars[n].passed_as(impl_->scalars[n].type);
    if (!bytes) return wrong_scalar(impl_->name, impl_->scalars[n], scalars[n]);
    passed.push_back(*bytes);
  }
  std::vector<const void*> list;
  list.reserve(parameters.size() + passed.size() + buffers.size());
  for (const std::int64_t& parameter : parameters) list.push_back(&parameter);
  for (const std::uint64_t& scalar : passed) list.push_back(&scalar);
  for (const halide_buffer_t* buffer : buffers) list.push_back(buffer);
  return impl_->code(list.data());
}

// code_kind(), the name, the numbers of parameters and buffers, each scalar's name and type, and
// the object.
std::string JitKernel::saved() const {
  if (impl_->code.object().empty() || code_kind().empty()) return {};
  std::vector<std::string> texts{code_kind(), impl_->name, std::to_string(impl_->parameters),
                                 std::to_string(impl_->buffers)};
  for (const ScalarArgument& scalar : impl_->scalars) {
    texts.push_back(scalar.name);
    texts.push_back(to_string(scalar.type));
  }
  texts.push_back(impl_->code.object());
  return recorded(texts);
}

std::optional<JitKernel> JitKernel::find_saved(const std::string& saved,
                                               const std::map<std::string, void*>& functions) {
  const auto texts = find_texts(saved);
  if (!texts || texts->size() < 5 || (*texts)[0] != code_kind()) return std::nullopt;
  std::vector<ScalarArgument> scalars;
  for (std::size_t k = 4; k + 1 < texts->size(); k += 2)
    scalars.push_back({(*texts)[k], *type_named((*texts)[k + 1])});
  try {
    MachineCode code(texts->back(), (*texts)[1], halide::symbols_for_kernels(functions));
    return JitKernel(
        std::make_unique<Impl>(Impl{(*texts)[1], std::stoul((*texts)[2]), std::move(scalars),
                                    std::stoul((*texts)[3]), std::move(code)}));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace strata
