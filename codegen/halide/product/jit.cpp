#include <strata/runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/jit_symbols.h"
#include "codegen/halide/product/llvm_options.h"
#include "codegen/halide/product/loaded_object.h"
#include "codegen/halide/product/module.h"
#include "codegen/halide/refusal.h"
#include "codegen/tree/shared_memory.h"

namespace strata {

namespace {

int wrong_count(const std::string& kernel, const char* what, std::size_t found,
                std::size_t expected) {
  const std::string text =
      kernel + " takes " + std::to_string(expected) + " " + what + ", not " + std::to_string(found);
  return halide::report_failure(strata_error_wrong_arguments, text);
}

// A file without a name, which Halide writes under the name that the system has for it.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("kernel.o", MFD_CLOEXEC)) {
    if (file_ < 0) throw halide::cannot_generate("this system makes no files in memory");
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string name() const { return "/proc/self/fd/" + std::to_string(file_); }
  std::string contents() const {
    std::string bytes(std::size_t(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
    if (pread(file_, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
      throw halide::cannot_generate("the object of the kernel cannot be read");
    return bytes;
  }

 private:
  int file_;
};

std::string object_of(const Halide::Module& module) {
  const MemoryFile file;
  const halide::LlvmOptions options;
  module.compile({{Halide::OutputFileType::object, file.name()}});
  return file.contents();
}

// E0501 for a target that there is not: the CPU of "host" is the one at hand.
void require_known(const std::string& target) {
  if (target_parts(target).cpu == "host") return;
  for (const std::string& single : single_targets(target)) halide::target_named(single);
}

}  // namespace

struct JitKernel::Impl {
  using Function = int (*)(const void* const* arguments);

  Impl(const Kernel& kernel, halide::LoadedObject loaded)
      : name(kernel.name),
        scalars(kernel.parameters.size()),
        buffers(kernel.buffers.size()),
        code(std::move(loaded)),
        function(reinterpret_cast<Function>(code.address_of(kernel.name + "_argv"))) {}

  std::string name;
  std::size_t scalars, buffers;
  halide::LoadedObject code;
  Function function;
};

JitKernel::JitKernel(const Kernel& kernel, StageRun& stages,
                     const std::map<std::string, void*>& functions, const std::string& named)
    : impl_(nullptr) {
  require_known(named);
  require_shared_memory_on(named, kernel, {});
  const Halide::Module module = halide::make_module(
      {kernel}, halide::with_device(halide::host_target(), target_parts(named)),
      halide::Callers::argument_list, stages);
  stages.timed("machine code", "LLVM", [&] {
    halide::with_halide_errors("kernel " + kernel.name, [&] {
      impl_ = std::make_unique<Impl>(
          kernel, halide::LoadedObject(object_of(module), halide::symbols_for_kernels(functions)));
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
  return impl_->function(list.data());
}

}  // namespace strata
