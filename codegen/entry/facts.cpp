#include "codegen/entry/facts.h"

#include <algorithm>
#include <limits>
#include <map>

#include "codegen/entry/index_range.h"
#include "codegen/entry/loop_steps.h"
#include "codegen/refusal.h"

namespace strata {

namespace {

Expr literal_number(std::int64_t value) { return constant(Type::int64, value); }

// The text on one line.
std::string line_of(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + "\n";
}

class Facts {
 public:
  Facts(const Kernel& kernel, const EntryDevice& device)
      : kernel_(kernel), device_(device), ranges_(find_index_ranges(kernel)) {
    made.names = line_of(kernel.name);
    add_parameters();
    add_assumptions();
    add_loops();
    add_buffers();
    add_pairs();
  }

  EntryFacts made;

 private:
  void add(const Expr& number) { made.numbers.push_back(number); }
  void add(std::int64_t number) { add(literal_number(number)); }

  template <typename T>
  void count(const T& list) {
    add(static_cast<std::int64_t>(list.size()));
  }

  void add_parameters() {
    count(ranges_);
    for (const auto& [name, range] : ranges_) {
      made.names += line_of(name);
      add(parameter(name));
      add(range.lowest);
      add(range.highest);
    }
  }

  void add_assumptions() {
    const std::vector<Assumption> assumptions = assumptions_beyond(ranges_, kernel_);
    count(assumptions);
    for (const Assumption& a : assumptions) {
      made.names += line_of(a.text);
      add(a.condition);
    }
  }

  void add_loops() {
    const std::vector<LoopSteps> loops = find_steps_of_loops(kernel_);
    count(loops);
    for (const LoopSteps& loop : loops) {
      made.names += line_of(loop.name);
      add(loop.most);
      add(most_allowed(loop));
      add(std::int64_t(loop.axis ? *loop.axis + 1 : 0));
    }
  }

  std::int64_t most_allowed(const LoopSteps& loop) const {
    if (!loop.axis) return std::numeric_limits<std::int32_t>::max();
    const std::int64_t most = device_.limits.blocks_on_axis.at(*loop.axis);
    if (loop.most.op() == Op::constant && loop.most.node().integer > most)
      throw refused(Code::E0502_code_generation_failed,
                    "a launch has " + std::to_string(loop.most.node().integer) +
                        " blocks on axis " + std::string(1, "xyz"[*loop.axis]) + ", loop " +
                        loop.name + ", but a device of this target has at most " +
                        std::to_string(most) + " there",
                    "take larger tiles, or make it the innermost block loop");
    return most;
  }

  void add_buffers() {
    count(kernel_.buffers);
    for (const ArgumentBuffer& b : kernel_.buffers) {
      const ElementCode type = element_code(b.type);
      made.names += line_of(b.name);
      add(type.code);
      add(type.bits);
      count(b.lowers);
      add(int(b.access));
      add(b.resident ? device_.number : 0);
      for (std::size_t d = 0; d < b.lowers.size(); ++d) {
        add(b.lowers[d]);
        add(b.uppers[d]);
      }
    }
  }

  void add_pairs() {
    const auto place = [&](const std::string& name) {
      const auto& all = kernel_.buffers;
      return std::find_if(all.begin(), all.end(),
                          [&](const ArgumentBuffer& b) { return b.name == name; }) -
             all.begin();
    };
    count(kernel_.may_overlap);
    for (const auto& [a, b] : kernel_.may_overlap) {
      add(std::int64_t(place(a)));
      add(std::int64_t(place(b)));
    }
  }

  const Kernel& kernel_;
  const EntryDevice& device_;
  const std::map<std::string, ParameterRange> ranges_;
};

}  // namespace

EntryFacts entry_facts(const Kernel& kernel, const EntryDevice& device) {
  return Facts(kernel, device).made;
}

std::vector<std::string> parameters_of(const Kernel& kernel) {
  std::vector<std::string> names = kernel.parameters;
  for (const SizeRead& size : kernel.sizes) names.push_back(size.parameter);
  for (const KernelPartition& p : kernel.partitions) {
    names.push_back(p.first);
    names.push_back(p.last);
  }
  return names;
}

Kernel reader_of(const Kernel& kernel, const SizeRead& size) {
  Kernel reader = kernel;
  reader.buffers.clear();
  reader.may_overlap.clear();
  reader.assumptions.clear();
  reader.body = make_stmt(Block{});
  reader.fallback = nullptr;
  reader.before.clear();
  visit(size.value, [&](const Expr& e) {
    if (e.op() != Op::load) return;
    ArgumentBuffer element{e.name(), e.type(), Access::read, e.args(), {}};
    for (const Expr& index : e.args()) element.uppers.push_back(index + 1);
    reader.buffers.push_back(element);
  });
  return reader;
}

ElementCode element_code(Type type) {
  if (type == Type::boolean) return {1, 1};
  if (type == Type::bfloat16) return {4, 16};
  if (is_float(type)) return {2, bits(type)};
  return {is_signed_integer(type) ? 0 : 1, bits(type)};
}

}  // namespace strata
