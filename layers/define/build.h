// Builds layer I step by step, from an empty program. Each step returns a new program or throws
// the error of its Request; the given program is never changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/tuple.h"
#include "layers/program.h"

namespace strata {

Program new_program(std::shared_ptr<Session> session, const std::string& name,
                    const Request& request);

// E0104 if the name is taken, E0105 if it is not an identifier.
Program with_parameter(const Program& program, const std::string& name, const Request& request);
// A parameter that the kernel reads from an element of an input: E0106 unless it is an integer
// input, at indices over parameters (E0111, E0101).
Program with_size(const Program& program, const std::string& name, const Expr& element,
                  const Request& request);

// A partition of 0 <= i < size among ranks. E0104 and E0105 its name; E0101 and E0111 its size.
Program with_partition(const Program& program, const std::string& name, const Expr& size,
                       const Request& request);

// Adds "condition", over parameters, to the context; the kernel checks it at entry.
// E0111 if it is not affine, E0106 if no parameter values satisfy it.
Program with_assumption(const Program& program, const Expr& condition, const Request& request);

// { name[i0, i1, ..] : 0 <= i0 < extents[0] and .. }, extents affine in the parameters.
// E0104 and E0105 its name; E0101, E0106 and E0111 its extents.
Program with_input(const Program& program, const std::string& name, Type type,
                   const std::vector<Expr>& extents, const Request& request);

// An input of one element that is passed by value. E0104 and E0105 its name.
Program with_scalar(const Program& program, const std::string& name, Type type,
                    const Request& request);

// A buffer for store_in; with_extents sets the extents of one (R304).
// E0104 and E0105 its name; E0101, E0106, E0109 and E0111 its extents.
Program with_buffer(const Program& program, const LayoutBuffer& buffer, const Request& request);
Program with_extents(const Program& program, const std::string& buffer,
                     const std::vector<Expr>& extents, const Request& request);

struct NewDefinition {
  std::string array;                  // the name that readers use
  std::vector<Var> iterators;         // the ranges of those without are inferred from the readers
  std::optional<std::string> domain;  // or a set in isl's notation; then iterators is empty
  // For an update: the element of "array" that each instance redefines; else empty, and instance
  // S[i] defines X(i).
  std::optional<std::vector<Expr>> element;
  Expr value;  // undefined: declared here, defined later
  // Or a tuple, and the names of its further scalars.
  std::optional<Tuple> tuple = {};
  std::vector<std::string> components = {};
  std::optional<Type> type;  // empty: the type of the value
  // f.loop: the loops open around this definition, which are its leading iterators, and how many of
  // them already exist because an earlier definition opened them.
  std::vector<std::string> open_loops;
  int existing_loops = 0;
};

// Adds a definition at the end of the reference order and of the schedule.
// Errors: E0101, E0104, E0105, E0106, E0109 to E0114, E0206.
Program with_definition(const Program& program, const NewDefinition& definition,
                        const Request& request);
// Defines the value of a declared computation. It may be a reduction, or contain reductions, each
// of which becomes a computation of its own, "X_sum", in the loops of X just before X; so their
// contributions may read earlier results of X.  E0101 no such computation, E0104 it has a value, or
// a new name is taken, E0110 the value's type; E0106 a reduction after a command, E0112 one over an
// inferred domain, E0117 a nested one.
Program with_value(const Program& program, const std::string& definition, const Expr& value,
                   const Request& request);

// The definition does nothing where "condition" is false. Its affine part cuts the domain, the
// rest becomes the predicate.
// E0101 no such definition, E0110 "condition" is not boolean; E0106 a command was given before, or
// "condition" is not affine and there is no earlier value to keep: the definition is neither an
// update nor a reduction.
Program with_predicate(const Program& program, const std::string& definition, const Expr& condition,
                       const Request& request);

// The name of the next update of an array: "X_1", "X_2", ..
std::string next_update_name(const Algorithm& algorithm, const std::string& array);

// "program" with another algorithm, after deriving what follows from its definitions
// (layers/define/derive.h).
Program completed(Program program, Algorithm algorithm, const Request& request);

// "e" (called "what" in errors) is defined (E0106), carries no mistake, names only parameters of
// this function (E0101), and passes verify_handles.
void require_parameters_known(const Algorithm& algorithm, const Expr& e, const std::string& what,
                              const Request& request);

}  // namespace strata
