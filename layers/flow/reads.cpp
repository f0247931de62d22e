#include "layers/flow/reads.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <set>

#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "layers/affine/affine.h"
#include "layers/affine/assumption.h"
#include "layers/affine/index_values.h"
#include "layers/affine/reach.h"
#include "layers/flow/last_writers.h"
#include "layers/witness.h"

namespace strata {

namespace {

template <typename Property>
bool has(const Definition& definition, const Property& property) {
  bool found = false;
  for_each_expression(definition, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) { found |= property(e); });
  });
  return found;
}

std::string counted(unsigned n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

// { S[i] -> [] }
isl::map none_of(const IteratorScope& scope) {
  isl_space* scalar = isl_space_set_alloc(scope.space.ctx().get(), 0, 0);
  return isl::manage(isl_map_from_domain_and_range(scope.space.universe_set().release(),
                                                   isl_set_universe(scalar)));
}

// { S[i] -> X[e] : a call at S[i] takes the array }
isl::map any_element(const AccessUse& use, const std::string& array, unsigned rank) {
  isl_space* space = isl_space_set_alloc(use.where.ctx().get(), 0, rank);
  space = isl_space_set_tuple_name(space, isl_dim_set, array.c_str());
  return isl::manage(isl_map_from_domain_and_range(use.where.copy(), isl_set_universe(space)));
}

// { X[e] : X(e') and X(e'') exist with e'_d <= e_d <= e''_d }
isl::set between_bounds(const isl::set& elements, unsigned d) {
  const unsigned rank = elements.tuple_dim();
  isl_set* one = isl_set_reset_tuple_id(elements.copy());
  one = isl_set_project_out(one, isl_dim_set, d + 1, rank - d - 1);
  const isl::set line = isl::manage(isl_set_project_out(one, isl_dim_set, 0, d));
  const isl::map above = isl::manage(isl_map_lex_le(isl_set_get_space(line.get())));
  isl_set* between = line.apply(above).intersect(line.apply(above.reverse())).release();
  between = isl_set_insert_dims(between, isl_dim_set, 0, d);
  between = isl_set_add_dims(between, isl_dim_set, rank - d - 1);
  return isl::manage(isl_set_set_tuple_id(between, isl_set_get_tuple_id(elements.get())));
}

// True if every value of the array is defined by one instance (or by the contributions to one
// result).
bool defined_once(const Algorithm& algorithm, const std::string& array) {
  const auto definitions = algorithm.definitions_of(array);
  std::size_t updates = 0;
  for (const Definition* d : definitions) updates += d->is_initial ? 0 : 1;
  return updates <= 1;
}

// True if the first parameters of "all" are those of "first", in that order.
bool begins_with(const isl::space& all, const isl::space& first) {
  const int count = isl_space_dim(first.get(), isl_dim_param);
  if (isl_space_dim(all.get(), isl_dim_param) < count) return false;
  for (int p = 0; p < count; ++p) {
    const auto id = [&](const isl::space& space) {
      return isl::manage(isl_space_get_dim_id(space.get(), isl_dim_param, unsigned(p)));
    };
    if (id(all).get() != id(first).get()) return false;
  }
  return true;
}

std::set<std::string> range_tuples(const isl::union_map& relation) {
  std::set<std::string> names;
  relation.foreach_map([&](const isl::map& one) { names.insert(one.range_tuple_id().name()); });
  return names;
}

// Adds to "sources" { S -> D } all contributions to each result that it names, and its initial
// value:
//   W  ~>  W . rho . (rho^-1 | id),  rho = { D[i, k] -> D_init[i] }
isl::union_map with_whole_results(const Algorithm& algorithm, isl::union_map sources) {
  const std::set<std::string> named = range_tuples(sources);
  for (const Definition& d : algorithm.definitions) {
    if (!d.reduction || !(named.count(d.name) || named.count(d.reduction->initial))) continue;
    isl::map rho = result_of(d).intersect_domain(d.domain);
    const Definition* initial = algorithm.find(d.reduction->initial);
    auto results =
        sources.apply_range(rho.to_union_map().unite(initial->domain.identity().to_union_map()));
    auto all = results.unite(results.apply_range(rho.reverse().to_union_map()));
    sources = sources.unite(
        all.intersect_range(isl::union_set(initial->domain).unite(isl::union_set(d.domain))));
  }
  const isl::space order = parameters_of_reductions(algorithm);
  if (begins_with(sources.space(), order)) return sources;
  return isl::manage(isl_union_map_align_params(sources.release(), order.copy()));
}

void merge(std::vector<Read>& reads, const std::string& producer, const isl::map& relation,
           bool may) {
  for (Read& read : reads)
    if (read.producer == producer && read.may == may) {
      read.relation = ReadRelation::from(coalesced(isl::map(read.relation).unite(relation)));
      return;
    }
  const isl::map all = may ? isl::manage(isl_map_remove_redundancies(relation.copy())) : relation;
  reads.push_back({producer, ReadRelation::from(all), may});
}

Witness missing_value(const Algorithm& algorithm, const isl::map& missing,
                      const std::string& array) {
  isl::map pair = smallest(missing, algorithm.parameters);
  return {parameters_text(pair.domain()),
          {{instance_text(pair.domain()), ""}, {instance_text(pair.range()), ""}},
          "",
          {"{0} reads", "{1}, which is outside " + array}};
}

// How to mend a read of missing elements: by an assumption if one excludes them, else "otherwise".
std::string suggested_fix(const Algorithm& algorithm, const Definition& reader,
                          const isl::map& missing, const std::string& otherwise) {
  const std::string condition =
      assumption_without(missing.domain(), reader.domain, algorithm.parameters);
  if (condition.empty()) return otherwise;
  return "if it always holds, write f.assume(" + condition + ") before; otherwise " + otherwise;
}

void require_defined(const Algorithm& algorithm, const Definition& reader, const std::string& array,
                     const Request& request) {
  if (algorithm.definitions_of(array).empty())
    throw request.refused(Code::E0101_unknown_computation,
                          reader.name + " reads " + array +
                              ", which is neither an input nor a computation of this function",
                          "define it on this function, before its readers");
}

std::string assumed(bool may) {
  return may ? " (an index is not affine: every element that it may address counts as read)" : "";
}

// An inferred domain is the set of the elements read. A non-affine index does not bound it.
void require_bounded(const Algorithm& algorithm, const Definition& reader, const AccessUse& use,
                     const Request& request) {
  const std::string array = algorithm.array_of(use.access.name());
  const auto definitions = algorithm.definitions_of(array);
  if (definitions.empty() || !definitions.front()->inferred) return;
  const isl::set elements = all_elements(algorithm, array);
  for (unsigned d = 0; d < elements.tuple_dim(); ++d)
    if (!isl_set_dim_is_bounded(elements.get(), isl_dim_set, d))
      throw request.refused(Code::E0112_unbounded_domain,
                            reader.name +
                                (use.access.op() == Op::array
                                     ? " passes " + array + " whole to an extern call"
                                     : " reads " + array + " at an index that is not affine") +
                                ", and the range of dimension " + std::to_string(d) +
                                " is inferred from it",
                            "give the iterators of " + array + " ranges" +
                                (use.access.op() == Op::array ? "" : ", or clamp the index"));
}

// R104 for an input: the elements read exist.
void require_inside(const Algorithm& algorithm, const Definition& reader, const isl::map& elements,
                    bool may, const InputArray& input, const Request& request) {
  const isl::union_map missing = elements.subtract_range(isl::union_set(input.domain));
  if (!missing.is_empty())
    throw request.refused(Code::E0113_read_outside_domain,
                          reader.name + " reads outside " + input.name + assumed(may),
                          suggested_fix(algorithm, reader, missing.as_map(),
                                        "change the index, the domain of " + reader.name +
                                            " or the extents of " + input.name),
                          missing_value(algorithm, missing.as_map(), input.name));
}

// { S[i] -> P[j] : P[j] is (part of) the value of an element that S[i] reads }. Checks R104: each
// element that is read has a value.
isl::union_map sources_of(const Algorithm& algorithm, const Definition& reader,
                          const isl::map& elements, bool may, const std::string& array,
                          const Request& request) {
  const bool once = defined_once(algorithm, array);
  const isl::union_map sources = with_whole_results(
      algorithm, once ? elements.to_union_map().apply_range(writers(algorithm, array).reverse())
                      : last_writers(algorithm, reader, elements, array));
  const isl::union_map unmet =
      elements.to_union_map().subtract(sources.apply_range(writers(algorithm, array)));
  if (!unmet.is_empty())
    throw request.refused(
        Code::E0113_read_outside_domain,
        reader.name + " reads a value of " + array + " that is not defined" +
            (once ? "" : " before it in the order of definition") + assumed(may),
        suggested_fix(algorithm, reader, unmet.as_map(),
                      may ? "clamp the index, change the domains, or read it under a select"
                          : "change the index or the domains, or read it under a select"),
        missing_value(algorithm, unmet.as_map(), array));
  return sources;
}

}  // namespace

