#include "codegen/ast.h"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/allocate.h"
#include "codegen/index_math.h"
#include "codegen/isl_expr.h"
#include "codegen/scan.h"

namespace strata {

namespace {

class Generation {
 public:
  Generation(const TimeSpace& space, std::set<std::string> taken,
             const MakeExecution& make_execution, const BoxesOf& boxes_of, const Request& request)
      : space_(space),
        given_(taken),
        taken_(std::move(taken)),
        make_execution_(make_execution),
        boxes_of_(boxes_of),
        request_(request) {}

  // "context": what is known here of the parameters and of the iterators around.
  StmtPtr body(const std::vector<Nest>& nests, const isl::set& context) {
    Block result;
    for (const Nest& nest : nests) {
      const bool outside = std::exchange(in_pieces_, has_copy(nests, nest));
      if (StmtPtr stmt = nest.loop ? loop(nest, context) : execution(nest, context))
        result.body.push_back(std::move(stmt));
      in_pieces_ = outside;
    }
    return make_stmt(std::move(result));
  }

 private:
  Error failed(const std::string& explanation) const {
    return request_.refused(Code::E0502_code_generation_failed, explanation);
  }

  Expr expr(const isl::ast_expr& e) const {
    return to_expr(e, [this](const std::string& name) {
      const auto value = values_.find(name);
      if (value != values_.end()) return value->second;
      if (!given_.count(name)) throw failed("isl names " + name + ", which is bound nowhere");
      return parameter(name);
    });
  }

  // if (the branch runs here) S(instance); null where it never does
  StmtPtr execution(const Nest& leaf, const isl::set& context) {
    const isl::set runs = beyond(bound(leaf.times), context);
    const bool always = isl_set_plain_is_universe(runs.get());
    const isl::set known = always ? context : context.intersect(runs);
    if (!always && known.is_empty()) return nullptr;
    const auto build = isl::ast_build::from_context(context);
    const auto here = isl::ast_build::from_context(known);
    const TimeBranch& branch = space_.branches[leaf.branch];
    const auto instance = branch.instance.bind_domain(iterator_tuple(leaf.times));
    std::vector<Expr> coordinates;
    for (int d = 0; d < int(branch.definition->iterators.size()); ++d)
      coordinates.push_back(expr(here.expr_from(instance.at(d))));
    const StmtPtr stmt = make_execution_(*branch.definition, coordinates);
    if (always) return stmt;
    const Expr condition = expr(build.expr_from(runs));
    if (in_pieces_) keep_lanes_apart(condition, leaf);
    return make_stmt(If{condition, stmt, nullptr});
  }

  StmtPtr loop(const Nest& nest, const isl::set& context) {
    const bool one_piece = nest.loop->processor == Processor::parallel;
    const Scan scan(asts_, bound(nest.times), nest.depth, context, one_piece);
    return scanned(scan.root(), scan, nest);
  }

  static bool has_copy(const std::vector<Nest>& nests, const Nest& nest) {
    return std::any_of(nests.begin(), nests.end(), [&](const Nest& other) {
      return &other != &nest && !other.loop == !nest.loop &&
             (nest.loop ? other.id == nest.id : other.branch == nest.branch);
    });
  }

  // A vector loop around the place where we are.
  struct Lanes {
    const Nest* nest;
    std::string variable;
    bool lockstep = true;
  };

  // "e" says which iterations of "nest" run here, or from where on: lanes for which it differs do
  // not run the same iterations at the same time.
  void keep_lanes_apart(const Expr& e, const Nest& nest) {
    for (Lanes& lanes : lanes_)
      if (lanes.nest != &nest)
        visit(e, [&](const Expr& part) {
          if (part.op() == Op::variable && part.name() == lanes.variable) lanes.lockstep = false;
        });
  }

  // What isl generated for one loop, with the loop's body at its user nodes.
  StmtPtr scanned(const isl::ast_node& node, const Scan& scan, const Nest& nest) {
    switch (isl_ast_node_get_type(node.get())) {
      case isl_ast_node_for:
        return for_stmt(node.as<isl::ast_node_for>(), scan, nest);
      case isl_ast_node_if:
        return if_stmt(node.as<isl::ast_node_if>(), scan, nest);
      case isl_ast_node_block:
        return block(node.as<isl::ast_node_block>(), scan, nest);
      case isl_ast_node_user:
        values_[iterator_name(nest.depth)] = expr(scan.iterator_at(node));
        keep_lanes_apart(values_[iterator_name(nest.depth)], nest);
        return allocated(nest, body(nest.body, scan.context_at(node)), scan.context_at(node));
      default:
        throw failed("isl gave an unexpected node: " + node.to_C_str());
    }
  }

