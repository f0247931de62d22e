#include "layers/reads.h"

#include <isl/flow.h>

#include <map>
#include <set>

#include "layers/affine.h"
#include "layers/witness.h"

namespace strata {

namespace {

class AccessCollector {
 public:
  explicit AccessCollector(const Definition& definition)
      : scope_(scope_of(definition.domain.ctx(), definition.name, definition.iterators)) {}

  void collect(const Expr& e, const isl::set& where, bool may) {
    std::set<const ExprNode*> seen;
    walk(e, where, may, seen);
  }
  std::vector<AccessUse> found;

 private:
  void walk(const Expr& e, const isl::set& where, bool may, std::set<const ExprNode*>& seen) {
    if (!seen.insert(e.identity()).second) return;
    if (e.op() == Op::select) return sides(e, where, may, seen);
    for (const Expr& arg : e.args()) walk(arg, where, may, seen);
    if (e.op() == Op::access) found.push_back({e, where, may});
  }

  void sides(const Expr& e, const isl::set& where, bool may, std::set<const ExprNode*>& seen) {
    walk(e.args()[0], where, may, seen);
    auto condition = affine_condition(e.args()[0], scope_);
    if (condition) {
      collect(e.args()[1], where.intersect(*condition), may);
      collect(e.args()[2], where.subtract(*condition), may);
    } else {
      collect(e.args()[1], where, true);
      collect(e.args()[2], where, true);
    }
  }

