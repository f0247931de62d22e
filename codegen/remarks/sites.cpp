#include "codegen/remarks/sites.h"

#include <algorithm>

#include "core/expr/expr_text.h"

namespace strata {

namespace {

constexpr std::size_t longest_text = 60;

class Walk {
 public:
  explicit Walk(Tree& tree) : tree_(tree), values_(tree.sizes) {}

  void operator()(const StmtPtr& stmt) {
    if (const auto* loop = std::get_if<For>(stmt.get())) return in_loop(*loop);
    if (const auto* branch = std::get_if<If>(stmt.get())) return in_branch(*branch);
    if (const auto* execute = std::get_if<Execute>(stmt.get())) return at(*execute);
    const auto* allocate = std::get_if<Allocate>(stmt.get());
    if (allocate) site_.allocations.push_back({allocate, site_.loops.size()});
    if (const auto* launch = std::get_if<Launch>(stmt.get())) site_.launch = launch;
    for_each_inside(*stmt, [&](const StmtPtr& part) { (*this)(part); });
    if (std::holds_alternative<Launch>(*stmt)) site_.launch = nullptr;
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
    if (is_concurrent(loop.processor))
      tree_.parallel[&loop] = estimated_cycles(work_of(loop, tree_.machine), values_);
    const double before = site_.runs, extent = double(upper - lower);
    site_.loops.push_back({&loop, extent});
    site_.runs *= extent;
    values_[loop.variable] = middle(lower, upper);
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

std::string text_at(const RemarkSite& site, const Expr& e) {
  const auto named = [&](const std::string& name) {
    for (const SiteLoop& around : site.loops)
      if (around.loop->variable == name) return variable(around.loop->name);
    return Expr();
  };
  const std::string text = to_text(substitute(e, named));
  return text.size() <= longest_text ? text : text.substr(0, longest_text).append(" ..");
}

bool bounds_change(const RemarkSite& site, std::size_t outer, std::size_t last) {
  const std::string& variable = site.loops[outer].loop->variable;
  for (std::size_t n = outer + 1; n <= last; ++n)
    if (depends_on(site.loops[n].loop->lower, variable) ||
        depends_on(site.loops[n].loop->upper, variable))
      return true;
  return false;
}

Tree tree_of(const Kernel& kernel, const Machine& machine, const Values& sizes) {
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
