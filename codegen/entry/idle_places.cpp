#include "codegen/entry/idle_places.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codegen/entry/linear_form.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"

namespace strata {

namespace {

// rest + sum_d factors[d] * indices[d]  op  0, for a place "indices".
struct Demand {
  Op op;
  std::vector<std::int64_t> factors;
  Expr rest;
};

bool is_same(const Demand& a, const Demand& b) {
  return a.op == b.op && a.factors == b.factors && constant_difference(a.rest, b.rest) == 0;
}

class IdlePlaces {
 public:
  explicit IdlePlaces(const Allocate& allocate) : buffer_(allocate.buffer) {
    add_variables(allocate.body);
    may_be_idle(allocate.body);
  }

  bool found() const { return !refused_ && demands_.has_value(); }

 private:
  void add_variables(const StmtPtr& s) {
    if (const auto* loop = std::get_if<For>(s.get())) inside_.insert(loop->variable);
    for_each_inside(*s, [&](const StmtPtr& part) { add_variables(part); });
  }

  void may_be_idle(const StmtPtr& s) {
    if (refused_) return;
    const auto* branch = std::get_if<If>(s.get());
    if (branch && branch->masks) return add(std::get<Execute>(*branch->then), &branch->condition);
    if (const auto* execute = std::get_if<Execute>(s.get())) return add(*execute, nullptr);
    const auto* inner = std::get_if<Allocate>(s.get());
    const bool is_odd = std::holds_alternative<Mma>(*s) || std::holds_alternative<Exchange>(*s) ||
                        std::holds_alternative<DeviceCopy>(*s);
    refused_ =
        is_odd || (branch && reads(branch->condition)) || (inner && inner->buffer == buffer_);
    for_each_inside(*s, [&](const StmtPtr& part) { may_be_idle(part); });
  }

  void add(const Execute& execute, const Expr* mask) {
    const auto is_here = [&](const Execute::Other& other) { return other.buffer == buffer_; };
    const bool stores = execute.buffer == buffer_ ||
                        std::any_of(execute.others.begin(), execute.others.end(), is_here);
    reads(execute.value);
    for (const Expr& index : execute.indices) refused_ = refused_ || reads(index);
    for (const Execute::Other& other : execute.others) reads(other.value);
    if (refused_ || !stores) return;
    std::vector<Demand> demands;
    refused_ = execute.atomic || !mask || !add_demands(*mask, execute.indices, demands) ||
               (demands_ && !std::equal(demands_->begin(), demands_->end(), demands.begin(),
                                        demands.end(), is_same));
    demands_ = demands;
  }

  // Does the value of "e" depend on the buffer? Sets refused_ if an operation in "e" that is not
  // lane by lane uses such a value.
  bool reads(const Expr& e) {
    if (const auto known = reads_.find(e.identity()); known != reads_.end()) return known->second;
    bool inside = false;
    for (const Expr& arg : e.args()) inside = reads(arg) || inside;
    refused_ = refused_ || (inside && !is_lane_by_lane(e));
    return reads_[e.identity()] = inside || (e.op() == Op::load && e.name() == buffer_);
  }

  // False if the condition depends on more than the place.
  bool add_demands(const Expr& condition, const std::vector<Expr>& place,
                   std::vector<Demand>& demands) const {
    if (condition.op() == Op::logical_and)
      return add_demands(condition.args()[0], place, demands) &&
             add_demands(condition.args()[1], place, demands);
    if (condition.op() < Op::eq || condition.args()[0].type() != i64) return false;
    Demand demand{condition.op(), {}, simplified(condition.args()[0] - condition.args()[1])};
    for (const Expr& index : place) {
      demand.factors.push_back(multiples(linear_form(demand.rest), index, inside_));
      demand.rest = simplified(demand.rest - demand.factors.back() * index);
    }
    demands.push_back(demand);
    return std::none_of(inside_.begin(), inside_.end(), [&](const std::string& variable) {
      return depends_on(demand.rest, variable);
    });
  }

  const std::string buffer_;
  std::set<std::string> inside_;  // the variables of the loops inside
  std::optional<std::vector<Demand>> demands_;
  std::map<const ExprNode*, bool> reads_;
  bool refused_ = false;
};

}  // namespace

bool is_lane_by_lane(const Expr& e) {
  switch (e.op()) {
    case Op::named:
    case Op::negate:
    case Op::abs:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::min:
    case Op::max: return true;
    case Op::sqrt:
    case Op::exp:
    case Op::div: return is_float(e.type());
    default: return false;
  }
}

bool has_idle_places(const Allocate& allocate) { return IdlePlaces(allocate).found(); }

}  // namespace strata
