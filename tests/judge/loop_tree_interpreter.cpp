#include "tests/judge/loop_tree_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <unordered_map>

#include "tests/judge/processors.h"

namespace strata::judge {

namespace {

constexpr std::size_t most_findings = 100;
constexpr std::int64_t most_elements = 100'000'000;

struct Memory {
  std::string name;
  Array host;
  std::optional<Access> access;  // for an argument
  Array device = {};             // what launches see of a buffer from outside of them
  bool of_launch = false;        // made by a launch: it has one side
};
using MemoryPtr = std::shared_ptr<Memory>;

// One thread of control: one outside vector loops, one per lane inside.
struct Lane {
  std::vector<std::pair<std::string, std::int64_t>> variables;
  std::vector<MemoryPtr> temporaries;
  std::vector<LoopIteration> loops;
  Point position;
};
using Lanes = std::vector<Lane>;

class TreeInterpreter : public Environment {
 public:
  TreeInterpreter(const Kernel& kernel, const Parameters& parameters, const RunOptions& options,
                  const Externs& externs)
      : kernel_(kernel),
        parameters_(parameters),
        options_(options),
        externs_(externs),
        random_(options.seed) {}

  TreeRun run(const Arrays& arguments) {
    lane_ = &outside_;
    for (const Assumption& a : kernel_.assumptions)
      if (value(a.condition).bits == 0) result_.refused = true;
    if (result_.refused) return std::move(result_);
    for (const ArgumentBuffer& b : kernel_.buffers) bind(b, arguments);
    Lanes lanes(1);
    if (kernel_.body) execute(*kernel_.body, lanes);
    for (const MemoryPtr& m : arguments_)
      result_.buffers[m->name] = std::move(resident_.count(m->name) ? m->device : m->host);
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
    const Array& contents = contents_of(memory_of(buffer));
    const Scalar nothing{contents.type(), 0};
    if (!contents.contains(index)) {
      find(fmt::format("load out of bounds: {}", judge::to_string(buffer, index)));
      return nothing;
    }
    if (!contents.defined(index)) {
      find(fmt::format("load of an undefined element: {}", judge::to_string(buffer, index)));
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
    memory->device = memory->host;
    if (b.resident) resident_.insert(b.name);
    Array& given = b.resident ? memory->device : memory->host;
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
    return in_launch_ && !memory.of_launch ? memory.device : memory.host;
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
      lane.temporaries.push_back(std::make_shared<Memory>(
          Memory{allocate.buffer, contents, std::nullopt, contents, in_launch_}));
      ++result_.allocations[allocate.buffer];
    }
    execute(*allocate.body, lanes);
    for (Lane& lane : lanes) lane.temporaries.pop_back();
  }

  // Blocks and threads run in any order, as their loops say.
  void execute(const Launch& launch, Lanes& lanes) {
    in_launch_ = true;
    execute(*launch.body, lanes);
    in_launch_ = false;
  }

  void execute(const Barrier&, Lanes&) {}

  void execute(const DeviceCopy& s, Lanes& lanes) {
    for (Lane& lane : lanes) {
      lane_ = &lane;
      Memory& memory = memory_of(s.buffer);
      const bool to_device = s.direction == Transfer::to_device;
      (to_device ? memory.device : memory.host) = to_device ? memory.host : memory.device;
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

  // A prefetch is a hint, but its box must be valid.
  void execute(const PrefetchBox& s, Lanes& lanes) {
    for (Lane& lane : lanes) {
      lane_ = &lane;
      const Point lower = integers(s.lowers), extent = integers(s.extents);
      const std::size_t rank = memory_of(s.buffer).host.lower().size();
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
      doing_ = judge::to_string(e.computation, instance);
      missed_ = false;
      const Point place = integers(e.indices);
      if (!missed_) {
        writes.push_back({&lane, e.buffer, place, value(e.value)});
        for (const Execute::Other& other : e.others)
          writes.push_back({&lane, other.buffer, place, value(other.value)});
      }
      if (e.computation.empty()) continue;
      result_.trace.push_back({e.computation, instance, lane.loops, lane.position});
    }
    for (const Write& w : writes) store(w.buffer, w);
    doing_.clear();
  }

  // A copy to or from registers leaves undefined what is undefined.
  bool copies_nothing(const Execute& e) {
    if (!e.computation.empty()) return false;
    const Array& source = contents_of(memory_of(e.value.name()));
    const Point place = integers(e.value.args());
    return source.contains(place) && !source.defined(place);
  }

  void store(const std::string& buffer, const Write& w) {
    lane_ = w.lane;
    Memory& memory = memory_of(buffer);
    if (memory.access == Access::read) find("store to an argument that is only read: " + buffer);
    Array& contents = contents_of(memory);
    if (!contents.contains(w.index))
      find("store out of bounds: " + judge::to_string(buffer, w.index));
    else if (w.value.type != contents.type())
      find(fmt::format("{} stored in {}, which holds {}", strata::to_string(w.value.type), buffer,
                       strata::to_string(contents.type())));
    else
      contents.set(w.index, w.value);
  }

  const Kernel& kernel_;
  const Parameters& parameters_;
  const RunOptions& options_;
  const Externs& externs_;
  std::mt19937_64 random_;
  std::map<std::string, bool> lockstep_;
  std::unordered_map<const ExprNode*, Evaluator> evaluators_;
  std::vector<MemoryPtr> arguments_;
  std::set<std::string> resident_;
  bool in_launch_ = false;
  Lane outside_;
  Lane* lane_ = nullptr;
  std::string doing_;
  bool missed_ = false;  // was a checked index out of range since this was reset?
  TreeRun result_;
};

}  // namespace

TreeRun run_tree(const Kernel& kernel, const Parameters& parameters, const Arrays& arguments,
                 const RunOptions& options, const Externs& externs) {
  TreeInterpreter interpreter(kernel, parameters, options, externs);
  try {
    return interpreter.run(arguments);
  } catch (const std::exception& mistake) {
    interpreter.find(mistake.what());
    return std::move(interpreter.result());
  }
}

std::vector<Kernel> versions(const Kernel& kernel) {
  std::vector<Kernel> all{kernel};
  all.front().compact = nullptr;
  if (!kernel.compact) return all;
  all.push_back(all.front());
  all.back().body = kernel.compact;
  return all;
}

std::string first_wrong_place(const Arrays& expected, const TreeRun& run) {
  for (const auto& [buffer, contents] : expected) {
    if (!run.buffers.contains(buffer)) continue;
    const Array& actual = run.buffers[buffer];
    for (const Point& p : contents.elements()) {
      const std::string place = judge::to_string(buffer, p);
      if (!actual.contains(p) && contents.step(p) >= 0)
        return place + " is outside the box and is to be written";
      if (!actual.contains(p)) continue;
      if (!actual.defined(p)) return place + " has no value";
      if (!same(contents[p], actual[p]))
        return fmt::format("{} is {} and should be {}", place, judge::to_string(actual[p]),
                           judge::to_string(contents[p]));
    }
  }
  return "";
}

}  // namespace strata::judge
