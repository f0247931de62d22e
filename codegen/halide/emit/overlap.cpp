#include "codegen/halide/emit/overlap.h"

#include <algorithm>
#include <optional>

#include "codegen/entry/linear_form.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/realization.h"

namespace strata::halide {

namespace {

struct Row {
  const For* vector;
  const Execute* execute;
};

std::optional<Row> row(const StmtPtr& s) {
  const auto* vector = std::get_if<For>(s.get());
  const auto* execute = vector ? std::get_if<Execute>(vector->body.get()) : nullptr;
  if (!execute || vector->processor != Processor::vector) return std::nullopt;
  return Row{vector, execute};
}

// True if the execution stores the same when it runs twice.
bool is_repeatable(const Execute& execute, const ShareMemory& share_memory) {
  bool repeatable = !execute.atomic && execute.others.empty() && execute.kept_place.empty() &&
                    !execute.asynchronous && !execute.mma;
  const auto look = [&](const Expr& e) {
    repeatable = repeatable && e.op() != Op::checked && e.op() != Op::array &&
                 !(e.op() == Op::load && share_memory(e.name(), execute.buffer));
  };
  visit_values(execute, look);
  for (const Expr& index : execute.indices) visit(index, look);
  return repeatable;
}

// The lanes of a row as a function of a place x = lane + first, an index of what is stored.
struct ByPlace {
  Expr first;
  Execute execute;
};

const Expr& place() {
  static const Expr x = variable("place");
  return x;
}

std::optional<ByPlace> by_place(const Row& row, std::size_t dimension) {
  LinearForm form = linear_form(row.execute->indices[dimension]);
  if (taken_out(form, row.vector->variable) != 1) return std::nullopt;
  const Expr first = simplified(expression(form)), lane = place() - first;
  if (depends_on(first, row.vector->variable)) return std::nullopt;
  const auto there = [&](const Expr& e) {
    return simplified(substitute(
        e, [&](const std::string& name) { return name == row.vector->variable ? lane : Expr(); }));
  };
  ByPlace result{first, *row.execute};
  for (Expr& index : result.execute.indices) index = there(index);
  for (Expr& coordinate : result.execute.instance) coordinate = there(coordinate);
  result.execute.value = there(result.execute.value);
  return result;
}

bool are_same(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Expr& x, const Expr& y) { return same(x, y); });
}

bool are_same(const Execute& a, const Execute& b) {
  return a.computation == b.computation && a.buffer == b.buffer && are_same(a.indices, b.indices) &&
         are_same(a.instance, b.instance) && same(a.value, b.value);
}

// The condition under which the cut row continues the loop over full vectors, and this loop has
// iterations; undefined if it never does.
Expr continues(const For& loop, const Row& full, const Row& cut, const ShareMemory& share_memory) {
  if (!is_repeatable(*cut.execute, share_memory) ||
      full.execute->indices.size() != cut.execute->indices.size())
    return Expr();
  for (std::size_t d = 0; d < cut.execute->indices.size(); ++d) {
    const auto before = by_place(full, d), after = by_place(cut, d);
    if (!before || !after || !are_same(before->execute, after->execute)) continue;
    const Expr end = substitute(before->first + full.vector->lower, [&](const std::string& name) {
      return name == loop.variable ? loop.upper : Expr();
    });
    const Expr begin = after->first + cut.vector->lower;
    const Expr lanes = simplified(cut.vector->upper - cut.vector->lower);
    return loop.lower < loop.upper && simplified(end) == simplified(begin) && lanes > 0 &&
           lanes <= *full.vector->extent;
  }
  return Expr();
}

StmtPtr overlapping(const StmtPtr& before, const StmtPtr& s, const ShareMemory& share_memory) {
  if (const auto* branch = std::get_if<If>(s.get()); branch && !branch->otherwise) {
    const StmtPtr then = overlapping(before, branch->then, share_memory);
    return then == branch->then ? s
                                : make_stmt(If{branch->condition, then, nullptr, branch->masks});
  }
  const auto* loop = std::get_if<For>(before.get());
  const auto full = loop ? row(loop->body) : std::nullopt, cut = row(s);
  if (!full || !cut || loop->processor != Processor::sequential || !is_vector(*full->vector) ||
      !full->vector->extent || cut->vector->extent || !cut->vector->lockstep)
    return s;
  const Expr condition = continues(*loop, *full, *cut, share_memory);
  if (!condition.defined()) return s;
  For whole = *cut->vector;
  whole.extent = full->vector->extent;
  whole.lower = simplified(whole.upper - *whole.extent);
  return make_stmt(If{condition, make_stmt(whole), s});
}

}  // namespace

std::vector<StmtPtr> with_overlaps(std::vector<StmtPtr> block, const ShareMemory& share_memory) {
  for (std::size_t n = block.size(); n-- > 1;)
    block[n] = overlapping(block[n - 1], block[n], share_memory);
  return block;
}

}  // namespace strata::halide
