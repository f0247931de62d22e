#include "graph/fuse/operator_kind.h"

#include <isl/map.h>
#include <isl/set.h>

#include <map>
#include <optional>
#include <set>

#include "core/expr/expr_parts.h"
#include "graph/compile/function.h"
#include "graph/dim/dim.h"
#include "graph/tensor/order.h"
#include "layers/flow/reads.h"
#include "layers/program.h"

namespace strata::graph {

namespace {

// { Y[o] -> A[e] } with o(from) = e(to) for each pair, in the space of the map.
isl::map with_equal(const isl::map& map, const std::vector<std::pair<int, int>>& pairs) {
  isl_map* equal = isl_map_universe(isl_map_get_space(map.get()));
  for (const auto& [from, to] : pairs)
    equal = isl_map_equate(equal, isl_dim_in, from, isl_dim_out, to);
  return isl::manage(equal);
}

// { Y[o] -> A[e] } with o(d) = 0 for each of the dims.
isl::map with_zeros(const isl::map& map, const std::vector<int>& dims) {
  isl_map* zeros = isl_map_copy(map.get());
  for (const int d : dims) zeros = isl_map_fix_si(zeros, isl_dim_in, unsigned(d), 0);
  return isl::manage(zeros);
}

// For each dim of the range, the dim of the domain that it equals everywhere, or -1 if it is 0.
// Nothing if some dim is neither.
std::optional<std::vector<int>> picked_dims(const isl::map& map) {
  std::vector<int> picked;
  const int from = int(map.domain_tuple_dim()), to = int(map.range_tuple_dim());
  for (int e = 0; e < to; ++e) {
    int found = -2;
    for (int o = 0; o < from && found == -2; ++o)
      if (map.is_subset(with_equal(map, {{o, e}}))) found = o;
    const isl::map zero = isl::manage(
        isl_map_fix_si(isl_map_universe(isl_map_get_space(map.get())), isl_dim_out, e, 0));
    if (found == -2 && map.is_subset(zero)) found = -1;
    if (found == -2) return std::nullopt;
    picked.push_back(found);
  }
  return picked;
}

// Are the dims in order, apart from constants?
bool is_in_order(const std::vector<int>& dims) {
  int last = -1;
  for (const int d : dims) {
    if (d >= 0 && d <= last) return false;
    if (d >= 0) last = d;
  }
  return true;
}

// What one computation reads of one array.
struct Accessed {
  isl::map everywhere, inside;   // { S[i] -> A[e] }, over Z^n and in the domain
  bool is_data = false;          // an index is not affine
  bool is_reduced_data = false;  // and a reduction runs over this index
};

class Computations {
 public:
  Computations(const TensorFunction& made, const Request& request)
      : algorithm_(*made.function.program().algorithm), request_(request) {
    for (const auto& [tensor, computation] : made.computations)
      tensors_.emplace(computation.name(), tensor);
  }
  void name(const std::string& array, const Tensor& tensor) { tensors_.emplace(array, tensor); }

  // The edges of all computations, by arrays, and the kind of all of them together.
  OperatorKind kind(const std::vector<Tensor>& inputs) {
    FusionKind all = FusionKind::elementwise;
    int count = 0;
    bool reduces = false;
    for (const strata::Definition& d : algorithm_.definitions) {
      if (d.is_initial) continue;
      ++count;
      reduces |= d.reduction.has_value();
      for (const std::string& array : arrays_of(d)) all = combined(all, add_edge(d, array));
      if (!d.element.empty()) all = FusionKind::opaque;
    }
    if (count > 1 && reduces && all < FusionKind::opaque && !is_reduction_and_rest())
      all = FusionKind::out_elementwise_fusable;
    OperatorKind made{all};
    for (const Tensor& input : inputs) made.edges.push_back(edge_to(input, count == 1, all));
    return made;
  }

 private:
  static std::set<std::string> arrays_of(const strata::Definition& d) {
    std::set<std::string> names;
    for (const AccessUse& use : accesses(d)) names.insert(use.access.name());
    return names;
  }

  FusionKind add_edge(const strata::Definition& d, const std::string& array) {
    const FusionKind kind = edge(d, array);
    const auto [found, is_new] = edges_.emplace(array, kind);
    if (!is_new) found->second = combined(found->second, kind);
    return kind;
  }

  FusionKind edge(const strata::Definition& d, const std::string& array) const {
    if (takes_array(d, array)) return FusionKind::opaque;
    if (array == d.array) return FusionKind::out_elementwise_fusable;  // a recurrence
    const Accessed read = accessed(d, array);
    if (read.is_data)
      return read.is_reduced_data ? FusionKind::out_elementwise_fusable : FusionKind::injective;
    // { S[i, k] -> Y[i] } over Z^n, with i as it is: "defines" has i = 0 where an extent is 1.
    std::vector<std::pair<int, int>> results;
    for (int r = 0; r < int(d.defines.range_tuple_dim()); ++r) results.emplace_back(r, r);
    const isl::map write = with_equal(isl::map(d.defines), results);
    const isl::map needed = write.reverse().apply_range(read.everywhere);
    if (!needed.is_single_valued()) {
      const isl::map back = with_zeros(needed, kept_dims(d)).reverse();
      return d.reduction && back.is_single_valued() && picked_dims(back)
                 ? FusionKind::reduction
                 : FusionKind::out_elementwise_fusable;
    }
    return single_valued(d, array, needed, read.inside);
  }

