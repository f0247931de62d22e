#include "automatic/facts/statements.h"

#include <isl/constraint.h>
#include <isl/lp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/sets/small_integer.h"

namespace strata::automatic {

namespace {

bool is_zero(const Point& x) {
  return std::all_of(x.begin(), x.end(), [](std::int64_t n) { return n == 0; });
}

// The time at which each loop of a branch, from the outside in, is in its middle.
struct MiddleTime {
  Point time;
  std::vector<std::int64_t> counts;
};

// From the first number to the second.
using Interval = std::pair<std::int64_t, std::int64_t>;

// The values of t_dimension in the set, or nothing if they have no bounds.
std::optional<Interval> exact_interval(const isl::set& times, unsigned dimension) {
  const auto least = small_integer(times.dim_min_val(int(dimension)));
  const auto most = small_integer(times.dim_max_val(int(dimension)));
  if (!least || !most) return std::nullopt;
  return Interval{*least, *most};
}

// The same over the rational numbers. It takes a fraction of the time, and may be larger.
std::optional<Interval> rational_interval(const isl::set& times, unsigned dimension) {
  const isl::aff t = isl::manage(isl_aff_var_on_domain(
      isl_local_space_from_space(isl_set_get_space(times.get())), isl_dim_set, dimension));
  Interval all{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  bool bounded = true;
  times.foreach_basic_set([&](const isl::basic_set& part) {
    const isl::val least = isl::manage(isl_basic_set_min_lp_val(part.get(), t.get()));
    const isl::val most = isl::manage(isl_basic_set_max_lp_val(part.get(), t.get()));
    if (least.is_nan() || most.is_nan()) return;  // the part is empty
    const auto from = small_integer(least.ceil()), to = small_integer(most.floor());
    bounded = bounded && from && to;
    if (bounded) all = {std::min(all.first, *from), std::max(all.second, *to)};
  });
  return bounded && all.first <= all.second ? std::optional(all) : std::nullopt;
}

// Finds the middle. If not "exact": nothing if the middle of a loop's rational values is not one of
// its iterations.
std::optional<MiddleTime> middle_of(isl::set times, bool exact) {
  MiddleTime found;
  for (unsigned l = 0; l < times.tuple_dim(); ++l) {
    const auto values = exact ? exact_interval(times, l) : rational_interval(times, l);
    if (!values || values->second - values->first > (std::int64_t(1) << 30)) return std::nullopt;
    // Never the last one, which may be a tile that is not full.
    std::int64_t at = values->second - values->first == 1
                          ? values->first
                          : middle(values->first, values->second + 1);
    isl::set inside = fixed_at(times, l, at);
    if (exact && inside.is_empty()) inside = fixed_at(times, l, at = values->first);
    found.time.push_back(at);
    found.counts.push_back(values->second - values->first + 1);
    times = inside;
  }
  return times.is_empty() ? std::nullopt : std::optional(found);
}

std::optional<MiddleTime> middle_of(const isl::set& times) {
  const auto found = middle_of(times, false);
  return found ? found : middle_of(times, true);
}

// For each loop m the inequalities a . t + constant >= 0, without loops inside of it, that bound it
// from below.
class LowerBounds {
 public:
  explicit LowerBounds(const isl::set& times) : bounds_(times.tuple_dim()) {
    isl_basic_set* hull = isl_set_unshifted_simple_hull(times.copy());
    for (at_ = bounds_.size(); at_-- > 0;) {
      isl_basic_set_foreach_constraint(hull, add, this);
      hull = isl_basic_set_eliminate(hull, isl_dim_set, unsigned(at_), 1);
    }
    isl_basic_set_free(hull);
  }

  // By how much each loop's first iteration moves when loop l goes on by one, near the time.
  Point moved(std::size_t l, const Point& time) const {
    Point moved(time.size(), 0);
    moved[l] = 1;
    for (std::size_t m = l + 1; m < time.size(); ++m)
      if (const Point* tight = tightest(m, time)) moved[m] = slope(*tight, m, moved);
    return moved;
  }

 private:
  static isl_stat add(isl_constraint* constraint, void* user) {
    auto& self = *static_cast<LowerBounds*>(user);
    Point row;
    for (std::size_t d = 0; d < self.bounds_.size(); ++d)
      row.push_back(
          coefficient(isl_constraint_get_coefficient_val(constraint, isl_dim_set, int(d))));
    row.push_back(coefficient(isl_constraint_get_constant_val(constraint)));
    if (row[self.at_] < 0 && isl_constraint_is_equality(constraint) == isl_bool_true)
      for (std::int64_t& n : row) n = -n;
    const unsigned divs = unsigned(isl_constraint_dim(constraint, isl_dim_div));
    if (row[self.at_] > 0 &&
        isl_constraint_involves_dims(constraint, isl_dim_div, 0, divs) == isl_bool_false)
      self.bounds_[self.at_].push_back(std::move(row));
    isl_constraint_free(constraint);
    return isl_stat_ok;
  }
  static std::int64_t coefficient(isl_val* value) {
    return small_integer(isl::manage(value)).value_or(0);
  }

  // The change of t_m that keeps  a_m t_m + sum_{d < m} a_d t_d.  A block of 8 iterations that
  // begins at floor(k / 8) does not move with k.
  static std::int64_t slope(const Point& row, std::size_t m, const Point& moved) {
    return -rest(row, m, moved) / row[m];
  }

  static std::int64_t rest(const Point& row, std::size_t m, const Point& time) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < m; ++d) sum += row[d] * time[d];
    return sum;
  }

