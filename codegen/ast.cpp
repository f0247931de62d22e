#include "codegen/ast.h"

#include <isl/ast_build.h>
#include <isl/id.h>

#include <algorithm>
#include <map>

#include "codegen/index_math.h"
#include "codegen/isl_expr.h"
#include "codegen/schedule_tree.h"

namespace strata {

namespace {

// An instance as isl's expressions over the iterators, at one user node.
struct UserNode {
  int branch;
  std::vector<isl::ast_expr> instance;
};

int depth_of(const Nest& nest) {
  int depth = nest.depth;
  for (const Nest& inner : nest.body) depth = std::max(depth, depth_of(inner));
  return depth;
}

std::string iterator_name(int depth) { return "t" + std::to_string(depth); }
int depth_named(const std::string& iterator) { return std::stoi(iterator.substr(1)); }

// Runs isl's AST generation and remembers what each user node executes.
class Generation {
 public:
  explicit Generation(const TimeSpace& space) : space_(space) {
    for (int b = 0; b < int(space.branches.size()); ++b) {
      const TimeBranch& branch = space.branches[b];
      instances_.emplace(tuple_name(branch.times), std::pair(b, branch.instance));
    }
  }

  isl::ast_node run(const std::vector<Nest>& nests) {
    const isl::set& context = space_.context;
    int depth = 0;
    for (const Nest& nest : nests) depth = std::max(depth, depth_of(nest));
    isl::id_list iterators(context.ctx(), depth);
    for (int d = 0; d < depth; ++d)
      iterators = iterators.add(isl::id(context.ctx(), iterator_name(d)));
    auto build = isl::manage(isl_ast_build_set_iterators(
        isl::ast_build::from_context(context).release(), iterators.release()));
    build = build.set_at_each_domain([this](const isl::ast_node& node, const isl::ast_build& at) {
      return annotated(node, at);
    });
    return build.node_from(schedule_tree(nests));
  }

  const UserNode& user(const isl::ast_node& node) const {
    const isl::id number = isl::manage(isl_ast_node_get_annotation(node.get()));
    return users_[std::size_t(std::stoi(number.name()))];
  }

  // The branches that are executed inside "node".
  std::set<int> branches_in(const isl::ast_node& node) const {
    struct Visit {
      const Generation& generation;
      std::set<int> found;
    } visit{*this, {}};
    isl_ast_node_foreach_descendant_top_down(
        node.get(),
        [](isl_ast_node* inner, void* user) {
          auto& visit = *static_cast<Visit*>(user);
          if (isl_ast_node_get_type(inner) == isl_ast_node_user)
            visit.found.insert(visit.generation.user(isl::manage_copy(inner)).branch);
          return isl_bool_true;
        },
        &visit);
    return visit.found;
  }

 private:
  // { [t] -> S[i] } = { [t] -> B[t] } . { B[t] -> S[i] }, t the loops generated around "node"
  isl::ast_node annotated(const isl::ast_node& node, const isl::ast_build& build) {
    const isl::map point = build.schedule().reverse().as_map();
    const auto& [branch, instance] = instances_.at(range_tuple_name(point));
    const auto at_point = instance.pullback(point.as_pw_multi_aff());
    UserNode user{branch, {}};
    for (int d = 0; d < int(isl_pw_multi_aff_dim(at_point.get(), isl_dim_out)); ++d)
      user.instance.push_back(build.expr_from(at_point.at(d)));
    const isl::id number(node.ctx(), std::to_string(users_.size()));
    users_.push_back(std::move(user));
    return isl::manage(isl_ast_node_set_annotation(node.copy(), number.copy()));
  }

  const TimeSpace& space_;
  std::map<std::string, std::pair<int, isl::pw_multi_aff>> instances_;
  std::vector<UserNode> users_;
};

class Conversion {
 public:
  Conversion(const Generation& generation, const TimeSpace& space, std::set<std::string> taken,
             const MakeExecution& make_execution, const Request& request)
      : generation_(generation),
        space_(space),
        taken_(std::move(taken)),
        make_execution_(make_execution),
        request_(request) {}

