#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/expr/expr_typing.h"
#include "core/sets/coalesce.h"
#include "core/sets/quotients.h"
#include "core/sets/session.h"
#include "layers/affine/affine.h"
#include "layers/define/build_parts.h"
#include "layers/define/derive.h"
#include "layers/define/meaning.h"
#include "layers/flow/reads.h"
#include "layers/verify/verify_algorithm.h"

namespace strata {

namespace {

std::vector<std::string> names_of(const std::vector<Var>& iterators) {
  std::vector<std::string> names;
  for (const Var& v : iterators) names.push_back(v.name());
  return names;
}

void verify_iterators(const Algorithm& algorithm, const std::vector<std::string>& names,
                      const Request& request) {
  for (std::size_t d = 0; d < names.size(); ++d) {
    if (!is_identifier(names[d]))
      throw request.refused(Code::E0105_bad_name, "\"" + names[d] + "\" cannot name an iterator",
                            "use letters, digits and _, not starting with a digit, and no keyword "
                            "of C or isl");
    const auto& parameters = algorithm.parameters;
    if (std::find(parameters.begin(), parameters.end(), names[d]) != parameters.end())
      throw request.refused(Code::E0104_name_taken,
                            names[d] + " is a parameter and cannot be an iterator too",
                            "choose another name");
    if (std::find(names.begin(), names.begin() + long(d), names[d]) != names.begin() + long(d))
      throw request.refused(Code::E0104_name_taken, "two iterators are called " + names[d],
                            "give each iterator a different name");
  }
}

std::string why_wrapping(const std::vector<Var>& iterators, const std::string& name) {
  for (const Var& v : iterators)
    if (v.name() == name)
      return is_exact(v.lower()) ? why_not_affine(v.upper()) : why_not_affine(v.lower());
  return "";
}

// The box of the iterators' ranges.
isl::set box_domain(const Program& program, const std::string& name,
                    const std::vector<Var>& iterators, const Request& request) {
  const Algorithm& algorithm = *program.algorithm;
  for (const Var& v : iterators) {
    if (!v.has_range() && !v.upper().defined()) continue;
    require_parameters_known(algorithm, v.lower(), "the lower bound of " + v.name(), request);
    require_parameters_known(algorithm, v.upper(), "the upper bound of " + v.name(), request);
  }
  std::string culprit;
  auto domain = box(name, iterators, program.session->isl(), &culprit);
  if (!domain)
    throw request.refused(Code::E0111_not_affine,
                          "a bound of " + culprit +
                              " is not an affine function of parameters and iterators before it" +
                              why_wrapping(iterators, culprit),
                          "give the domain in isl's notation, or change the bound");
  return *domain;
}

Expr inside(const Var& v) {
  const Expr lower = as_index(v.lower(), "the lower bound of " + v.name());
  const Expr upper = as_index(v.upper(), "the upper bound of " + v.name());
  return variable(v.name()) >= lower && variable(v.name()) < upper;
}

// Each range must be exact in the part of "where" that the ranges before it leave.
void note_ranges(ExactRange& needed, const Definition& d, const std::vector<Var>& iterators,
                 isl::set where, const Request& request) {
  const IteratorScope all = scope_of(where.ctx(), d.name, d.iterators);
  for (const Var& v : iterators) {
    if (!v.has_range()) continue;
    const SplitCondition split = split_condition(inside(v), all);
    const isl::set cut = where.intersect(split.affine);
    if (split.exact.defined()) note_exact(needed, d, {{split.exact}}, where, cut, request);
    where = cut;
  }
}

// The ranges of iterators whose bounds may be read from arrays: the affine part, and the rest as a
// condition.
struct Ranges {
  isl::set domain;
  Expr predicate;
  std::vector<std::string> open;  // the iterators whose range is not affine
};

Ranges data_ranges(const Program& program, const std::string& name,
                   const std::vector<Var>& iterators, const Request& request) {
  const IteratorScope all = scope_of(program.session->isl(), name, names_of(iterators));
  Ranges ranges{all.space.universe_set(), {}, {}};
  for (const Var& v : iterators) {
    if (!v.has_range()) continue;
    const Expr lower = as_index(v.lower(), "the lower bound of " + v.name());
    const Expr upper = as_index(v.upper(), "the upper bound of " + v.name());
    require_parameters_known(*program.algorithm, lower, "the lower bound of " + v.name(), request);
    require_parameters_known(*program.algorithm, upper, "the upper bound of " + v.name(), request);
    const SplitCondition split = split_condition(inside(v), all);
    ranges.domain = ranges.domain.intersect(split.affine);
    ranges.predicate = both(ranges.predicate, split.rest);
    if (split.rest.defined()) ranges.open.push_back(v.name());
  }
  return ranges;
}

bool uses_one_of(const Expr& access, const std::vector<std::string>& iterators) {
  const auto used = free_variables(access);
  return std::any_of(iterators.begin(), iterators.end(),
                     [&](const std::string& name) { return used.count(name) > 0; });
}

// Cuts the domain of "d" to where the affine, unconditional reads are in bounds, for reads that use
// iterators with non-affine ranges.
void bound_by_reads(const Algorithm& algorithm, Definition& d, const Ranges& ranges,
                    const Request& request) {
  Definition reading;
  reading.name = d.name;
  reading.iterators = d.iterators;
  reading.domain = d.domain;
  reading.value = d.value;
  isl::set domain = d.domain;
  for (const AccessUse& use : accesses(reading)) {
    const std::string& array = use.access.name();
    const auto definitions = algorithm.definitions_of(array);
    const bool exists =
        algorithm.find_input(array) || (!definitions.empty() && !definitions.front()->inferred);
    if (!exists || use.may || !uses_one_of(use.access, ranges.open) ||
        !isl::set(d.domain).is_subset(use.where))
      continue;
    const Elements elements = named_elements(reading, use, rank_of(algorithm, array), request);
    if (elements.may) continue;
    domain = domain.intersect(
        elements.relation.intersect_range(all_elements(algorithm, array)).domain());
  }
  for (std::size_t i = 0; i < d.iterators.size(); ++i)
    if (std::find(ranges.open.begin(), ranges.open.end(), d.iterators[i]) != ranges.open.end() &&
        !isl_set_dim_is_bounded(domain.get(), isl_dim_set, unsigned(i)))
      throw request.refused(
          Code::E0112_unbounded_domain,
          "the range of " + d.iterators[i] +
              " depends on data, and no read at an affine index bounds it",
          "give " + d.iterators[i] + " affine bounds, and put the rest into where(..)");
  d.domain = InstanceSet::from(explicit_quotients(coalesced(domain)));
}

// The domain in isl's notation, its tuple renamed to "name".
isl::set parsed_domain(const Program& program, const NewDefinition& definition,
                       const std::string& name, std::vector<std::string>& iterators,
                       const Request& request) {
  isl::set domain;
  try {
    domain = isl::set(program.session->isl(), *definition.domain);
  } catch (const isl::exception& e) {
    throw request.refused(Code::E0108_unreadable_text,
                          "the domain is not a set in isl's notation: " + message_of(e),
                          "write it as \"[N] -> { S[i, j] : 0 <= i <= j < N }\"");
  }
  for (int d = 0; d < isl_set_dim(domain.get(), isl_dim_param); ++d) {
    std::string parameter = isl_set_get_dim_name(domain.get(), isl_dim_param, unsigned(d));
    require_parameters_known(*program.algorithm, strata::parameter(parameter), "the domain",
                             request);
  }
  for (unsigned d = 0; d < domain.tuple_dim(); ++d) {
    const char* iterator = isl_set_get_dim_name(domain.get(), isl_dim_set, d);
    if (!iterator)
      throw request.refused(Code::E0108_unreadable_text,
                            "dimension " + std::to_string(d) + " of the domain has no name",
                            "name every dimension, with conditions after the colon");
    iterators.push_back(iterator);
  }
  return with_tuple_name(explicit_quotients(domain), name);
}

// { S[i] -> X[e(i)] }; without "element" { S[i] -> X[i] }.
isl::map defined_values(const Algorithm& algorithm, const NewDefinition& definition,
                        const isl::set& domain, const std::vector<std::string>& iterators,
                        const Request& request) {
  const IteratorScope scope{domain.space(), iterators};
  std::vector<Expr> element;
  if (definition.element)
    element = *definition.element;
  else
    for (const auto& name : iterators) element.push_back(variable(name));
  auto space = scope.space.add_unnamed_tuple(unsigned(element.size()));
  auto values = space.set_range_tuple(definition.array).zero_multi_pw_aff();
  for (std::size_t d = 0; d < element.size(); ++d) {
    const std::string what =
        "index " + std::to_string(d) + " of the element of " + definition.array;
    require_parameters_known(algorithm, element[d], what, request);
    values = values.set_at(int(d), *affine(element[d], scope));
  }
  return values.as_map().set_range_tuple(definition.array);
}

// True if an index of the element is not affine.
bool is_scatter(const NewDefinition& definition, const Definition& d) {
  if (!definition.element) return false;
  const IteratorScope scope = scope_of(d.domain.ctx(), d.name, d.iterators);
  return std::any_of(definition.element->begin(), definition.element->end(),
                     [&](const Expr& index) { return index.defined() && !affine(index, scope); });
}

// Sets what a scatter defines, { S[i] -> X[e] : e(i) may be e }, and the indices e(i).
void scatter(const Algorithm& algorithm, const NewDefinition& definition, Definition& d,
             const Request& request) {
  for (const Expr& index : *definition.element) {
    if (const ExprNode* mistake = find_invalid(index))
      throw request.refused(mistake->code, mistake->name);
    d.element.push_back(as_index(index, "an index of " + d.array));
  }
  if (definition.value.defined() && definition.value.op() == Op::reduce)
    throw request.refused(Code::E0117_unsupported_expression,
                          "a reduction cannot be stored at an element whose indices are not affine",
                          "make the reduction a separate computation, and read it here");
  verify_expression(algorithm, d, request);
  const AccessUse element{access(d.array, d.type, d.element), d.domain};
  d.defines = ValueRelation::from(elements_of(algorithm, d, element, request).relation);
}

// Appends "branch" under loops named "loops" to the forest; the first "existing" of these loops are
// there already, each the last node in its body.
void append_branch(Mapping& forest, const std::vector<std::string>& loops, int existing,
                   Branch branch) {
  std::vector<Node>* body = &forest.roots;
  for (int level = 0; level < int(loops.size()); ++level) {
    if (level >= existing) body->push_back(Node{Loop{LoopHead{{loops[level]}}}});
    body = &body->back().loop().body;
  }
  body->push_back(Node{std::move(branch)});
}

void set_values(Definition& d, const std::vector<Expr>& values) {
  d.value = values[0];
  for (std::size_t n = 0; n < d.others.size(); ++n) d.others[n].value = values[n + 1];
}

}  // namespace

Definition initial_of(const Definition& result, const std::vector<Expr>& identities) {
  Definition initial = result;
  initial.name = result.name + "_init";
  initial.domain = InstanceSet::from(with_tuple_name(result.domain, initial.name));
  initial.given_ranges = with_tuple_name(*result.given_ranges, initial.name);
  initial.defines = ValueRelation::from(isl::map(result.defines).set_domain_tuple(initial.name));
  set_values(initial, identities);
  initial.is_initial = true;
  return initial;
}

Definition contributions_of(const Program& program, const Definition& result,
                            const Meaning& meaning, ExactRange& needed, const Request& request) {
  std::vector<Var> all;
  for (const auto& name : result.iterators) all.emplace_back(name);
  for (const Var& k : meaning.over) {
    if (!k.has_range())
      throw request.refused(Code::E0112_unbounded_domain,
                            "the reduced iterator " + k.name() + " has no range",
                            "write Var " + k.name() + "(\"" + k.name() + "\", lower, upper)");
    all.push_back(k);
  }
  Definition d = result;
  d.iterators = names_of(all);
  verify_iterators(*program.algorithm, d.iterators, request);
  const Ranges data = data_ranges(program, d.name, all, request);
  const isl::set& ranges = data.domain;
  d.predicate = both(d.predicate, data.predicate);
  d.reduction =
      ReductionRule{meaning.kind, d.name + "_init", int(result.iterators.size()), meaning.steps};
  set_values(d, meaning.values);
  d.domain = InstanceSet::from(ranges);
  isl::map to_result = result_of(d).set_range_tuple(result.name);
  const isl::set of_results = isl::set(result.domain).preimage(to_result.as_pw_multi_aff());
  note_ranges(needed, d, meaning.over, of_results, request);
  d.domain = InstanceSet::from(ranges.intersect(of_results));
  d.defines = ValueRelation::from(to_result.apply_range(result.defines));
  if (!data.open.empty()) bound_by_reads(*program.algorithm, d, data, request);
  d.given_ranges = data.open.empty() ? ranges : isl::set(d.domain);
  return d;
}

namespace {

void require_shared_iterators(const NewDefinition& definition,
                              const std::vector<std::string>& iterators,
                              const std::vector<std::string>& open, const Request& request) {
  for (std::size_t level = 0; level < open.size(); ++level)
    if (level >= iterators.size() || iterators[level] != open[level])
      throw request.refused(Code::E0106_bad_argument,
                            definition.array + " is defined inside the loop " + open[level] +
                                " but its iterator " + std::to_string(level) + " is not " +
                                open[level],
                            "let its iterators start with those of the loops around it");
}

Type type_of(const NewDefinition& definition, const Request& request) {
  if (definition.type) return *definition.type;
  if (definition.tuple && !definition.tuple->values.empty() &&
      definition.tuple->values[0].defined())
    return definition.tuple->values[0].type();
  if (definition.value.defined()) return definition.value.type();
  throw request.refused(Code::E0106_bad_argument,
                        "the value of " + definition.array + " is an undefined Expr",
                        "give it an expression");
}

// Adds the further scalars, with the names given for them.
void add_components(Definition& d, const NewDefinition& given, const Meaning& meaning,
                    const Algorithm& algorithm, const Request& request) {
  if (given.components.size() + 1 != meaning.values.size())
    throw request.refused(Code::E0109_wrong_arity,
                          d.name + " has values of " + std::to_string(meaning.values.size()) +
                              " scalars, but " + std::to_string(given.components.size() + 1) +
                              " names are given",
                          "give one name for each scalar");
  for (const std::string& name : given.components) {
    require_new_name(algorithm, name, request);
    const auto& others = d.others;
    if (name == d.name || std::any_of(others.begin(), others.end(),
                                      [&](const Component& c) { return c.name == name; }))
      throw request.refused(Code::E0104_name_taken, "two scalars are called " + name,
                            "give each scalar a different name");
    const Expr& value = meaning.values[d.others.size() + 1];
    d.others.push_back({name, value.type(), value});
  }
}

// The domain of an update; if its ranges depend on data, "d" also gets a predicate.
isl::set updated_domain(const Program& program, const NewDefinition& given, Definition& d,
                        const Request& request) {
  const Ranges ranges = data_ranges(program, d.name, given.iterators, request);
  if (ranges.open.empty()) return box_domain(program, d.name, given.iterators, request);
  d.predicate = ranges.predicate;
  d.domain = InstanceSet::from(ranges.domain);
  d.value = given.value;
  bound_by_reads(*program.algorithm, d, ranges, request);
  d.value = Expr();
  return d.domain;
}

// The iterators, domain and element of the new definition, without a value.
Definition frame_of(const Program& program, const NewDefinition& given, const std::string& name,
                    ExactRange& needed, const Request& request) {
  Definition d;
  d.name = name;
  d.array = given.array;
  d.type = type_of(given, request);
  isl::set domain;
  if (given.domain) {
    domain = parsed_domain(program, given, name, d.iterators, request);
    verify_iterators(*program.algorithm, d.iterators, request);
  } else {
    d.iterators = names_of(given.iterators);
    verify_iterators(*program.algorithm, d.iterators, request);
    if (given.element)
      domain = updated_domain(program, given, d, request);
    else
      domain = box_domain(program, name, given.iterators, request);
    d.inferred = std::any_of(given.iterators.begin(), given.iterators.end(),
                             [](const Var& v) { return !v.has_range(); });
  }
  if (!given.domain)
    note_ranges(needed, d, given.iterators, domain.space().universe_set(), request);
  require_shared_iterators(given, d.iterators, given.open_loops, request);
  d.given_ranges = domain;
  d.domain = InstanceSet::from(d.inferred ? isl::set::empty(domain.space()) : domain);
  if (is_scatter(given, d))
    scatter(*program.algorithm, given, d, request);
  else
    d.defines = ValueRelation::from(
        defined_values(*program.algorithm, given, domain, d.iterators, request));
  if (given.element && d.element.empty()) {
    std::vector<ExactUse> indices;
    for (const Expr& index : *given.element) indices.push_back({index, true});
    note_exact(needed, d, indices, domain, isl::map(d.defines).wrap(), request);
  }
  return d;
}

// Appends the branch of a definition to a forest, inside the open loops that exist.
void append(Mapping& forest, const Definition& d, const NewDefinition& given, int existing) {
  append_branch(forest, d.iterators, std::min(existing, int(given.open_loops.size())),
                identity_branch(d));
}

void require_known_element(const Program& program, const NewDefinition& given,
                           const Request& request) {
  const auto definitions = program.algorithm->definitions_of(given.array);
  if (definitions.empty())
    throw request.refused(Code::E0101_unknown_computation,
                          "there is no computation " + given.array + " to update",
                          "update a computation of this function");
  const unsigned rank = rank_of(*program.algorithm, given.array);
  if (given.element->size() != rank)
    throw request.refused(Code::E0109_wrong_arity,
                          given.array + " has " + std::to_string(rank) + " dimensions, not " +
                              std::to_string(given.element->size()),
                          "give one index for each dimension");
  if (!definitions.front()->others.empty())
    throw request.refused(Code::E0106_bad_argument,
                          given.array + " holds tuples, which cannot be updated",
                          "define another computation that reads it");
  if (definitions.front()->inferred)
    throw request.refused(Code::E0112_unbounded_domain,
                          given.array + " has an inferred domain and cannot be updated",
                          "give its iterators ranges");
}

}  // namespace

std::string next_update_name(const Algorithm& algorithm, const std::string& array) {
  int updates = 0;
  for (const Definition* d : algorithm.definitions_of(array)) updates += d->is_initial ? 0 : 1;
  return array + "_" + std::to_string(updates);
}

Program with_definition(const Program& program, const NewDefinition& given,
                        const Request& request) {
  Program after = program;
  Algorithm algorithm = *program.algorithm;
  if (given.element) require_known_element(program, given, request);
  const std::string name = given.element ? next_update_name(algorithm, given.array) : given.array;
  require_new_name(algorithm, name, request);
  for (const Expr& value : given.tuple ? given.tuple->values : std::vector<Expr>{given.value})
    verify_handles(algorithm, value, name, request);
  ExactRange needed;
  Definition d = frame_of(program, given, name, needed, request);
  if (given.element) d.type = algorithm.definitions_of(given.array).front()->type;
  int existing = given.existing_loops;
  if (given.value.defined() || given.tuple) {
    const Meaning meaning = given.tuple ? meaning_of(*given.tuple, name, request)
                                        : meaning_of(converted(given.value, d.type, name, request));
    d.type = meaning.values[0].type();
    add_components(d, given, meaning, algorithm, request);
    if (!meaning.over.empty()) {
      require_new_name(algorithm, name + "_init", request);
      algorithm.definitions.push_back(initial_of(d, meaning.identities));
      append(algorithm.reference, algorithm.definitions.back(), given, existing);
      existing = int(given.open_loops.size());
      d = contributions_of(program, d, meaning, needed, request);
    } else {
      set_values(d, meaning.values);
    }
  }
  assume_exact(algorithm, needed);
  algorithm.definitions.push_back(d);
  append(algorithm.reference, d, given, existing);
  append(after.mapping, d, given, given.existing_loops);
  verify_single_assignment(algorithm, d, request);
  return completed(std::move(after), std::move(algorithm), request);
}

Program completed(Program program, Algorithm algorithm, const Request& request) {
  derive(algorithm, program.mapping, request);
  return with_algorithm(std::move(program), std::move(algorithm));
}

}  // namespace strata
