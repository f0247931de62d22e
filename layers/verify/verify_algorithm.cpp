#include "layers/verify/verify_algorithm.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "layers/flow/atomic_step.h"
#include "layers/flow/order.h"
#include "layers/witness.h"

namespace strata {

namespace {

// Keywords of isl's notation, which isl also accepts in upper case.
bool is_word_of_isl(std::string name) {
  static const std::set<std::string> words = {
      "and", "or",  "not",  "exists", "mod", "floor", "ceil",     "floord", "ceild",
      "min", "max", "true", "false",  "rat", "infty", "infinity", "nan",    "implies"};
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return words.count(name) > 0;
}

// Parameters and buffers name arguments in a header for C and C++.
bool is_keyword(const std::string& name) {
  static const std::set<std::string> words = {
      "NULL",     "alignas",  "alignof",  "asm",      "auto",      "bool",      "break",
      "case",     "catch",    "char",     "class",    "concept",   "const",     "constexpr",
      "continue", "default",  "delete",   "do",       "double",    "else",      "enum",
      "explicit", "export",   "extern",   "float",    "for",       "friend",    "goto",
      "if",       "inline",   "int",      "long",     "mutable",   "namespace", "new",
      "noexcept", "nullptr",  "operator", "private",  "protected", "public",    "register",
      "requires", "restrict", "return",   "short",    "signed",    "sizeof",    "static",
      "struct",   "switch",   "template", "this",     "throw",     "try",       "typedef",
      "typeid",   "typename", "union",    "unsigned", "using",     "virtual",   "void",
      "volatile", "wchar_t",  "while"};
  return words.count(name) > 0;
}

bool taken(const Algorithm& algorithm, const std::string& name) {
  const auto& parameters = algorithm.parameters;
  return algorithm.find(name) || algorithm.find_input(name) || algorithm.find_partition(name) ||
         !algorithm.definitions_of(algorithm.array_of(name)).empty() ||
         std::find(parameters.begin(), parameters.end(), name) != parameters.end();
}

// A reduction must be the whole value of a computation; then "value" is one of its contributions.
void require_no_inner_reduction(const Definition& definition, const Expr& whole,
                                const Request& request) {
  visit(whole, [&](const Expr& e) {
    if (e.op() == Op::reduce)
      throw request.refused(Code::E0117_unsupported_expression,
                            "a " + to_string(e.node().reduction) + " is nested in the value of " +
                                definition.name + ", but must be the whole value of a computation",
                            "make the " + to_string(e.node().reduction) +
                                " a separate computation, and read that here");
  });
}

void require_known_names(const Algorithm& algorithm, const Definition& definition,
                         const Expr& whole, const Request& request) {
  visit(whole, [&](const Expr& e) {
    const auto& known = e.op() == Op::parameter ? algorithm.parameters : definition.iterators;
    if (e.op() != Op::parameter && e.op() != Op::variable) return;
    if (std::find(known.begin(), known.end(), e.name()) == known.end())
      throw request.refused(Code::E0101_unknown_computation,
                            definition.name + " uses " + e.name() +
                                ", which is neither one of its "
                                "iterators nor a parameter of this function",
                            "give it an iterator of that name, or declare the parameter with "
                            "param(\"" +
                                e.name() + "\") on this function");
  });
}

bool is_parameter(const Algorithm& algorithm, const std::string& name) {
  const auto& known = algorithm.parameters;
  return std::find(known.begin(), known.end(), name) != known.end();
}

// The element type of the array with this name, if there is one.
std::optional<Type> type_held(const Algorithm& algorithm, const std::string& name) {
  if (const InputArray* input = algorithm.find_input(name)) return input->type;
  for (const Definition& d : algorithm.definitions) {
    if (d.array == name) return d.type;
    for (const Component& c : d.others)
      if (c.name == name) return c.type;
  }
  return std::nullopt;
}

// The witness for the smallest pair of { source -> sink }.
Witness order_witness(const Algorithm& algorithm, const isl::map& early) {
  const isl::union_map order = theta(algorithm.reference);
  isl::map pair = smallest(early, algorithm.parameters);
  return {parameters_text(pair.domain()),
          {{instance_text(pair.domain()), time_text(pair.domain(), order)},
           {instance_text(pair.range()), time_text(pair.range(), order)}},
          "",
          {"{0} computes the value that", "{1} uses"}};
}

}  // namespace

bool is_identifier(const std::string& name) {
  if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name[0])) || name[0] == '_'))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; }) &&
         !is_word_of_isl(name) && !is_keyword(name);
}

void require_buffer_name(const std::string& name, const Request& request) {
  if (!is_identifier(name))
    throw request.refused(Code::E0105_bad_name, "\"" + name + "\" cannot name a buffer",
                          "use letters, digits and _, not starting with a digit, and no keyword "
                          "of C or isl");
}

