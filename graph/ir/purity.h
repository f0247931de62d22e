// Purity: what a pass may leave out, move or compute twice.
#pragma once

#include <set>
#include <string>

#include "graph/ir/module.h"
#include "graph/ir/table.h"

namespace strata::graph {

// Which graph functions of a module may have effects, and which are called.
struct Effects {
  std::set<std::string> impure;  // with a packed call not marked as pure, or a call of such
  std::set<std::string> called;
};
Effects effects_of(const Module& module);

// May the definition do more than compute its value? Does not look into branches.
bool is_impure(const Definition& definition, const std::set<std::string>& impure_functions);

// The variables of a function whose memory an impure call may write to. These are the arguments of
// such calls, and variables that may share memory with them: aliases, fields, views, arguments and
// results of functions. If the module has impure functions, callers may write to the results of the
// functions that they call, and may pass one value twice.
class WrittenMemory {
 public:
  WrittenMemory(const GraphFunction& function, const Effects& effects);
  // Is one of these variables in the leaf?
  bool has(const Value& leaf) const;
  // Does the definition read one of these variables?
  bool is_read_by(const Definition& definition) const;

 private:
  Table<std::string, bool> names_ = {};  // by name, since successors keep it
};

// Calls f(binding) in order for each binding in the body and in its branches.
void for_each_binding(const Body& body, const std::function<void(const Binding&)>& f);

}  // namespace strata::graph
