#include "codegen/passes/keep.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "codegen/tree/exactness.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/positive.h"
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

// The same loops over other variables, for another iteration of them.
struct OtherLoops {
  std::vector<For> loops;
  std::vector<std::string> names;  // of the variables that these loops have others for

  OtherLoops(const std::vector<const For*>& same,
             const std::function<std::string(const std::string&)>& other_name) {
    for (const For* loop : same) {
      names.push_back(loop->variable);
      loops.push_back(*loop);
      loops.back().variable = other_name(loop->variable);
    }
    for (For& loop : loops) {
      loop.lower = at(loop.lower);
      loop.upper = at(loop.upper);
    }
  }

  Expr at(const Expr& e) const {
    return substitute(e, [this](const std::string& name) {
      const auto found = std::find(names.begin(), names.end(), name);
      return found == names.end() ? Expr()
                                  : variable(loops[std::size_t(found - names.begin())].variable);
    });
  }

  std::vector<const For*> pointers() const {
    std::vector<const For*> all;
    for (const For& loop : loops) all.push_back(&loop);
    return all;
  }
};

// Is a place of the tile, in each iteration of the loops around, another one than this place in all
// iterations of the tile? Some index is always smaller, or always larger.
bool is_apart(const UpdateTile& tile, const std::vector<Expr>& place,
              std::vector<const For*> around) {
  const OtherLoops other(tile.loops, [](const std::string& name) { return name + "'"; });
  around.insert(around.end(), tile.loops.begin(), tile.loops.end());
  const auto renamed = other.pointers();
  around.insert(around.end(), renamed.begin(), renamed.end());
  for (std::size_t d = 0; d < place.size(); ++d) {
    const Expr own = tile.update->indices[d], there = other.at(place[d]);
    if (is_positive(own - there, around) || is_positive(there - own, around)) return true;
  }
  return false;
}

// Does the update read the buffer that it writes, its own place and others that are apart from all
// places of the tile?
bool reads_own_place(const UpdateTile& tile, const std::vector<const For*>& around) {
  const Execute& update = *tile.update;
  bool reads = false, others = false;
  visit(update.value, [&](const Expr& e) {
    others |= e.op() == Op::checked || (e.op() == Op::array && e.name() == update.buffer);
    if (others || e.op() != Op::load || e.name() != update.buffer) return;
    if (same_indices(e.args(), update.indices))
      reads = true;
    else
      others = !is_apart(tile, e.args(), around);
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
    if (loop) around_.push_back(loop);
    const StmtPtr edited = with_insides(*s, [this](const StmtPtr& inside) { return stmt(inside); });
    if (loop) around_.pop_back();
    return edited;
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
    std::vector<const For*> loops = around_;
    loops.push_back(&loop);
    return plain && !moves && total <= most_bytes_kept && has_distinct_places(*tile) &&
                   reads_own_place(*tile, loops)
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
      const bool own =
          e.op() == Op::load && e.name() == update.buffer && same_indices(e.args(), update.indices);
      return own ? here : Expr();
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
    const OtherLoops other(loops, [this](const std::string& name) { return names_.fresh(name); });
    for (Expr& index : copy.indices) index = other.at(index);
    copy.value = other.at(copy.value);
    return around(other.pointers(), make_stmt(std::move(copy)));
  }

  TreeNames names_;
  std::set<std::string> overlapping_;
  std::vector<const For*> around_;  // the loops around the present statement
  std::set<std::string> on_stack_;  // such buffers live in registers where they can
};

}  // namespace

Kernel keep(const Kernel& kernel) {
  Keep keep(kernel);
  return with_bodies(kernel, [&](const StmtPtr& body) { return keep.stmt(body); });
}

}  // namespace strata
