#include "codegen/entry/padding.h"

#include <algorithm>
#include <optional>

#include "codegen/entry/idle_places.h"
#include "codegen/entry/linear_form.h"
#include "codegen/tree/index_math.h"

namespace strata {

void Padding::enter(const For& loop) {
  loops_.push_back(&loop);
  outside_.push_back(allocations_);
  if (is_concurrent(loop.processor)) allocations_.clear();
}

void Padding::leave() {
  loops_.pop_back();
  allocations_ = std::move(outside_.back());
  outside_.pop_back();
}

void Padding::enter(const Allocate& allocate) {
  allocations_[allocate.buffer] = {&allocate, has_idle_places(allocate)};
}
void Padding::leave(const Allocate& allocate) { allocations_.erase(allocate.buffer); }

// The range of e = c + sum_v f_v v, where each loop variable is v = lower_v + step with 0 <= step <
// extent_v, innermost first.
std::optional<Padding::Interval> Padding::interval(const Expr& e) const {
  LinearForm form = linear_form(e);
  Interval steps{0, 0};
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    if (!(*loop)->extent) continue;
    const std::int64_t factor = taken_out(form, (*loop)->variable);
    if (factor == 0) continue;
    const std::int64_t reach = factor * (*(*loop)->extent - 1);
    (reach < 0 ? steps.lowest : steps.highest) += reach;
    form = linear_form(expression(form) + factor * (*loop)->lower);
  }
  if (!form.terms.empty()) return std::nullopt;
  return Interval{form.constant + steps.lowest, form.constant + steps.highest};
}

bool Padding::has(const std::string& buffer, const std::vector<Expr>& indices) const {
  const auto found = allocations_.find(buffer);
  if (found == allocations_.end()) return false;
  const Allocate& own = *found->second.allocate;
  if (!own.packed.empty()) return false;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const auto extent = as_constant(own.extents[d]);
    const auto reach = interval(indices[d] - own.lowers[d]);
    if (!extent || !reach || reach->lowest < 0 || reach->highest >= *extent) return false;
  }
  return true;
}

bool Padding::differs(const std::vector<Expr>& indices, const std::string& variable) const {
  return std::any_of(indices.begin(), indices.end(), [&](const Expr& index) {
    LinearForm form = linear_form(index);
    return taken_out(form, variable) != 0;
  });
}

bool Padding::is_idle_elsewhere(const std::string& buffer) const {
  const auto found = allocations_.find(buffer);
  return found != allocations_.end() && found->second.idle_elsewhere;
}

}  // namespace strata
