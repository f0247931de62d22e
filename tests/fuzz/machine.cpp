#include "tests/fuzz/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "codegen/halide/product/compile.h"
#include "driver/jit_kernel.h"
#include "layers/text/text.h"
#include "reference/storage.h"
#include "tests/execution/guarded.h"
#include "tests/gpu/halide_devices.h"

extern "C" {
#include "runtime/threads.h"
}

namespace strata::fuzz {

using reference::Array;
using reference::Arrays;
using test::Guarded;

namespace {

Array contents(const Arrays& arrays, const std::string& name) {
  return arrays.contains(name) ? arrays[name] : Array();
}

bool holds_launch(const StmtPtr& s) {
  bool found = std::holds_alternative<Launch>(*s);
  for_each_inside(*s, [&](const StmtPtr& part) { found = found || holds_launch(part); });
  return found;
}

// The contents of an argument on the device, during a run.
class OnDevice {
 public:
  explicit OnDevice(strata_buffer& buffer) : buffer_(buffer) {
    const auto* device = tested_interface();
    for (int d = 0; d < buffer.dimensions; ++d) is_empty_ |= buffer.dim[d].extent == 0;
    if (is_empty_) {
      // The runtime has no memory of 0 bytes, and a launch needs a handle.
      require(halide_device_wrap_native(nullptr, &buffer, 0, device));
      return;
    }
    buffer.flags |= host_dirty;
    require(halide_device_malloc(nullptr, &buffer, device));
    require(halide_copy_to_device(nullptr, &buffer, device));
  }
  ~OnDevice() {
    if (is_empty_)
      strata_unwrap(&buffer_);  // CUDA's runtime has nothing to detach
    else
      halide_device_free(nullptr, &buffer_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  void fetch() {
    if (!is_empty_) require(halide_copy_to_host(nullptr, &buffer_));
  }

 private:
  static void require(int code) {
    if (code != 0) throw std::runtime_error("no memory on the device: " + std::to_string(code));
  }

  strata_buffer& buffer_;
  bool is_empty_ = false;
};

class Machine {
 public:
  Machine(const Kernel& kernel, const Program& program, const CodegenOptions& options)
      : jit_(kernel, options),
        mode_(kernel.floats),
        parameters_(kernel.parameters),
        scalars_(kernel.scalars),
        arguments_(kernel.buffers),
        layout_(program.layout) {}

  std::string run(const Run& run, test::Shape shape) const {
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<std::unique_ptr<OnDevice>> resident;
    std::vector<halide_buffer_t*> list;
    for (const ArgumentBuffer& b : arguments_) {
      memory.push_back(memory_for(run, b.name, shape));
      list.push_back(memory.back()->argument());
      if (b.resident) resident.push_back(std::make_unique<OnDevice>(memory.back()->description()));
    }
    std::vector<std::int64_t> parameters;
    for (const std::string& p : parameters_) parameters.push_back(run.size.at(p));
    std::vector<ScalarValue> scalars;
    for (const ScalarArgument& s : scalars_) scalars.push_back(test::passed(run.before[s.name]));
    strata_use_threads_for_all_loops(1);
    const int code = jit_.call(parameters, scalars, list);
    if (code != 0) return fmt::format("the kernel returns {}: {}", code, strata_last_error());
    for (const auto& argument : resident) argument->fetch();
    for (std::size_t n = 0; n < arguments_.size(); ++n) {
      const std::string& name = arguments_[n].name;
      const Array wanted = contents(run.expected, name);
      const std::string wrong = difference(wanted, memory[n]->values(wanted), mode_);
      if (!wrong.empty()) return name + wrong;
      const std::string damage = memory[n]->damage(wanted);
      if (!damage.empty()) return fmt::format("in the memory of {}, {}", name, damage);
    }
    return "";
  }

 private:
  std::unique_ptr<Guarded> memory_for(const Run& run, const std::string& name,
                                      test::Shape shape) const {
    const LayoutBuffer& buffer = *layout_.find(name);
    reference::Point lower, extent;
    test::enclose(contents(run.before, name), lower, extent);
    test::enclose(contents(run.expected, name), lower, extent);
    lower.resize(std::size_t(buffer.dimensions));
    extent.resize(std::size_t(buffer.dimensions));
    // A buffer with extents has at least these.
    if (!buffer.extents.empty())
      lower.assign(lower.size(), 0), extent = reference::extents_of(buffer, run.size);
    return std::make_unique<Guarded>(buffer.type, lower, extent, shape, contents(run.before, name));
  }

  JitKernel jit_;
  Floats mode_;
  std::vector<std::string> parameters_;
  std::vector<ScalarArgument> scalars_;
  std::vector<ArgumentBuffer> arguments_;
  Layout layout_;
};

bool has_resident(const Kernel& kernel) {
  return std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                     [](const ArgumentBuffer& b) { return b.resident; });
}

KernelRunner code_for(const Kernel& kernel, const Program& finished, const std::string& back_end,
                      const std::string& target) {
  CodegenOptions options;
  options.backend = back_end;
  options.target = target;
  const auto machine = std::make_shared<const Machine>(kernel, finished, options);
  // Resident arguments have no negative strides.
  const bool backward = !has_resident(kernel);
  return [machine, backward, back_end, turn = std::size_t{0}](const Run& run) mutable {
    const std::size_t shapes = test::all_shapes.size() - (backward ? 0 : 1);
    const test::Shape shape = test::all_shapes[turn++ % shapes];
    const std::string wrong = machine->run(run, shape);
    return wrong.empty() ? wrong
                         : fmt::format("machine code by {}: {}, {} buffers", back_end, wrong,
                                       to_string(shape));
  };
}

std::string target_with(Masks masks) {
#ifdef __x86_64__
  if (masks == Masks::loads) return "x86-64-v3";
  if (masks == Masks::none) return "x86-64-v2";
#else
  (void)masks;
#endif
  return "host";
}

}  // namespace

Compiler machine_code(int percent_by_c) {
  return [percent_by_c](const Kernel& kernel, const Program& finished, Masks masks) {
    if (holds_launch(kernel.body)) return KernelRunner();
    // Drawn by the kernel, so that a part of a program does not change what draws the next one.
    const std::size_t drawn = std::hash<std::string>{}(to_c_text(kernel)) % 100;
    return int(drawn) < percent_by_c ? code_for(kernel, finished, "c", "host")
                                     : code_for(kernel, finished, "halide", target_with(masks));
  };
}

KernelRunner device_code(const Kernel& kernel, const Program& finished, Masks) {
  if (!holds_launch(kernel.body)) return {};
  return code_for(kernel, finished, "halide", tested_target());
}

Compiler ptx_objects(const std::string& folder) {
  const auto count = std::make_shared<int>(0);  // one for all copies of the function
  return [folder, count](const Kernel& kernel, const Program& finished, Masks) {
    if (!holds_launch(kernel.body)) return KernelRunner();
    const std::string path = folder + "/" + std::to_string((*count)++);
    std::ofstream(path + ".strata") << strata::to_text(finished);
    compile({kernel}, "host-cuda-sm_90", {path + ".o", "", "", ""});
    return KernelRunner();
  };
}

}  // namespace strata::fuzz
