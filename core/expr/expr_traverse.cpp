// Traversals of expressions that visit a shared node once, and bottom-up rebuilding.
#include <unordered_map>
#include <unordered_set>

#include "core/expr/expr_parts.h"

namespace strata {

namespace {

bool identical(const std::vector<Var>& a, const std::vector<Var>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i].name() != b[i].name() || a[i].lower().identity() != b[i].lower().identity() ||
        a[i].upper().identity() != b[i].upper().identity())
      return false;
  return a.size() == b.size();
}

class Visit {
 public:
  explicit Visit(const std::function<void(const Expr&)>& visitor) : visitor_(visitor) {}

  void operator()(const Expr& e) {
    if (!e.defined() || !seen_.insert(e.identity()).second) return;
    for (const Expr& bound : bounds_of(e.node())) (*this)(bound);
    for (const Expr& arg : e.args()) (*this)(arg);
    visitor_(e);
  }

 private:
  const std::function<void(const Expr&)>& visitor_;
  std::unordered_set<const ExprNode*> seen_;
};

class Rewrite {
 public:
  explicit Rewrite(const std::function<Expr(const Expr&)>& replace) : replace_(replace) {}

  Expr operator()(const Expr& e) {
    if (auto found = done_.find(e.identity()); found != done_.end()) return found->second;
    Expr result = with_new_parts(e);
    // If replacing a part makes a mistake, every node around it becomes that mistake.
    if (result.op() != Op::invalid || e.op() == Op::invalid)
      if (Expr successor = replace_(result); successor.defined()) result = successor;
    done_.emplace(e.identity(), result);
    return result;
  }

 private:
  Expr with_new_parts(const Expr& e) {
    std::vector<Var> variables;
    for (const Var& v : e.node().variables) {
      if (v.has_range())
        variables.emplace_back(v.name(), bound(v, v.lower()), bound(v, v.upper()));
      else
        variables.push_back(v);
    }
    std::vector<Expr> args;
    for (const Expr& arg : e.args()) args.push_back((*this)(arg));
    return rebuilt(e, std::move(variables), std::move(args));
  }

  Expr bound(const Var& v, const Expr& e) { return as_index((*this)(e), "a bound of " + v.name()); }

  const std::function<Expr(const Expr&)>& replace_;
  std::unordered_map<const ExprNode*, Expr> done_;
};

}  // namespace

std::vector<Expr> bounds_of(const ExprNode& node) {
  std::vector<Expr> bounds;
  for (const Var& v : node.variables)
    if (v.has_range()) bounds.insert(bounds.end(), {v.lower(), v.upper()});
  return bounds;
}

bool identical(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i].identity() != b[i].identity()) return false;
  return a.size() == b.size();
}

Expr rebuilt(const Expr& e, std::vector<Var> variables, std::vector<Expr> args) {
  Expr result = e;
  if (!identical(variables, e.node().variables)) {
    ExprNode node = e.node();
    node.variables = std::move(variables);
    if (auto bad = bad_operand(bounds_of(node), to_string(e.op()))) return *bad;
    result = make_node(std::move(node));
    if (result.op() == Op::invalid) return result;
  }
  return identical(args, e.args()) ? result : with_args(result, std::move(args));
}

const ExprNode* find_invalid(const Expr& e) {
  static const Expr undefined = invalid(Code::E0106_bad_argument, "this is an undefined Expr");
  if (!e.defined()) return undefined.identity();
  const ExprNode* first = nullptr;
  visit(e, [&](const Expr& x) {
    if (!first && x.op() == Op::invalid) first = x.identity();
  });
  return first;
}

bool takes_arrays(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& x) { found |= x.op() == Op::array; });
  return found;
}

void visit(const Expr& e, const std::function<void(const Expr&)>& visitor) { Visit{visitor}(e); }

Expr rewrite(const Expr& e, const std::function<Expr(const Expr&)>& replace) {
  return e.defined() ? Rewrite{replace}(e) : e;
}

}  // namespace strata
