// Emits operators, and computes at once what is known.
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

// A value of known numbers is a variable that nothing binds, until an operator needs it that cannot
// be computed here: then a constant stands for it, or a kernel that computes it from the symbols.
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
  // The fields of a tuple, which are tensors; or the tensor.
  Values fields(const Value& value);

  Value value_of(const KnownRef& known);
  Value constant(const NDArray& array);
  // Null if its numbers are not known.
  KnownRef find_known(const Value& value) const;

  // A variable or a constant that a binding may use.
  Value bound(const Value& value);
  Values bound(const Values& values);

  // A symbol that nobody else has.
  Expr fresh_symbol();
  // A name that fresh symbols do not have.
  void reserve(const std::string& symbol) { reserved_.insert(symbol); }

  // Functions that nodes need besides the one that is built.
  std::string fresh_function(const std::string& name) {
    return name + std::to_string(functions_.size());
  }
  void add_function(GraphFunction function) { functions_.push_back(std::move(function)); }
  const std::vector<GraphFunction>& functions() const { return functions_; }

  // Bindings stand in a dataflow block from here on, or no longer.
  void begin_block();
  void end_block();
  bool in_block() const { return in_block_; }
  // A side of a branch begins or ends: what was made before is not seen after.
  void change_scope() { ++block_; }
  // What is seen after the block.
  Value seen_outside(const Value& value);

 private:
  struct Entry {
    Value value;  // which keeps the node alive
    KnownRef known;
    Value made = {};
    int block = -1;  // where it was made
  };
  // The arguments, whose extents are checked to be equal where the operator wants it and that does
  // not follow.
  Values agreeing(const std::string& op, Values arguments, const Attributes& attributes);
  Value matched(const Value& value, const Expr& replaced, const Expr& kept);
  // "known" has the extents that are known anyway.
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
