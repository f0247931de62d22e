// The rows of the command table.
#include "layers/flow/reads.h"
#include "schedule/commands/launch/async.h"
#include "schedule/commands/launch/barrier_at.h"
#include "schedule/commands/launch/deal.h"
#include "schedule/commands/launch/device_to_host.h"
#include "schedule/commands/launch/distribute.h"
#include "schedule/commands/launch/gpu.h"
#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/launch/host_to_device.h"
#include "schedule/commands/launch/min_blocks.h"
#include "schedule/commands/launch/mma.h"
#include "schedule/commands/launch/resident.h"
#include "schedule/commands/loops/atomic.h"
#include "schedule/commands/loops/collapse.h"
#include "schedule/commands/loops/guard.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/mask.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/peel.h"
#include "schedule/commands/loops/reorder.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/loops/rfactor.h"
#include "schedule/commands/loops/separate.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/set_size.h"
#include "schedule/commands/loops/shift.h"
#include "schedule/commands/loops/skew.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/order/before.h"
#include "schedule/commands/order/between.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/order/distribute_loop.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/order/inline_computation.h"
#include "schedule/commands/order/then.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/commands/storage/cache_at.h"
#include "schedule/commands/storage/cache_local_at.h"
#include "schedule/commands/storage/cache_shared_at.h"
#include "schedule/commands/storage/copy_at.h"
#include "schedule/commands/storage/prefetch.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/commands/storage/store_at.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/edit/command_operands.h"
#include "schedule/table/command_table.h"

