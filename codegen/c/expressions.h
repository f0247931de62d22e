// Expressions of the loop tree in C, with exactly the meaning that core/expr/expr.h defines.
//
// A part that an expression needs several times is a constant before the statement. If the part has
// loads, and each use is under a condition, it is computed under the disjunction of these
// conditions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/c/scope.h"
#include "codegen/tree/exactness.h"
#include "core/expr/expr_evaluated.h"
#include "core/expr/expr_memo.h"

namespace strata::c {

class Expressions {
 public:
  // "wraps": the expression is evaluated before the entry has checked that indices do not overflow.
  explicit Expressions(Scope& scope, bool wraps = false) : scope_(scope), wraps_(wraps) {}

  // Names the parts that these expressions share. Call it before text().
  void share(const std::vector<Expr>& whole);
  // text() is the value; operand() has parentheses around it if its outermost operator is binary
  // or ternary.
  std::string text(const Expr& e);
  std::string operand(const Expr& e);
  // "a[i * 8 + j]", the element of a load as it is in memory.
  std::string element(const std::string& buffer, const std::vector<Expr>& indices);
  // The definitions of names since the last call, one line each.
  std::vector<std::string> definitions();

 private:
  // A text, and how strongly its outermost operator binds.
  enum Binds { ternary, either, both, compared, summed, multiplied, prefix, whole };
  struct Text {
    std::string text;
    Binds binds;
  };

  Text made(const Expr& e);
  Text written(const Expr& e);
  std::string at_least(const Expr& e, Binds binds);
  Text loaded(const Expr& e);
  Text checked(const Expr& e);
  Text called(const Expr& e);
  struct Array {
    std::string text, fits;
  };
  Array array_argument(const Expr& e);
  Text converted(const Expr& e);
  Text selected(const Expr& e);
  Text truth(const Expr& e);
  std::string operands(const Expr& e);
  Text operation(const Expr& e);
  Text on_integers(const Expr& e);
  Text on_floats(const Expr& e);
  Text rounded(Type type, Text text);
  std::string called_function(const Expr& e) const;
  bool is_always_needed(const Expr& e) const { return needed_.count(e.identity()) != 0; }
  void count_uses(const Expr& e, bool always);
  int number_of(const Expr& condition);
  std::string condition(DecisionDiagram::Formula formula);

  bool is_exact(const Expr& e);

  Scope& scope_;
  bool wraps_;
  Exactness exactness_;
  std::map<const ExprNode*, int> uses_;
  std::set<const ExprNode*> needed_;  // needed in any case
  Memo<bool> has_loads_;
  std::map<const ExprNode*, std::string> named_;
  std::vector<std::string> definitions_;
  std::vector<Expr> alive_;
  DecisionDiagram diagram_;
  std::map<const ExprNode*, int> numbers_;  // of conditions of selects
  std::vector<Expr> conditions_;
  std::map<const ExprNode*, DecisionDiagram::Formula> formulas_;  // when each part is needed
  bool given_up_ = false;
  std::set<const ExprNode*> open_;  // parts that are being written
  std::size_t size_ = 0;            // of the text so far
};

}  // namespace strata::c