  Scope scope_;
};

std::string counted(unsigned n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

// Everything that gives values to an array: { D[i] -> X[e] }.
isl::union_map writers(const Algorithm& algorithm, const std::string& array) {
  isl::union_map all;
  for (const Definition* d : algorithm.definitions_of(array)) {
    auto one = isl::map(d->defines.intersect_domain(d->domain)).to_union_map();
    all = all.is_null() ? one : all.unite(one);
  }
  return all;
}

// { S[i] -> D[j] : D[j] wrote the element that S[i] reads last before S[i] }
isl::union_map last_writers(const Algorithm& algorithm, const isl::map& elements,
                            const std::string& array) {
  isl_union_access_info* info = isl_union_access_info_from_sink(elements.to_union_map().release());
  info = isl_union_access_info_set_must_source(info, writers(algorithm, array).release());
  const isl::union_map order = theta(algorithm.reference);
  info = isl_union_access_info_set_schedule_map(info, order.copy());
  isl_union_flow* flow = isl_union_access_info_compute_flow(info);
  auto dependence = isl::manage(isl_union_flow_get_must_dependence(flow));
  isl_union_flow_free(flow);
  return dependence.reverse();
}

// Is every value of the array defined by one instance (or by the contributions to one result)?
bool defined_once(const Algorithm& algorithm, const std::string& array) {
  const auto definitions = algorithm.definitions_of(array);
  std::size_t updates = 0;
  for (const Definition* d : definitions) updates += d->is_initial ? 0 : 1;
  return updates <= 1;
}

// Adds to { S -> D } every contribution to the results named, and their initial values:
//   W  ~>  W . rho . (rho^-1 | id),  rho = { D[i, k] -> D_init[i] }
isl::union_map with_whole_results(const Algorithm& algorithm, isl::union_map sources) {
  for (const Definition& d : algorithm.definitions) {
    if (!d.reduction) continue;
    isl::map rho = result_of(d).intersect_domain(d.domain);
    const Definition* initial = algorithm.find(d.reduction->initial);
    auto results = sources.apply_range(rho.to_union_map().unite(
        initial->domain.identity().to_union_map()));
    auto all = results.unite(results.apply_range(rho.reverse().to_union_map()));
    sources = sources.unite(all.intersect_range(
        isl::union_set(initial->domain).unite(isl::union_set(d.domain))));
  }
  return sources;
}

void merge(std::vector<Read>& reads, const std::string& producer, const isl::map& relation,
           bool may) {
  for (Read& read : reads)
    if (read.producer == producer && read.may == may) {
      read.relation = ReadRelation::from(isl::map(read.relation).unite(relation).coalesce());
      return;
    }
  reads.push_back({producer, ReadRelation::from(relation), may});
}

Witness missing_value(const Algorithm& algorithm, const isl::map& missing,
                      const std::string& array) {
  isl::map pair = smallest(missing, algorithm.parameters);
  return {parameters_text(pair.domain()),
          {{instance_text(pair.domain()), ""}, {instance_text(pair.range()), ""}},
          "",
          {"{0} reads", "{1}, which " + array + " does not have"}};
}

void require_defined(const Algorithm& algorithm, const Definition& reader, const std::string& array,
                     const Request& request) {
  if (algorithm.definitions_of(array).empty())
    throw request.refused(
        Code::E0101_unknown_computation,
        reader.name + " reads " + array + ", which is no input or computation of this function",
        "define it on this function, before its readers");
}

// R104 for an input: the elements read exist.
void require_inside(const Algorithm& algorithm, const Definition& reader, const isl::map& elements,
                    const InputArray& input, const Request& request) {
  const isl::union_map missing = elements.subtract_range(isl::union_set(input.domain));
  if (!missing.is_empty())
    throw request.refused(
        Code::E0113_read_outside_domain, reader.name + " reads outside " + input.name,
        "change the index, the domain of " + reader.name + " or the extents of " + input.name,
        missing_value(algorithm, missing.as_map(), input.name));
}

// { S[i] -> P[j] : P[j] is (part of) the value of an element that S[i] reads }; R104: each element
// has one.
isl::union_map sources_of(const Algorithm& algorithm, const Definition& reader,
                          const isl::map& elements, const std::string& array,
                          const Request& request) {
  const bool once = defined_once(algorithm, array);
  const isl::union_map sources = with_whole_results(
      algorithm, once ? elements.to_union_map().apply_range(writers(algorithm, array).reverse())
                      : last_writers(algorithm, elements, array));
  const isl::union_map unmet =
      elements.to_union_map().subtract(sources.apply_range(writers(algorithm, array)));
  if (!unmet.is_empty())
    throw request.refused(Code::E0113_read_outside_domain,
                          reader.name + " reads a value of " + array + " that is not defined" +
                              (once ? "" : " before it in the order of definition"),
                          "change the index or the domains, or read it under a select",
                          missing_value(algorithm, unmet.as_map(), array));
  return sources;
}

}  // namespace

std::vector<AccessUse> accesses(const Definition& definition) {
  AccessCollector collector(definition);
  for (const Expr& value : values_of(definition))
    if (value.defined()) collector.collect(value, definition.domain, false);
  return collector.found;
}

isl::map element_relation(const Definition& definition, const AccessUse& use, unsigned rank,
                          const Request& request) {
  const auto& array = use.access.name();
  const auto& indices = use.access.args();
  if (indices.size() != rank)
    throw request.refused(Code::E0109_wrong_arity,
                          array + " takes " + counted(rank, "index", "indices") + ", not " +
                              std::to_string(indices.size()),
                          "give one index for each dimension");
  const Scope scope = scope_of(definition.domain.ctx(), definition.name, definition.iterators);
  auto space = scope.space.add_unnamed_tuple(rank).set_range_tuple(array);
  auto elements = space.zero_multi_pw_aff();
  for (unsigned d = 0; d < rank; ++d) {
    auto index = affine(indices[d], scope);
    if (!index)
      throw request.refused(
          Code::E0111_not_affine,
          "index " + std::to_string(d) + " of " + array + " in " + definition.name +
              " is not an affine function of iterators and parameters",
          "use sums, products by constants, / and % by constants, min, max and select only");
    elements = elements.set_at(int(d), *index);
  }
  return elements.as_map().set_range_tuple(array).intersect_domain(use.where);
}

bool reads_array(const Definition& definition, const std::string& name) {
  bool found = false;
  for (const Expr& value : values_of(definition))
    if (value.defined())
      visit(value, [&](const Expr& e) { found |= e.op() == Op::access && e.name() == name; });
  return found;
}

Type type_of(const Algorithm& algorithm, const std::string& array) {
  if (const InputArray* input = algorithm.find_input(array)) return input->type;
  const std::string whole = algorithm.array_of(array);
  for (const Component& c : algorithm.components_of(whole))
    if (c.name == array) return c.type;
  return algorithm.definitions_of(whole).front()->type;
}

unsigned rank_of(const Algorithm& algorithm, const std::string& array) {
  if (const InputArray* input = algorithm.find_input(array))
    return isl::set(input->domain).tuple_dim();
  const std::string whole = algorithm.array_of(array);
  return isl::map(algorithm.definitions_of(whole).front()->defines).range_tuple_dim();
}

std::vector<Read> derive_reads(const Algorithm& algorithm, const Definition& definition,
                               const Request& request) {
  std::vector<Read> reads;
  for (const AccessUse& use : accesses(definition)) {
    const std::string array = algorithm.array_of(use.access.name());
    const InputArray* input = algorithm.find_input(array);
    if (!input) require_defined(algorithm, definition, array, request);
    const isl::map elements = element_relation(definition, use, rank_of(algorithm, array), request)
                                  .set_range_tuple(array)
                                  .intersect_params(algorithm.context);
    if (input) {
      require_inside(algorithm, definition, elements, *input, request);
      merge(reads, array, elements, use.may);
      continue;
    }
    sources_of(algorithm, definition, elements, array, request).foreach_map([&](isl::map one) {
      merge(reads, one.range_tuple_id().name(), one, use.may);
    });
  }
  return reads;
}

}  // namespace strata
