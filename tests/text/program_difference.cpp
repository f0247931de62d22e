#include "tests/text/program_difference.h"

#include <isl/set.h>

namespace strata::test {

namespace {

template <typename List, typename Difference>
std::string each(const std::string& what, const List& a, const List& b,
                 const Difference& difference) {
  if (a.size() != b.size()) return "number of " + what + "; ";
  std::string all;
  for (std::size_t n = 0; n < a.size(); ++n) all += difference(a[n], b[n]);
  return all;
}

std::string unless(bool equal, const std::string& what) { return equal ? "" : what + "; "; }

bool same_expr(const Expr& a, const Expr& b) { return same(a, b); }

std::string read_difference(const Read& a, const Read& b) {
  return unless(
      a.producer == b.producer && a.may == b.may && isl::map(a.relation).is_equal(b.relation),
      "read of " + a.producer);
}

bool same_rule(const std::optional<ReductionRule>& a, const std::optional<ReductionRule>& b) {
  if (!a || !b) return !a && !b;
  return a->kind == b->kind && a->initial == b->initial && a->results == b->results &&
         std::equal(a->steps.begin(), a->steps.end(), b->steps.begin(), b->steps.end(), same_expr);
}

// Are they equal as sets, with the same names of dimensions?
bool same_domain(const isl::set& a, const isl::set& b) {
  if (!a.is_equal(b)) return false;
  for (unsigned d = 0; d < a.tuple_dim(); ++d) {
    const char* x = isl_set_get_dim_name(a.get(), isl_dim_set, d);
    const char* y = isl_set_get_dim_name(b.get(), isl_dim_set, d);
    if (!x || !y || std::string(x) != y) return false;
  }
  return true;
}

std::string definition_difference(const Definition& a, const Definition& b) {
  const bool ranges = a.given_ranges && b.given_ranges
                          ? a.given_ranges->is_equal(*b.given_ranges)
                          : a.given_ranges.has_value() == b.given_ranges.has_value();
  return unless(a.name == b.name && a.array == b.array && a.type == b.type &&
                    a.iterators == b.iterators,
                "header of " + a.name) +
         unless(same_domain(a.domain, b.domain), "domain of " + a.name) +
         unless(isl::map(a.defines).is_equal(b.defines), "what " + a.name + " defines") +
         unless(same_expr(a.value, b.value), "value of " + a.name) +
         each("components of " + a.name, a.others, b.others,
              [&](const Component& x, const Component& y) {
                return unless(x.name == y.name && x.type == y.type && same_expr(x.value, y.value),
                              "component " + x.name);
              }) +
         unless(same(a.predicate, b.predicate), "predicate of " + a.name) +
         each("element of " + a.name, a.element, b.element,
              [](const Expr& x, const Expr& y) { return unless(same(x, y), "index"); }) +
         unless(same_rule(a.reduction, b.reduction), "reduction of " + a.name) +
         unless(ranges && a.inferred == b.inferred && a.is_initial == b.is_initial,
                "marks of " + a.name) +
         each("reads of " + a.name, a.reads, b.reads, read_difference);
}

std::string node_difference(const Node& a, const Node& b) {
  if (a.is_loop() != b.is_loop()) return "kind of node; ";
  if (a.is_loop()) {
    const LoopHead &one = a.loop(), &other = b.loop();
    return unless(one == other, "loop " + one.name) +
           each("nodes in " + one.name, a.loop().body, b.loop().body, node_difference);
  }
  const Branch &x = a.branch(), &y = b.branch();
  return unless(x.definition == y.definition && isl::map(x.time).is_equal(y.time) &&
                    isl::set(x.instances).is_equal(y.instances) &&
                    x.reader_loops == y.reader_loops && x.piece == y.piece &&
                    x.asynchronous == y.asynchronous && x.mma == y.mma,
                "branch of " + x.definition);
}

std::string algorithm_difference(const Algorithm& a, const Algorithm& b) {
  const auto input = [](const InputArray& x, const InputArray& y) {
    return unless(x.name == y.name && x.type == y.type && x.by_value == y.by_value &&
                      isl::set(x.domain).is_equal(y.domain),
                  "input " + x.name);
  };
  const auto assumption = [](const Expr& x, const Expr& y) {
    return unless(same(x, y), "assumption");
  };
  const auto size = [](const SizeParameter& x, const SizeParameter& y) {
    return unless(x.name == y.name && same(x.element, y.element), "size " + x.name);
  };
  return unless(a.parameters == b.parameters, "parameters") +
         each("sizes", a.sizes, b.sizes, size) +
         unless(isl::set(a.context).is_equal(b.context), "context") +
         each("assumptions", a.assumed, b.assumed, assumption) +
         each("inputs", a.inputs, b.inputs, input) +
         each("definitions", a.definitions, b.definitions, definition_difference) +
         each("roots", a.reference.roots, b.reference.roots, node_difference);
}

std::string layout_difference(const Layout& a, const Layout& b) {
  const auto buffer = [](const LayoutBuffer& x, const LayoutBuffer& y) {
    return unless(x.name == y.name && x.type == y.type && x.dimensions == y.dimensions &&
                      x.role == y.role && x.memory == y.memory,
                  "buffer " + x.name) +
           each("extents of " + x.name, x.extents, y.extents,
                [](const Expr& a, const Expr& b) { return unless(same(a, b), "extent"); });
  };
  std::string all = each("buffers", a.buffers, b.buffers, buffer);
  all += unless(a.store.size() == b.store.size(), "number of stores");
  for (const auto& [array, relation] : a.store)
    all += unless(b.store.count(array) && isl::map(relation).is_equal(b.store.at(array)),
                  "store of " + array);
  return all;
}

}  // namespace

std::string difference(const Program& a, const Program& b) {
  const auto waiver = [](const Waiver& x, const Waiver& y) {
    return unless(x.command == y.command && isl::union_map(x.violations).is_equal(y.violations),
                  "waiver of " + x.command);
  };
  return unless(a.name == b.name, "name") + algorithm_difference(*a.algorithm, *b.algorithm) +
         each("roots of the schedule", a.mapping.roots, b.mapping.roots, node_difference) +
         layout_difference(a.layout, b.layout) + each("waivers", a.waivers, b.waivers, waiver) +
         unless(a.scheduled == b.scheduled, "scheduled") +
         unless(a.history == b.history, "history");
}

}  // namespace strata::test
