// The state of a run of the loop-tree interpreter, and how it executes each statement.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <unordered_map>

#include "reference/loop_tree_copies.h"
#include "reference/loop_tree_interpreter.h"
#include "reference/loop_tree_races.h"
#include "reference/processors.h"

namespace strata::reference {

inline constexpr std::size_t most_findings = 100;
inline constexpr std::int64_t most_elements = 100'000'000;
inline constexpr std::int64_t threads_of_warp = 32;

struct Memory {
  std::string name;
  Array contents;
  std::optional<Access> access;  // for an argument
  // Of a launch: which threads may touch it. Memory that a loop inside of the blocks allocates
  // again and again is one room.
  Sharing sharing = Sharing::all;
  std::string room = name;
  Array device = {};  // what launches see of a buffer from outside of them
};
using MemoryPtr = std::shared_ptr<Memory>;

// What one rank packs for another at a time: scalars with the buffers that they come from.
using Packet = std::vector<std::pair<std::string, Scalar>>;

// How a rank reaches the others (loop_tree_ranks.cpp).
struct RankLink {
  int rank;
  std::vector<std::int64_t> cuts;
  std::function<void(int to, int tag, Packet packet)> send;
  std::function<std::optional<Packet>(int from, int tag)>
      receive;  // nothing if it would never come
};

// One thread of control: one outside vector loops, one per lane inside; where warps have products,
// one for each thread of a warp, which go on together.
struct Lane {
  std::vector<std::pair<std::string, std::int64_t>> variables;
  std::vector<MemoryPtr> temporaries;
  std::vector<LoopIteration> loops;
  Point position;
  std::int64_t thread = -1;  // of the block; -1: what all threads pass
};
using Lanes = std::vector<Lane>;

class TreeInterpreter : public Environment {
 public:
  TreeInterpreter(const Kernel& kernel, const Parameters& parameters, const RunOptions& options,
                  const Externs& externs, RankLink* link = nullptr)
      : kernel_(kernel),
        parameters_(parameters),
        options_(options),
        externs_(externs),
        random_(options.seed),
        link_(link) {}

  TreeRun run(const Arrays& arguments) {
    lane_ = &outside_;
    for (const Assumption& a : kernel_.assumptions)
      if (value(a.condition).bits == 0) result_.refused = true;
    if (result_.refused) return std::move(result_);
    for (const ScalarArgument& s : kernel_.scalars) {
      bind({s.name, s.type, Access::read, {}, {}}, arguments);
      arguments_.back()->device = arguments_.back()->contents;
    }
    for (const ArgumentBuffer& b : kernel_.buffers) bind(b, arguments);
    Lanes lanes(1);
    if (kernel_.body) execute(*kernel_.body, lanes);
    for (const MemoryPtr& m : arguments_)
      result_.buffers[m->name] = std::move(resident_.count(m->name) ? m->device : m->contents);
    return std::move(result_);
  }

  void find(const std::string& text) {
    if (result_.findings.size() < most_findings)
      result_.findings.push_back(doing_.empty() ? text : doing_ + ": " + text);
  }

  std::int64_t variable(const std::string& name) override {
    const auto& all = lane_->variables;
    const auto found =
        std::find_if(all.rbegin(), all.rend(), [&](const auto& v) { return v.first == name; });
    return found == all.rend() ? Environment::variable(name) : found->second;
  }

  std::int64_t parameter(const std::string& name) override {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? Environment::parameter(name) : found->second;
  }

  Scalar load(const std::string& buffer, const Point& index) override {
    Memory& memory = memory_of(buffer);
    note_access(memory, index, false);
    const Array& contents = contents_of(memory);
    const Scalar nothing{contents.type(), 0};
    if (!contents.contains(index)) {
      find(fmt::format("load out of bounds: {}", reference::to_string(buffer, index)));
      return nothing;
    }
    if (!contents.defined(index)) {
      find(fmt::format("load of an undefined element: {}", reference::to_string(buffer, index)));
      return nothing;
    }
    return contents[index];
  }

  std::int64_t checked(std::int64_t index, std::int64_t lower, std::int64_t upper) override {
    const bool inside = lower <= index && index < upper;
    result_.failed = result_.failed || !inside;
    missed_ = missed_ || !inside;
    return inside ? index : lower;
  }