bool names_array(const Expr& e) { return e.op() == Op::access || e.op() == Op::array; }

isl::space parameters_of_reductions(const Algorithm& algorithm) {
  isl::space order =
      isl::manage(isl_space_params_alloc(isl::set(algorithm.context).ctx().get(), 0));
  isl::space last = order;
  const auto& all = algorithm.definitions;
  for (auto d = all.end(); d != all.begin();) {
    --d;
    if (!d->reduction) continue;
    const isl::space own = isl::set(d->domain).space();
    if (isl_space_has_equal_params(own.get(), last.get()) == isl_bool_true) continue;
    order = isl::manage(isl_space_align_params(own.params().release(), order.release()));
    last = own;
  }
  return order;
}

std::vector<AccessUse> accesses(const Definition& definition) {
  const IteratorScope scope =
      scope_of(definition.domain.ctx(), definition.name, definition.iterators);
  const isl::set all = definition.domain;
  std::vector<AccessUse> found;
  const auto collect = [&](const Expr& whole, bool may) {
    for (const Reached& r : reached(whole, all, may, scope, names_array))
      found.push_back({r.e, r.where, r.may});
  };
  const bool may = definition.predicate.defined();
  for (const Expr& value : values_of(definition))
    if (value.defined()) collect(value, may);
  for (const Expr& index : definition.element) collect(index, may);
  if (may) collect(definition.predicate, false);
  return found;
}

