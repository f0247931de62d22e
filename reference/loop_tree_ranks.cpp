#include "reference/loop_tree_ranks.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "reference/loop_tree_machine.h"

namespace strata::reference {

namespace {

// Queues between ranks, of which one runs at a time.
class Turns {
 public:
  Turns(int ranks, std::uint64_t seed)
      : done_(std::size_t(ranks)), waits_(std::size_t(ranks)), random_(seed) {
    running_ = std::int64_t(random_() % std::uint64_t(ranks));
  }

  void begin(int rank) {
    std::unique_lock lock(mutex_);
    wait_for_turn(lock, rank);
  }

  void send(int from, int to, int tag, Packet packet) {
    std::unique_lock lock(mutex_);
    ++messages;
    values += std::int64_t(packet.size());
    queues_[{from, to, tag}].push_back(std::move(packet));
    pass_on();
    wait_for_turn(lock, from);
  }

  // Nothing if all ranks wait.
  std::optional<Packet> receive(int from, int to, int tag) {
    std::unique_lock lock(mutex_);
    std::deque<Packet>& queue = queues_[{from, to, tag}];
    waits_[std::size_t(to)] = &queue;
    pass_on();
    wait_for_turn(lock, to);
    waits_[std::size_t(to)] = nullptr;
    if (queue.empty()) return std::nullopt;
    Packet packet = std::move(queue.front());
    queue.pop_front();
    return packet;
  }

  void end(int rank) {
    std::unique_lock lock(mutex_);
    done_[std::size_t(rank)] = true;
    pass_on();
  }

  bool has_unreceived() const {
    return std::any_of(queues_.begin(), queues_.end(),
                       [](const auto& queue) { return !queue.second.empty(); });
  }

  std::int64_t messages = 0, values = 0;

 private:
  void wait_for_turn(std::unique_lock<std::mutex>& lock, int rank) {
    turned_.wait(lock, [&] { return stuck_ || running_ == rank; });
  }

  void pass_on() {
    std::vector<std::int64_t> able;
    for (std::size_t rank = 0; rank < done_.size(); ++rank)
      if (!done_[rank] && !(waits_[rank] && waits_[rank]->empty()))
        able.push_back(std::int64_t(rank));
    stuck_ = able.empty();
    if (!stuck_) running_ = able[random_() % able.size()];
    turned_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable turned_;
  std::vector<bool> done_;
  std::vector<const std::deque<Packet>*> waits_;
  std::map<std::tuple<int, int, int>, std::deque<Packet>> queues_;
  std::mt19937_64 random_;
  std::int64_t running_ = 0;
  bool stuck_ = false;
};

}  // namespace

void TreeInterpreter::each_element(const Stmt& s, Lane& lane,
                                   const std::function<void(const Execute&)>& visitor) {
  lane_ = &lane;
  if (const auto* element = std::get_if<Execute>(&s)) return visitor(*element);
  if (const auto* branch = std::get_if<If>(&s)) {
    const bool taken = value(branch->condition).bits != 0;
    if (taken) each_element(*branch->then, lane, visitor);
    if (!taken && branch->otherwise) each_element(*branch->otherwise, lane, visitor);
  } else if (const auto* block = std::get_if<Block>(&s)) {
    for (const StmtPtr& part : block->body) each_element(*part, lane, visitor);
  } else {
    const auto& loop = std::get<For>(s);
    const std::int64_t lower = integer(loop.lower), upper = integer(loop.upper);
    for (std::int64_t v = lower; v < upper; ++v) {
      Lane inside = at(lane, loop, v);
      each_element(*loop.body, inside, visitor);
    }
  }
  lane_ = &lane;
}

Packet TreeInterpreter::packed(const Exchange& s, Lane& lane) {
  Packet packet;
  for (const Exchange::Elements& one : s.elements)
    each_element(*one.outgoing, lane,
                 [&](const Execute& e) { packet.emplace_back(one.buffer, value(e.value)); });
  return packet;
}

void TreeInterpreter::unpack(const Exchange& s, Lane& lane, int from) {
  struct Place {
    std::string buffer;
    Point index;
  };
  std::vector<Place> places;
  for (const Exchange::Elements& one : s.elements)
    each_element(*one.incoming, lane,
                 [&](const Execute& e) { places.push_back({e.buffer, integers(e.indices)}); });
  if (places.empty()) return;
  const auto packet = link_->receive(from, s.tag);
  if (!packet) throw std::runtime_error(fmt::format("waits for ever for rank {}", from));
  if (packet->size() != places.size())
    return find(fmt::format("message {} from rank {} has {} values, not {}", s.tag, from,
                            packet->size(), places.size()));
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto& [buffer, scalar] = (*packet)[n];
    if (buffer != places[n].buffer) find("a value of " + buffer + " comes for another array");
    store(places[n].buffer, {&lane, places[n].buffer, places[n].index, scalar});
  }
}

void TreeInterpreter::execute(const Exchange& s, Lanes& lanes) {
  if (!link_) return;  // one rank alone
  const int ranks = int(link_->cuts.size()) - 1;
  const auto with_block = [&](int other) {
    Lane lane = lanes.front();
    lane.variables.emplace_back(s.block.first, link_->cuts[std::size_t(other)]);
    lane.variables.emplace_back(s.block.last, link_->cuts[std::size_t(other) + 1]);
    return lane;
  };
  for (int other = 0; other < ranks; ++other) {
    if (other == link_->rank) continue;
    Lane lane = with_block(other);
    Packet packet = packed(s, lane);
    if (!packet.empty()) link_->send(other, s.tag, std::move(packet));
  }
  for (int other = 0; other < ranks; ++other) {
    if (other == link_->rank) continue;
    Lane lane = with_block(other);
    unpack(s, lane, other);
  }
}

RanksRun run_on_ranks(const Kernel& kernel, const Parameters& parameters,
                      const std::vector<std::int64_t>& cuts, const Arrays& arguments,
                      std::uint64_t seed) {
  const int ranks = int(cuts.size()) - 1;
  Turns turns(ranks, seed);
  RanksRun run;
  run.ranks.resize(std::size_t(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      turns.begin(rank);
      Parameters own = parameters;
      own[kernel.partitions.front().first] = cuts[std::size_t(rank)];
      own[kernel.partitions.front().last] = cuts[std::size_t(rank) + 1];
      RankLink link{
          rank, cuts,
          [&](int to, int tag, Packet packet) { turns.send(rank, to, tag, std::move(packet)); },
          [&](int from, int tag) { return turns.receive(from, rank, tag); }};
      const RunOptions options;
      const Externs externs;
      TreeInterpreter interpreter(kernel, own, options, externs, &link);
      try {
        run.ranks[std::size_t(rank)] = interpreter.run(arguments);
      } catch (const std::exception& mistake) {
        interpreter.find(mistake.what());
        run.ranks[std::size_t(rank)] = std::move(interpreter.result());
      }
      turns.end(rank);
    });
  for (std::thread& thread : threads) thread.join();
  run.messages = turns.messages;
  run.values = turns.values;
  for (int rank = 0; rank < ranks; ++rank)
    for (const std::string& finding : run.ranks[std::size_t(rank)].findings)
      run.findings.push_back(fmt::format("rank {}: {}", rank, finding));
  if (turns.has_unreceived()) run.findings.push_back("a message is not received");
  return run;
}

namespace {

// Which ranks have executed a step of the reference order.
class RanksOfSteps {
 public:
  RanksOfSteps(const Algorithm& algorithm, const Parameters& parameters, const RanksRun& run)
      : algorithm_(algorithm), steps_(reference_steps(algorithm, parameters)) {
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
      for (const Executed& e : run.ranks[rank].trace)
        executed_[{e.computation, e.instance}].insert(rank);
  }

