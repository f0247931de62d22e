#include "tests/fuzz/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "core/expr/expr_text.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

const Expr i = variable("i"), j = variable("j");
const Expr zero(std::int64_t{0}), two(std::int64_t{2}), three(std::int64_t{3});
const Var rows("i", zero, n);

Expr in_range(const Expr& e, const Expr& extent) { return e >= 0 && e < extent; }

using Element = std::vector<Expr>;

std::vector<Shape> make_shapes() {
  const Var columns("j", zero, m), k("k", zero, two), l("l", zero, two);
  std::vector<Shape> all;
  all.push_back({"line", {rows}, "", [](const Element& e) { return in_range(e[0], n); }});
  all.push_back({"stride of a line", {rows}, "i mod 3 = 1", [](const Element& e) {
                   return in_range(e[0], n) && e[0] % 3 == 1;
                 }});
  all.push_back({"square", {rows, Var("j", zero, n)}, "", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], n);
                 }});
  all.push_back({"box", {rows, columns}, "", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], m);
                 }});
  all.push_back({"triangle", {rows, Var("j", zero, i + 1)}, "", [](const Element& e) {
                   return in_range(e[0], n) && e[1] >= 0 && e[1] <= e[0];
                 }});
  all.push_back({"upper triangle", {rows, Var("j", i, n)}, "", [](const Element& e) {
                   return in_range(e[0], n) && e[1] >= e[0] && e[1] < n;
                 }});
  all.push_back({"cut triangle", {rows, Var("j", zero, min(i + 1, m))}, "", [](const Element& e) {
                   return in_range(e[0], n) && e[1] >= 0 && e[1] <= e[0] && e[1] < m;
                 }});
  all.push_back({"parallelogram", {rows, Var("j", i - 1, i + 2)}, "", [](const Element& e) {
                   return in_range(e[0], n) && e[1] >= e[0] - 1 && e[1] <= e[0] + 1;
                 }});
  all.push_back({"stride", {rows, columns}, "(i + j) mod 2 = 0", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], m) && (e[0] + e[1]) % 2 == 0;
                 }});
  all.push_back({"stride of rows", {rows, columns}, "i mod 2 = 1", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], m) && e[0] % 2 == 1;
                 }});
  all.push_back({"time", {Var("t", zero, three), rows}, "", [](const Element& e) {
                   return in_range(e[0], three) && in_range(e[1], n);
                 }});
  all.push_back({"three loops", {rows, columns, k}, "", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], m) && in_range(e[2], two);
                 }});
  all.push_back({"four loops", {rows, columns, k, l}, "", [](const Element& e) {
                   return in_range(e[0], n) && in_range(e[1], m) && in_range(e[2], two) &&
                          in_range(e[3], two);
                 }});
  return all;
}

}  // namespace

std::vector<std::string> Shape::names() const {
  std::vector<std::string> result;
  for (const Var& v : iterators) result.push_back(v.name());
  return result;
}

std::string Shape::domain(const std::string& name) const {
  std::vector<std::string> conditions;
  for (const Var& v : iterators)
    conditions.push_back(
        fmt::format("{} <= {} < {}", to_text(v.lower()), v.name(), to_text(v.upper())));
  if (!further.empty()) conditions.push_back(further);
  return fmt::format("[N, M] -> {{ {}[{}] : {} }}", name, fmt::join(names(), ", "),
                     fmt::join(conditions, " and "));
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = make_shapes();
  return all;
}

const Shape& shape_named(const std::string& kind) {
  for (const Shape& shape : shapes())
    if (shape.kind == kind) return shape;
  throw std::logic_error("there is no shape " + kind);
}

}  // namespace strata::fuzz
