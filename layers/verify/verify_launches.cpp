#include "layers/verify/verify_launches.h"

#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <optional>
#include <set>

#include "layers/flow/order.h"
#include "layers/witness.h"

namespace strata {

namespace {

constexpr std::ptrdiff_t most_axes = 3;

Error misplaced(const Request& request, const std::string& what, const std::string& mend) {
  return request.refused(Code::E0106_bad_argument, what, mend);
}

std::string called(const Loop& loop) {
  return "the " + to_string(loop.processor) + " loop " + loop.name;
}

// The loops around a branch, as ranges: [begin, blocks) of the host, [blocks, uniform) blocks,
// [uniform, threads) of the block, [threads, own) threads, [own, end) of the thread.
struct LaunchLevels {
  using At = std::vector<const Loop*>::const_iterator;
  At begin, blocks, uniform, threads, own, end;
};

LaunchLevels launch_loops(const std::vector<const Loop*>& loops) {
  const auto is = [](Processor p) { return [p](const Loop* l) { return l->processor == p; }; };
  const auto after_last = [&](LaunchLevels::At from, Processor p) {
    auto last = from;
    for (auto at = from; at != loops.end(); ++at)
      if (is(p)(*at)) last = at + 1;
    return last;
  };
  LaunchLevels l{loops.begin(), {}, {}, {}, {}, loops.end()};
  l.blocks = std::find_if(l.begin, l.end, is(Processor::block));
  l.uniform = after_last(l.blocks, Processor::block);
  l.threads = std::find_if(l.begin, l.end, is(Processor::thread));
  l.own = after_last(l.threads, Processor::thread);
  return l;
}

void verify_order(const LaunchLevels& l, const Request& request) {
  if (l.threads != l.end && l.blocks == l.end)
    throw misplaced(request, called(**l.threads) + " is in no block",
                    "give gpu_blocks to a loop around it");
  if (l.threads < l.uniform)
    throw misplaced(request, called(**(l.uniform - 1)) + " stands inside " + called(**l.threads),
                    "blocks contain threads: interchange the two loops, or exchange their tags");
}

void verify_axes(const LaunchLevels& l, const Request& request) {
  for (const auto& [from, to] : {std::pair{l.blocks, l.uniform}, std::pair{l.threads, l.own}}) {
    if (from == to) continue;
    const Processor processor = (*from)->processor;
    const auto other =
        std::find_if(from, to, [&](const Loop* x) { return x->processor != processor; });
    if (other != to)
      throw misplaced(request,
                      "loop " + (*other)->name + " stands between " + called(**from) + " and " +
                          called(**(to - 1)),
                      "move it outside or inside of both");
    if (to - from > most_axes)
      throw misplaced(request,
                      std::to_string(to - from) + " " + to_string(processor) +
                          " loops stand inside each other, but a GPU has 3 axes",
                      "tag three of them; the others can be sequential");
  }
}

void verify_host(const LaunchLevels& l, const Request& request) {
  for (auto at = l.begin; at != l.blocks; ++at)
    if ((*at)->processor != Processor::sequential)
      throw misplaced(
          request,
          called(**at) + " stands around a launch, whose outermost loop is " + (*l.blocks)->name,
          "leave " + (*at)->name + " sequential, or give it to gpu_blocks");
}

void verify_inside(const LaunchLevels& l, const Request& request) {
  for (auto at = l.uniform; at != l.end; ++at) {
    if ((*at)->tile_size)
      throw misplaced(request,
                      "loop " + (*at)->name +
                          ", inside of blocks, steps over tiles whose size is " +
                          *(*at)->tile_size + ", a parameter",
                      "give split or tile a number");
    if ((*at)->processor == Processor::parallel)
      throw misplaced(request, called(**at) + " stands inside of blocks, on the threads of the CPU",
                      "give it to gpu_threads, or leave it sequential");
    if (has_lanes((*at)->processor) && at < l.threads && l.threads != l.end)
      throw misplaced(request, called(**at) + " stands around " + called(**l.threads),
                      "vectorize a loop inside of the threads");
  }
}

// Why all threads of a block do not pass the end of each iteration of the loop "at", or "".
std::string find_missing_threads(const LaunchLevels& l, LaunchLevels::At at) {
  if (l.blocks == l.end) return "is in no block";
  if (at < l.uniform) return "is around threads of several blocks, which do not wait";
  if (l.threads != l.end && at >= l.threads)
    return "is of one thread, and the others would miss it";
  return "";
}

// { [t0, .., t<level>] : a branch inside the loop runs at a time that begins so }.
isl::set iterations(const Program& program, const Path& loop) {
  const auto levels = unsigned(loop.size());
  std::optional<isl::set> all;
  for (const Placed& placed : branches(program.mapping)) {
    if (!is_inside(placed.path, loop)) continue;
    const isl::set times = leading_levels(executions(*placed.branch), levels).range();
    all = all ? all->unite(times) : times;
  }
  return all->intersect_params(program.algorithm->context);
}

// The iterations { [pre, b, t] } that the grid's box has beyond "all": t is one of pre with other
// b, and b one of pre with other t. "host" counts the levels of pre.
isl::set beyond(const isl::set& all, unsigned host) {
  const unsigned outer = all.tuple_dim() - 1 - host;
  isl_set* of_any_block = isl_set_project_out(all.copy(), isl_dim_set, host, outer);
  of_any_block = isl_set_insert_dims(of_any_block, isl_dim_set, host, outer);
  isl_set* with_iterations = isl_set_project_out(all.copy(), isl_dim_set, host + outer, 1);
  with_iterations = isl_set_insert_dims(with_iterations, isl_dim_set, host + outer, 1);
  return isl::manage(
      isl_set_subtract(isl_set_intersect(of_any_block, with_iterations), all.copy()));
}

void verify_axis(const Program& program, const Path& loop, const Request& request) {
  const auto around = loops_along(program.mapping, loop);
  const auto first = std::find_if(around.begin(), around.end(),
                                  [](const Loop* l) { return l->processor == Processor::block; });
  if (first == around.end() - 1) return;
  const isl::set left = beyond(iterations(program, loop), unsigned(first - around.begin()));
  if (left.is_empty()) return;
  const isl::set point = smallest(left, program.algorithm->parameters);
  const std::vector<long> at = coordinates(point);
  std::string block;
  for (std::size_t n = 0; n < at.size(); ++n)
    block += (n ? ", " : "") + around[n]->name + " = " + std::to_string(at[n]);
  throw misplaced(
      request,
      called(*around.back()) + " has other iterations in other blocks: " + parameters_text(point) +
          " leaves out " + block + ", and a grid is a box",
      "leave the loop sequential, or tag loops whose bounds do not depend on each other");
}

bool holds(const Loop& loop, Processor processor) {
  return std::any_of(loop.body.begin(), loop.body.end(), [&](const Node& node) {
    return node.is_loop() && node.loop().processor == processor;
  });
}

bool is_copy(const Definition& d) {
  return d.value.defined() && d.value.op() == Op::access && d.value.type() == d.type &&
         !d.reduction && d.others.empty() && d.element.empty();
}

// Is the buffer in the memory of a block around, or of a thread?
bool is_of_block(const Program& program, const Placed& placed, const std::string& buffer) {
  const LayoutBuffer* known = program.layout.find(buffer);
  if (known && (known->memory == Memory::shared || known->memory == Memory::local)) return true;
  const LaunchLevels l = launch_loops(placed.loops);
  return std::any_of(l.blocks, l.end, [&](const Loop* loop) {
    const auto& own = loop->allocations;
    return std::find(own.begin(), own.end(), buffer) != own.end();
  });
}

void verify_async_copy(const Program& program, const Placed& placed, const Request& request) {
  const Definition& d = *program.algorithm->find(placed.branch->definition);
  const std::string what = name_of(*placed.branch) + " cannot be copied asynchronously: ";
  if (!is_copy(d))
    throw misplaced(request, what + "it does not have the values of one other array, as they are",
                    "copy an array with cache_shared_at, and mark the copy");
  if (launch_loops(placed.loops).blocks == placed.loops.end())
    throw misplaced(request, what + "it is made in no block of a launch",
                    "place it in a block first, as cache_shared_at does");
  const LayoutBuffer* own = program.layout.find(buffer_of(program.layout, d.array));
  if (!own || own->memory != Memory::shared)
    throw misplaced(request, what + "its buffer is not said to be in shared memory",
                    "put it there first, with set_memory(Memory::shared)");
  const std::string from = buffer_of(program.layout, program.algorithm->array_of(d.value.name()));
  if (is_of_block(program, placed, from))
    throw misplaced(request, what + from + ", which it reads, is in memory of the block itself",
                    "leave out async: that memory is near");
}

}  // namespace

void verify_async_copies(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping))
    if (placed.branch->asynchronous) verify_async_copy(program, placed, request);
}

