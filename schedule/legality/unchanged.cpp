#include "schedule/legality/unchanged.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <set>

namespace strata {

namespace {

bool same(const isl::map& a, const isl::map& b) {
  return isl_map_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

bool same(const isl::set& a, const isl::set& b) {
  return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

bool same_allocations(const Loop* a, const Loop* b) { return a->allocations == b->allocations; }

bool same_branch(const Placed& a, const Placed& b) {
  return same(isl::map(a.branch->time), isl::map(b.branch->time)) &&
         same(isl::set(a.branch->instances), isl::set(b.branch->instances)) &&
         std::equal(a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
                    same_allocations);
}

// Do two branches stand to each other as two others do?  (layers/order.h asks for no more.)
bool same_position(const Placed& a, const Placed& b, const Placed& c, const Placed& d) {
  const int shared = shared_loops(a, b);
  if (shared != shared_loops(c, d)) return false;
  if ((a.path <=> b.path) != (c.path <=> d.path)) return false;
  for (int p = 0; p < shared; ++p)
    if (!same_order(*a.loops[p], *c.loops[p])) return false;
  return true;
}

bool same_branches(const std::vector<Placed>& now, const std::vector<Placed>& before) {
  return std::equal(now.begin(), now.end(), before.begin(), before.end(), same_branch);
}

// The arrays and inputs that are stored in a buffer, with their places.
std::map<std::string, isl::map> stored(const Layout& layout, const std::string& buffer) {
  std::map<std::string, isl::map> arrays;
  for (const std::string& array : arrays_in(layout, buffer))
    arrays.emplace(array, layout.store.at(array));
  return arrays;
}

bool same_extents(const LayoutBuffer* now, const LayoutBuffer* before) {
  if (!now || !before) return now == before;
  return std::equal(now->extents.begin(), now->extents.end(), before->extents.begin(),
                    before->extents.end(), [](const Expr& a, const Expr& b) { return same(a, b); });
}

bool same_places(const Layout& now, const Layout& before, const std::string& buffer) {
  if (!same_extents(now.find(buffer), before.find(buffer))) return false;
  const auto a = stored(now, buffer), b = stored(before, buffer);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && same(x.second, y.second);
  });
}

// The definitions that write or read a buffer.
std::set<std::string> touching(const Stores& stores) {
  std::set<std::string> names;
  for (const Writer& w : stores.writers) names.insert(w.definition->name);
  for (const Use& use : stores.uses) names.insert(use.reader->name);
  return names;
}

}  // namespace

Unchanged::Unchanged(const Scheduled& now) : now_(now), proved_(now.program().proved.get()) {
  if (!proved_) return;
  // Relations of another algorithm are not compared.
  if (proved_->algorithm != now.program().algorithm) proved_ = nullptr;
  if (!proved_) return;
  for (const Placed& placed : branches(proved_->complete))
    placed_[placed.branch->definition].push_back(placed);
}

const std::vector<Placed>& Unchanged::before(const std::string& definition) const {
  static const std::vector<Placed> none;
  auto found = placed_.find(definition);
  return found == placed_.end() ? none : found->second;
}

bool Unchanged::order(const std::string& a, const std::string& b) const {
  if (!proved_) return false;
  const auto &now_a = now_.of(a), &now_b = now_.of(b), &then_a = before(a), &then_b = before(b);
  if (!same_branches(now_a, then_a) || !same_branches(now_b, then_b) || !same_buffer(a))
    return false;
  for (std::size_t i = 0; i < now_a.size(); ++i)
    for (std::size_t j = 0; j < now_b.size(); ++j)
      if (!same_position(now_a[i], now_b[j], then_a[i], then_b[j])) return false;
  return true;
}

bool Unchanged::same_buffer(const std::string& definition) const {
  const std::string& array = now_.algorithm().find(definition)->array;
  return buffer_of(now_.program().layout, array) == buffer_of(proved_->layout, array);
}

bool Unchanged::storage(const Stores& stores) const {
  if (!proved_ || !same_places(now_.program().layout, proved_->layout, stores.buffer)) return false;
  const auto names = touching(stores);
  for (const std::string& a : names)
    for (const std::string& b : names)
      if (!order(a, b)) return false;
  return true;
}

}  // namespace strata
