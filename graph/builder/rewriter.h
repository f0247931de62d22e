// Rewrites functions binding by binding.
//
//   Module simplified(const Module& module) {  // exp(log(x)) -> x
//     return rewritten(module, [](Rewriter& r, const Binding& b) {
//       const auto* exp = b.as<OperatorCall>();
//       const Binding* inner = exp && exp->callee == "exp" ? r.lookup(exp->arguments[0]) : nullptr;
//       const auto* log = inner ? inner->as<OperatorCall>() : nullptr;
//       if (log && log->callee == "log") return r.replace(b.value, log->arguments[0]);
//       r.keep(b);
//     });
//   }
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/builder/variable_names.h"
#include "graph/ir/module.h"
#include "graph/ir/table.h"

namespace strata::graph {

// Visits the bindings of a function in order, those in branches before the branch. It hands each
// binding to a function, with the operands that now stand for its old ones. A binding in which
// nothing has changed is the same node as before. If the type of a variable changes with its
// operands, the binding gets a new variable of the same name. A binding that is neither kept nor
// replaced is dropped.
class Rewriter {
 public:
  using Rewrite = std::function<void(Rewriter&, const Binding&)>;

  Rewriter(const Module& module, const GraphFunction& function, const Rewrite& rewrite,
           const Where& where);
  // The new function; nothing if it is the same as the old one. A parameter with a type in "types"
  // gets this type.
  std::optional<GraphFunction> function(
      const std::unordered_map<const ValueNode*, ValueType>& types = {});

  const Module& module() const { return module_; }
  // Is the binding in a dataflow block?
  bool is_dataflow() const { return is_dataflow_; }
  // Can the next binding use this leaf?
  bool sees(const Value& leaf) const;
  // The binding of a variable in the new function; null for a parameter, and for a leaf that is not
  // a variable.
  const Binding* lookup(const Value& variable) const;

  void keep(const Binding& b);
  // Replaces the variable of the binding at hand by the leaf wherever it is used. E0605 if the leaf
  // is not visible here.
  void replace(const Value& variable, const Value& leaf);
  // Binds a new variable here, with the line of the binding at hand. In a dataflow block it is
  // local. Calls in operands get variables first; a call that occurs twice gets one variable. If
  // "name" is given, the variable has this name or, if that is taken, name_1, ..
  Value emit(const Value& value, const std::string& name = "");
  // Binds a new variable with the name of "variable", which replaces it from here on, to a call.
  Value redefine(const Value& variable, const Value& call);
  // Binds "variable" to another definition.
  void bind(const Value& variable, Definition definition, const Where& where);
  // Binds the bindings of a body here, in a plain block, and returns its result.
  Value splice(const Body& body);
  // False if a symbol that the body defines could have another value elsewhere in the function.
  bool can_splice(const Body& body);

 private:
  // The names of the old function's variables, and how many match_shapes have each symbol.
  struct Counts {
    VariableNames names;
    std::map<std::string, int> matches;
  };

  // A body that is being made. It points to bindings that stay where they are in memory.
  struct Draft {
    struct Part {
      bool is_dataflow = false;
      std::vector<const Binding*> bindings = {};
    };
    std::vector<Part> blocks = {};
    Value result = {};

    bool is(const Body& body) const;  // the same variables, bound to the same nodes
    Body body() const;
  };

  Draft drafted(const Body& body);
  void block(const Block& block);
  bool has_changed(const Binding& b) const;
  const Binding& renewed(const Binding& b);
  Value current(const Value& leaf) const;
  Error broken(const std::string& explanation) const;
  Value successor(const Value& variable, const std::string& name, const ValueType& type);
  const Where& line() const;
  std::string fresh_name(bool is_local);
  Counts& counts();
  const Binding& stored(Binding b);
  void push(const Binding& b);
  Value emit(const Value& value, const std::string& name,
             std::unordered_map<const ValueNode*, Value>& bound);
  ValueType type_of_call(const Unbound& call, const Definition& definition) const;

  const Module& module_;
  const GraphFunction& function_;
  const Rewrite& rewrite_;
  Where where_;
  bool is_dataflow_ = false;
  std::vector<Draft> drafts_ = {};  // the innermost last
  // What now stands for each variable.
  Table<const ValueNode*, Value> now_ = {};
  // The variables of the new function, with their bindings (null for parameters) and scopes. lookup
  // uses a table, to which it first adds the variables since its last call: most passes never call
  // it.
  struct Bound {
    const ValueNode* variable = nullptr;
    const Binding* binding = nullptr;
    int scope = 0;
  };
  const Bound* bound(const Value& variable) const;
  std::vector<Bound> bound_ = {};
  mutable Table<const ValueNode*, Bound> table_ = {};
  mutable std::size_t looked_up_ = 0;  // entries of "bound_" in the table
  std::deque<Binding> stored_ = {};    // new bindings
  Scopes scopes_ = {};
  int body_ = 0, block_ = 0;           // the innermost ones
  std::optional<Counts> counts_ = {};  // once asked for
  const Binding* at_hand_ = nullptr;
  std::set<std::string> symbols_ = {};  // of the parameters
  int given_ = 0;
};

// The module with f(function) instead of each graph function with a body, unless f returns nothing.
Module with_functions(const Module& module,
                      const std::function<std::optional<GraphFunction>(const GraphFunction&)>& f);
// The module with each graph function rewritten. E0901 if a function gets more than ten million
// bindings.
Module rewritten(const Module& module, const Rewriter::Rewrite& rewrite,
                 const Where& where = Where::here());
// Nothing if the function stays as it is.
std::optional<GraphFunction> rewritten(const GraphFunction& function, const Module& module,
                                       const Rewriter::Rewrite& rewrite,
                                       const Where& where = Where::here());

}  // namespace strata::graph
