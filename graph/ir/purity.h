// What may be left out, moved or computed twice.
#pragma once

#include <set>
#include <string>

#include "graph/ir/module.h"
#include "graph/ir/table.h"

namespace strata::graph {

// Which graph functions of a module may do something, and which are called.
struct Effects {
  std::set<std::string> impure;  // they have, or reach by calls, a packed call not marked as pure
  std::set<std::string> called;
};
Effects effects_of(const Module& module);

// May the definition itself do something else than compute its value?  Not what is in a branch.
bool is_impure(const Definition& definition, const std::set<std::string>& impure_functions);

// The variables of a function whose memory an impure call may write to: arguments of such calls,
// and what may share memory with them: aliases, fields, views, arguments and results of functions.
// Where the module has impure functions, callers may write to the results of those that they call,
// and give one value twice.
class WrittenMemory {
 public:
  WrittenMemory(const GraphFunction& function, const Effects& effects);
  // Is one of them in the leaf?
  bool has(const Value& leaf) const;
  // Does the definition read one of them?
  bool is_read_by(const Definition& definition) const;

 private:
  Table<std::string, bool> names_ = {};  // which successors of variables have, too
};

// Calls f(binding) for each binding in the body, those in branches included, in order.
void for_each_binding(const Body& body, const std::function<void(const Binding&)>& f);

}  // namespace strata::graph
