// Commands on the memories of a GPU, and on what its threads and its two sides share.
#include <algorithm>

#include "schedule/legality/extent.h"
#include "tests/fuzz/draw.h"

namespace strata::fuzz {

namespace {

// A branch in a launch.
struct InLaunch {
  Placed placed;
  std::size_t first_block, last_block;  // the levels of its block loops
  std::size_t threads;  // the level of its first thread loop, or the number of its loops

  const Loop& loop(std::size_t level) const { return *placed.loops[level]; }
  bool has_threads() const { return threads < placed.loops.size(); }
  LoopRef name(std::size_t level) const {
    return {placed.branch->definition, loop(level).name, placed.branch->piece};
  }
};

std::optional<InLaunch> in_launch(const Placed& placed) {
  const auto& loops = placed.loops;
  const auto is = [](Processor p) {
    return [p](const Loop* loop) { return loop->processor == p; };
  };
  const auto first = std::find_if(loops.begin(), loops.end(), is(Processor::block));
  if (first == loops.end()) return std::nullopt;
  const auto last = std::find_if(loops.rbegin(), loops.rend(), is(Processor::block));
  const auto thread = std::find_if(loops.begin(), loops.end(), is(Processor::thread));
  return InLaunch{placed, std::size_t(first - loops.begin()), std::size_t(loops.rend() - last) - 1,
                  std::size_t(thread - loops.begin())};
}

std::vector<InLaunch> all_in_launches(const Draw& draw) {
  std::vector<InLaunch> all;
  for (const Placed& placed : branches(draw.program().mapping))
    if (auto there = in_launch(placed)) all.push_back(std::move(*there));
  return all;
}

std::vector<InLaunch> all_in_threads(const Draw& draw) {
  std::vector<InLaunch> all = all_in_launches(draw);
  std::erase_if(all, [](const InLaunch& one) { return !one.has_threads(); });
  return all;
}

bool in_one_launch(const InLaunch& a, const InLaunch& b) {
  return is_inside(a.placed.path, prefix(b.placed.path, b.first_block + 1));
}

// Branches in the blocks of a launch that has threads, with loops outside of these.
std::vector<InLaunch> all_beside_threads(const Draw& draw) {
  const std::vector<InLaunch> with_threads = all_in_threads(draw);
  std::vector<InLaunch> all;
  for (InLaunch& one : all_in_launches(draw)) {
    const bool beside =
        std::any_of(with_threads.begin(), with_threads.end(),
                    [&](const InLaunch& other) { return in_one_launch(one, other); });
    if (beside && one.threads > one.last_block + 1) all.push_back(std::move(one));
  }
  return all;
}

// The level of a loop between the blocks and the threads of a branch, usually of a constant extent.
struct Uniform {
  InLaunch branch;
  std::size_t level;
};

std::optional<Uniform> draw_uniform(Draw& draw) {
  const bool any = draw.chance(10);
  std::vector<Uniform> all;
  for (const InLaunch& one : all_beside_threads(draw))
    for (std::size_t level = one.last_block + 1; level < one.threads; ++level)
      if (any || constant_extent(draw.program(), prefix(one.placed.path, level + 1)))
        all.push_back({one, level});
  if (all.empty()) return std::nullopt;
  return draw.one_of(all);
}

// One or two neighbours, in any order.
std::optional<Command> draw_deal(Draw& draw) {
  const auto first = draw_uniform(draw);
  if (!first) return std::nullopt;
  const auto& [one, level] = *first;
  Command command{"deal", {one.name(level)}};
  if (level + 1 < one.threads && draw.chance(60)) command.operands.push_back(one.name(level + 1));
  if (draw.chance(40)) std::reverse(command.operands.begin(), command.operands.end());
  return command;
}

// A loop from the innermost block loop to the last uniform one; with "inside", to the innermost.
LoopRef draw_loop_of_block(Draw& draw, const InLaunch& one, bool inside) {
  const std::size_t end = inside ? one.placed.loops.size() : one.threads;
  return one.name(std::size_t(draw.between(std::int64_t(one.last_block), std::int64_t(end) - 1)));
}

// "name" of what a branch in threads reads: through a copy, or where that is computed.
std::optional<Command> draw_cache_in(Draw& draw, const std::string& name, bool inside) {
  const auto all = all_in_threads(draw);
  if (all.empty()) return std::nullopt;
  const InLaunch& one = draw.one_of(all);
  const std::string& reader = one.placed.branch->definition;
  const auto producers = draw.producers(reader, false);
  const LoopRef loop = draw_loop_of_block(draw, one, inside);
  if (!producers.empty() && draw.chance(40)) return Command{name, {draw.one_of(producers), loop}};
  const auto array = draw.read_by(reader);
  if (!array) return std::nullopt;
  return Command{name, {loop, *array, draw.new_array("C"), draw.new_iterators("c", *array)}};
}

// What a branch in threads reads, computed in its block.
std::optional<Command> draw_compute_at_block(Draw& draw) {
  const auto all = all_in_threads(draw);
  if (all.empty()) return std::nullopt;
  const InLaunch& one = draw.one_of(all);
  const auto producers = draw.producers(one.placed.branch->definition, false);
  if (producers.empty()) return std::nullopt;
  return Command{"compute_at", {draw.one_of(producers), draw_loop_of_block(draw, one, false)}};
}

// So that threads are not counted from 0.
std::optional<Command> draw_shift_in_launch(Draw& draw) {
  const auto all = all_in_threads(draw);
  if (all.empty()) return std::nullopt;
  const LoopRef loop = draw_loop_of_block(draw, draw.one_of(all), true);
  return Command{"shift", {loop, Expr(draw.between(-2, 2))}};
}

std::optional<Command> draw_cache_shared_at(Draw& draw) {
  return draw_cache_in(draw, "cache_shared_at", false);
}

std::optional<Command> draw_cache_local_at(Draw& draw) {
  return draw_cache_in(draw, "cache_local_at", true);
}

// A copy of what a branch in threads computes or reads.
std::optional<Command> draw_copy_in_launch(Draw& draw) {
  const auto all = all_in_threads(draw);
  if (all.empty()) return std::nullopt;
  const InLaunch& one = draw.one_of(all);
  const Definition& d = *draw.program().algorithm->find(one.placed.branch->definition);
  const Memory memory = draw.chance(50) ? Memory::shared : Memory::local;
  const LoopRef loop = draw_loop_of_block(draw, one, memory == Memory::local);
  const auto producers = draw.producers(d.name, false);
  if (!producers.empty() && draw.chance(60))
    return Command{"copy_at", {draw.one_of(producers), loop, memory}};
  if (d.is_initial) return std::nullopt;
  return Command{"copy_at", {loop, draw.new_array("V"), draw.new_iterators("v", d.array), memory}};
}

// Usually of an array that a loop of a launch allocates.
std::optional<Command> draw_memory_in_launch(Draw& draw) {
  std::vector<std::string> own;
  for (const InLaunch& one : all_in_launches(draw)) {
    const std::string array = draw.program().algorithm->find(one.placed.branch->definition)->array;
    const std::string buffer = buffer_of(draw.program().layout, array);
    if (!allocating_loops(draw.program().mapping, buffer).empty()) own.push_back(array);
  }
  if (!own.empty() && draw.chance(90))
    return Command{"set_memory",
                   {draw.one_of(own), draw.chance(50) ? Memory::shared : Memory::local}};
  if (draw.chance(60)) return Command{"set_memory", {"in", Memory::constant}};
  if (draw.chance(85)) return std::nullopt;
  const std::string array = draw.definition().array;
  return Command{"set_memory", {array, draw.one_of(all_memories())}};
}

// An array or input that a launch reads or writes, with the branch.
struct Touched {
  InLaunch by;
  std::string array;
};

std::optional<Touched> draw_touched(Draw& draw) {
  const auto all = all_in_launches(draw);
  if (all.empty()) return std::nullopt;
  const InLaunch& one = draw.one_of(all);
  const std::string& name = one.placed.branch->definition;
  const auto read = draw.read_by(name);
  if (read && draw.chance(50)) return Touched{one, *read};
  return Touched{one, draw.program().algorithm->find(name)->array};
}

// Of the kernel, or of a loop around the launch.
std::optional<Command> draw_transfer(Draw& draw, const std::string& name) {
  const auto touched = draw_touched(draw);
  if (!touched) return std::nullopt;
  const InLaunch& by = touched->by;
  if (by.first_block == 0 || draw.chance(60)) return Command{name, {touched->array}};
  const auto level = std::size_t(draw.between(0, std::int64_t(by.first_block) - 1));
  return Command{name, {touched->array, by.name(level)}};
}

std::optional<Command> draw_resident(Draw& draw) {
  const auto touched = draw_touched(draw);
  if (!touched) return std::nullopt;
  return Command{"resident", {touched->array}};
}

// In a uniform loop.
std::optional<Command> draw_barrier_at(Draw& draw) {
  std::vector<LoopRef> all;
  for (const InLaunch& one : all_in_threads(draw))
    for (std::size_t level = one.last_block + 1; level < one.threads; ++level)
      all.push_back(one.name(level));
  if (all.empty()) return std::nullopt;
  return Command{"barrier_at", {draw.one_of(all)}};
}

}  // namespace

std::vector<CommandKind> commands_on_memories() {
  return {{"deal", 300, draw_deal},
          {"compute_at in a launch", 60, draw_compute_at_block},
          {"shift in a launch", 40, draw_shift_in_launch},
          {"cache_shared_at", 100, draw_cache_shared_at},
          {"cache_local_at", 60, draw_cache_local_at},
          {"copy_at in a launch", 100, draw_copy_in_launch},
          {"set_memory in a launch", 20, draw_memory_in_launch},
          {"barrier_at", 150, draw_barrier_at},
          {"host_to_device", 30, [](Draw& draw) { return draw_transfer(draw, "host_to_device"); }},
          {"device_to_host", 30, [](Draw& draw) { return draw_transfer(draw, "device_to_host"); }},
          {"resident", 20, draw_resident}};
}

}  // namespace strata::fuzz