  // The body of an iteration, with the buffers that are its own around it.
  StmtPtr allocated(const Nest& nest, StmtPtr body, const isl::set& context) {
    if (nest.loop->allocations.empty()) return body;
    const auto build = isl::ast_build::from_context(context);
    for (const ScratchBox& box : boxes_of_(nest)) {
      std::vector<Expr> lowers, extents;
      for (const isl::pw_aff& lower : box.lowers) lowers.push_back(expr(build.expr_from(lower)));
      for (const isl::pw_aff& extent : box.extents)
        extents.push_back(expr(build.expr_from(extent)));
      body = strata::allocated(*box.buffer, lowers, extents, body, request_);
    }
    return body;
  }

  StmtPtr block(const isl::ast_node_block& node, const Scan& scan, const Nest& nest) {
    Block result;
    const auto children = node.children();
    in_pieces_ = true;
    for (int i = 0; i < int(children.size()); ++i)
      result.body.push_back(scanned(children.at(i), scan, nest));
    return make_stmt(std::move(result));
  }

  StmtPtr if_stmt(const isl::ast_node_if& node, const Scan& scan, const Nest& nest) {
    const Expr condition = expr(node.cond());
    if (in_pieces_ || node.has_else_node()) keep_lanes_apart(condition, nest);
    If result{condition, scanned(node.then_node(), scan, nest), nullptr};
    if (node.has_else_node()) result.otherwise = scanned(node.else_node(), scan, nest);
    return make_stmt(std::move(result));
  }

  StmtPtr for_stmt(const isl::ast_node_for& node, const Scan& scan, const Nest& nest) {
    if (node.is_degenerate()) {
      values_[iterator_of(node)] = expr(node.init());
      return scanned(node.body(), scan, nest);
    }
    For result;
    result.name = nest.loop->name;
    result.processor = nest.loop->processor;
    result.variable = unused_name(nest.loop->name);
    set_range(result, node);
    keep_lanes_apart(result.lower, nest);
    if (in_pieces_) keep_lanes_apart(result.upper, nest);
    const bool vector = result.processor == Processor::vector;
    if (vector) lanes_.push_back({&nest, result.variable});
    result.body = scanned(node.body(), scan, nest);
    if (vector) {
      result.lockstep = lanes_.back().lockstep;
      lanes_.pop_back();
    }
    return make_stmt(std::move(result));
  }

  // for (c = lower; c < upper; c += step)  ~>  for v in 0 <= v < ceil((upper - lower) / step),
  // c = lower + step * v
  void set_range(For& loop, const isl::ast_node_for& node) {
    const auto step = as_constant(expr(node.inc()));
    if (!step || *step < 1) throw failed("a loop has no constant step: " + node.to_C_str());
    loop.lower = expr(node.init());
    loop.upper = upper(node);
    const Expr v = variable(loop.variable);
    Expr& iterator = values_[iterator_of(node)];
    iterator = v;
    if (*step != 1) {
      iterator = simplified(loop.lower + *step * v);
      loop.upper = simplified((loop.upper - loop.lower + (*step - 1)) / *step);
      loop.lower = constant(i64, 0);
    }
    loop.extent = constant_difference(loop.upper, loop.lower);
  }

  // The condition of isl's loops is "c < upper" or "c <= upper - 1".
  Expr upper(const isl::ast_node_for& node) const {
    isl_ast_expr* cond = node.cond().release();
    const isl::ast_expr held = isl::manage(cond);
    const bool comparison = isl_ast_expr_get_type(cond) == isl_ast_expr_op;
    const auto type = comparison ? isl_ast_expr_get_op_type(cond) : isl_ast_expr_op_error;
    if (type != isl_ast_expr_op_lt && type != isl_ast_expr_op_le)
      throw request_.refused(Code::E0112_unbounded_domain,
                             "a loop has no upper bound: " + node.to_C_str());
    const Expr bound = expr(isl::manage(isl_ast_expr_get_op_arg(cond, 1)));
    return type == isl_ast_expr_op_lt ? bound : simplified(bound + 1);
  }

  std::string unused_name(const std::string& name) {
    std::string result = name;
    for (int number = 1; !taken_.insert(result).second; ++number)
      result = name + "_" + std::to_string(number);
    return result;
  }

  const TimeSpace& space_;
  const std::set<std::string> given_;  // the names of parameters are among them
  std::set<std::string> taken_;
  const MakeExecution& make_execution_;
  const BoxesOf& boxes_of_;
  const Request& request_;
  std::map<std::string, Expr> values_;  // of isl's names for iterators
  LoopAsts asts_;
  std::vector<Lanes> lanes_;  // outermost first
  bool in_pieces_ = false;    // do several places run what we generate, in turn?
};

}  // namespace

StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const MakeExecution& make_execution,
                  const BoxesOf& boxes_of, const Request& request) {
  return Generation(space, std::move(taken), make_execution, boxes_of, request)
      .body(nests, space.context);
}

}  // namespace strata
