// Lists of expressions: the shape of a tensor, and the indices of an element.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace strata::graph {

// The list functions return new lists. Negative positions count from the end.
class Exprs : public std::vector<Expr> {
 public:
  using std::vector<Expr>::vector;
  Exprs(std::vector<Expr> list) : std::vector<Expr>(std::move(list)) {}

  int rank() const { return static_cast<int>(size()); }
  // E0106 if there is no such position.
  const Expr& at(int position, const Where& where = Where::here()) const;
  const Expr& last(const Where& where = Where::here()) const { return at(-1, where); }

  Exprs with(int position, Expr e, const Where& where = Where::here()) const;
  Exprs with_last(Expr e, const Where& where = Where::here()) const {
    return with(-1, std::move(e), where);
  }
  Exprs without(int position, const Where& where = Where::here()) const;
  // The list with "e" at "position", which is 0 to rank() or -rank() - 1 to -1.
  Exprs inserted(int position, Expr e, const Where& where = Where::here()) const;
  Exprs appended(const Exprs& others) const;
  // The first "count" elements; the elements from "position" on.
  Exprs first(int count, const Where& where = Where::here()) const;
  Exprs from(int position, const Where& where = Where::here()) const;

 private:
  int checked(int position, int count, const Where& where) const;
};

using Shape = Exprs;    // extents: dims (graph/dim/dim.h)
using Indices = Exprs;  // of an element

// "(n, 4)", each extent in normal form.
std::string text_of(const Shape& shape);

}  // namespace strata::graph
