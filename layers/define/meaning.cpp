#include "layers/define/meaning.h"

#include "core/expr/expr_typing.h"

namespace strata {

Expr converted(const Expr& value, Type type, const std::string& name, const Request& request) {
  if (const ExprNode* mistake = find_invalid(value))
    throw request.refused(mistake->code, mistake->name);
  if (const auto bad = bad_operand({value}, name))
    throw request.refused(bad->node().code, bad->name());
  if (value.type() == type) return value;
  if (const auto fit = fitted(value, type)) return *fit;
  throw request.refused(
      Code::E0110_types_do_not_mix,
      name + " holds " + to_string(type) + " but its value is " + to_string(value.type()),
      "write cast(" + to_string(type) + ", ..)");
}

Meaning meaning_of(const Expr& value) {
  if (value.op() != Op::reduce) return {{value}, {}, {}, {}, {}};
  const Reduction kind = value.node().reduction;
  return {{value.args()[0]}, value.node().variables, kind, {}, {identity_of(kind, value.type())}};
}

Meaning meaning_of(const Tuple& tuple, const std::string& name, const Request& request) {
  Meaning meaning{tuple.values, tuple.over, {}, {}, {}};
  for (Expr& value : meaning.values) {
    if (!value.defined())
      throw request.refused(Code::E0106_bad_argument,
                            "a value of " + name + " is an undefined Expr",
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

}  // namespace strata
