#include "reference/array.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "reference/points.h"

namespace strata::reference {

namespace {

// The smallest box around the elements.
void enclose(const std::vector<Point>& elements, Point& lower, Point& extent) {
  if (elements.empty()) return;
  Point upper = lower = elements.front();
  for (const Point& p : elements)
    for (std::size_t d = 0; d < p.size(); ++d) {
      lower[d] = std::min(lower[d], p[d]);
      upper[d] = std::max(upper[d], p[d]);
    }
  extent.resize(lower.size());
  for (std::size_t d = 0; d < lower.size(); ++d) extent[d] = upper[d] - lower[d] + 1;
}

// The offset of a point in a box, row major; -1 outside.
std::int64_t offset_in(const Point& lower, const Point& extent, const Point& p) {
  if (p.size() != lower.size()) return -1;
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < p.size(); ++d) {
    const std::int64_t x = p[d] - lower[d];
    if (x < 0 || x >= extent[d]) return -1;
    offset = offset * extent[d] + x;
  }
  return offset;
}

}  // namespace

Array::Array(Type type, const std::vector<Point>& elements) : type_(type) {
  if (elements.empty()) return;
  enclose(elements, lower_, extent_);
  std::int64_t size = 1;
  for (std::int64_t n : extent_) size *= n;
  cells_.resize(std::size_t(size));
  for (const Point& p : elements) cells_[std::size_t(offset_in(lower_, extent_, p))].exists = true;
}

Array Array::box(Type type, Point lower, Point extent) {
  Array array;
  array.type_ = type;
  std::int64_t size = 1;
  for (std::int64_t& n : extent) size *= n = std::max<std::int64_t>(n, 0);
  array.lower_ = std::move(lower);
  array.extent_ = std::move(extent);
  array.cells_.assign(std::size_t(size), Cell{{}, -1, true, false});
  return array;
}

std::optional<std::size_t> Array::find(const Point& element) const {
  if (cells_.empty()) return std::nullopt;
  const std::int64_t offset = offset_in(lower_, extent_, element);
  if (offset < 0 || !cells_[std::size_t(offset)].exists) return std::nullopt;
  return std::size_t(offset);
}

const Array::Cell& Array::defined_cell(const Point& element) const {
  const auto at = find(element);
  if (!at) throw std::runtime_error("there is no element " + to_string(element));
  if (!cells_[*at].defined)
    throw std::runtime_error("element " + to_string(element) + " has no value");
  return cells_[*at];
}

bool Array::contains(const Point& element) const { return find(element).has_value(); }

bool Array::defined(const Point& element) const {
  const auto at = find(element);
  return at && cells_[*at].defined;
}

std::vector<Point> Array::elements() const {
  std::vector<Point> result;
  Point p = lower_;
  for (const Cell& cell : cells_) {
    if (cell.exists) result.push_back(p);
    for (std::size_t d = p.size(); d-- > 0;) {
      if (++p[d] < lower_[d] + extent_[d]) break;
      p[d] = lower_[d];
    }
  }
  return result;
}

const Scalar& Array::operator[](const Point& element) const { return defined_cell(element).value; }

std::int64_t Array::integer(const Point& element) const {
  return std::int64_t(integer_of((*this)[element]));
}

double Array::real(const Point& element) const { return number_of((*this)[element]); }

void Array::set(const Point& element, const Scalar& value, std::int64_t step) {
  const auto at = find(element);
  if (!at) throw std::runtime_error("there is no element " + to_string(element));
  if (value.type != type_)
    throw std::runtime_error(
        fmt::format("a {} is set to a {}", to_string(type_), to_string(value.type)));
  cells_[*at] = {value, step, true, true};
}

std::int64_t Array::step(const Point& element) const { return defined_cell(element).step; }

const Array& Arrays::operator[](const std::string& name) const {
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) throw std::runtime_error("there is no array " + name);
  return found->second;
}

std::string first_difference(const Array& expected, const Array& actual) {
  for (const Point& p : expected.elements()) {
    if (!expected.defined(p)) continue;
    if (!actual.defined(p)) return to_string(p) + " has no value";
    if (!same(expected[p], actual[p]))
      return fmt::format("{} is {} and should be {}", to_string(p), to_string(actual[p]),
                         to_string(expected[p]));
  }
  return "";
}

}  // namespace strata::reference
