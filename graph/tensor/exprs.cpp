#include "graph/tensor/exprs.h"

#include <string>

#include "graph/dim/dim.h"

namespace strata::graph {

int Exprs::checked(int position, int count, const Where& where) const {
  const int counted = position < 0 ? position + count : position;
  if (counted < 0 || counted >= count)
    throw Request{"a list of " + std::to_string(size()) + " expressions", where}.refused(
        Code::E0106_bad_argument, "it has no position " + std::to_string(position),
        "count from 0, or from -1 at the end");
  return counted;
}

const Expr& Exprs::at(int position, const Where& where) const {
  return (*this)[checked(position, rank(), where)];
}

Exprs Exprs::with(int position, Expr e, const Where& where) const {
  Exprs list = *this;
  list[checked(position, rank(), where)] = std::move(e);
  return list;
}

Exprs Exprs::without(int position, const Where& where) const {
  Exprs list = *this;
  list.erase(list.begin() + checked(position, rank(), where));
  return list;
}

Exprs Exprs::inserted(int position, Expr e, const Where& where) const {
  Exprs list = *this;
  list.insert(list.begin() + checked(position, rank() + 1, where), std::move(e));
  return list;
}

Exprs Exprs::appended(const Exprs& others) const {
  Exprs list = *this;
  list.insert(list.end(), others.begin(), others.end());
  return list;
}

Exprs Exprs::first(int count, const Where& where) const {
  if (count == 0) return {};
  return std::vector<Expr>(begin(), begin() + checked(count - 1, rank(), where) + 1);
}

Exprs Exprs::from(int position, const Where& where) const {
  if (position == rank()) return {};
  return std::vector<Expr>(begin() + checked(position, rank(), where), end());
}

std::string text_of(const Shape& shape) {
  std::string text = "(";
  for (int d = 0; d < shape.rank(); ++d) text += (d ? ", " : "") + dim_text(shape[d]);
  return text + ")";
}

}  // namespace strata::graph