  Scalar call(const std::string& name, Type type, const std::vector<Argument>& args) override {
    const auto found = externs_.find(name);
    return found == externs_.end() ? Environment::call(name, type, args) : found->second(args);
  }

  TreeRun& result() { return result_; }

 private:
  Scalar value(const Expr& e) {
    return evaluators_.try_emplace(e.identity(), e).first->second(*this);
  }
  std::int64_t integer(const Expr& e) { return std::int64_t(integer_of(value(e))); }
  Point integers(const std::vector<Expr>& es) {
    Point result;
    for (const Expr& e : es) result.push_back(integer(e));
    return result;
  }

  void bind(const ArgumentBuffer& b, const Arrays& arguments) {
    Point lower = integers(b.lowers), extent = integers(b.uppers);
    for (std::size_t d = 0; d < lower.size(); ++d) extent[d] -= lower[d];
    auto memory = std::make_shared<Memory>(Memory{b.name, box(b.type, lower, extent), b.access});
    memory->device = memory->contents;
    if (b.resident) resident_.insert(b.name);
    Array& given = b.resident ? memory->device : memory->contents;
    if (arguments.contains(b.name))
      for (const Point& p : given.elements())
        if (arguments[b.name].defined(p)) given.set(p, arguments[b.name][p]);
    arguments_.push_back(std::move(memory));
  }

  Array box(Type type, const Point& lower, const Point& extent) {
    std::int64_t size = 1;
    for (std::int64_t n : extent) size *= std::clamp<std::int64_t>(n, 0, most_elements + 1);
    if (size > most_elements) throw std::runtime_error("a buffer is too large to be tried");
    return Array::box(type, lower, extent);
  }

  Memory& memory_of(const std::string& name) {
    const auto named = [&](const MemoryPtr& m) { return m->name == name; };
    const auto& own = lane_->temporaries;
    if (const auto m = std::find_if(own.rbegin(), own.rend(), named); m != own.rend()) return **m;
    const auto argument = std::find_if(arguments_.begin(), arguments_.end(), named);
    if (argument == arguments_.end()) throw std::runtime_error("unknown buffer " + name);
    return **argument;
  }

  Array& contents_of(Memory& memory) const {
    return launch_ && memory.sharing == Sharing::all ? memory.device : memory.contents;
  }

  void execute(const Stmt& stmt, Lanes& lanes) {
    if (lanes.empty()) return;
    std::visit([&](const auto& s) { execute(s, lanes); }, stmt);
  }

  void execute(const Block& block, Lanes& lanes) {
    for (std::size_t n = 0; n < block.body.size(); ++n) {
      for (Lane& lane : lanes) lane.position.push_back(std::int64_t(n));
      execute(*block.body[n], lanes);
      for (Lane& lane : lanes) lane.position.pop_back();
    }
  }

  void execute(const If& branch, Lanes& lanes) {
    Lanes yes, no;
    for (Lane& lane : lanes) {
      lane_ = &lane;
      (value(branch.condition).bits != 0 ? yes : no).push_back(lane);
    }
    execute(*branch.then, yes);
    if (branch.otherwise) execute(*branch.otherwise, no);
  }

  void execute(const Allocate& allocate, Lanes& lanes) {
    for (Lane& lane : lanes) {
      lane_ = &lane;
      const Array contents =
          box(allocate.type, integers(allocate.lowers), integers(allocate.extents));
      Memory memory{allocate.buffer, contents, std::nullopt};
      memory.device = contents;
      ++result_.allocations[allocate.buffer];
      if (launch_) give_to_thread(memory);
      lane.temporaries.push_back(std::make_shared<Memory>(std::move(memory)));
    }
    execute(*allocate.body, lanes);
    for (Lane& lane : lanes) lane.temporaries.pop_back();
  }

  void execute(const Launch& launch, Lanes& lanes);
  void execute(const AwaitCopies& s, Lanes& lanes);
  void execute(const ThreadGuard& guard, Lanes& lanes);
  void execute(const Mma& s, Lanes& lanes);  // loop_tree_products.cpp

  void execute(const Barrier&, Lanes&) {
    find("divergent: a barrier is where not all threads of the block pass");
  }

