// What names mean while the C of a kernel is written.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/c/helpers.h"
#include "codegen/tree/loop_tree.h"

namespace strata::c {

// A buffer: element [i0, i1, ..] is  name[sum_d (i_d - origins_d) * strides_d].
struct View {
  std::string name;
  Type type;
  std::vector<Expr> origins;  // empty: all zero
  std::vector<Expr> strides;
  bool on_stack = false;
};

// A note that a kernel keeps while it runs, and returns as a failure at its end: the largest number
// noted. An index out of bounds: the index; a failed allocation: its bytes.
struct Note {
  std::string variable, what;
  Expr lower, upper;  // of an index; undefined: an allocation
};

// What the whole text of a kernel shares.
struct Scope {
  std::map<std::string, std::string> names;  // of variables
  std::map<std::string, std::string> parameters;
  std::map<std::string, std::string> scalars;  // arguments by value
  std::map<std::string, View> buffers;
  std::set<std::string> taken;  // names in C
  bool fast = false;            // the mode of floats
  Helpers* helpers = nullptr;
  std::map<std::string, std::string>* prototypes = nullptr;  // of C functions, by name
  std::vector<Note>* notes = nullptr;

  // A name of C that nothing else has: "stem", or with a number.
  std::string fresh(const std::string& stem);
  // The functions of runtime/profile.h.
  void declare_profile();
  // A variable of C as an expression, which is not taken for an iterator.
  Expr in_c(const std::string& name);
  // The position of an element in the array of C, over variables that "names" has.
  Expr position(const View& view, const std::vector<Expr>& indices) const;
};

// E0502 if there is none of the name.
const View& view_of(const Scope& scope, const std::string& buffer);

// The variable of the note; made where it is not there yet.
std::string note_of(Scope& scope, const std::string& what, const Expr& lower, const Expr& upper);

}  // namespace strata::c