  StmtPtr stmt(const isl::ast_node& node) {
    switch (isl_ast_node_get_type(node.get())) {
      case isl_ast_node_for: return for_stmt(node.as<isl::ast_node_for>());
      case isl_ast_node_if: return if_stmt(node.as<isl::ast_node_if>());
      case isl_ast_node_block: return block(node.as<isl::ast_node_block>());
      case isl_ast_node_user: return execution(node);
      default: break;
    }
    throw failed("isl gave an unexpected node: " + node.to_C_str());
  }

 private:
  Error failed(const std::string& explanation) const {
    return request_.refused(Code::E0502_code_generation_failed, explanation);
  }

  Expr expr(const isl::ast_expr& e) const {
    return to_expr(e, [this](const std::string& name) {
      const auto value = values_.find(name);
      return value == values_.end() ? parameter(name) : value->second;
    });
  }

  StmtPtr block(const isl::ast_node_block& node) {
    Block result;
    const auto children = node.children();
    for (int i = 0; i < int(children.size()); ++i) result.body.push_back(stmt(children.at(i)));
    return make_stmt(std::move(result));
  }

  StmtPtr if_stmt(const isl::ast_node_if& node) {
    If result;
    result.condition = expr(node.cond());
    result.then = stmt(node.then_node());
    if (node.has_else_node()) result.otherwise = stmt(node.else_node());
    return make_stmt(std::move(result));
  }

  StmtPtr execution(const isl::ast_node& node) const {
    const UserNode& user = generation_.user(node);
    std::vector<Expr> instance;
    for (const isl::ast_expr& coordinate : user.instance) instance.push_back(expr(coordinate));
    return make_stmt(make_execution_(*space_.branches[user.branch].definition, instance));
  }

  StmtPtr for_stmt(const isl::ast_node_for& node) {
    const std::string iterator = isl::manage(isl_ast_expr_get_id(node.iterator().get())).name();
    if (node.is_degenerate()) {
      values_[iterator] = expr(node.init());
      return stmt(node.body());
    }
    const Loop& loop = loop_of(node, depth_named(iterator));
    For result;
    result.name = loop.name;
    result.processor = loop.processor;
    result.variable = unused_name(loop.name);
    set_range(result, node, iterator);
    result.body = stmt(node.body());
    return make_stmt(std::move(result));
  }

  // for (t = lower; t < upper; t += step)  ~>  for v in 0 <= v < ceil((upper - lower) / step),
  // t = lower + step * v
  void set_range(For& loop, const isl::ast_node_for& node, const std::string& iterator) {
    const auto step = as_constant(expr(node.inc()));
    if (!step || *step < 1) throw failed("a loop has no constant step: " + node.to_C_str());
    loop.lower = expr(node.init());
    loop.upper = upper(node);
    const Expr v = variable(loop.variable);
    if (*step == 1) {
      values_[iterator] = v;
    } else {
      values_[iterator] = simplified(loop.lower + *step * v);
      loop.upper = simplified((loop.upper - loop.lower + (*step - 1)) / *step);
      loop.lower = constant(i64, 0);
    }
    loop.extent = constant_difference(loop.upper, loop.lower);
  }

  // The condition of isl's loops is "t < upper" or "t <= upper - 1".
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

  // The loop of the Mapping at this depth around all branches in "node".
  const Loop& loop_of(const isl::ast_node& node, int depth) const {
    const Loop* loop = nullptr;
    for (int branch : generation_.branches_in(node)) {
      const Loop* outer = space_.branches[branch].loops.at(depth);
      if (loop && loop != outer)
        throw failed("isl merged the loops " + loop->name + " and " + outer->name);
      loop = outer;
    }
    if (!loop) throw failed("isl made a loop around nothing: " + node.to_C_str());
    return *loop;
  }

  std::string unused_name(const std::string& name) {
    std::string result = name;
    for (int number = 1; !taken_.insert(result).second; ++number)
      result = name + "_" + std::to_string(number);
    return result;
  }

  const Generation& generation_;
  const TimeSpace& space_;
  std::set<std::string> taken_;
  const MakeExecution& make_execution_;
  const Request& request_;
  std::map<std::string, Expr> values_;  // of isl's iterators, inside their loops
};

}  // namespace

StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const MakeExecution& make_execution,
                  const Request& request) {
  if (nests.empty()) return nullptr;
  Generation generation(space);
  const isl::ast_node root = generation.run(nests);
  return Conversion(generation, space, std::move(taken), make_execution, request).stmt(root);
}

}  // namespace strata
