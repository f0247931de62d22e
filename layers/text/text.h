// A whole program as text that parses back to an equal one: relations are equal as sets,
// expressions are the same trees, loops have the same names and processors.  It is how a program
// crosses from one session to another, since isl objects cannot.
//
//   text         "program" name {parameter} "context" ISL {assume} {input} {size} {array}
//                {computation} "reference" forest "schedule" forest {buffer} {store}
//                ["scheduled"] {waived} {command}
//   parameter    "parameter" name
//   size         "size" name expression               of a parameter, where it is read
//   assume       "assume" expression
//   input        "input" name type "elements" ISL
//   array        "array" name type                    what accesses to an array of values give
//   computation  "computation" name "of" array type "(" iterators ")" {property}
//   property     "instances" ISL                      the domain; always there
//              | "defines" ISL                        always there
//              | "value" expression                   once it is defined
//              | "component" array type "value" expression     a further scalar of a tuple
//              | "element" "(" expressions ")"        of a scatter
//              | "where" expression                   the predicate
//              | "reduction" kind "from" name "results" number
//              | "step" expression                    of a reduction "made", after its scalars
//              | "inferred" | "initial" | "atomic"
//              | "ranges" ISL                         the ranges given to an inferred domain
//              | "reads" name ISL | "may" "reads" name ISL
//   forest       "{" {node} "}"
//   node         "loop" name [processor] ["tiles" name] ["border" border] "{"
//                {"allocates" name} {"prefetches" name "for" name "ahead" number} {node} "}"
//              | "run" name ["placed" number] "at" ISL "for" ISL
//                                                     a branch: its time, its instances
//   buffer       "buffer" name type dimensions role ["on" memory] {"extent" expression}
//   store        "store" name ISL
//   "scheduled"                                       a command has changed it
//   waived       "waived" string ISL
//   command      "command" string
//
// ISL is a set or relation in isl's notation; expressions are those of core/expr/expr_text.h, and so
// are names and comments.  Line ends are space.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "layers/program.h"

namespace strata {

std::string to_text(const Program& program);

// The program that "text" denotes, its relations made in "session".  Throws E0108 with line and
// column where it cannot be read or does not hold together (names, tuples, types, numbers of
// dimensions), and the code of the mistake where the types of an expression do not mix.  Whether it is legal is
// another question, which the next command asks.
Program parse_program(std::shared_ptr<Session> session, std::string_view text);

// The same program in another session.
Program transfer(const Program& program, std::shared_ptr<Session> session);

}  // namespace strata
