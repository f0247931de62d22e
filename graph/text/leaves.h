// Reads the leaves of a function: variables by their names, constants, shapes, tuples.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text_scanner.h"
#include "graph/ir/module.h"
#include "graph/ir/table.h"
#include "graph/text/reader.h"

namespace strata::graph {

// The arrays const[k] of a text. All errors are E0108.
class ArrayTable {
 public:
  explicit ArrayTable(const std::vector<NDArray>& given) : given_(given) {}

  // Reads the list at the end of the text. Where it has only a hash, the array must be among the
  // given ones.
  void read(std::string_view text);
  // Skips one line of the list.
  void skip(TextScanner& scanner) const;
  // Reads which array the text means, after the word "const". Each number has one value.
  Value constant(TextScanner& scanner);

 private:
  std::size_t number(TextScanner& scanner) const;
  NDArray array(TextScanner& scanner, std::size_t number) const;

  const std::vector<NDArray>& given_;
  std::unordered_map<std::size_t, Value> values_;
};

class Leaves {
 public:
  Leaves(TextScanner& scanner, const ExprNames& symbols, ArrayTable& arrays, const Scopes& scopes)
      : scanner_(scanner), reader_(scanner, symbols), arrays_(arrays), scopes_(scopes) {}

  Value leaf();
  // The leaf that begins with a name that has been read already.
  Value leaf_after(const Token& name);
  // Does the next name begin a leaf, rather than an operator?
  bool begins_leaf() const;
  Values list();  // "(" leaves ")"
  int count();

  std::string variable_name();  // "%" name, or "%" digits
  const Value& find(const Token& token, const std::string& name) const;
  // E0108 if there is a variable of this name.
  void define(const Token& token, const std::string& name, const Value& variable, int scope);
  // Moves the variable of this name from one scope to another. E0108 if it is not in the first one.
  const Value& moved(const Token& token, const std::string& name, int from, int to);

 private:
  Value parenthesised();
  Value tuple();

  TextScanner& scanner_;
  Reader reader_;
  ArrayTable& arrays_;
  const Scopes& scopes_;
  struct Bound {
    Value variable = {};
    int scope = 0;
  };
  Table<std::string, Bound> variables_ = {};
  int depth_ = 0;
};

}  // namespace strata::graph