  void execute(const DeviceCopy& s, Lanes& lanes) {
    for (Lane& lane : lanes) {
      lane_ = &lane;
      Memory& memory = memory_of(s.buffer);
      const bool to_device = s.direction == Transfer::to_device;
      (to_device ? memory.device : memory.contents) = to_device ? memory.contents : memory.device;
      ++(to_device ? result_.to_device : result_.to_host)[s.buffer];
    }
  }

  // Nothing finds the buffer any more.
  void execute(const Free& s, Lanes& lanes) {
    for (Lane& lane : lanes) {
      const auto named = [&](const auto& memory) { return memory->name == s.buffer; };
      auto& own = lane.temporaries;
      const auto memory = std::find_if(own.rbegin(), own.rend(), named);
      if (memory == own.rend()) throw std::runtime_error("no buffer " + s.buffer + " to free");
      (*memory)->name.clear();
    }
  }

  // loop_tree_ranks.cpp: messages. "lane" is where the exchange stands.
  void execute(const Exchange& s, Lanes& lanes);
  void each_element(const Stmt& s, Lane& lane, const std::function<void(const Execute&)>& visitor);
  Packet packed(const Exchange& s, Lane& lane);
  void unpack(const Exchange& s, Lane& lane, int from);
  void execute(const Agree&, Lanes&) {}

  // A prefetch is a hint, but its box must be valid.
  void execute(const PrefetchBox& s, Lanes& lanes) {
    for (Lane& lane : lanes) {
      lane_ = &lane;
      const Point lower = integers(s.lowers), extent = integers(s.extents);
      const std::size_t rank = memory_of(s.buffer).contents.lower().size();
      if (lower.size() != rank || extent.size() != rank)
        find("a prefetch of " + s.buffer + " has another rank");
    }
  }

  struct Range {
    std::int64_t lower, upper;
  };

  std::vector<Range> ranges(const For& loop, Lanes& lanes) {
    std::vector<Range> result;
    for (Lane& lane : lanes) {
      lane_ = &lane;
      result.push_back({integer(loop.lower), integer(loop.upper)});
      const std::int64_t trips =
          std::max<std::int64_t>(0, result.back().upper - result.back().lower);
      if (loop.extent && *loop.extent != trips)
        find(fmt::format("loop {} has {} iterations and says {}", loop.variable, trips,
                         *loop.extent));
      for (const auto& [name, value] : lane.variables)
        if (name == loop.variable) find("two loops around one place have variable " + name);
    }
    return result;
  }

  static Lane at(const Lane& lane, const For& loop, std::int64_t value) {
    Lane inside = lane;
    inside.variables.emplace_back(loop.variable, value);
    inside.loops.push_back({loop.name, loop.processor, value});
    inside.position.push_back(value);
    return inside;
  }

  bool lanes_go_innermost(const For& loop) {
    if (iterated(loop.processor) != Iterated::in_lanes || !loop.lockstep) return false;
    if (options_.lanes != RunOptions::Lanes::mixed)
      return options_.lanes == RunOptions::Lanes::innermost;
    return lockstep_.try_emplace(loop.variable, random_() % 2 == 0).first->second;
  }

  void execute(const For& loop, Lanes& lanes) {
    if (lanes.front().thread >= 0 && loop.processor == Processor::thread)
      return execute_as_thread(loop, lanes);
    const std::vector<Range> each = ranges(loop, lanes);
    if (lanes_go_innermost(loop)) {
      Lanes inside;
      for (std::size_t n = 0; n < lanes.size(); ++n)
        for (std::int64_t v = each[n].lower; v < each[n].upper; ++v)
          inside.push_back(at(lanes[n], loop, v));
      execute(*loop.body, inside);
      return;
    }
    for (std::int64_t v : order(loop, each)) {
      Lanes inside;
      for (std::size_t n = 0; n < lanes.size(); ++n)
        if (each[n].lower <= v && v < each[n].upper) inside.push_back(at(lanes[n], loop, v));
      execute(*loop.body, inside);
    }
  }

  // The values that the loop takes in any lane, in execution order.
  std::vector<std::int64_t> order(const For& loop, const std::vector<Range>& each) {
    std::int64_t lower = INT64_MAX, upper = INT64_MIN;
    for (const Range& r : each) {
      if (r.lower >= r.upper) continue;
      lower = std::min(lower, r.lower);
      upper = std::max(upper, r.upper);
    }
    std::vector<std::int64_t> values;
    for (std::int64_t v = lower; v < upper; ++v) values.push_back(v);
    if (iterated(loop.processor) == Iterated::in_any && options_.seed != 0)
      std::shuffle(values.begin(), values.end(), random_);
    return values;
  }

