// Emits operators, and computes known values at once.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/builder/builder.h"
#include "graph/onnx/known.h"
#include "graph/ops/ops.h"

namespace strata::graph::onnx {

// A value of known numbers is a variable that nothing binds. If an operator that cannot be computed
// here needs it, a constant replaces it, or a kernel that computes it from the symbols.
class Emitter {
 public:
  Emitter(GraphBuilder& builder, const Where& where) : builder_(builder), where_(where) {}

  GraphBuilder& builder() { return builder_; }
  const Where& where() const { return where_; }

  // The results of an operator. Extents that depend on data become new symbols.
  Values emit_all(const std::string& op, const Values& arguments, const Attributes& attributes);
  Value emit(const std::string& op, const Values& arguments, const Attributes& attributes = {}) {
    return emit_all(op, arguments, attributes)[0];
  }
  // The result of a kernel f(arguments..); f takes tensors and returns one.
  template <typename F, typename... Arguments>
  Value emit_te(const std::string& name, const F& f, const Arguments&... arguments) {
    return builder_.emit_te(where_, name, f, bound(arguments)...);
  }
  // The fields of a tuple of tensors, or the tensor alone.
  Values fields(const Value& value);

  Value value_of(const KnownRef& known);
  Value constant(const NDArray& array);
  // The numbers of the value; null if they are not known.
  KnownRef find_known(const Value& value) const;

  // The value as a variable or a constant that a binding may use.
  Value bound(const Value& value);
  Values bound(const Values& values);

  // A symbol that nobody else has.
  Expr fresh_symbol();
  // Keeps fresh symbols from having this name.
  void reserve(const std::string& symbol) { reserved_.insert(symbol); }

  // Functions that nodes need besides the one that is built.
  std::string fresh_function(const std::string& name) {
    return name + std::to_string(functions_.size());
  }
  void add_function(GraphFunction function) { functions_.push_back(std::move(function)); }
  const std::vector<GraphFunction>& functions() const { return functions_; }

  // From here on, bindings go into a dataflow block, or no longer do.
  void begin_block();
  void end_block();
  bool in_block() const { return in_block_; }
  // A side of a branch begins or ends. Later code does not see values made before.
  void change_scope() { ++block_; }
  // The value as a variable that is seen after the block.
  Value seen_outside(const Value& value);

 private:
  struct Entry {
    Value value;  // keeps the node alive
    KnownRef known;
    Value made = {};
    int block = -1;  // the block where it was made
  };
  // The arguments. Adds checks that extents are equal where the operator wants that and it does not
  // follow.
  Values agreeing(const std::string& op, Values arguments, const Attributes& attributes);
  Value matched(const Value& value, const Expr& replaced, const Expr& kept);
  // "known" has extents that are known already.
  Value settled(const Value& value, const Shape& known = {});
  Value made_of(const Known& known);

  static constexpr int most_matches = 8;

  GraphBuilder& builder_;
  Where where_;
  std::unordered_map<const ValueNode*, Entry> entries_;
  std::set<std::string> reserved_;
  std::vector<GraphFunction> functions_;
  int symbols_ = 0, block_ = 0;
  bool in_block_ = false;
};

}  // namespace strata::graph::onnx