  std::pair<std::string, Point> instance(std::int64_t step) const {
    const Scheduled& e = steps_.at(std::size_t(step)).execution;
    return {algorithm_.definitions[e.definition].name, e.instance};
  }
  const std::set<std::size_t>& operator()(std::int64_t step) { return executed_[instance(step)]; }

 private:
  const Algorithm& algorithm_;
  const std::vector<Step> steps_;
  std::map<std::pair<std::string, Point>, std::set<std::size_t>> executed_;
};

}  // namespace

std::string first_fault(const Program& program, const Parameters& parameters,
                        const Arrays& expected, const Instances& idle, const RanksRun& run) {
  if (!run.findings.empty()) return run.findings.front();
  RanksOfSteps ranks_of(*program.algorithm, parameters, run);
  for (const auto& [buffer, contents] : expected) {
    if (!run.ranks.front().buffers.contains(buffer)) continue;
    for (const Point& p : contents.elements()) {
      if (!contents.defined(p) || contents.step(p) < 0) continue;
      if (idle.count(ranks_of.instance(contents.step(p)))) continue;
      if (ranks_of(contents.step(p)).empty())
        return "no rank makes " + reference::to_string(buffer, p);
      for (const std::size_t rank : ranks_of(contents.step(p))) {
        const Array& found = run.ranks[rank].buffers[buffer];
        if (!found.contains(p) || !found.defined(p) || !same(contents[p], found[p]))
          return fmt::format("rank {}: {} should be {}", rank, reference::to_string(buffer, p),
                             reference::to_string(contents[p]));
      }
    }
  }
  return "";
}

std::int64_t least_values(const Program& program, const Parameters& parameters,
                          const Arrays& inputs, const RanksRun& run) {
  RanksOfSteps ranks_of(*program.algorithm, parameters, run);
  std::set<std::tuple<std::string, Point, std::int64_t, std::size_t>> sent;
  reference::run(
      program, parameters, inputs, {},
      [&](std::int64_t reader, const std::string& name, const Point& element, std::int64_t writer) {
        if (writer < 0) return;
        const std::set<std::size_t>& made = ranks_of(writer);
        for (const std::size_t rank : ranks_of(reader))
          if (!made.count(rank)) sent.insert({name, element, writer, rank});
      });
  return std::int64_t(sent.size());
}

}  // namespace strata::reference
