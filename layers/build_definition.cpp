#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>

#include "core/expr_typing.h"
#include "core/session.h"
#include "layers/affine.h"
#include "layers/build_parts.h"
#include "layers/infer.h"
#include "layers/reads.h"
#include "layers/verify_algorithm.h"

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
      throw request.refused(Code::E0105_bad_name,
                            "\"" + names[d] + "\" cannot name an iterator",
                            "use letters, digits and _, not starting with a digit, and no keyword "
                            "of C or isl");
    const auto& parameters = algorithm.parameters;
    if (std::find(parameters.begin(), parameters.end(), names[d]) != parameters.end())
      throw request.refused(Code::E0104_name_taken,
                            names[d] + " is a parameter and cannot be an iterator too",
                            "choose another name");
    if (std::find(names.begin(), names.begin() + long(d), names[d]) != names.begin() + long(d))
      throw request.refused(Code::E0104_name_taken, "two iterators are called " + names[d],
                            "give each iterator a name of its own");
  }
}

// The domain that iterators with ranges span.
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
                              " is not an affine function of parameters and iterators before it",
                          "give the domain in isl's notation, or change the bound");
  return *domain;
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
  return with_tuple_name(domain, name);
}

// { S[i] -> X[e(i)] }; without "element" { S[i] -> X[i] }.
isl::map defined_values(const Algorithm& algorithm, const NewDefinition& definition,
                        const isl::set& domain, const std::vector<std::string>& iterators,
                        const Request& request) {
  const Scope scope{domain.space(), iterators};
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
    auto index = affine(element[d], scope);
    if (!index)
      throw request.refused(
          Code::E0111_not_affine,
          what + " is not an affine function of iterators and parameters",
          "use sums, products by constants, / and % by constants, min, max and select only");
    values = values.set_at(int(d), *index);
  }
  return values.as_map().set_range_tuple(definition.array);
}

// Appends "branch" under loops named "loops" to the forest; the first "existing" of them are the
// last nodes there already.
void append_branch(Mapping& forest, const std::vector<std::string>& loops, int existing,
                   Branch branch) {
  std::vector<Node>* body = &forest.roots;
  for (int level = 0; level < int(loops.size()); ++level) {
    if (level >= existing) body->push_back(Node{Loop{loops[level], Processor::sequential, {}}});
    body = &body->back().loop().body;
  }
  body->push_back(Node{std::move(branch)});
}

Branch identity_branch(const Definition& d) {
  auto identity = isl::set(d.domain).space().identity_multi_aff_on_domain().as_map();
  isl_map* time = isl_map_reset_tuple_id(identity.release(), isl_dim_out);
  return {d.name, TimeMap::from(isl::manage(time)), d.domain};
}

void set_values(Definition& d, const std::vector<Expr>& values) {
  d.value = values[0];
  for (std::size_t n = 0; n < d.others.size(); ++n) d.others[n].value = values[n + 1];
}

// What a value means: its scalars (of a reduction, those of one contribution), and the reduction.
struct Meaning {
  std::vector<Expr> values;
  std::vector<Var> over;  // none: no reduction
  std::optional<Reduction> kind;
  std::vector<Expr> steps, identities;
};

// The definition that gives each result of a reduction its identity, from "result", which holds
// the iterators, domain and element of the results.
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

// The contributions: one more iterator for each reduced one.
//   D = { S[r, k] : S[r] in the results' domain and k in its range }
Definition contributions_of(const Program& program, const Definition& result,
                            const Meaning& meaning, const Request& request) {
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
  isl::set ranges = box_domain(program, d.name, all, request);
  d.reduction = ReductionRule{meaning.kind, d.name + "_init", int(result.iterators.size()),
                              meaning.steps};
  d.domain = InstanceSet::from(ranges);
  isl::map to_result = result_of(d).set_range_tuple(result.name);
  d.domain = InstanceSet::from(ranges.intersect(
      isl::set(result.domain).preimage(to_result.as_pw_multi_aff())));
  d.defines = ValueRelation::from(to_result.apply_range(result.defines));
  d.given_ranges = ranges;
  return d;
}

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
                        "the value of " + definition.array +
                            " is an Expr that nothing was assigned to",
                        "give it an expression");
}

// "value" as a value of "type", where that changes no value.
Expr converted(const Expr& value, Type type, const std::string& name, const Request& request) {
  if (const ExprNode* mistake = find_invalid(value))
    throw request.refused(mistake->code, mistake->name);
  if (value.type() == type) return value;
  if (const auto fit = fitted(value, type)) return *fit;
  throw request.refused(Code::E0110_types_do_not_mix,
                        name + " holds " + to_string(type) + " but its value is " +
                            to_string(value.type()),
                        "write cast(" + to_string(type) + ", ..)");
}

// What a definition of one scalar is.
Meaning meaning_of(const Expr& value) {
  if (value.op() != Op::reduce) return {{value}, {}, {}, {}, {}};
  const Reduction kind = value.node().reduction;
  return {{value.args()[0]},
          value.node().variables,
          kind,
          {},
          {identity_of(kind, value.type())}};
}

