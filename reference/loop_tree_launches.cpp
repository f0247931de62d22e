// How the loop-tree interpreter runs launches.
//
// Block after block, in any order. All threads of a block pass its uniform part together; what
// stands between two barriers there is a segment, which each thread runs alone, from its begin to
// its end, in any order of threads. Where the launch has products of warps, the threads of a warp
// run a segment together, statement by statement.
#include "reference/loop_tree_machine.h"

namespace strata::reference {

namespace {

// The variables of a thread's index in its block.
const char* const thread_indices[] = {"thread.x", "thread.y", "thread.z"};

// The statements directly inside another.
std::vector<StmtPtr> parts(const Stmt& s) {
  if (const auto* loop = std::get_if<For>(&s)) return {loop->body};
  if (const auto* block = std::get_if<Block>(&s)) return block->body;
  if (const auto* allocate = std::get_if<Allocate>(&s)) return {allocate->body};
  if (const auto* mma = std::get_if<Mma>(&s)) return {mma->loops};
  if (const auto* guard = std::get_if<ThreadGuard>(&s)) return {guard->body};
  const auto* branch = std::get_if<If>(&s);
  if (!branch) return {};
  return branch->otherwise ? std::vector{branch->then, branch->otherwise}
                           : std::vector{branch->then};
}

bool contains(const Stmt& s, bool (*is_sought)(const Stmt&)) {
  if (is_sought(s)) return true;
  const std::vector<StmtPtr> inside = parts(s);
  return std::any_of(inside.begin(), inside.end(),
                     [&](const StmtPtr& part) { return contains(*part, is_sought); });
}

bool is_block_loop(const Stmt& s) {
  const auto* loop = std::get_if<For>(&s);
  return loop && loop->processor == Processor::block;
}

bool is_thread_loop(const Stmt& s) {
  const auto* loop = std::get_if<For>(&s);
  return loop && loop->processor == Processor::thread;
}

bool is_product(const Stmt& s) { return std::holds_alternative<Mma>(s); }

// Something that the threads of a block do together.
bool is_collective(const Stmt& s) {
  return std::holds_alternative<Barrier>(s) || std::holds_alternative<AwaitCopies>(s) ||
         is_block_loop(s) || is_thread_loop(s);
}

// The axis of a thread loop: how many are directly inside each other in its body.
std::size_t threads_inside(const Stmt& s) {
  std::size_t most = 0;
  for (const StmtPtr& part : parts(s))
    most = std::max(most, threads_inside(*part) + (is_thread_loop(*part) ? 1 : 0));
  return most;
}

// The place of a thread on an axis of the block.
std::int64_t on_axis(const Launch& launch, std::int64_t thread, std::size_t axis) {
  for (std::size_t a = 0; a < axis; ++a) thread /= launch.threads[a];
  return thread % launch.threads[axis];
}

}  // namespace

void TreeInterpreter::execute(const Launch& launch, Lanes& lanes) {
  launch_ = &launch;
  together_ = contains(*launch.body, is_product) ? threads_of_warp : 1;
  for (const Lane& lane : lanes) {
    races_.begin_launch();
    run_uniform(*launch.body, lane);
  }
  launch_ = nullptr;
}

void TreeInterpreter::run_uniform(const Stmt& stmt, Lane lane) {
  lane_ = &lane;
  if (const auto* barrier = std::get_if<Barrier>(&stmt)) {
    run_segment();
    races_.barrier(barrier->fence);
  } else if (is_thread_loop(stmt) || std::holds_alternative<AwaitCopies>(stmt) ||
             !contains(stmt, is_collective)) {
    segment_.push_back({&stmt, lane});
  } else if (const auto* block = std::get_if<Block>(&stmt)) {
    run_uniform_block(*block, lane);
  } else if (std::holds_alternative<ThreadGuard>(stmt)) {
    find("divergent: a guard leaves threads out around a barrier");
  } else if (const auto* branch = std::get_if<If>(&stmt)) {
    const bool yes = value(branch->condition).bits != 0;
    if (yes) run_uniform(*branch->then, lane);
    if (!yes && branch->otherwise) run_uniform(*branch->otherwise, lane);
  } else if (const auto* allocate = std::get_if<Allocate>(&stmt)) {
    run_uniform_body(*allocate, lane);
  } else if (is_block_loop(stmt)) {
    run_block_loop(std::get<For>(stmt), lane);
  } else if (const auto* loop = std::get_if<For>(&stmt)) {
    run_uniform_loop(*loop, lane);
  }
}

void TreeInterpreter::run_uniform_block(const Block& block, const Lane& lane) {
  Lane here = lane;
  for (std::size_t n = 0; n < block.body.size(); ++n) {
    here.position.push_back(std::int64_t(n));
    if (const auto* freed = std::get_if<Free>(block.body[n].get()))
      free_uniform(*freed, here);
    else
      run_uniform(*block.body[n], here);
    here.position.pop_back();
  }
}

// What waits in the segment still finds the buffer.
void TreeInterpreter::free_uniform(const Free& s, Lane& lane) {
  for (MemoryPtr& memory : lane.temporaries)
    if (memory->name == s.buffer)
      memory = std::make_shared<Memory>(Memory{"", memory->contents, std::nullopt});
}

void TreeInterpreter::run_uniform_body(const Allocate& allocate, Lane lane) {
  lane_ = &lane;
  const Array contents =
      allocate.memory == strata::Memory::local
          ? box_of_all_threads(allocate)
          : box(allocate.type, integers(allocate.lowers), integers(allocate.extents));
  Memory memory{allocate.buffer, contents, std::nullopt, Sharing::block};
  ++result_.allocations[allocate.buffer];
  if (allocate.memory == strata::Memory::local) give_to_thread(memory);
  lane.temporaries.push_back(std::make_shared<Memory>(std::move(memory)));
  run_uniform(*allocate.body, lane);
}

// Boxes in local memory may depend on the index of their thread.
void TreeInterpreter::name_thread(Lane& lane, std::int64_t thread) const {
  for (std::size_t axis = 0; axis < std::size(thread_indices); ++axis)
    lane.variables.emplace_back(
        thread_indices[axis], axis < launch_->threads.size() ? on_axis(*launch_, thread, axis) : 0);
}

// Local memory that a block allocates: the boxes of all its threads, each of which touches places
// of its own.
Array TreeInterpreter::box_of_all_threads(const Allocate& allocate) {
  std::int64_t count = 1;
  for (const std::int64_t threads : launch_->threads) count *= threads;
  const std::size_t known = lane_->variables.size();
  Point least, most;
  for (std::int64_t thread = 0; thread < count; ++thread) {
    name_thread(*lane_, thread);
    const Point lower = integers(allocate.lowers), extent = integers(allocate.extents);
    lane_->variables.resize(known);
    for (std::size_t d = 0; d < lower.size(); ++d) {
      if (least.size() == d) least.push_back(lower[d]), most.push_back(lower[d]);
      least[d] = std::min(least[d], lower[d]);
      most[d] = std::max(most[d], lower[d] + std::max<std::int64_t>(extent[d], 0));
    }
  }
  for (std::size_t d = 0; d < least.size(); ++d) most[d] -= least[d];
  return box(allocate.type, least, most);
}

void TreeInterpreter::run_block_loop(const For& loop, const Lane& lane) {
  Lanes one{lane};
  const std::vector<Range> range = ranges(loop, one);
  for (const std::int64_t v : order(loop, range)) {
    const Lane inside = at(lane, loop, v);
    if (contains(*loop.body, is_block_loop)) {
      run_uniform(*loop.body, inside);
      continue;
    }
    races_.begin_block();
    copies_.begin_block();
    run_uniform(*loop.body, inside);
    run_segment();
  }
}

void TreeInterpreter::run_uniform_loop(const For& loop, const Lane& lane) {
  if (iterated(loop.processor) != Iterated::in_turn)
    find("divergent: threads are inside of the " + strata::to_string(loop.processor) + " loop " +
         loop.variable);
  Lanes one{lane};
  const std::vector<Range> range = ranges(loop, one);
  for (const std::int64_t v : order(loop, range)) run_uniform(*loop.body, at(lane, loop, v));
}

// Executions are recorded in the order of the uniform part, which is part of Theta's.
void TreeInterpreter::run_segment() {
  std::int64_t count = 1;
  for (const std::int64_t threads : launch_->threads) count *= threads;
  std::vector<std::int64_t> firsts;
  for (std::int64_t t = 0; t < count; t += together_) firsts.push_back(t);
  if (options_.seed != 0) std::shuffle(firsts.begin(), firsts.end(), random_);
  std::vector<Executed> before = std::move(result_.trace);
  std::vector<std::vector<Executed>> traces(segment_.size());
  for (const std::int64_t t : firsts) run_threads(t, traces);
  for (std::vector<Executed>& trace : traces)
    std::move(trace.begin(), trace.end(), std::back_inserter(before));
  result_.trace = std::move(before);
  segment_.clear();
}

void TreeInterpreter::run_threads(std::int64_t first, std::vector<std::vector<Executed>>& traces) {
  std::int64_t count = 1;
  for (const std::int64_t threads : launch_->threads) count *= threads;
  for (std::size_t n = 0; n < segment_.size(); ++n) {
    Lanes lanes;
    for (std::int64_t t = first; t < std::min(first + together_, count); ++t) {
      lanes.push_back(segment_[n].lane);
      lanes.back().thread = t;
      name_thread(lanes.back(), t);
    }
    result_.trace.clear();
    execute(*segment_[n].stmt, lanes);
    std::move(result_.trace.begin(), result_.trace.end(), std::back_inserter(traces[n]));
  }
  result_.trace.clear();
}

// A thread runs its own iteration.
void TreeInterpreter::execute_as_thread(const For& loop, Lanes& lanes) {
  const std::size_t axis = threads_inside(Stmt(loop));
  if (axis >= launch_->threads.size()) return find("the block has no axis for " + loop.variable);
  const std::vector<Range> each = ranges(loop, lanes);
  Lanes inside;
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    const std::int64_t thread = lanes[n].thread, step = on_axis(*launch_, thread, axis);
    if (each[n].upper - each[n].lower > launch_->threads[axis])
      find("the loop " + loop.variable + " has more iterations than the block threads");
    inside.push_back(at(lanes[n], loop, each[n].lower + step));
  }
  execute(*loop.body, inside);
}

