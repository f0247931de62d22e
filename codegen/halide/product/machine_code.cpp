#include "codegen/halide/product/machine_code.h"

#include "codegen/halide/product/module.h"
#include "codegen/object/file_of.h"
#include "codegen/object/temporary_folder.h"
#include "codegen/refusal.h"
#include "codegen/tree/shared_memory.h"

// Halide's own loader places code for all its CPUs, and takes much longer (docs/decisions.md).
#if defined(__x86_64__) && !defined(STRATA_LOADER_OF_HALIDE)
#define STRATA_OWN_LOADER
#endif

namespace strata::halide {

namespace {

#ifdef STRATA_OWN_LOADER

Halide::Target target_in_process() { return host_target(); }

std::string object_of(const Halide::Module& module) {
  const MemoryFile memory;
  const auto folder = memory.is_there() ? nullptr : std::make_unique<TemporaryFolder>();
  const std::string file = folder ? *folder / "kernel.o" : memory.name();
  module.compile({{Halide::OutputFileType::object, file}});
  return read_bytes(file);
}

std::shared_ptr<const MachineCode> placed(const Halide::Module& module, const std::string& kernel,
                                          const Addresses& known) {
  return loaded(object_of(module), kernel, known);
}

#else

using Halide::Internal::JITModule;

Halide::Target target_in_process() { return host_target().with_feature(Halide::Target::JIT); }

JITModule as_module(const Addresses& known) {
  JITModule symbols;
  for (const auto& [name, address] : known)
    symbols.add_symbol_for_export(name, JITModule::Symbol(address));
  return symbols;
}

// The same code for the CPU alone. For a target with a device Halide would add a runtime of its
// own, and linked kernels would not share its buffers and errors.
Halide::Module without_devices(const Halide::Module& module, const Halide::Target& target) {
  Halide::Module result(module.name(), target);
  result.set_any_strict_float(module.any_strict_float());
  for (const auto& function : module.functions()) result.append(function);
  for (const auto& buffer : module.buffers()) result.append(buffer);
  return result;
}

// Code that Halide places.
class PlacedCode : public MachineCode {
 public:
  PlacedCode(const Halide::Module& module, const std::string& kernel, const Addresses& known)
      : code_(without_devices(module, target_in_process()), module.get_function_by_name(kernel),
              {as_module(known)}) {}
  int call(const void* const* arguments) const override { return code_.argv_function()(arguments); }
  const std::string& object() const override { return none_; }

 private:
  JITModule code_;
  std::string none_;
};

std::shared_ptr<const MachineCode> placed(const Halide::Module& module, const std::string& kernel,
                                          const Addresses& known) {
  return std::make_shared<const PlacedCode>(module, kernel, known);
}

#endif

// E0501 for an unknown target. The CPU of "host" is the one at hand.
void require_known(const std::string& target) {
  if (target_parts(target).cpu == "host") return;
  for (const std::string& single : single_targets(target)) target_named(single);
}

}  // namespace

std::shared_ptr<const MachineCode> machine_code(const Kernel& kernel, const std::string& target,
                                                const Addresses& known, StageRun& stages) {
  require_known(target);
  require_shared_memory_on(target, kernel, {});
  const Halide::Module module =
      make_module({kernel}, with_device(target_in_process(), target_parts(target)),
                  target_parts(target).capability, Callers::argument_list, stages);
  std::shared_ptr<const MachineCode> code;
  const auto compiled = [&] {
    code = placed(module, kernel.name, known);
    return code->object().size();
  };
  run_llvm("the machine code of " + kernel.name, compiled, stages);
  return code;
}

std::string kind_of_code() {
  const std::string file = file_of(reinterpret_cast<const void*>(&Halide::get_host_target));
  return file.empty() ? "" : "Halide, " + file + "; " + host_target().to_string();
}

}  // namespace strata::halide