// .. and one of several, in the types of the identities if it is a reduction.
Meaning meaning_of(const Tuple& tuple, const std::string& name, const Request& request) {
  Meaning meaning{tuple.values, tuple.over, {}, {}, {}};
  for (Expr& value : meaning.values) {
    if (!value.defined())
      throw request.refused(Code::E0106_bad_argument,
                            "a value of " + name + " is an Expr that nothing was assigned to",
                            "give it an expression");
    const Type type = value.type();
    value = converted(value, type, name, request);
  }
  if (!tuple.reducer) return meaning;
  meaning.steps = tuple.reducer->steps();
  meaning.identities = tuple.reducer->identities();
  if (meaning.identities.size() != meaning.values.size())
    throw request.refused(Code::E0109_wrong_arity,
                          tuple.reducer->name() + " combines " +
                              std::to_string(meaning.identities.size()) + " scalars, not " +
                              std::to_string(meaning.values.size()),
                          "give one value for each identity");
  for (std::size_t n = 0; n < meaning.values.size(); ++n) {
    const Type type = meaning.identities[n].type();
    converted(meaning.steps[n], type, name, request);
    converted(meaning.identities[n], type, name, request);
    meaning.values[n] = converted(meaning.values[n], type, name, request);
  }
  return meaning;
}

// The names of the further scalars.
void add_components(Definition& d, const NewDefinition& given, const Meaning& meaning,
                    const Algorithm& algorithm, const Request& request) {
  if (given.components.size() + 1 != meaning.values.size())
    throw request.refused(Code::E0109_wrong_arity,
                          d.name + " has values of " + std::to_string(meaning.values.size()) +
                              " scalars, and " + std::to_string(given.components.size() + 1) +
                              " names",
                          "give one name for each scalar");
  for (const std::string& name : given.components) {
    require_new_name(algorithm, name, request);
    const auto& others = d.others;
    if (name == d.name || std::any_of(others.begin(), others.end(),
                                      [&](const Component& c) { return c.name == name; }))
      throw request.refused(Code::E0104_name_taken, "two scalars are called " + name,
                            "give each scalar a name of its own");
    const Expr& value = meaning.values[d.others.size() + 1];
    d.others.push_back({name, value.type(), value});
  }
}

// What one instance of the new definition is: iterators, domain, element; no value yet.
Definition frame_of(const Program& program, const NewDefinition& given, const std::string& name,
                    const Request& request) {
  Definition d;
  d.name = name;
  d.array = given.array;
  d.type = type_of(given, request);
  isl::set domain;
  if (given.domain) {
    domain = parsed_domain(program, given, name, d.iterators, request);
  } else {
    d.iterators = names_of(given.iterators);
    domain = box_domain(program, name, given.iterators, request);
    d.inferred = std::any_of(given.iterators.begin(), given.iterators.end(),
                             [](const Var& v) { return !v.has_range(); });
  }
  verify_iterators(*program.algorithm, d.iterators, request);
  require_shared_iterators(given, d.iterators, given.open_loops, request);
  d.given_ranges = domain;
  d.domain = InstanceSet::from(d.inferred ? isl::set::empty(domain.space()) : domain);
  d.defines = ValueRelation::from(
      defined_values(*program.algorithm, given, domain, d.iterators, request));
  return d;
}

// Adds a definition with its place at the end of a forest.
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
    throw request.refused(Code::E0109_wrong_arity, given.array + " has " + std::to_string(rank) +
                                                       " dimensions, not " +
                                                       std::to_string(given.element->size()),
                          "give one index for each dimension");
  if (!definitions.front()->others.empty())
    throw request.refused(Code::E0106_bad_argument, given.array + " holds tuples, which no update "
                                                                  "redefines",
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
  Definition d = frame_of(program, given, name, request);
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
      d = contributions_of(program, d, meaning, request);
    }
    set_values(d, meaning.values);
  }
  algorithm.definitions.push_back(d);
  append(algorithm.reference, d, given, existing);
  append(after.mapping, d, given, given.existing_loops);
  verify_single_assignment(algorithm, d, request);
  return completed(after, std::move(algorithm), request);
}

Program with_value(const Program& program, const std::string& definition, const Expr& value,
                   const Request& request) {
  Algorithm algorithm = *program.algorithm;
  auto found = std::find_if(algorithm.definitions.begin(), algorithm.definitions.end(),
                            [&](const Definition& d) { return d.name == definition; });
  if (found == algorithm.definitions.end())
    throw request.refused(Code::E0101_unknown_computation,
                          "there is no computation " + definition,
                          "define a computation that this function declared");
  if (found->value.defined())
    throw request.refused(Code::E0104_name_taken, definition + " has a value already",
                          "use update to redefine its elements");
  found->value = converted(value, found->type, definition, request);
  if (found->value.op() == Op::reduce) {
    const std::string kind = to_string(found->value.node().reduction);
    throw request.refused(Code::E0117_unsupported_expression,
                          "a " + kind + " cannot be the value of a computation declared before",
                          "give the " + kind + " a computation of its own, and read it here");
  }
  return completed(program, std::move(algorithm), request);
}

Program completed(const Program& program, Algorithm algorithm, const Request& request) {
  Program after = program;
  for (const Definition& d : algorithm.definitions)
    if (d.value.defined()) verify_expression(algorithm, d, request);
  infer_domains(algorithm, after.mapping, request);
  for (Definition& d : algorithm.definitions)
    if (d.value.defined()) d.reads = derive_reads(algorithm, d, request);
  verify_reference_order(algorithm, request);
  return with_algorithm(after, std::move(algorithm));
}

}  // namespace strata