isl::union_map all_reads(const Definition& definition) {
  isl::union_map all = isl::union_map::empty(definition.domain.ctx());
  for (const Read& read : definition.reads) all = all.unite(read.relation.to_union_map());
  return all;
}

Elements named_elements(const Definition& definition, const AccessUse& use, unsigned rank,
                        const Request& request) {
  const auto& array = use.access.name();
  const auto& indices = use.access.args();
  if (use.access.op() == Op::array)
    return {any_element(use, array, rank), false, std::vector<bool>(rank)};
  if (indices.size() != rank)
    throw request.refused(Code::E0109_wrong_arity,
                          array + " takes " + counted(rank, "index", "indices") + ", not " +
                              std::to_string(indices.size()),
                          "give one index for each dimension");
  const IteratorScope scope =
      scope_of(definition.domain.ctx(), definition.name, definition.iterators);
  Elements elements{none_of(scope), false, std::vector<bool>(rank)};
  for (const Expr& index : indices) {
    const IndexValues values = index_values(index, scope);
    elements.relation = elements.relation.range_product(values.values).flatten_range();
    elements.may = elements.may || values.may;
  }
  elements.relation = elements.relation.set_range_tuple(array).intersect_domain(use.where);
  return elements;
}

Elements elements_of(const Algorithm& algorithm, const Definition& definition, const AccessUse& use,
                     const Request& request) {
  const std::string array = algorithm.array_of(use.access.name());
  Elements elements = named_elements(definition, use, rank_of(algorithm, array), request);
  elements.relation = elements.relation.set_range_tuple(array).intersect_params(algorithm.context);
  if (use.access.op() == Op::array)
    elements.relation = elements.relation.intersect_range(all_elements(algorithm, array));
  if (!elements.may) return elements;
  const IteratorScope scope =
      scope_of(definition.domain.ctx(), definition.name, definition.iterators);
  const isl::set exist = all_elements(algorithm, array);
  for (unsigned d = 0; d < elements.checked.size(); ++d) {
    const isl::set inside = between_bounds(exist, d);
    if (affine(use.access.args()[d], scope) || elements.relation.range().is_subset(inside))
      continue;
    elements.checked[d] = true;
    elements.relation = elements.relation.intersect_range(inside);
  }
  elements.relation = isl::manage(isl_map_remove_redundancies(elements.relation.release()));
  return elements;
}

isl::set all_elements(const Algorithm& algorithm, const std::string& array) {
  if (const InputArray* input = algorithm.find_input(array)) return input->domain;
  isl::set all;
  for (const Definition* d : algorithm.definitions_of(algorithm.array_of(array))) {
    const isl::set own = isl::set(d->domain).apply(d->defines);
    all = all.is_null() ? own : all.unite(own);
  }
  return coalesced(all.intersect_params(algorithm.context));
}

bool may_keep(const Definition& d) {
  return !d.element.empty() || (d.predicate.defined() && !d.reduction);
}

bool reads_array(const Definition& definition, const std::string& array) {
  return has(definition, [&](const Expr& e) { return names_array(e) && e.name() == array; });
}

bool takes_array(const Definition& definition, const std::string& array) {
  return has(definition, [&](const Expr& e) { return e.op() == Op::array && e.name() == array; });
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
  const auto add = [&](const isl::map& elements, const std::string& array, bool may) {
    sources_of(algorithm, definition, elements, may, array, request).foreach_map([&](isl::map one) {
      merge(reads, one.range_tuple_id().name(), explicit_quotients(coalesced(one)), may);
    });
  };
  for (const AccessUse& use : accesses(definition)) {
    const std::string array = algorithm.array_of(use.access.name());
    const InputArray* input = algorithm.find_input(array);
    if (!input) require_defined(algorithm, definition, array, request);
    const Elements elements = elements_of(algorithm, definition, use, request);
    const bool may = use.may || elements.may;
    if (elements.may || use.access.op() == Op::array)
      require_bounded(algorithm, definition, use, request);
    if (!input) {
      add(elements.relation, array, may);
      continue;
    }
    require_inside(algorithm, definition, elements.relation, elements.may, *input, request);
    merge(reads, array, elements.relation, may);
  }
  if (may_keep(definition)) {
    const isl::map kept = isl::map(definition.defines).intersect_domain(definition.domain);
    add(kept.intersect_params(algorithm.context), definition.array, true);
  }
  return reads;
}

}  // namespace strata
