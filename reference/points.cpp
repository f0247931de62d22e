#include "reference/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "reference/conjunction.h"

namespace strata::reference {

namespace {

std::vector<std::int64_t> values_of(const isl::set& set, const Parameters& parameters) {
  std::vector<std::int64_t> values;
  for (int n = 0; n < isl_set_dim(set.get(), isl_dim_param); ++n) {
    const std::string name = isl_set_get_dim_name(set.get(), isl_dim_param, unsigned(n));
    const auto value = parameters.find(name);
    if (value == parameters.end()) throw std::runtime_error("parameter " + name + " has no value");
    values.push_back(value->second);
  }
  return values;
}

// The set with its parameters and its first dimensions fixed to "values" and projected out.
isl::set at(const isl::set& set, const std::vector<std::int64_t>& values) {
  isl_set* result = set.copy();
  for (const std::int64_t value : values) {
    const isl_dim_type type = isl_set_dim(result, isl_dim_param) > 0 ? isl_dim_param : isl_dim_set;
    isl_val* v = isl_val_int_from_si(isl_set_get_ctx(result), value);
    result = isl_set_fix_val(result, type, 0, v);
    result = isl_set_project_out(result, type, 0, 1);
  }
  return isl::manage(result);
}

Point coordinates(const isl::point& point, int count) {
  Point result(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    isl_val* v = isl_point_get_coordinate_val(point.get(), isl_dim_set, i);
    result[static_cast<std::size_t>(i)] = isl_val_get_num_si(v);
    isl_val_free(v);
  }
  return result;
}

std::vector<Point> scanned_by_isl(const isl::set& fixed) {
  if (isl_set_is_bounded(fixed.get()) != isl_bool_true)
    throw std::runtime_error("infinitely many points");
  const int count = int(isl_set_dim(fixed.get(), isl_dim_set));
  std::vector<Point> result;
  fixed.foreach_point([&](const isl::point& p) { result.push_back(coordinates(p, count)); });
  std::sort(result.begin(), result.end());
  return result;
}

// A set, its integer constraints, and its points at the sizes queried so far.
struct Known {
  isl::set set;
  std::vector<Conjunction> parts = conjunctions(set);
  std::map<std::vector<std::int64_t>, std::vector<Point>> found = {};
};

std::vector<Point> enumerated(const Known& known, const std::vector<std::int64_t>& values) {
  std::vector<Point> result;
  for (const Conjunction& part : known.parts) {
    const auto found = points(part, values);
    if (!found) return scanned_by_isl(at(known.set, values));
    result.insert(result.end(), found->begin(), found->end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// A set, a relation, or a relation restricted to a domain.
struct Subject {
  std::optional<isl::set> set;
  std::optional<isl::map> relation;

  using Addresses = std::pair<const void*, const void*>;
  Addresses addresses() const {
    return {set ? set->get() : nullptr, relation ? relation->get() : nullptr};
  }
  Known known() const {
    if (!relation) return {*set};
    return {(set ? relation->intersect_domain(*set) : *relation).wrap()};
  }
};

// Subjects are kept alive so that no other objects reuse their addresses.
thread_local std::optional<std::map<Subject::Addresses, std::pair<Subject, Known>>> memory;

template <typename Use>
auto with_known(const Subject& subject, const Use& use) {
  if (!memory) {
    Known once = subject.known();
    return use(once);
  }
  auto found = memory->find(subject.addresses());
  if (found == memory->end())
    found = memory->try_emplace(subject.addresses(), subject, subject.known()).first;
  return use(found->second.second);
}

const std::vector<Point>& points_of(Known& known, const Parameters& parameters) {
  const std::vector<std::int64_t> values = values_of(known.set, parameters);
  const auto found = known.found.find(values);
  if (found != known.found.end()) return found->second;
  return known.found[values] = enumerated(known, values);
}

std::vector<Pair> pairs_of(const Subject& subject, const Parameters& parameters) {
  const auto width = std::ptrdiff_t(isl_map_dim(subject.relation->get(), isl_dim_in));
  return with_known(subject, [&](Known& known) {
    std::vector<Pair> result;
    for (const Point& p : points_of(known, parameters))
      result.emplace_back(Point(p.begin(), p.begin() + width), Point(p.begin() + width, p.end()));
    return result;
  });
}

}  // namespace

RememberedPoints::RememberedPoints() { memory.emplace(); }
RememberedPoints::~RememberedPoints() { memory.reset(); }

std::vector<Point> points(const isl::set& set, const Parameters& parameters) {
  return with_known({set, {}}, [&](Known& known) { return points_of(known, parameters); });
}

std::vector<Pair> pairs(const isl::map& relation, const Parameters& parameters) {
  return pairs_of(Subject{{}, relation}, parameters);
}

std::vector<Pair> pairs(const isl::map& relation, const isl::set& domain,
                        const Parameters& parameters) {
  return pairs_of(Subject{domain, relation}, parameters);
}

std::vector<Point> image(const isl::map& relation, const Point& x, const Parameters& parameters) {
  return with_known({{}, relation}, [&](Known& known) {
    std::vector<std::int64_t> values = values_of(known.set, parameters);
    values.insert(values.end(), x.begin(), x.end());
    return enumerated(known, values);
  });
}

std::map<Point, std::vector<Point>> images(const isl::map& relation, const isl::set& domain,
                                           const Parameters& parameters) {
  std::map<Point, std::vector<Point>> result;
  for (Pair& pair : pairs(relation, domain, parameters))
    result[std::move(pair.first)].push_back(std::move(pair.second));
  return result;
}

bool holds(const isl::set& context, const Parameters& parameters) {
  return !points(context, parameters).empty();
}

std::string to_string(const Point& point) { return fmt::format("[{}]", fmt::join(point, ", ")); }

std::string to_string(const std::string& tuple, const Point& point) {
  return tuple + to_string(point);
}

std::string to_string(const Parameters& parameters) {
  std::string result;
  for (const auto& [name, value] : parameters)
    result += fmt::format("{}{} = {}", result.empty() ? "" : ", ", name, value);
  return result;
}

}  // namespace strata::reference
