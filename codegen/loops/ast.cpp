#include "codegen/loops/ast.h"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/lanes.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/loops/scan.h"
#include "codegen/loops/whole_range.h"
#include "codegen/tree/allocate.h"
#include "codegen/tree/index_math.h"

namespace strata {

namespace {

// What is known in some place of the parameters and of the iterators around.
struct Facts {
  isl::set here;    // of an iteration that runs there
  isl::set anyway;  // and of lanes that are switched off besides
};

class Generation {
 public:
  Generation(const TimeSpace& space, std::set<std::string> taken,
             const MakeExecution& make_execution, const IterationBoxes& boxes_of,
             const Request& request)
      : space_(space),
        given_(taken),
        taken_(std::move(taken)),
        make_execution_(make_execution),
        boxes_of_(boxes_of),
        request_(request) {}

  StmtPtr body(const std::vector<Nest>& nests, const Facts& facts) {
    Block result;
    for (const Nest& nest : nests) {
      const bool outside = std::exchange(in_pieces_, has_copy(nests, nest));
      if (const StmtPtr stmt = nest.loop ? loop(nest, facts) : execution(nest, facts))
        result.body.push_back(
            nest.only ? under(beyond(points(*nest.only), facts.here), facts.here, stmt, &nest)
                      : stmt);
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
  StmtPtr execution(const Nest& leaf, const Facts& facts) {
    const isl::set runs = beyond(points(leaf.times), facts.here);
    const bool always = isl_set_plain_is_universe(runs.get());
    const isl::set known = always ? facts.here : facts.here.intersect(runs);
    if (!always && known.is_empty()) return nullptr;
    const auto here = isl::ast_build::from_context(known);
    const TimeBranch& branch = space_.branches[leaf.branch];
    const auto instance = branch.instance.bind_domain(iterator_tuple(leaf.times));
    std::vector<Expr> coordinates;
    for (int d = 0; d < int(branch.definition->iterators.size()); ++d)
      coordinates.push_back(expr(here.expr_from(instance.at(d))));
    const StmtPtr stmt = make_execution_(branch, coordinates);
    if (lanes_.masked().empty()) return always ? stmt : under(runs, facts.here, stmt, &leaf);
    return masked(leaf, facts.anyway, stmt);
  }

  // if (some lane runs here) mask (this lane does) stmt
  StmtPtr masked(const Nest& leaf, const isl::set& anyway, const StmtPtr& stmt) {
    const isl::set runs = points(leaf.times);
    if (!lanes_.is_one()) return under(beyond(runs, anyway), anyway, stmt, &leaf);
    isl::set some = runs;
    for (const int depth : lanes_.masked()) some = without_iterator(some, depth);
    some = beyond(some, anyway);
    const isl::set lanes = beyond(runs, anyway.intersect(some));
    if (isl_set_plain_is_universe(lanes.get())) return under(some, anyway, stmt, &leaf);
    // What data decide stays an ordinary condition inside: perhaps no lane runs there.
    const bool masks = std::holds_alternative<Execute>(*stmt);
    const StmtPtr inside = under(lanes, anyway.intersect(some), stmt, &leaf, masks);
    return under(some, anyway, inside, &leaf);
  }

  // if (condition) stmt, where "context" is known; "nest" is what stands there.
  StmtPtr under(const isl::set& condition, const isl::set& context, const StmtPtr& stmt,
                const Nest* nest, bool masks = false) {
    if (isl_set_plain_is_universe(condition.get())) return stmt;
    const Expr e = expr(isl::ast_build::from_context(context).expr_from(condition));
    if (in_pieces_) lanes_.keep_apart(e, *nest);
    return make_stmt(If{e, stmt, nullptr, masks});
  }

  StmtPtr loop(const Nest& nest, const Facts& facts) {
    const isl::set iterations = points(nest.times);
    if (iterations.is_disjoint(facts.here)) return nullptr;  // what is new to the facts is any set
    if (nest.loop->tile_size) return tile_loop(nest, iterations, facts);
    if (has_guards(*nest.loop))
      if (const auto range = whole_range(points(nest.whole), nest.depth))
        return whole_loop(nest, iterations, *range, facts);
    const bool one_piece = has_threads(nest.loop->processor);
    const Scan scan(asts_, iterations, nest.depth, facts.here, one_piece);
    return scanned(scan.root(), scan, nest, facts);
  }

  // Is the loop to make all steps, with a condition around each?  Without a choice it is where its
  // tile may begin and end anywhere.
  bool has_guards(const Loop& loop) const {
    return (loop.border != Border::automatic || !tiles_.empty()) &&
           traits(loop.processor).constant_extent;
  }

  // { : [t0, .., t(n-1)] in times }, the iterators parameters; of a loop over parametric tiles the
  // tile's first and last value are known and not the value.
  isl::set points(const isl::set& times) const {
    isl::set result = bound(times);
    for (const int depth : tiles_)
      result = without_iterator(result.intersect(inside_tile(times.params(), depth)), depth);
    return result;
  }

  // for tile in lo / T .. hi / T + 1, lo and hi the first and last value of t, 1 <= T: inside,
  // max(lo, T tile) <= t <= min(hi, T tile + T - 1).
  StmtPtr tile_loop(const Nest& nest, const isl::set& values, const Facts& facts) {
    const isl::set some = beyond(without_iterator(values, nest.depth), facts.here);
    const Facts outside = knowing(facts, some);
    const ValueRange range = value_range(values, nest.depth);
    const auto build = isl::ast_build::from_context(outside.here);
    const Expr first = expr(build.expr_from(range.first.gist(outside.here)));
    const Expr last = expr(build.expr_from(range.last.gist(outside.here)));
    const Expr size = parameter(*nest.loop->tile_size);
    For result;
    result.name = nest.loop->name;
    result.processor = nest.loop->processor;
    result.variable = unused_name(nest.loop->name);
    result.lower = first / size;
    result.upper = last / size + 1;
    lanes_.keep_apart(result.lower, nest);
    if (in_pieces_) lanes_.keep_apart(result.upper, nest);
    const Expr begin = variable(result.variable) * size;
    values_[first_of_tile(nest.depth)] = max(first, begin);
    values_[last_of_tile(nest.depth)] = min(last, begin + size - 1);
    tiles_.push_back(nest.depth);
    result.body = iteration(nest, knowing(outside, range.inside));
    tiles_.pop_back();
    return under(some, facts.here, make_stmt(std::move(result)), &nest);
  }

  // for t in lower .. lower + size: if (t runs) body; of a vector loop the conditions go inwards,
  // to what the lanes execute.
  StmtPtr whole_loop(const Nest& nest, const isl::set& iterations, const WholeRange& range,
                     const Facts& facts) {
    const isl::set some = beyond(without_iterator(iterations, nest.depth), facts.here);
    const Facts outside = knowing(facts, some);
    For result;
    result.name = nest.loop->name;
    result.processor = nest.loop->processor;
    result.border = nest.loop->border;
    result.variable = unused_name(nest.loop->name);
    result.lower = expr(isl::ast_build::from_context(outside.here).expr_from(range.lower));
    result.upper = simplified(result.lower + range.size);
    result.extent = range.size;
    lanes_.keep_apart(result.lower, nest);
    values_[iterator_name(nest.depth)] = variable(result.variable);
    const Facts steps{outside.here.intersect(range.iterations),
                      outside.anyway.intersect(range.iterations)};
    if (has_lanes(result.processor))
      add_lanes(result, nest, iterations, steps);
    else
      result.body = guarded(nest, iterations, steps);
    return result.body ? under(some, facts.here, make_stmt(std::move(result)), &nest) : nullptr;
  }

  StmtPtr guarded(const Nest& nest, const isl::set& iterations, const Facts& facts) {
    const isl::set runs = beyond(iterations, facts.here);
    const Facts inside = knowing(facts, runs);
    const StmtPtr all = iteration(nest, inside);
    return under(runs, facts.here, all, &nest);
  }

  void add_lanes(For& loop, const Nest& nest, const isl::set& iterations, const Facts& facts) {
    const bool masked = !facts.here.is_subset(iterations);
    const Facts inside{facts.here.intersect(iterations), facts.anyway};
    lanes_.enter(nest, loop.variable, masked);
    loop.body = iteration(nest, inside);
    loop.lockstep = lanes_.leave();
  }

  static bool has_copy(const std::vector<Nest>& nests, const Nest& nest) {
    return std::any_of(nests.begin(), nests.end(), [&](const Nest& other) {
      return &other != &nest && !other.loop == !nest.loop &&
             (nest.loop ? other.id == nest.id : other.branch == nest.branch);
    });
  }

  // What isl generated for one loop, with the loop's body at its user nodes.
  StmtPtr scanned(const isl::ast_node& node, const Scan& scan, const Nest& nest,
                  const Facts& facts) {
    switch (isl_ast_node_get_type(node.get())) {
      case isl_ast_node_for:
        return for_stmt(node.as<isl::ast_node_for>(), scan, nest, facts);
      case isl_ast_node_if:
        return if_stmt(node.as<isl::ast_node_if>(), scan, nest, facts);
      case isl_ast_node_block:
        return block(node.as<isl::ast_node_block>(), scan, nest, facts);
      case isl_ast_node_user:
        values_[iterator_name(nest.depth)] = expr(scan.iterator_at(node));
        lanes_.keep_apart(values_[iterator_name(nest.depth)], nest);
        return iteration(nest, facts_at(node, scan, facts));
      default:
        throw failed("isl gave an unexpected node: " + node.to_C_str());
    }
  }

  // After a condition that was simplified by what is known here: of lanes that are switched off it
  // says nothing.
  Facts knowing(const Facts& facts, const isl::set& condition) const {
    const isl::set here = facts.here.intersect(condition);
    return {here, lanes_.masked().empty() ? here : facts.anyway};
  }

  Facts facts_at(const isl::ast_node& user, const Scan& scan, const Facts& outside) const {
    const isl::set here = scan.context_at(user);
    if (lanes_.masked().empty()) return {here, here};
    return {here, outside.anyway.intersect(scan.checked_at(user))};
  }

  StmtPtr iteration(const Nest& nest, const Facts& facts) {
    return prefetching(nest, allocated(nest, body(nest.body, facts), facts.here), facts.here);
  }

  std::vector<Expr> exprs(const std::vector<isl::pw_aff>& functions,
                          const isl::ast_build& build) const {
    std::vector<Expr> result;
    for (const isl::pw_aff& f : functions) result.push_back(expr(build.expr_from(f)));
    return result;
  }

  // The body of an iteration, with the buffers that are its own around it.
  StmtPtr allocated(const Nest& nest, StmtPtr body, const isl::set& context) {
    if (nest.loop->allocations.empty()) return body;
    const auto build = isl::ast_build::from_context(context);
    for (const PlaceBox& box : boxes_of_.own(nest))
      body = strata::allocated(*box.buffer, exprs(box.lowers, build), exprs(box.extents, build),
                               body, request_);
    return body;
  }

  // An iteration that begins with what it prefetches.
  StmtPtr prefetching(const Nest& nest, const StmtPtr& iteration, const isl::set& context) {
    if (nest.loop->prefetches.empty()) return iteration;
    const auto build = isl::ast_build::from_context(context);
    Block result;
    for (const PlaceBox& box : boxes_of_.prefetched(nest, context))
      result.body.push_back(make_stmt(
          PrefetchBox{box.buffer->name, exprs(box.lowers, build), exprs(box.extents, build)}));
    result.body.push_back(iteration);
    return make_stmt(std::move(result));
  }

  StmtPtr block(const isl::ast_node_block& node, const Scan& scan, const Nest& nest,
                const Facts& facts) {
    Block result;
    const auto children = node.children();
    in_pieces_ = true;
    for (int i = 0; i < int(children.size()); ++i)
      result.body.push_back(scanned(children.at(i), scan, nest, facts));
    return make_stmt(std::move(result));
  }

  StmtPtr if_stmt(const isl::ast_node_if& node, const Scan& scan, const Nest& nest,
                  const Facts& facts) {
    const Expr condition = expr(node.cond());
    if (in_pieces_ || node.has_else_node()) lanes_.keep_apart(condition, nest);
    If result{condition, scanned(node.then_node(), scan, nest, facts), nullptr, false};
    if (node.has_else_node()) result.otherwise = scanned(node.else_node(), scan, nest, facts);
    return make_stmt(std::move(result));
  }

  StmtPtr for_stmt(const isl::ast_node_for& node, const Scan& scan, const Nest& nest,
                   const Facts& facts) {
    if (node.is_degenerate()) {
      values_[iterator_of(node)] = expr(node.init());
      return scanned(node.body(), scan, nest, facts);
    }
    For result;
    result.name = nest.loop->name;
    result.processor = nest.loop->processor;
    result.border = nest.loop->border;
    result.variable = unused_name(nest.loop->name);
    set_range(result, node);
    lanes_.keep_apart(result.lower, nest);
    if (in_pieces_) lanes_.keep_apart(result.upper, nest);
    const bool vector = has_lanes(result.processor);
    if (vector) lanes_.enter(nest, result.variable, false);
    result.body = scanned(node.body(), scan, nest, facts);
    if (vector) result.lockstep = lanes_.leave();
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
  const IterationBoxes& boxes_of_;
  const Request& request_;
  std::map<std::string, Expr> values_;  // of isl's names for iterators
  LoopAsts asts_;
  LanesAround lanes_;
  std::vector<int> tiles_;    // the depths of the loops over parametric tiles around
  bool in_pieces_ = false;    // do several places run what we generate, in turn?
};

}  // namespace

StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const MakeExecution& make_execution,
                  const IterationBoxes& boxes_of, const Request& request) {
  return Generation(space, std::move(taken), make_execution, boxes_of, request)
      .body(nests, {space.context, space.context});
}

}  // namespace strata
