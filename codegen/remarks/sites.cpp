#include "codegen/remarks/sites.h"

#include <algorithm>
#include <set>

#include "codegen/tree/realization.h"
#include "core/expr/expr_text.h"

namespace strata {

namespace {

constexpr std::size_t longest_text = 60;

bool is_arithmetic(Op op) {
  return op != Op::constant && op != Op::variable && op != Op::parameter && op != Op::named &&
         op != Op::cast && op != Op::load;
}

// Counts the operations of a value; indices of loads are not values.
double operations_of(const Expr& e, std::set<const ExprNode*>& seen) {
  if (!e.defined() || !seen.insert(e.identity()).second || e.op() == Op::load) return 0;
  double sum = is_arithmetic(e.op()) ? 1 : 0;
  for (const Expr& argument : e.args()) sum += operations_of(argument, seen);
  return sum;
}

class Walk {
 public:
  explicit Walk(Tree& tree) : tree_(tree), values_(tree.sizes) {}

  void operator()(const StmtPtr& stmt) {
    if (const auto* loop = std::get_if<For>(stmt.get())) return in_loop(*loop);
    if (const auto* branch = std::get_if<If>(stmt.get())) return in_branch(*branch);
    if (const auto* execute = std::get_if<Execute>(stmt.get())) return at(*execute);
    const auto* allocate = std::get_if<Allocate>(stmt.get());
    if (allocate) site_.allocations.push_back({allocate, site_.loops.size()});
    for_each_inside(*stmt, [&](const StmtPtr& part) { (*this)(part); });
    if (allocate) site_.allocations.pop_back();
  }

 private:
  void at(const Execute& execute) {
    if (execute.computation.empty()) return;
    tree_.sites.push_back(site_);
    tree_.sites.back().execute = &execute;
  }

  void in_loop(const For& loop) {
    const std::int64_t lower = estimated(loop.lower, values_).value_or(0);
    const std::int64_t upper = estimated(loop.upper, values_).value_or(lower + unknown_extent);
    if (upper <= lower) return;
    tree_.runs[&loop] += site_.runs;
    const double before = site_.runs, extent = double(upper - lower);
    site_.loops.push_back({&loop, extent});
    site_.runs *= extent;
    values_[loop.variable] = lower + (upper - lower) / 2;
    (*this)(loop.body);
    values_.erase(loop.variable);
    site_.runs = before;
    site_.loops.pop_back();
  }

  // A condition that depends on data may hold and may not; one that masks lanes holds for most.
  void in_branch(const If& branch) {
    const auto holds = estimated(branch.condition, values_);
    site_.conditions.push_back({&branch, site_.loops.size()});
    if (branch.masks || holds.value_or(1) != 0) (*this)(branch.then);
    if (branch.otherwise && holds.value_or(0) == 0) (*this)(branch.otherwise);
    site_.conditions.pop_back();
  }

  static constexpr std::int64_t unknown_extent = 16;  // of a loop whose bounds are data

  Tree& tree_;
  Values values_;
  RemarkSite site_{nullptr, {}};
};

}  // namespace

double RemarkSite::work() const { return runs * (1 + arithmetic(*execute)); }

bool is_loop(const For& loop) {
  return !is_vector(loop) && !(is_copied(loop.processor) && loop.extent);
}

std::optional<std::size_t> RemarkSite::inner_loop() const {
  for (std::size_t n = loops.size(); n-- > 0;)
    if (is_loop(*loops[n].loop) && loops[n].extent > 1) return n;
  return std::nullopt;
}

const SiteLoop* RemarkSite::lanes() const {
  for (std::size_t n = loops.size(); n-- > 0;)
    if (is_vector(*loops[n].loop)) return &loops[n];
  return nullptr;
}

double arithmetic(const Execute& execute) {
  std::set<const ExprNode*> seen;
  double sum = operations_of(execute.value, seen);
  for (const Execute::Other& other : execute.others) sum += operations_of(other.value, seen);
  return sum;
}

void visit_values(const Execute& execute, const std::function<void(const Expr&)>& visitor) {
  visit(execute.value, visitor);
  for (const Execute::Other& other : execute.others) visit(other.value, visitor);
}

std::vector<Expr> loads_of(const Execute& execute) {
  std::vector<Expr> loads;
  visit_values(execute, [&](const Expr& e) {
    const auto is_same = [&](const Expr& other) { return same(e, other); };
    if (e.op() == Op::load && std::none_of(loads.begin(), loads.end(), is_same)) loads.push_back(e);
  });
  return loads;
}

bool depends_on(const Expr& e, const std::string& variable) {
  return free_variables(e).count(variable) > 0;
}

bool depends_on(const std::vector<Expr>& list, const std::string& variable) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Expr& e) { return depends_on(e, variable); });
}

bool depends_on_data(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    found = found || part.op() == Op::load || part.op() == Op::call || part.op() == Op::checked;
  });
  return found;
}

std::string text_at(const RemarkSite& site, const Expr& e) {
  const auto named = [&](const std::string& name) {
    for (const SiteLoop& around : site.loops)
      if (around.loop->variable == name) return variable(around.loop->name);
    return Expr();
  };
  const std::string text = to_text(substitute(e, named));
  return text.size() <= longest_text ? text : text.substr(0, longest_text) + " ..";
}

bool bounds_change(const RemarkSite& site, std::size_t outer, std::size_t last) {
  const std::string& variable = site.loops[outer].loop->variable;
  for (std::size_t n = outer + 1; n <= last; ++n)
    if (depends_on(site.loops[n].loop->lower, variable) ||
        depends_on(site.loops[n].loop->upper, variable))
      return true;
  return false;
}

Tree tree_of(const Kernel& kernel, const MachineFigures& machine, const Values& sizes) {
  Tree tree{kernel, machine, typical_sizes(kernel, sizes), {}};
  Walk walk(tree);
  walk(kernel.body);
  return tree;
}

std::string sizes_text(const Tree& tree) {
  std::string text;
  for (const std::string& name : tree.kernel.parameters)
    text += (text.empty() ? "with " : ", ") + name + " = " + std::to_string(tree.sizes.at(name));
  return text;
}

}  // namespace strata
