// The loops that isl generates for the iterations of a nest.
#include "codegen/loops/generation.h"
#include "codegen/tree/index_math.h"

namespace strata {

// The statement of isl's node, with the iterations of the nest at its user nodes.
StmtPtr Generation::scanned(const isl::ast_node& node, const Scan& scan, const Nest& nest,
                            const Position& position) {
  switch (isl_ast_node_get_type(node.get())) {
    case isl_ast_node_for: return scanned_for(node.as<isl::ast_node_for>(), scan, nest, position);
    case isl_ast_node_if: return scanned_if(node.as<isl::ast_node_if>(), scan, nest, position);
    case isl_ast_node_block:
      return scanned_block(node.as<isl::ast_node_block>(), scan, nest, position);
    case isl_ast_node_user: return iteration(nest, at_user_node(node, scan, nest, position));
    default: throw failed("isl gave an unexpected node: " + node.to_C_str());
  }
}

Position Generation::at_user_node(const isl::ast_node& node, const Scan& scan, const Nest& nest,
                                  const Position& position) {
  const Expr value = expr(scan.iterator_at(node), position);
  lanes_.keep_apart(value, nest);
  Position inside = with_value(position, iterator_name(nest.depth), value);
  inside.here = scan.context_at(node);
  inside.anyway =
      lanes_.masked().empty() ? inside.here : position.anyway.intersect(scan.checked_at(node));
  return inside;
}

StmtPtr Generation::scanned_block(const isl::ast_node_block& node, const Scan& scan,
                                  const Nest& nest, Position position) {
  Block result;
  const auto children = node.children();
  position.in_pieces = true;
  for (int i = 0; i < int(children.size()); ++i)
    result.body.push_back(scanned(children.at(i), scan, nest, position));
  return make_stmt(std::move(result));
}

StmtPtr Generation::scanned_if(const isl::ast_node_if& node, const Scan& scan, const Nest& nest,
                               const Position& position) {
  const Expr condition = expr(node.cond(), position);
  if (position.in_pieces || node.has_else_node()) lanes_.keep_apart(condition, nest);
  const StmtPtr then = scanned(node.then_node(), scan, nest, position);
  if (!node.has_else_node()) return conditional({condition, then, nullptr});
  return conditional({condition, then, scanned(node.else_node(), scan, nest, position)});
}

StmtPtr Generation::scanned_for(const isl::ast_node_for& node, const Scan& scan, const Nest& nest,
                                const Position& position) {
  if (node.is_degenerate()) {
    const Expr value = expr(node.init(), position);
    return scanned(node.body(), scan, nest, with_value(position, iterator_of(node), value));
  }
  For result = new_loop(nest);
  const Expr value = set_range(result, node, position);
  lanes_.keep_apart(result.lower, nest);
  if (position.in_pieces) lanes_.keep_apart(result.upper, nest);
  const bool vector = has_lanes(result.processor);
  if (vector) lanes_.enter(nest, result.variable, false);
  result.body = scanned(node.body(), scan, nest, with_value(position, iterator_of(node), value));
  if (vector) result.lockstep = lanes_.leave();
  return make_stmt(std::move(result));
}

// for (c = lower; c < upper; c += step)  ~>  for v in 0 <= v < ceil((upper - lower) / step),
// c = lower + step * v. Returns c.
Expr Generation::set_range(For& loop, const isl::ast_node_for& node,
                           const Position& position) const {
  const auto step = as_constant(expr(node.inc(), position));
  if (!step || *step < 1) throw failed("a loop has no constant step: " + node.to_C_str());
  loop.lower = expr(node.init(), position);
  loop.upper = upper(node, position);
  const Expr v = variable(loop.variable);
  Expr iterator = v;
  if (*step != 1) {
    iterator = simplified(loop.lower + *step * v);
    loop.upper = simplified((loop.upper - loop.lower + (*step - 1)) / *step);
    loop.lower = constant(i64, 0);
  }
  loop.extent = constant_difference(loop.upper, loop.lower);
  return iterator;
}

// The condition of isl's loops is "c < upper" or "c <= upper - 1".
Expr Generation::upper(const isl::ast_node_for& node, const Position& position) const {
  isl_ast_expr* cond = node.cond().release();
  const isl::ast_expr held = isl::manage(cond);
  const bool comparison = isl_ast_expr_get_type(cond) == isl_ast_expr_op;
  const auto type = comparison ? isl_ast_expr_get_op_type(cond) : isl_ast_expr_op_error;
  if (type != isl_ast_expr_op_lt && type != isl_ast_expr_op_le)
    throw request_.refused(Code::E0112_unbounded_domain,
                           "a loop has no upper bound: " + node.to_C_str());
  const Expr bound = expr(isl::manage(isl_ast_expr_get_op_arg(cond, 1)), position);
  return type == isl_ast_expr_op_lt ? bound : simplified(bound + 1);
}

}  // namespace strata
