// Reductions, tuples and reducers.
#include "core/expr/tuple.h"
#include "python/bind.h"
#include "python/module.h"

namespace strata::python {

namespace {

template <typename Result>
void add_reduction(nb::module_& m, const char* name, Result (*reduction)(std::vector<Var>, Expr),
                   const char* doc) {
  m.def(
      name,
      [reduction](const LoopNames& over, const Operand& body) {
        return reduction(over.value, body.value);
      },
      "over"_a, "body"_a, doc);
}

Reducer reducer_of(const std::string& name, const std::vector<Operand>& identities,
                   const nb::callable& step) {
  return Reducer(name, values_of(identities),
                 [&](const Reducer::Scalars& a, const Reducer::Scalars& b) {
                   std::vector<Operand> values;
                   if (!nb::try_cast(step(a, b), values))
                     throw nb::type_error("the step of a Reducer returns no list of scalars");
                   return values_of(values);
                 });
}

void add_tuples(nb::module_& m) {
  nb::class_<Reducer>(m, "Reducer",
                      "A reduction of tuples: its identity, and its step, a function of two lists\n"
                      "of scalars that returns one. The author promises that the step is\n"
                      "associative and commutative and that the identity is neutral.")
      .def(
          "__init__",
          [](Reducer* self, const std::string& name, const std::vector<Operand>& identities,
             const nb::callable& step) { new (self) Reducer(reducer_of(name, identities, step)); },
          "name"_a, "identities"_a, "step"_a,
          nb::sig("def __init__(self, name: str, identities: Sequence[Operand], step: "
                  "Callable[[list[Expr], list[Expr]], Sequence[Operand]]) -> None"))
      .def_prop_ro("name", &Reducer::name);
  nb::class_<Tuple>(m, "Tuple", "Values of several scalars: the whole value of a computation.");
  m.def(
      "tuple", [](const std::vector<Operand>& values) { return tuple(values_of(values)); },
      "values"_a, "The scalars of one computation.");
  m.def(
      "reduce",
      [](const Reducer& reducer, const LoopNames& over, const std::vector<Operand>& contribution) {
        return reduce(reducer, over.value, values_of(contribution));
      },
      "reducer"_a, "over"_a, "contribution"_a,
      "The contributions of all iterations of \"over\", combined by the reducer.");
  add_reduction<Tuple>(m, "argmin", &argmin,
                       "The least value, and the iterators of its position: a tuple.");
  add_reduction<Tuple>(m, "argmax", &argmax,
                       "The greatest value, and the iterators of its position: a tuple.");
}

}  // namespace

void add_reductions(nb::module_& m) {
  add_reduction<Expr>(m, "sum", &sum, "The sum of body over the ranges; 0 if they are empty.");
  add_reduction<Expr>(m, "product", &product,
                      "The product of body over the ranges; 1 if they are empty.");
  add_reduction<Expr>(m, "minimum", &minimum, "The least value of body over the ranges.");
  add_reduction<Expr>(m, "maximum", &maximum, "The greatest value of body over the ranges.");
  add_reduction<Expr>(m, "any", &any, "Is body, a boolean, true anywhere in the ranges?");
  add_reduction<Expr>(m, "all", &all, "Is body, a boolean, true everywhere in the ranges?");
  add_tuples(m);
}

}  // namespace strata::python
