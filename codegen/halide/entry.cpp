#include "codegen/halide/entry.h"

#include <algorithm>

#include "codegen/halide/expression.h"
#include "codegen/halide/index_range.h"
#include "codegen/halide/loop_steps.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::LetStmt;
using Halide::Internal::make_zero;
using Halide::Internal::Variable;

const char* const check_result = "strata.check";

HExpr number(std::int64_t value) { return HExpr(value); }
HExpr number(const HExpr& e) { return Halide::cast(Halide::Int(64), e); }

// Text of one line.
std::string line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + "\n";
}

// The names and numbers that strata_check_arguments reads, in its order (runtime/check.c).
class Facts {
 public:
  explicit Facts(const Kernel& kernel) : kernel_(kernel) {
    for (const std::string& name : kernel.parameters)
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

  template <typename T>
  void count(const T& list) {
    numbers_.push_back(number(static_cast<std::int64_t>(list.size())));
  }

  void add_parameters() {
    const std::map<std::string, Range> ranges = find_index_ranges(kernel_);
    count(ranges);
    for (const auto& [name, range] : ranges) {
      names_ += line(name);
      numbers_.push_back(scope_.parameters.at(name));
      numbers_.push_back(number(range.lowest));
      numbers_.push_back(number(range.highest));
    }
  }

  void add_assumptions() {
    count(kernel_.assumptions);
    for (const Assumption& a : kernel_.assumptions) {
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
    }
  }

  void add_buffers() {
    count(kernel_.buffers);
    for (const ArgumentBuffer& b : kernel_.buffers) {
      const halide_type_t type = type_of_buffer(b.type);
      names_ += line(b.name);
      numbers_.push_back(number(type.code));
      numbers_.push_back(number(type.bits));
      count(b.lowers);
      numbers_.push_back(number(b.access == Access::read ? 0 : 1));
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
  Scope scope_;
  std::string names_;
  std::vector<HExpr> numbers_;
};

}  // namespace

std::string symbol_of_parameter(const std::string& name) { return "parameter." + name; }
std::string symbol_of_buffer(const std::string& name) { return "argument." + name; }

HStmt with_checks(const Kernel& kernel, const HStmt& body) {
  const HExpr result = Variable::make(Halide::Int(32), check_result);
  const HStmt tested =
      Halide::Internal::Block::make(Halide::Internal::AssertStmt::make(result == 0, result), body);
  return LetStmt::make(check_result, Facts(kernel).call(), tested);
}

}  // namespace strata::halide