void TreeInterpreter::execute(const ThreadGuard& guard, Lanes& lanes) {
  Lanes inside;
  for (const Lane& lane : lanes) {
    bool runs = true;
    for (std::size_t axis = 0; axis < guard.counts.size(); ++axis)
      runs = runs && on_axis(*launch_, lane.thread, axis) < guard.counts[axis];
    if (runs) inside.push_back(lane);
  }
  execute(*guard.body, inside);
}

// Each allocation is memory of its own.
void TreeInterpreter::give_to_thread(Memory& memory) {
  memory.sharing = Sharing::thread;
  memory.room += "#" + std::to_string(result_.allocations[memory.name]);
}

// The value is read now, and there for others when the copy is done.
void TreeInterpreter::begin_copy(const Execute& e, const Write& w) {
  lane_ = w.lane;
  if (e.value.op() != Op::load) return find("an asynchronous copy of more than an element");
  const Memory& source = memory_of(e.value.name());
  const Memory& target = memory_of(w.buffer);
  if (target.sharing != Sharing::block || source.sharing != Sharing::all)
    return find("an asynchronous copy is not from global to shared memory");
  note_access(target, w.index, true);
  const auto finish = [this, lane = *w.lane, w]() mutable {
    store(w.buffer, {&lane, w.buffer, w.index, w.value});
  };
  copies_.begin({w.lane->thread, in_room(source, integers(e.value.args())),
                 in_room(target, w.index), finish});
}

void TreeInterpreter::execute(const AwaitCopies&, Lanes& lanes) {
  Lane* const here = lane_;
  for (const Lane& lane : lanes)
    for (CopyLog::Copy& copy : copies_.done(lane.thread)) copy.finish();
  lane_ = here;
}

// The place, counted from the origin of a room.
std::pair<std::string, Point> TreeInterpreter::in_room(const Memory& memory, Point place) {
  for (std::size_t d = 0; memory.sharing == Sharing::block && d < place.size(); ++d)
    place[d] -= memory.contents.lower()[d];
  return {memory.room, std::move(place)};
}

void TreeInterpreter::note_access(const Memory& memory, const Point& place, bool writes) {
  if (!launch_ || !memory.contents.contains(place)) return;
  const auto [room, where] = in_room(memory, place);
  const std::string early = copies_.find_early({room, where}, writes);
  if (!early.empty()) find(early + reference::to_string(memory.name, place));
  const bool atomic = step_on_.first == memory.name && step_on_.second == place;
  const std::string wrong =
      races_.note(memory.sharing, room, where, {lane_->thread, writes, atomic});
  if (!wrong.empty()) find(wrong);
}

}  // namespace strata::reference