void require_new_name(const Algorithm& algorithm, const std::string& name, const Request& request) {
  if (!is_identifier(name))
    throw request.refused(Code::E0105_bad_name, "\"" + name + "\" cannot be a name here",
                          "use letters, digits and _, not starting with a digit, and no keyword "
                          "of C or isl");
  if (taken(algorithm, name))
    throw request.refused(Code::E0104_name_taken, "the name " + name + " is taken",
                          "choose another name");
}

void verify_single_assignment(const Algorithm& algorithm, const Definition& definition,
                              const Request& request) {
  const bool is_update = definition.name != definition.array;
  if (definition.reduction || is_update) return;
  isl::map defines = definition.defines.intersect_domain(definition.domain);
  if (defines.is_injective()) return;
  isl::map twice = defines.apply_range(defines.reverse());
  twice = twice.subtract(isl::map(definition.domain.identity()));
  isl::map pair = smallest(twice, algorithm.parameters);
  throw request.refused(
      Code::E0114_not_single_assignment,
      "two instances of " + definition.name + " define the same value of " + definition.array,
      "write the values one after the other, over a separate iterator, or use a reduction",
      Witness{parameters_text(pair.domain()),
              {{instance_text(pair.domain()), ""}, {instance_text(pair.range()), ""}},
              instance_text(pair.domain().apply(defines)),
              {"{0} and", "{1} both define it"}});
}

void verify_handles(const Algorithm& algorithm, const Expr& whole, const std::string& what,
                    const Request& request) {
  visit(whole, [&](const Expr& e) {
    const bool array = e.op() == Op::access || e.op() == Op::array;
    const auto held = array ? type_held(algorithm, e.name()) : std::nullopt;
    if (!held && !(e.op() == Op::parameter && is_parameter(algorithm, e.name()))) return;
    const Owner& owner = e.node().owner;
    if (owner && owner != algorithm.owner)
      throw request.refused(Code::E0101_unknown_computation,
                            what + (held ? " reads " : " uses ") + e.name() +
                                " by a handle of another function, " + owner->name,
                            "use the handle " + e.name() + " that this function gave");
    if (e.op() == Op::array && algorithm.is_scalar(e.name()))
      throw request.refused(Code::E0106_bad_argument,
                            what + " passes " + e.name() +
                                " as an array, but it is a scalar, which is passed by value",
                            "pass its value, or declare it as an input");
    if (held && e.type() != *held)
      throw request.refused(Code::E0110_types_do_not_mix,
                            what + " reads " + e.name() + " as " + to_string(e.type()) +
                                ", but it holds " + to_string(*held),
                            "read it by its handle, and cast what is read");
  });
}

void verify_expression(const Algorithm& algorithm, const Definition& definition,
                       const Request& request) {
  for_each_expression(definition, [&](const Expr& whole) {
    if (const ExprNode* mistake = find_invalid(whole))
      throw request.refused(mistake->code, mistake->name);
    require_no_inner_reduction(definition, whole, request);
    require_known_names(algorithm, definition, whole, request);
    verify_handles(algorithm, whole, definition.name, request);
  });
}

namespace {

// The branches of these definitions, and of those that they read, in the reference order.
std::map<std::string, Placed> places(const Algorithm& algorithm,
                                     const std::set<std::string>& readers) {
  std::set<std::string> names = readers;
  for (const Definition& d : algorithm.definitions)
    if (readers.count(d.name))
      for (const Read& read : d.reads) names.insert(read.producer);
  std::map<std::string, Placed> placed;
  for (const Placed& p : branches_of(algorithm.reference, names))
    placed.emplace(p.branch->definition, p);
  return placed;
}

}  // namespace

void verify_reference_order(const Algorithm& algorithm, const std::set<std::string>& readers,
                            const Request& request) {
  const auto placed = places(algorithm, readers);
  for (const Definition& d : algorithm.definitions) {
    if (!readers.count(d.name)) continue;
    for (const Read& read : d.reads) {
      if (algorithm.find_input(read.producer)) continue;
      const Placed& producer = placed.at(read.producer);
      const Placed& reader = placed.at(d.name);
      auto early = pairs_ordered(isl::map(read.relation).reverse(), producer,
                                 not_before(producer, reader), reader);
      if (early.is_empty()) continue;
      throw request.refused(Code::E0206_no_legal_order,
                            d.name + " reads " + read.producer + " before it is defined",
                            "define " + read.producer +
                                " first; write computations that read "
                                "each other inside a common f.loop",
                            order_witness(algorithm, early));
    }
  }
}

void verify_atomics(const Algorithm& algorithm, const Request& request) {
  for (const Definition& d : algorithm.definitions)
    if (d.is_atomic && !has_steps(d))
      throw request.refused(Code::E0106_bad_argument,
                            d.name + " is atomic, but is neither a reduction nor an atomic update");
}

}  // namespace strata
