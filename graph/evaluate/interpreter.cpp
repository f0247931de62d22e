#include "graph/evaluate/interpreter.h"

#include <fmt/format.h>

namespace strata::graph {

int Scope::place_of(const std::string& name) {
  const auto [place, fresh] = places_.emplace(name, int(values_.size()));
  if (fresh) values_.emplace_back();
  return place->second;
}

Interpreter::Interpreter(const Expr& e, Scope& scope, const SymbolValues& symbols,
                         const ArrayOf& array_of, const Request& request)
    : scope_(scope), symbols_(symbols), array_of_(array_of), request_(request) {
  Numbers numbers;
  add(e, numbers);
}

// Adds the parts before the whole, and a shared part once.
int Interpreter::add(const Expr& e, Numbers& numbers) {
  const auto found = numbers.find(e.identity());
  if (found != numbers.end()) return found->second;
  std::vector<int> args;
  for (const Expr& arg : e.args()) args.push_back(add(arg, numbers));
  nodes_.push_back(made(e, std::move(args)));
  return numbers[e.identity()] = int(nodes_.size()) - 1;
}

Interpreter::Node Interpreter::made(const Expr& e, std::vector<int> args) const {
  Node n{e.op(), e.type(), std::move(args)};
  n.name = e.name();
  switch (e.op()) {
    case Op::constant: n.constant = element_of(e.node()); break;
    case Op::parameter:
      if (!symbols_.contains(e.name()))
        throw request_.refused(Code::E0602_does_not_fit, e.name() + " has no value",
                               "pass a value for " + e.name());
      n.constant = integer_element(i64, symbols_.at(e.name()));
      break;
    case Op::access:
      if (const Tensor t = tensor_of(e); t.defined())
        n.array = &array_of_(t);
      else
        n.place = scope_.place_of(e.name());  // an operand of a reducer
      break;
    case Op::variable: n.place = scope_.place_of(e.name()); break;
    case Op::call:
    case Op::array:
      throw request_.refused(Code::E0117_unsupported_expression,
                             e.name() + " is a C function, which is not interpreted",
                             "compile the tensors instead");
    default: break;
  }
  return n;
}

Element Interpreter::value(int n) {
  Node& node = nodes_[n];
  if (node.op == Op::constant || node.op == Op::parameter) return node.constant;
  if (node.place >= 0) return scope_.value(node.place);
  if (node.time != scope_.time()) {
    node.constant = computed(node);
    node.time = scope_.time();
  }
  return node.constant;
}

Element Interpreter::computed(const Node& n) {
  if (n.op == Op::select) return value(n.args[value(n.args[0]).integer != 0 ? 1 : 2]);
  if (n.op == Op::access) return element(n);
  const Element a = value(n.args[0]);
  if (n.op == Op::named) return a;
  if (n.op == Op::cast) return cast_element(n.type, a);
  return applied(n.op, n.type, a, n.args.size() > 1 ? value(n.args[1]) : a);
}

Element Interpreter::element(const Node& n) {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < n.args.size(); ++d) {
    const std::int64_t index = value(n.args[d]).integer, extent = n.array->extents()[d];
    if (index < 0 || index >= extent)
      throw request_.refused(Code::E0113_read_outside_domain,
                             fmt::format("{} is read at {} in dimension {}, where it has {}",
                                         n.name, index, d, extent),
                             "read inside of the tensor, or under a select");
    position = position * extent + index;
  }
  return read(*n.array, n.type, std::size_t(position));
}

}  // namespace strata::graph