  // The least t_m with a_m t_m + sum_{d < m} a_d t_d + constant >= 0.
  static std::int64_t least(const Point& row, std::size_t m, const Point& time,
                            std::int64_t constant) {
    return std::int64_t(std::ceil(double(-rest(row, m, time) - constant) / double(row[m])));
  }

  const Point* tightest(std::size_t m, const Point& time) const {
    const Point* found = nullptr;
    for (const Point& row : bounds_[m])
      if (!found || least(row, m, time, row.back()) > least(*found, m, time, found->back()))
        found = &row;
    return found;
  }

  std::vector<std::vector<Point>> bounds_;
  std::size_t at_ = 0;  // the loop whose bounds are added
};

// The accesses of a branch as functions of its time.
class Accesses {
 public:
  // "moved": for each loop, the change of the time when it goes on by one.
  Accesses(const Program& program, const Branch& branch, PointMap instance,
           const MiddleTime& middle, const std::vector<Point>& moved, const Values& sizes,
           Touching touching)
      : program_(program),
        definition_(*program.algorithm->find(branch.definition)),
        instance_(std::move(instance)),
        middle_(middle),
        moved_(moved),
        sizes_(sizes),
        touching_(touching) {}

  std::vector<Access> all() {
    std::vector<Access> made{written()};
    for_each_expression(definition_, [&](const Expr& whole) {
      visit(whole, [&](const Expr& e) {
        if (e.op() == Op::access) made.push_back(read(e));
      });
    });
    return made;
  }

 private:
  Access written() {
    Access access = of(definition_.array, definition_.type);
    access.write = true;
    if (!definition_.element.empty()) return unknown(access);
    const auto element = function_at(definition_.defines, instance_.at(middle_.time), sizes_);
    if (!element) return unknown(access);
    return follow(access, [&](const Point& x) { return std::optional(element->at(x)); });
  }

  Access read(const Expr& e) {
    return follow(of(e.name(), e.type()), [&](const Point& instance) -> std::optional<Point> {
      Values values = sizes_;
      for (std::size_t n = 0; n < instance.size(); ++n)
        values[definition_.iterators[n]] = instance[n];
      Point indices;
      for (const Expr& index : e.args()) {
        const auto value = estimated(index, values);
        if (!value) return std::nullopt;
        indices.push_back(*value);
      }
      return indices;
    });
  }

  Access of(const std::string& array, Type type) const {
    const std::string whole = program_.algorithm->array_of(array);
    const bool component = whole != array;
    Access access{array, component ? array : buffer_of(program_.layout, whole)};
    access.bytes = bytes(type);
    return access;
  }

  static Access unknown(Access access) {
    access.known = false;
    return access;
  }

  // The place of an element, for Touching::places.
  std::optional<PointMap> places(const std::string& array, const Point& element) const {
    const auto store = program_.layout.store.find(program_.algorithm->array_of(array));
    if (touching_ == Touching::elements || store == program_.layout.store.end())
      return std::nullopt;
    return function_at(store->second, element, sizes_);
  }

