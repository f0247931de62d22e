#include "codegen/passes/keep.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "codegen/tree/exactness.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/realization.h"
#include "codegen/tree/tree_names.h"
#include "core/expr/linear_sum.h"

namespace strata {

namespace {

using Size = std::int64_t;

// Unrolled and vector loops, the outermost first, around one execution.
struct UpdateTile {
  std::vector<const For*> loops;
  const Execute* update = nullptr;
};

std::optional<UpdateTile> tile_in(const StmtPtr& body) {
  UpdateTile tile;
  const Stmt* stmt = body.get();
  for (const For* loop; (loop = std::get_if<For>(stmt)); stmt = loop->body.get()) {
    const bool fixed = loop->extent && loop->lockstep;
    if (!fixed || !(is_copied(loop->processor) || has_lanes(loop->processor))) return std::nullopt;
    tile.loops.push_back(loop);
  }
  tile.update = std::get_if<Execute>(stmt);
  return tile.update && !tile.loops.empty() ? std::optional(tile) : std::nullopt;
}

// The loops whose variables an index uses, each with the absolute value of its coefficient. Empty
// if the index is not a linear combination of these variables and of values that are constant in
// the tile.
struct Step {
  const For* loop;
  Size size;
};
std::optional<std::vector<Step>> steps_of(const Expr& index, const std::vector<const For*>& loops) {
  LinearSum sum;
  sum.gather(index, 1, terms_of_sum);
  std::vector<Step> steps;
  for (const auto& [term, coefficient] : sum.terms)
    for (const For* loop : loops) {
      if (!depends_on(term, loop->variable)) continue;
      if (term.op() != Op::variable || sum.wrapped) return std::nullopt;
      steps.push_back({loop, std::abs(Size(coefficient))});
    }
  return steps;
}

// Do all iterations of these loops have different indices? Yes if each step is longer than the
// distance that all shorter steps cover together.
bool is_injective(std::vector<Step> steps) {
  std::sort(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.size < b.size; });
  Size covered = 0;
  for (const Step& step : steps) {
    Size distance = 0;
    if (step.size <= covered ||
        __builtin_mul_overflow(step.size, *step.loop->extent - 1, &distance) ||
        __builtin_add_overflow(covered, distance, &covered))
      return false;
  }
  return true;
}

// Does each iteration of the tile update another place?
bool has_distinct_places(const UpdateTile& tile) {
  std::set<const For*> seen;
  Exactness exactness;
  for (const Expr& index : tile.update->indices) {
    const auto steps = steps_of(index, tile.loops);
    if (!exactness.is_index(index) || !steps || !is_injective(*steps)) return false;
    for (const Step& step : *steps) seen.insert(step.loop);
  }
  return seen.size() == tile.loops.size();
}

bool same_indices(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// Does the update read the buffer that it writes, but only its own place there?
bool reads_own_place(const Execute& update) {
  bool reads = false, others = false;
  visit(update.value, [&](const Expr& e) {
    others |= e.op() == Op::checked || (e.op() == Op::array && e.name() == update.buffer);
    if (e.op() != Op::load || e.name() != update.buffer) return;
    (same_indices(e.args(), update.indices) ? reads : others) = true;
  });
  return reads && !others;
}

// Do the loops of the tile run over the same values in each iteration of "loop", and independently
// of each other?
bool is_fixed(const UpdateTile& tile, const For& loop) {
  return std::none_of(tile.loops.begin(), tile.loops.end(), [&](const For* one) {
    const auto moves_with = [&](const For* other) {
      return depends_on(one->lower, other->variable);
    };
    return moves_with(&loop) || std::any_of(tile.loops.begin(), tile.loops.end(), moves_with);
  });
}

class Keep {
 public:
  explicit Keep(const Kernel& kernel) : names_(kernel) {
    for (const auto& [one, other] : kernel.may_overlap) overlapping_.insert({one, other});
  }

  StmtPtr stmt(const StmtPtr& s) {
    const auto* loop = std::get_if<For>(s.get());
    const auto tile = loop ? kept_tile(*loop) : std::nullopt;
    if (tile) return in_registers(*loop, *tile);
    const auto* allocate = std::get_if<Allocate>(s.get());
    if (allocate && is_on_stack(*allocate)) on_stack_.insert(allocate->buffer);
    return with_insides(*s, [this](const StmtPtr& inside) { return stmt(inside); });
  }

 private:
  std::optional<UpdateTile> kept_tile(const For& loop) const {
    const bool repeats =
        loop.processor == Processor::sequential && (!loop.extent || *loop.extent > 1);
    const auto tile = repeats ? tile_in(loop.body) : std::nullopt;
    if (!tile || !is_fixed(*tile, loop)) return std::nullopt;
    const Execute& update = *tile->update;
    Size total = bytes(update.value.type());
    for (const For* one : tile->loops)
      total = std::min(total, most_bytes_kept + 1) * std::min(*one->extent, most_bytes_kept);
    const bool moves = depends_on(update.indices, loop.variable);
    const bool plain = !update.atomic && update.others.empty() &&
                       !overlapping_.count(update.buffer) && !on_stack_.count(update.buffer);
    return plain && !moves && total <= most_bytes_kept && reads_own_place(update) &&
                   has_distinct_places(*tile)
               ? tile
               : std::nullopt;
  }

  StmtPtr in_registers(const For& loop, const UpdateTile& tile) {
    const Execute& update = *tile.update;
    Allocate registers{
        names_.fresh(update.buffer + "_kept"), update.value.type(), {}, {}, nullptr, Memory::stack};
    std::vector<Expr> place;
    for (const For* one : in_storage_order(tile.loops)) {
      registers.lowers.push_back(one->lower);
      registers.extents.push_back(constant(i64, *one->extent));
      place.push_back(variable(one->variable));
    }
    const Expr there = load(update.buffer, update.value.type(), update.indices);
    const Expr here = load(registers.buffer, update.value.type(), place);
    Execute kept = update;
    kept.buffer = registers.buffer;
    kept.kept_place = std::exchange(kept.indices, place);
    kept.value = rewrite(update.value, [&](const Expr& e) {
      return e.op() == Op::load && e.name() == update.buffer ? here : Expr();
    });
    For updates = loop;
    updates.body = around(tile.loops, make_stmt(std::move(kept)));
    const Execute read{"", {}, registers.buffer, place, there};
    const Execute written{"", {}, update.buffer, update.indices, here};
    registers.body = make_stmt(Block{
        {copied(tile.loops, read), make_stmt(std::move(updates)), copied(tile.loops, written)}});
    const StmtPtr whole = make_stmt(std::move(registers));
    return loop.extent ? whole : make_stmt(If{loop.lower < loop.upper, whole, nullptr});
  }

  // Vector loops come last: adjacent lanes have adjacent places.
  static std::vector<const For*> in_storage_order(std::vector<const For*> loops) {
    std::stable_partition(loops.begin(), loops.end(),
                          [](const For* loop) { return !has_lanes(loop->processor); });
    return loops;
  }

  static StmtPtr around(const std::vector<const For*>& loops, StmtPtr body) {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      For copy = **loop;
      copy.body = std::move(body);
      body = make_stmt(std::move(copy));
    }
    return body;
  }

  // A copy of all places of the tile, by loops with fresh variables.
  StmtPtr copied(const std::vector<const For*>& loops, Execute copy) {
    std::vector<For> renamed;
    for (const For* loop : loops) {
      renamed.push_back(*loop);
      renamed.back().variable = names_.fresh(loop->variable);
    }
    const auto other = [&](const std::string& name) {
      for (std::size_t n = 0; n < loops.size(); ++n)
        if (loops[n]->variable == name) return variable(renamed[n].variable);
      return Expr();
    };
    for (Expr& index : copy.indices) index = substitute(index, other);
    copy.value = substitute(copy.value, other);
    for (For& loop : renamed) {
      loop.lower = substitute(loop.lower, other);
      loop.upper = substitute(loop.upper, other);
    }
    std::vector<const For*> pointers;
    for (const For& loop : renamed) pointers.push_back(&loop);
    return around(pointers, make_stmt(std::move(copy)));
  }

  TreeNames names_;
  std::set<std::string> overlapping_;
  std::set<std::string> on_stack_;  // such buffers live in registers where they can
};

}  // namespace

Kernel keep(const Kernel& kernel) {
  Keep keep(kernel);
  return with_bodies(kernel, [&](const StmtPtr& body) { return keep.stmt(body); });
}

}  // namespace strata
