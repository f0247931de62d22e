#include "tests/judge/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>

namespace strata::judge {

namespace {

// The set with its parameters fixed and gone.
isl::set at(const isl::set& set, const Parameters& parameters) {
  isl_set* result = set.copy();
  while (result != nullptr && isl_set_dim(result, isl_dim_param) > 0) {
    const std::string name = isl_set_get_dim_name(result, isl_dim_param, 0);
    const auto value = parameters.find(name);
    if (value == parameters.end()) {
      isl_set_free(result);
      throw std::runtime_error("parameter " + name + " has no value");
    }
    isl_val* v = isl_val_int_from_si(isl_set_get_ctx(result), value->second);
    result = isl_set_fix_val(result, isl_dim_param, 0, v);
    result = isl_set_project_out(result, isl_dim_param, 0, 1);
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

std::vector<Point> enumerated(const isl::set& set, const Parameters& parameters) {
  const isl::set fixed = at(set, parameters);
  if (isl_set_is_bounded(fixed.get()) != isl_bool_true)
    throw std::runtime_error("infinitely many points at " + to_string(parameters));
  const int count = int(isl_set_dim(fixed.get(), isl_dim_set));
  std::vector<Point> result;
  fixed.foreach_point([&](const isl::point& p) { result.push_back(coordinates(p, count)); });
  std::sort(result.begin(), result.end());
  return result;
}

struct Found {
  isl::set set;
  Parameters parameters;
  std::vector<Point> points;
};
// By hash; nothing is remembered where there is none.
thread_local std::optional<std::unordered_multimap<std::uint32_t, Found>> memory;

}  // namespace

RememberedPoints::RememberedPoints() { memory.emplace(); }
RememberedPoints::~RememberedPoints() { memory.reset(); }

std::vector<Point> points(const isl::set& set, const Parameters& parameters) {
  if (!memory) return enumerated(set, parameters);
  const std::uint32_t hash = isl_set_get_hash(set.get());
  const auto [first, last] = memory->equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (known->second.parameters == parameters &&
        isl_set_plain_is_equal(known->second.set.get(), set.get()) == isl_bool_true)
      return known->second.points;
  auto result = enumerated(set, parameters);
  memory->emplace(hash, Found{set, parameters, result});
  return result;
}

std::vector<Pair> pairs(const isl::map& relation, const Parameters& parameters) {
  const auto domain = std::ptrdiff_t(isl_map_dim(relation.get(), isl_dim_in));
  std::vector<Pair> result;
  for (const Point& p : points(relation.wrap(), parameters))
    result.emplace_back(Point(p.begin(), p.begin() + domain), Point(p.begin() + domain, p.end()));
  return result;
}

std::map<Point, std::vector<Point>> images(const isl::map& relation, const Parameters& parameters) {
  std::map<Point, std::vector<Point>> result;
  for (Pair& pair : pairs(relation, parameters))
    result[std::move(pair.first)].push_back(std::move(pair.second));
  return result;
}

bool holds(const isl::set& context, const Parameters& parameters) {
  return !at(context, parameters).is_empty();
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

}  // namespace strata::judge