  template <typename Indices>
  Access follow(Access access, Indices indices) const {
    const auto first = indices(instance_.at(middle_.time));
    if (!first) return unknown(access);
    const auto store = places(access.array, *first);
    const auto at = [&](const Point& time) {
      const auto element = indices(instance_.at(time));
      return !element ? *first : store ? store->at(*element) : *element;
    };
    access.at = store ? store->at(*first) : *first;
    for (std::size_t l = 0; l < middle_.time.size(); ++l) {
      Point time = middle_.time, change = access.at;
      for (std::size_t m = l; m < time.size(); ++m) time[m] += moved_[l][m];
      const Point there = at(time);
      for (std::size_t d = 0; d < change.size(); ++d) change[d] = there[d] - change[d];
      if (middle_.counts[l] < 2) change.assign(change.size(), 0);
      access.along.push_back(std::move(change));
    }
    return access;
  }

  const Program& program_;
  const Definition& definition_;
  const PointMap instance_;
  const MiddleTime& middle_;
  const std::vector<Point>& moved_;
  const Values& sizes_;
  const Touching touching_;
};

// For each loop, the change of the time when it goes on by one. For places the loops inside go
// along: a computation at a tile runs through the next tile then.
std::vector<Point> moves(const isl::set& times, const Point& time, Touching touching) {
  std::vector<Point> all;
  const LowerBounds bounds(touching == Touching::places
                               ? times
                               : isl::manage(isl_set_universe(isl_set_get_space(times.get()))));
  for (std::size_t l = 0; l < time.size(); ++l) all.push_back(bounds.moved(l, time));
  return all;
}

}  // namespace

bool Access::is_invariant(std::size_t loop) const { return known && is_zero(along[loop]); }

bool Access::is_contiguous(std::size_t loop) const { return dense_stride(loop) == 1; }

std::int64_t Access::dense_stride(std::size_t loop) const {
  if (!known || along[loop].empty()) return 0;
  const std::int64_t stride = std::abs(along[loop].back());
  const bool is_alone = is_zero(Point(along[loop].begin(), along[loop].end() - 1));
  return is_alone && stride <= most_dense_stride ? stride : 0;
}

std::optional<std::size_t> Access::dimension_along(std::size_t loop) const {
  for (std::size_t d = 0; d < at.size(); ++d) {
    bool alone = !along.empty();
    for (std::size_t l = 0; l < along.size(); ++l) alone &= along[l][d] == (l == loop);
    if (alone) return d;
  }
  return std::nullopt;
}

double Statement::iterations(std::size_t first, std::size_t last) const {
  double product = 1;
  for (std::size_t l = first; l < last; ++l) product *= double(counts[l]);
  return product;
}

std::optional<Statement> statement_of(const Program& program, const Placed& placed,
                                      const Values& sizes, Touching touching) {
  for (const Loop* loop : placed.loops)
    if (loop->tile_size) return std::nullopt;  // the time is not an iterator of the loop
  const isl::map runs = executions(*placed.branch);
  const isl::set times = at_sizes(runs.range(), sizes);
  const auto middle = middle_of(times);
  if (!middle) return std::nullopt;
  const auto instance = function_at(runs.reverse(), middle->time, sizes);
  if (!instance) return std::nullopt;
  Statement made{program.algorithm->find(placed.branch->definition), placed.branch, placed.path,
                 placed.loops, middle->counts};
  const auto moved = moves(times, middle->time, touching);
  made.accesses =
      Accesses(program, *placed.branch, *instance, *middle, moved, sizes, touching).all();
  return made;
}

std::optional<Values> sizes_for(const Program& program, const Values& given) {
  for (const std::int64_t size : {1000, 1024, 960, 512, 100, 64, 32, 16, 8, 4, 2, 1}) {
    Values values = given;
    for (const std::string& name : program.algorithm->parameters) values.emplace(name, size);
    for (const SizeParameter& read : program.algorithm->sizes) values.emplace(read.name, size);
    if (!at_sizes(program.algorithm->context, values).is_empty()) return values;
  }
  return std::nullopt;
}

}  // namespace strata::automatic
