// A program as text that parses back to an equal one: relations are equal as sets, expressions are
// the same trees, loops have the same names and tags. Text is how a program moves from one session
// to another, since isl objects cannot.
//
//   text         "program" name {parameter} "context" ISL {assume} {input} {partition} {size}
//   {array}
//                {computation} "reference" forest "schedule" forest {buffer} {store}
//                {copy} ["scheduled"] {waived} {command}
//   parameter    "parameter" name
//   size         "size" name expression               the element that it is read from
//   partition    "partition" name expression          its size
//   assume       "assume" expression
//   input        "input" name type ["by_value"] "elements" ISL
//   array        "array" name type                    its element type
//   computation  "computation" name "of" name type "(" iterators ")" {property}
//   property     "instances" ISL                      the domain; always there
//              | "defines" ISL                        always there
//              | "value" expression                   once defined
//              | "component" name type "value" expression      a further scalar of a tuple
//              | "element" "(" expressions ")"        of a scatter
//              | "where" expression                   the predicate
//              | "reduction" kind "from" name "results" number
//                                                     kind: sum, .., all, or "made": user-defined
//              | "step" expression                    user-defined: one per scalar, after these
//              | "inferred" | "initial" | "atomic"
//              | "ranges" ISL                         the ranges given, to bound an inferred domain
//              | "reads" name ISL | "may" "reads" name ISL
//   forest       "{" {node} "}"
//   node         "loop" name [processor] ["tiles" name] ["by" name] ["tail" strategy]
//                ["min_blocks" number] "{" {"allocates" name}
//                {"prefetches" name "for" name "ahead" number} ["barrier" "at" "end"]
//                {"to_device" name} {"to_host" name} {node} "}"
//              | "run" name ["piece" name] ["placed" number] ["async"] ["mma" name] "at" ISL
//                "for" ISL                            a branch: its time, its instances
//   buffer       "buffer" name type dimensions role ["on" memory] ["resident"]
//                {"extent" expression}
//   store        "store" name ISL
//   copy         "to_device" name | "to_host" name    of an array's buffer
//   "scheduled"                                       a command has changed the program
//   waived       "waived" string ISL
//   command      "command" string
//
// ISL is a set or relation in isl's notation; expressions, names and comments are those of
// core/expr/expr_text.h. Line ends are white space.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "layers/program.h"

namespace strata {

std::string to_text(const Program& program);

// The parts of the text after "program NAME", whole lines each.
struct TextParts {
  std::string algorithm, reference, schedule;  // layers I, Theta0, II
  std::string layout;                          // III
  std::string rest;                            // waivers and commands
};
TextParts parts_of(const Program& program);

// Parses a program; its relations are made in "session". Throws E0108 with line and column if the
// text cannot be read or is inconsistent (names, tuples, types, numbers of dimensions), and the
// error's own code if the types of an expression do not mix. Legality is not checked here; the
// next command checks it.
Program parse_program(std::shared_ptr<Session> session, std::string_view text);

// Copies the program to another session.
Program transfer(const Program& program, std::shared_ptr<Session> session);

}  // namespace strata