  // The dims of the result of extent 1 that no access uses. A sum with keepdims has such dims.
  std::vector<int> kept_dims(const strata::Definition& d) const {
    std::set<std::string> used;
    for (const AccessUse& use : accesses(d))
      for (const Expr& index : use.access.args()) used.merge(free_variables(index));
    const Shape& made = tensors_.at(algorithm_.array_of(d.array)).shape();
    std::vector<int> kept;
    for (int o = 0; o < made.rank(); ++o)
      if (!used.contains(d.iterators[std::size_t(o)]) &&
          equal(made[std::size_t(o)], constant(i64, 1)) == Answer::yes)
        kept.push_back(o);
    return kept;
  }

  FusionKind single_valued(const strata::Definition& d, const std::string& array,
                           const isl::map& needed, const isl::map& inside) const {
    const auto picked = picked_dims(needed);
    if (!picked || !is_in_order(*picked) || !has_equal_extents(d, array, *picked))
      return FusionKind::injective;
    if (is_identity(d, *picked)) return FusionKind::elementwise;
    const isl::map defines = isl::map(d.defines).intersect_domain(isl::set(d.domain));
    const isl::set results = defines.range();
    const isl::set defined = defines.reverse().apply_range(inside).domain();
    return results.is_subset(defined) ? FusionKind::broadcast : FusionKind::injective;
  }

  // Is each index of the array the same index of the result? An index 0 is, if both extents are 1.
  bool is_identity(const strata::Definition& d, const std::vector<int>& picked) const {
    const Shape& made = tensors_.at(algorithm_.array_of(d.array)).shape();
    if (picked.size() != made.size()) return false;
    for (std::size_t e = 0; e < picked.size(); ++e)
      if (picked[e] != int(e) &&
          (picked[e] >= 0 || equal(made[e], constant(i64, 1)) != Answer::yes))
        return false;
    return true;
  }

  bool has_equal_extents(const strata::Definition& d, const std::string& array,
                         const std::vector<int>& picked) const {
    const Shape& read = tensors_.at(array).shape();
    const Shape& made = tensors_.at(algorithm_.array_of(d.array)).shape();
    for (std::size_t e = 0; e < picked.size(); ++e) {
      const Expr extent = picked[e] < 0 ? constant(i64, 1) : made[std::size_t(picked[e])];
      if (equal(read[e], extent) != Answer::yes) return false;
    }
    return true;
  }

  Accessed accessed(const strata::Definition& d, const std::string& array) const {
    strata::Definition unbounded = d;
    unbounded.domain = InstanceSet::universe(d.domain.space());
    Accessed all;
    const auto add = [&](isl::map& to, const strata::Definition& definition) {
      for (const AccessUse& use : accesses(definition)) {
        if (use.access.name() != array) continue;
        const Elements named =
            named_elements(definition, use, rank_of(algorithm_, array), request_);
        to = to.is_null() ? named.relation : to.unite(named.relation);
        all.is_data |= named.may;
        all.is_reduced_data |= named.may && uses_reduced(d, use.access);
      }
    };
    add(all.everywhere, unbounded);
    add(all.inside, d);
    return all;
  }

  static bool uses_reduced(const strata::Definition& d, const Expr& access) {
    if (!d.reduction) return false;
    for (const Expr& index : access.args())
      for (const std::string& name : free_variables(index))
        for (std::size_t i = std::size_t(d.reduction->results); i < d.iterators.size(); ++i)
          if (name == d.iterators[i]) return true;
    return false;
  }

  // Are there two computations, a reduction and then an elementwise one of its results alone?
  bool is_reduction_and_rest() const {
    std::vector<const strata::Definition*> all;
    for (const strata::Definition& d : algorithm_.definitions)
      if (!d.is_initial) all.push_back(&d);
    const strata::Definition &first = *all.front(), &last = *all.back();
    if (all.size() != 2 || !first.reduction || last.reduction) return false;
    const std::set<std::string> read = arrays_of(last);
    if (read != std::set<std::string>{first.array}) return false;
    for (const auto& [array, kind] : edges_)
      if (kind > (array == first.array ? FusionKind::elementwise : FusionKind::reduction))
        return false;
    return true;
  }

  FusionKind edge_to(const Tensor& input, bool is_alone, FusionKind all) const {
    for (const auto& [array, kind] : edges_)
      if (is_alone && tensors_.at(array) == input) return kind;
    return all;
  }

  const Algorithm& algorithm_;
  const Request& request_;
  std::map<std::string, Tensor> tensors_ = {};  // by the names of their arrays
  std::map<std::string, FusionKind> edges_ = {};
};

bool has_external(const std::vector<Tensor>& outputs) {
  for (const auto& op : operations_of(outputs))
    if (op->external()) return true;
  return false;
}

}  // namespace

OperatorKind operator_kind(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                           const Where& where) {
  const OperatorKind opaque{FusionKind::opaque,
                            std::vector<FusionKind>(inputs.size(), FusionKind::opaque)};
  if (has_external(outputs)) return opaque;
  std::vector<Tensor> tensors = inputs;
  for (const Tensor& t : outputs)
    if (std::find(tensors.begin(), tensors.end(), t) == tensors.end()) tensors.push_back(t);
  const Request request{"operator_kind", where};
  const TensorFunction made = create_function("operation", tensors, where);
  Computations computations(made, request);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    computations.name(made.arguments[k].name(), inputs[k]);
  std::optional<OperatorKind> kind;
  if (!made.function.program().session->within_budget([&] { kind = computations.kind(inputs); }))
    return opaque;
  return *kind;
}

}  // namespace strata::graph
