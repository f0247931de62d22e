#include "schedule/legality/privatise.h"

#include <fmt/format.h>

#include <algorithm>

#include "layers/flow/atomic_step.h"
#include "layers/flow/initial_values.h"
#include "schedule/legality/extent.h"

namespace strata {

namespace {

// A loop over contributions, and a branch inside it.
struct TaggedLoop {
  const Placed* placed;
  std::size_t level;
};

std::optional<TaggedLoop> tagged_loop(const Definition& reduction,
                                      const std::vector<Placed>& branches) {
  for (const Placed& placed : branches) {
    const std::vector<bool> of_result = result_levels(reduction, placed);
    for (std::size_t level = placed.loops.size(); level-- > 0;) {
      const Processor processor = placed.loops[level]->processor;
      if (!in_order(processor) && !of_result[level]) return TaggedLoop{&placed, level};
    }
  }
  return std::nullopt;
}

bool has_loop(const Program& program, const std::string& definition, const std::string& name) {
  const auto all = branches_of(program.mapping, definition);
  return std::any_of(all.begin(), all.end(), [&](const Placed& placed) {
    return std::any_of(placed.loops.begin(), placed.loops.end(),
                       [&](const Loop* loop) { return loop->name == name; });
  });
}

// ".split(k, 8, k, k_lane)" if the refused command made the loop by splitting the one around it,
// else "".
std::string split_before(const Program& before, const Program& after, const TaggedLoop& found) {
  const Placed& placed = *found.placed;
  const std::string& name = placed.loops[found.level]->name;
  const std::string& definition = placed.branch->definition;
  if (found.level == 0 || has_loop(before, definition, name)) return "";
  const std::string& outer = placed.loops[found.level - 1]->name;
  const Path path = prefix(placed.path, found.level + 1);
  const auto extent = constant_extent(after, path);
  if (!extent || !has_loop(before, definition, outer)) return "";
  return fmt::format(".split({}, {}, {}, {})", outer, *extent, outer, name);
}

// The command that tags a loop so.
std::string tagging(Processor processor) {
  switch (processor) {
    case Processor::block: return "gpu_blocks";
    case Processor::thread: return "gpu_threads";
    case Processor::vector: return "vectorize";
    default: return "parallelize";
  }
}

bool can_be_atomic(const Definition& reduction) {
  return reduction.reduction->kind && !is_half(reduction.type);
}

}  // namespace

std::string how_to_privatise(const Program& before, const Program& after,
                             const std::string& reduction) {
  const auto placed = branches_of(after.mapping, reduction);
  const Definition& definition = *after.algorithm->find(reduction);
  const auto found = tagged_loop(definition, placed);
  if (!found) return "";
  const Loop& loop = *found->placed->loops[found->level];
  const bool vector = has_lanes(loop.processor);
  const bool one_way = vector || !can_be_atomic(definition);
  const std::string atomic = one_way ? "" : "use " + reduction + ".atomic() first";
  if (placed.size() > 1) return atomic;  // rfactor takes a whole computation
  const std::string commands = fmt::format("{}{}.rfactor({}, \"{}_part\").{}({})", reduction,
                                           split_before(before, after, *found), loop.name,
                                           reduction, tagging(loop.processor), loop.name);
  return "give each iteration a partial result: " + commands + (one_way ? "" : "; or " + atomic);
}

std::string how_to_scatter(const Program& after, const Definition& definition) {
  bool reads_itself = false;
  for_each_expression(definition, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      reads_itself |= e.op() == Op::access && e.name() == definition.array;
    });
  });
  if (definition.element.empty() || !reads_itself) return "";
  bool on_threads = false;
  for (const Placed& placed : branches_of(after.mapping, definition.name))
    for (const Loop* loop : placed.loops) on_threads |= is_concurrent(loop->processor);
  const bool one_way = !on_threads || !atomic_step(definition);
  return fmt::format(
             "let each block of iterations update its own row, {}_part(block, ..), and "
             "combine the rows with a reduction over the blocks, as examples/histogram does",
             definition.array) +
         (one_way ? "" : "; or use " + definition.name + ".atomic() first");
}

}  // namespace strata
