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

// A failure that a kernel notes while it runs, and returns at its end. The note of an index out of
// bounds is the index, that of a failed allocation its number of bytes; the largest number noted
// wins.
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
  std::set<std::string> taken;               // names in C
  std::map<std::string, std::string> types;  // of names in C that a range of a loop may use
  bool fast = false;                         // the mode of floats
  Helpers* helpers = nullptr;
  std::map<std::string, std::string>* prototypes = nullptr;  // of C functions, by name
  std::vector<Note>* notes = nullptr;
  std::string* functions = nullptr;                     // that run parts of the loops
  std::set<std::string>* names_of_functions = nullptr;  // of the whole file, in C
  // The variable with the result of a function for the rest of the loops; "": there is none.
  std::string* result = nullptr;
  // Of memory that a function around this one allocates, and this one frees: the pointer to what
  // the former frees at its end.
  std::map<std::string, std::string> owners;

  // A name of C that nothing else has: "stem", or "stem" with a number.
  std::string fresh(const std::string& stem);
  // The same for a function: nothing in the whole file has this name.
  std::string fresh_function(const std::string& stem);
  // Declares the functions of runtime/profile.h.
  void declare_profile();
  // A variable of C as an expression. It never stands for an iterator.
  Expr in_c(const std::string& name);
  // The position of an element in the C array, as an expression over the variables in "names".
  Expr position(const View& view, const std::vector<Expr>& indices) const;
};

// Throws E0502 if there is no buffer of this name.
const View& view_of(const Scope& scope, const std::string& buffer);

// The variable of the note. Makes the note if it does not exist.
std::string note_of(Scope& scope, const std::string& what, const Expr& lower, const Expr& upper);

}  // namespace strata::c