namespace strata {

namespace {

using enum OperandKind;
using Names = std::vector<std::string>;

using Forms = std::vector<Form>;

// Forms of commands on one loop, and of those that can also split it by a number.
Forms one_loop() { return {{{loop}}}; }
Forms loop_or_strips() {
  return {{{loop}}, {{loop, number}}, {{loop, number, new_loop, new_loop}}};
}
Forms copy_or_itself_forms() {
  return {{{loop, array, new_computation, iterators}}, {{computation, other_loop}}};
}
Forms one_to_three_loops() { return {{{loop}}, {{loop, loop}}, {{loop, loop, loop}}}; }
// Places b beside a, in the loops of a down to the one named.
Forms beside_forms() { return {{{branch, branch}}, {{branch, branch, loop_name_or_root}}}; }
// Copies of an array's buffer, of the kernel or of each iteration of a loop.
Forms transfer_forms() { return {{{array}}, {{array, other_loop}}}; }

template <Program (*command)(const Program&, const LoopRef&, Given)>
Program on_loop(const Program& p, const CommandOperands& o) {
  return command(p, o.loop(0), o.given());
}

template <Program (*command)(const Program&, const BranchRef&, const BranchRef&,
                             const std::optional<std::string>&, Given)>
Program beside_another(const Program& p, const CommandOperands& o) {
  return command(p, o.branch(0), o.branch(1), o.name_or_root(2), o.given());
}

template <Program (*whole)(const Program&, const LoopRef&, Given),
          Program (*strips)(const Program&, const LoopRef&, std::int64_t, const std::string&,
                            const std::string&, Given)>
Program on_loop_or_strips(const Program& p, const CommandOperands& o) {
  if (o.size() == 1) return whole(p, o.loop(0), o.given());
  return strips(p, o.loop(0), o.number(1), o.name_or_empty(2), o.name_or_empty(3), o.given());
}

// A copy of an array for a loop's computation, or a computation itself in the loop of another.
template <Program (*copy)(const Program&, const LoopRef&, const std::string&, const std::string&,
                          const Names&, Given),
          Program (*itself)(const Program&, const std::string&, const LoopRef&, Given)>
Program copy_or_itself(const Program& p, const CommandOperands& o) {
  if (o.size() == 2) return itself(p, o.name(0), o.loop(1), o.given());
  return copy(p, o.loop(0), o.name(1), o.name(2), o.iterators(3), o.given());
}

Program apply_compute_at(const Program& p, const CommandOperands& o) {
  if (o.size() > 1 && o.is<OutsideLoops>(1)) return compute_at_root(p, o.name(0), o.given());
  return compute_at(p, o.name(0), o.all<LoopRef>(1), o.given());
}

template <Program (*command)(const Program&, const std::string&, const std::optional<LoopRef>&,
                             Given)>
Program transferred(const Program& p, const CommandOperands& o) {
  const auto loop = o.size() > 1 ? std::optional(o.loop(1)) : std::nullopt;
  return command(p, o.name(0), loop, o.given());
}

// Takes two factors or all four.
Program apply_skew(const Program& p, const CommandOperands& o) {
  const auto factors = o.all<TileSize>(2);
  const Names names = o.all<std::string>(2 + factors.size());
  if (factors.size() == 2)
    return skew(p, o.loop(0), o.loop(1), o.number(2), o.number(3), names, o.given());
  return skew(p, o.loop(0), o.loop(1),
              SkewFactors{o.number(2), o.number(3), o.number(4), o.number(5)}, names, o.given());
}

template <typename T>
struct Halves {
  explicit Halves(const std::vector<T>& all)
      : first(all.begin(), all.begin() + std::ptrdiff_t(all.size() / 2)),
        second(all.begin() + std::ptrdiff_t(all.size() / 2), all.end()) {}
  std::vector<T> first, second;
};

// The first half of the names is for the outer loops, the second for the inner ones.
Program apply_tile(const Program& p, const CommandOperands& o) {
  const auto loops = o.all<LoopRef>(0);
  const auto sizes = o.all<TileSize>(loops.size());
  const Halves names(o.all<std::string>(loops.size() + sizes.size()));
  return tile(p, loops, sizes, names.first, names.second, o.given());
}

template <Program (*command)(const Program&, const std::vector<LoopRef>&, Given)>
Program on_loops(const Program& p, const CommandOperands& o) {
  return command(p, o.all<LoopRef>(0), o.given());
}

// The first half of the loops is blocks, the second threads.
Program apply_gpu(const Program& p, const CommandOperands& o) {
  const Halves loops(o.all<LoopRef>(0));
  return gpu(p, loops.first, loops.second, o.given());
}

// As apply_tile.
Program apply_gpu_tile(const Program& p, const CommandOperands& o) {
  const auto loops = o.all<LoopRef>(0);
  std::vector<std::int64_t> sizes;
  for (const TileSize& size : o.all<TileSize>(loops.size())) sizes.push_back(size.number());
  const Halves names(o.all<std::string>(loops.size() + sizes.size()));
  return gpu_tile(p, loops, sizes, names.first, names.second, o.given());
}

// Places are expressions over the iterators of the array's first definition.
Program apply_store_in(const Program& p, const CommandOperands& o) {
  if (o.is<IslNotation>(1)) return store_in(p, o.name(0), o.relation(1), o.given());
  return store_in(p, o.name(0), o.name(1), indices_of(*p.algorithm, o.name(0)), o.all<Expr>(2),
                  o.given());
}

}  // namespace

const std::vector<CommandRow>& command_table() {
  using P = const Program&;
  using O = const CommandOperands&;
  static const std::vector<CommandRow> table = {
      {"after", beside_forms(), beside_another<after>},
      {"allocate_at",
       {{{array, other_loop_or_root}}},
       [](P p, O o) { return allocate_at(p, o.name(0), o.loop_or_root(1), o.given()); }},
      {"async", {{{branch}}}, [](P p, O o) { return async(p, o.branch(0), o.given()); }},
      {"atomic", {{{computation}}}, [](P p, O o) { return atomic(p, o.name(0), o.given()); }},
      {"barrier_at", one_loop(), on_loop<barrier_at>},
      {"before", beside_forms(), beside_another<before>},
      {"between",
       {{{branch, branch, loop_name_or_none, branch, loop_name_or_none}}},
       [](P p, O o) {
         return between(p, o.branch(0), o.branch(1), o.name_or_root(2), o.branch(3),
                        o.name_or_root(4), o.given());
       }},
      {"cache_at",
       {{{loop, array, new_computation, iterators}},
        {{loop, array, new_computation, iterators, memory}}},
       [](P p, O o) {
         return cache_at(p, o.loop(0), o.name(1), o.name(2), o.iterators(3),
                         o.memory_or_automatic(4), o.given());
       }},
      {"cache_local_at", copy_or_itself_forms(), copy_or_itself<cache_local_at, cache_local_at>},
      {"cache_shared_at", copy_or_itself_forms(), copy_or_itself<cache_shared_at, cache_shared_at>},
      {"collapse",
       {{{loop, loop}}, {{loop, loop, new_loop}}},
       [](P p, O o) { return collapse(p, o.loop(0), o.loop(1), o.name_or_empty(2), o.given()); }},
      {"compute_at", {{{computation, root}}, {{computation}, other_loop}}, apply_compute_at},
      {"copy_at",
       {{{loop, new_computation, iterators}},
        {{loop, new_computation, iterators, memory}},
        {{computation, other_loop, memory}}},
       [](P p, O o) {
         if (o.is<LoopRef>(1))
           return copy_at(p, o.name(0), o.loop(1), o.memory_or_automatic(2), o.given());
         return copy_at(p, o.loop(0), o.name(1), o.iterators(2), o.memory_or_automatic(3),
                        o.given());
       }},
      {"deal", {{{loop}, loop}}, on_loops<deal>},
      {"device_to_host", transfer_forms(), transferred<device_to_host>, "f.device_to_host"},
      {"distribute",
       {{{loop, partition}}},
       [](P p, O o) { return distribute(p, o.loop(0), o.name(1), o.given()); }},
      {"distribute_loop", one_loop(), on_loop<distribute_loop>},
      {"fuse",
       {{{loop, other_loop}}},
       [](P p, O o) { return fuse(p, o.loop(0), o.loop(1), o.given()); }},
      {"gpu",
       {{{loop, loop}}, {{loop, loop, loop, loop}}, {{loop, loop, loop, loop, loop, loop}}},
       apply_gpu},
      {"gpu_blocks", one_to_three_loops(), on_loops<gpu_blocks>},
      {"gpu_threads", one_to_three_loops(), on_loops<gpu_threads>},
      {"gpu_tile",
       {{{loop, number}},
        {{loop, number, new_loop, new_loop}},
        {{loop, loop, number, number}},
        {{loop, loop, number, number, new_loop, new_loop, new_loop, new_loop}},
        {{loop, loop, loop, number, number, number}},
        {{loop, loop, loop, number, number, number, new_loop, new_loop, new_loop, new_loop,
          new_loop, new_loop}}},
       apply_gpu_tile},
      {"guard", one_loop(), on_loop<guard>},
      {"host_to_device", transfer_forms(), transferred<host_to_device>, "f.host_to_device"},
      {"inline",
       {{{computation}}},
       [](P p, O o) { return inline_computation(p, o.name(0), o.given()); },
       "set_inline"},
      {"interchange",
       {{{loop, loop}}},
       [](P p, O o) { return interchange(p, o.loop(0), o.loop(1), o.given()); }},
      {"mask", one_loop(), on_loop<mask>},
      {"min_blocks",
       {{{loop, number}}},
       [](P p, O o) { return min_blocks(p, o.loop(0), o.number(1), o.given()); }},
      {"mma",
       {{{branch, shape}}},
       [](P p, O o) { return mma(p, o.branch(0), o.name(1), o.given()); }},
      {"parallelize", one_loop(), on_loop<parallelize>},
      {"peel",
       {{{loop, number}}, {{loop, number, new_piece}}},
       [](P p, O o) { return peel(p, o.loop(0), o.number(1), o.name_or_empty(2), o.given()); }},
      {"prefetch",
       {{{loop, array, number}}},
       [](P p, O o) { return prefetch(p, o.loop(0), o.name(1), o.number(2), o.given()); }},
      {"reorder", {{{loop, loop}, loop}}, on_loops<reorder>},
      {"resident",
       {{{array}}},
       [](P p, O o) { return resident(p, o.name(0), o.given()); },
       "f.resident"},
      {"reverse", one_loop(), on_loop<reverse>},
      {"rfactor",
       {{{loop, new_computation}}},
       [](P p, O o) { return rfactor(p, o.loop(0), o.name(1), o.given()); }},
      {"separate", one_loop(), on_loop<separate>},
      {"set_memory",
       {{{array, memory}}},
       [](P p, O o) { return set_memory(p, o.name(0), o.memory_or_automatic(1), o.given()); }},
      {"set_schedule",
       {{{computation, relation}}},
       [](P p, O o) { return set_schedule(p, o.name(0), o.relation(1), o.given()); }},
      {"set_size",
       {{{array}, index}},
       [](P p, O o) { return set_size(p, o.name(0), o.all<Expr>(1), o.given()); }},
      {"shift",
       {{{loop, index}}},
       [](P p, O o) { return shift(p, o.loop(0), o.index(1), o.given()); }},
      {"skew",
       {{{loop, loop, number, number}},
        {{loop, loop, number, number, new_loop, new_loop}},
        {{loop, loop, number, number, number, number}},
        {{loop, loop, number, number, number, number, new_loop, new_loop}}},
       apply_skew},
      {"split",
       {{{loop, size}}, {{loop, size, new_loop, new_loop}}},
       [](P p, O o) {
         return split(p, o.loop(0), o.tile_size(1), o.name_or_empty(2), o.name_or_empty(3),
                      o.given());
       }},
      {"store_at",
       {{{computation, other_loop_or_root}}},
       [](P p, O o) { return store_at(p, o.name(0), o.loop_or_root(1), o.given()); }},
      {"store_in", {{{array, relation}}, {{array, buffer}, index}}, apply_store_in},
      {"then", beside_forms(), beside_another<then>},
      {"tile",
       {{{loop, loop, size, size}},
        {{loop, loop, size, size, new_loop, new_loop, new_loop, new_loop}},
        {{loop, loop, loop, size, size, size}},
        {{loop, loop, loop, size, size, size, new_loop, new_loop, new_loop, new_loop, new_loop,
          new_loop}}},
       apply_tile},
      {"unroll", loop_or_strips(), on_loop_or_strips<unroll, unroll>},
      {"vectorize", loop_or_strips(), on_loop_or_strips<vectorize, vectorize>},
  };
  return table;
}

}  // namespace strata
