#include "codegen/sections.h"

#include <algorithm>
#include <set>

#include "codegen/tree/index_math.h"

namespace strata {

namespace {

void add_computations(const StmtPtr& stmt, std::vector<std::string>& names) {
  if (const auto* s = std::get_if<Execute>(stmt.get()))
    if (!s->computation.empty() && !std::count(names.begin(), names.end(), s->computation))
      names.push_back(s->computation);
  for_each_inside(*stmt, [&](const StmtPtr& part) { add_computations(part, names); });
}

class Sections {
 public:
  explicit Sections(const Lowering& state) : state_(state) {}

  StmtPtr in(const StmtPtr& stmt) {
    const auto* loop = std::get_if<For>(stmt.get());
    if (!loop) return with_insides(*stmt, [&](const StmtPtr& part) { return in(part); });
    For named = *loop;
    named.section = std::make_shared<const Section>(section_of(named));
    return make_stmt(named);
  }

 private:
  // Initial values are not named: they belong to a reduction.
  Section section_of(const For& loop) {
    std::vector<std::string> computations;
    add_computations(loop.body, computations);
    std::string names;
    for (const std::string& name : computations)
      if (!state_.program->algorithm->find(name)->is_initial)
        names += (names.empty() ? "" : ", ") + name;
    if (names.empty()) names = "initial values";
    const std::string name = loop.name + ": " + names;
    const bool first = seen_.insert(name).second;
    return {name, first ? bytes_of(computations) : Expr()};
  }

  Expr bytes_of(const std::vector<std::string>& computations) const {
    TimeSpace part{state_.space.context, {}};
    for (const TimeBranch& branch : state_.space.branches)
      if (std::count(computations.begin(), computations.end(), branch.definition->name))
        part.branches.push_back(branch);
    Expr sum = constant(i64, 0);
    for (const auto& [name, box] : boxes(*state_.program, part, state_.options->request))
      if (allocating_loops(*state_.mapping, name).empty()) sum = sum + bytes_in(name, box);
    return simplified(sum);
  }

  Expr bytes_in(const std::string& buffer, const Box& box) const {
    Expr product = constant(i64, bytes(state_.program->layout.find(buffer)->type));
    for (std::size_t d = 0; d < box.lowers.size(); ++d)
      product = product * max(simplified(box.uppers[d] - box.lowers[d]), constant(i64, 0));
    return product;
  }

  const Lowering& state_;
  std::set<std::string> seen_;
};

}  // namespace

Kernel with_sections(const Lowering& state, const Kernel& kernel) {
  Kernel profiled =
      with_bodies(kernel, [&](const StmtPtr& body) { return Sections(state).in(body); });
  profiled.profiled = true;
  return profiled;
}

}  // namespace strata