void verify_launch_nesting(const Program& program, const Request& request) {
  for (const Placed& placed : branches(program.mapping)) {
    const LaunchLevels l = launch_loops(placed.loops);
    if (l.blocks == l.end && l.threads == l.end) continue;
    verify_order(l, request);
    verify_axes(l, request);
    verify_host(l, request);
    verify_inside(l, request);
  }
}

void verify_barriers(const Program& program, const Request& request) {
  std::set<const Loop*> alone;
  for (const Placed& placed : branches(program.mapping)) {
    const LaunchLevels l = launch_loops(placed.loops);
    for (auto at = l.begin; at != l.end; ++at) {
      if (!(*at)->barrier) continue;
      const std::string wrong = find_missing_threads(l, at);
      if (!wrong.empty())
        throw misplaced(request, "loop " + (*at)->name + ", which has a barrier, " + wrong,
                        "keep it between the blocks and the threads");
      if (l.threads == l.end) alone.insert(*at);
    }
  }
  for (const Placed& placed : branches(program.mapping))
    if (launch_loops(placed.loops).threads != placed.loops.end())
      for (const Loop* loop : placed.loops) alone.erase(loop);
  if (!alone.empty())
    throw misplaced(request,
                    "loop " + (*alone.begin())->name +
                        ", which has a barrier, has no thread loop inside: one thread runs it",
                    "keep it around the loops of threads");
}

void verify_launch_bodies(const Program& program, const Request& request) {
  std::set<const Loop*> seen;
  for (const Placed& placed : branches(program.mapping))
    for (const Loop* loop : placed.loops)
      if (is_of_launch(loop->processor) && seen.insert(loop).second && loop->body.size() > 1 &&
          holds(*loop, loop->processor))
        throw misplaced(request,
                        called(*loop) + " holds another " + to_string(loop->processor) +
                            " loop and something beside it",
                        "distribute_loop(" + loop->name + ") gives each a loop of its own");
}

void verify_grids(const Program& program, const Request& request) {
  std::set<Path> seen;
  for (const Placed& placed : branches(program.mapping))
    for (std::size_t level = 0; level < placed.loops.size(); ++level) {
      const Path loop = prefix(placed.path, level + 1);
      if (placed.loops[level]->processor == Processor::block && seen.insert(loop).second)
        verify_axis(program, loop, request);
    }
}

}  // namespace strata