  struct Write {
    Lane* lane;
    std::string buffer;
    Point index;
    Scalar value;
  };

  // One instruction: all lanes read, then all lanes write.
  void execute(const Execute& e, Lanes& lanes) {
    std::vector<Write> writes;
    for (Lane& lane : lanes) {
      lane_ = &lane;
      if (copies_nothing(e)) continue;
      const Point instance = integers(e.instance);
      doing_ = reference::to_string(e.computation, instance);
      missed_ = false;
      const Point place = integers(e.indices);
      if (e.atomic) step_on_ = {e.buffer, place};
      if (!missed_) {
        writes.push_back({&lane, e.buffer, place, value(e.value)});
        for (const Execute::Other& other : e.others)
          writes.push_back({&lane, other.buffer, place, value(other.value)});
      }
      if (e.computation.empty()) continue;
      result_.trace.push_back({e.computation, instance, lane.loops, lane.position});
    }
    for (const Write& w : writes) {
      if (e.asynchronous && launch_)
        begin_copy(e, w);
      else
        store(w.buffer, w);
    }
    step_on_ = {};
    doing_.clear();
  }

  // A copy to or from registers leaves undefined what is undefined.
  bool copies_nothing(const Execute& e) {
    if (!e.computation.empty() || e.value.op() != Op::load) return false;
    const Array& source = contents_of(memory_of(e.value.name()));
    const Point place = integers(e.value.args());
    return source.contains(place) && !source.defined(place);
  }

  void store(const std::string& buffer, const Write& w) {
    lane_ = w.lane;
    Memory& memory = memory_of(buffer);
    note_access(memory, w.index, true);
    if (memory.access == Access::read) find("store to an argument that is only read: " + buffer);
    Array& contents = contents_of(memory);
    if (!contents.contains(w.index))
      find("store out of bounds: " + reference::to_string(buffer, w.index));
    else if (w.value.type != contents.type())
      find(fmt::format("{} stored in {}, which holds {}", strata::to_string(w.value.type), buffer,
                       strata::to_string(contents.type())));
    else
      contents.set(w.index, w.value);
  }

  // loop_tree_launches.cpp: launches.
  void run_uniform(const Stmt& stmt, Lane lane);
  void run_block_loop(const For& loop, const Lane& lane);
  void run_uniform_loop(const For& loop, const Lane& lane);
  void run_uniform_block(const Block& block, const Lane& lane);
  void name_thread(Lane& lane, std::int64_t thread) const;
  Array box_of_all_threads(const Allocate& allocate);
  void run_uniform_body(const Allocate& allocate, Lane lane);
  void free_uniform(const Free& s, Lane& lane);
  void run_segment();
  void run_threads(std::int64_t first, std::vector<std::vector<Executed>>& traces);
  void execute_as_thread(const For& loop, Lanes& lanes);
  void give_to_thread(Memory& memory);
  void begin_copy(const Execute& e, const Write& w);
  static std::pair<std::string, Point> in_room(const Memory& memory, Point place);
  void note_access(const Memory& memory, const Point& place, bool writes);
  void record(const Mma& s, const Lane& lane);

  // What all threads of a block run next, up to a barrier, with the state where it stands.
  struct Waiting {
    const Stmt* stmt;
    Lane lane;
  };

  const Kernel& kernel_;
  const Parameters& parameters_;
  const RunOptions& options_;
  const Externs& externs_;
  std::mt19937_64 random_;
  RankLink* link_;  // null: one rank alone
  std::map<std::string, bool> lockstep_;
  std::unordered_map<const ExprNode*, Evaluator> evaluators_;
  std::vector<MemoryPtr> arguments_;
  std::set<std::string> resident_;
  Lane outside_;
  Lane* lane_ = nullptr;
  std::string doing_;
  bool missed_ = false;  // was a checked index out of range since this was reset?
  TreeRun result_;

  const Launch* launch_ = nullptr;
  std::vector<Waiting> segment_;
  std::int64_t together_ = 1;              // threads that go on together
  std::pair<std::string, Point> step_on_;  // the place of an atomic step
  RaceLog races_;
  CopyLog copies_;
};

}  // namespace strata::reference
