#include "tests/fuzz/machine.h"

#include <fmt/format.h>

#include <memory>

#include "codegen/halide/product/compile.h"
#include "tests/execution/guarded.h"
#include "tests/judge/storage.h"

extern "C" {
#include "runtime/threads.h"
}

namespace strata::fuzz {

using judge::Array;
using judge::Arrays;
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

class Machine {
 public:
  Machine(const Kernel& kernel, const Program& program)
      : jit_(kernel),
        mode_(kernel.floats),
        parameters_(kernel.parameters),
        layout_(program.layout) {
    for (const ArgumentBuffer& b : kernel.buffers) arguments_.push_back(b.name);
  }

  std::string run(const Run& run, test::Shape shape) const {
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<halide_buffer_t*> list;
    for (const std::string& name : arguments_) {
      memory.push_back(memory_for(run, name, shape));
      list.push_back(memory.back()->argument());
    }
    std::vector<std::int64_t> scalars;
    for (const std::string& p : parameters_) scalars.push_back(run.size.at(p));
    strata_use_threads_for_all_loops(1);
    const int code = jit_.call(scalars, list);
    if (code != 0) return fmt::format("the kernel returns {}: {}", code, strata_last_error());
    for (std::size_t n = 0; n < arguments_.size(); ++n) {
      const Array wanted = contents(run.expected, arguments_[n]);
      const std::string wrong = difference(wanted, memory[n]->values(wanted), mode_);
      if (!wrong.empty()) return arguments_[n] + wrong;
      const std::string damage = memory[n]->damage(wanted);
      if (!damage.empty()) return fmt::format("in the memory of {}, {}", arguments_[n], damage);
    }
    return "";
  }

 private:
  std::unique_ptr<Guarded> memory_for(const Run& run, const std::string& name,
                                      test::Shape shape) const {
    const LayoutBuffer& buffer = *layout_.find(name);
    judge::Point lower, extent;
    test::enclose(contents(run.before, name), lower, extent);
    test::enclose(contents(run.expected, name), lower, extent);
    lower.resize(std::size_t(buffer.dimensions));
    extent.resize(std::size_t(buffer.dimensions));
    // A buffer with extents has at least these.
    if (!buffer.extents.empty())
      lower.assign(lower.size(), 0), extent = judge::extents_of(buffer, run.size);
    return std::make_unique<Guarded>(buffer.type, lower, extent, shape,
                                     contents(run.before, name));
  }

  JitKernel jit_;
  Floats mode_;
  std::vector<std::string> parameters_, arguments_;
  Layout layout_;
};

}  // namespace

KernelRunner machine_code(const Kernel& kernel, const Program& finished) {
  if (holds_launch(kernel.body)) return {};
  const auto machine = std::make_shared<const Machine>(kernel, finished);
  return [machine, turn = std::size_t{0}](const Run& run) mutable {
    const test::Shape shape = test::all_shapes[turn++ % test::all_shapes.size()];
    const std::string wrong = machine->run(run, shape);
    return wrong.empty() ? wrong : "machine code: " + wrong + ", " + to_string(shape) + " buffers";
  };
}

}  // namespace strata::fuzz
