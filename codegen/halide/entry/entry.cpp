#include "codegen/halide/entry/entry.h"

#include <algorithm>
#include <limits>

#include "codegen/halide/bounds/index_range.h"
#include "codegen/halide/bounds/loop_steps.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/team_side.h"
#include "codegen/halide/refusal.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::LetStmt;
using Halide::Internal::make_zero;
using Halide::Internal::Variable;

const char* const check_result = "strata.check";

HExpr number(std::int64_t value) { return HExpr(value); }
HExpr number(const HExpr& e) { return Halide::cast(Halide::Int(64), e); }

// The text on one line.
std::string line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + "\n";
}

// The names and numbers that strata_check_arguments reads, in its order (runtime/check.c).
class Facts {
 public:
  Facts(const Kernel& kernel, const Abilities& abilities)
      : kernel_(kernel),
        limits_(abilities.machine.device),
        device_(abilities.device),
        ranges_(find_index_ranges(kernel)) {
    for (const std::string& name : parameters_of(kernel))
      scope_.parameters[name] = Variable::make(Halide::Int(64), symbol_of_parameter(name));
    names_ = line(kernel.name);
    add_parameters();
    add_assumptions();
    add_loops();
    add_buffers();
    add_pairs();
  }

  HExpr call() const {
    std::vector<HExpr> buffers;
    for (const ArgumentBuffer& b : kernel_.buffers)
      buffers.push_back(Variable::make(Halide::type_of<halide_buffer_t*>(),
                                       symbol_of_buffer(b.name) + ".buffer"));
    if (buffers.empty()) buffers.push_back(make_zero(Halide::Handle()));
    const auto list = [](const std::vector<HExpr>& parts) {
      return Call::make(Halide::Handle(), Call::make_struct, parts, Call::PureIntrinsic);
    };
    return Call::make(Halide::Int(32), "strata_check_arguments",
                      {names_, list(numbers_), list(buffers)}, Call::Extern);
  }

 private:
  // The bounds are computed before the ranges are checked, so their arithmetic wraps.
  HExpr value(const Expr& e) const { return ExpressionEmitter(scope_).value(e); }

  // As in runtime/buffer_checks.h.
  std::int64_t device_number() const { return device_ == Halide::DeviceAPI::CUDA ? 2 : 1; }

  template <typename T>
  void count(const T& list) {
    numbers_.push_back(number(static_cast<std::int64_t>(list.size())));
  }

  void add_parameters() {
    count(ranges_);
    for (const auto& [name, range] : ranges_) {
      names_ += line(name);
      numbers_.push_back(scope_.parameters.at(name));
      numbers_.push_back(number(range.lowest));
      numbers_.push_back(number(range.highest));
    }
  }

  void add_assumptions() {
    const std::vector<Assumption> assumptions = assumptions_beyond(ranges_, kernel_);
    count(assumptions);
    for (const Assumption& a : assumptions) {
      names_ += line(a.text);
      numbers_.push_back(number(value(a.condition)));
    }
  }

  void add_loops() {
    const std::vector<LoopSteps> loops = find_steps_of_loops(kernel_);
    count(loops);
    for (const LoopSteps& loop : loops) {
      names_ += line(loop.name);
      numbers_.push_back(value(loop.most));
      numbers_.push_back(number(most_allowed(loop)));
      numbers_.push_back(number(std::int64_t(loop.axis ? *loop.axis + 1 : 0)));
    }
  }

  std::int64_t most_allowed(const LoopSteps& loop) const {
    if (!loop.axis) return std::numeric_limits<std::int32_t>::max();
    const std::int64_t most = limits_.blocks_on_axis.at(*loop.axis);
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
      const halide_type_t type = type_of_buffer(b.type);
      names_ += line(b.name);
      numbers_.push_back(number(type.code));
      numbers_.push_back(number(type.bits));
      count(b.lowers);
      numbers_.push_back(number(int(b.access)));
      numbers_.push_back(number(b.resident ? device_number() : 0));
      for (std::size_t d = 0; d < b.lowers.size(); ++d) {
        numbers_.push_back(value(b.lowers[d]));
        numbers_.push_back(value(b.uppers[d]));
      }
    }
  }

  void add_pairs() {
    const auto place = [&](const std::string& name) {
      const auto& all = kernel_.buffers;
      return number(std::find_if(all.begin(), all.end(),
                                 [&](const ArgumentBuffer& b) { return b.name == name; }) -
                    all.begin());
    };
    count(kernel_.may_overlap);
    for (const auto& [a, b] : kernel_.may_overlap) {
      numbers_.push_back(place(a));
      numbers_.push_back(place(b));
    }
  }

  const Kernel& kernel_;
  const DeviceLimits& limits_;
  const Halide::DeviceAPI device_;
  const std::map<std::string, Range> ranges_;
  Scope scope_;
  std::string names_;
  std::vector<HExpr> numbers_;
};

// Before "body": calls the checks, and returns their code if it is not 0.
HStmt with_arguments_checked(const Kernel& kernel, const Abilities& abilities,
                             const std::string& name, const HStmt& body) {
  const HExpr result = Variable::make(Halide::Int(32), name);
  const HStmt tested =
      Halide::Internal::Block::make(Halide::Internal::AssertStmt::make(result == 0, result), body);
  return LetStmt::make(name, Facts(kernel, abilities).call(), tested);
}

// A kernel that reads only the elements of "size".
Kernel reader_of(const Kernel& kernel, const SizeRead& size) {
  Kernel reader = kernel;
  reader.buffers.clear();
  reader.may_overlap.clear();
  reader.assumptions.clear();
  reader.body = make_stmt(Block{});
  reader.compact = nullptr;
  reader.before.clear();
  visit(size.value, [&](const Expr& e) {
    if (e.op() != Op::load) return;
    ArgumentBuffer element{e.name(), e.type(), Access::read, e.args(), {}};
    for (const Expr& index : e.args()) element.uppers.push_back(index + 1);
    reader.buffers.push_back(element);
  });
  return reader;
}

}  // namespace

std::string symbol_of_parameter(const std::string& name) { return "parameter." + name; }
std::string symbol_of_buffer(const std::string& name) { return "argument." + name; }

HType type_in_call(Type type) {
  return is_float(type) ? type_in_flight(type) : type_in_memory(type);
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

// Each size is read after the checks of its argument, and before the checks of the whole kernel.
HStmt with_checks(const Kernel& kernel, const Abilities& abilities, const HStmt& body) {
  HStmt out = with_arguments_checked(kernel, abilities, check_result, body);
  for (auto size = kernel.sizes.rbegin(); size != kernel.sizes.rend(); ++size) {
    const Kernel reader = reader_of(kernel, *size);
    const std::string symbol = symbol_of_parameter(size->parameter);
    if (is_on_ranks(kernel)) out = with_size_told(kernel, *size, out);
    out = with_element(reader.buffers.at(0), symbol + ".at", [&](const Scope& buffer) {
      Scope scope = buffer;
      for (const std::string& name : parameters_of(kernel))
        scope.parameters[name] = Variable::make(Halide::Int(64), symbol_of_parameter(name));
      return LetStmt::make(symbol, ExpressionEmitter(scope).value(size->value), out);
    });
    out = with_arguments_checked(reader, abilities, symbol + ".check", out);
  }
  return out;
}

}  // namespace strata::halide
