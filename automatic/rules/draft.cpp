#include "automatic/rules/draft.h"

#include "schedule/legality/extent.h"

namespace strata::automatic {

void Draft::give(const std::string& name, std::vector<CommandOperand> operands) {
  Command command{name, std::move(operands), Given{{}, Check::deferred}};
  program_ = after(command);
  commands_.push_back(std::move(command));
}

Program Draft::after(const Command& command) {
  if (!shared_) return applied(program_, command);
  since_shared_ += command.text() + "\n";
  const auto known = shared_->find(since_shared_);
  if (known != shared_->end()) return known->second;
  return shared_->emplace(since_shared_, applied(program_, command)).first->second;
}

void Draft::share() {
  shared_ = std::make_shared<Shared>();
  since_shared_.clear();
}

std::vector<std::string> Draft::loops(const std::string& computation) const {
  return loops(BranchRef(computation));
}

std::vector<std::string> Draft::loops(const BranchRef& piece) const {
  std::vector<std::string> names;
  for (const Placed& placed : branches_of(program_.mapping, piece.definition)) {
    if (!piece.piece.empty() && placed.branch->piece != piece.piece) continue;
    for (const Loop* loop : placed.loops) names.push_back(loop->name);
    break;
  }
  return names;
}

bool Draft::has_constant_extent(const std::string& computation, const std::string& loop) const {
  for (const Placed& placed : branches_of(program_.mapping, computation))
    for (std::size_t level = 0; level < placed.loops.size(); ++level)
      if (placed.loops[level]->name == loop &&
          !strata::has_constant_extent(program_, prefix(placed.path, level + 1)))
        return false;
  return true;
}

std::string Draft::fresh(const std::string& name) const {
  const Algorithm& algorithm = *program_.algorithm;
  std::set<std::string> used(algorithm.parameters.begin(), algorithm.parameters.end());
  for (const Definition& d : algorithm.definitions) {
    used.insert({d.name, d.array});
    used.insert(d.iterators.begin(), d.iterators.end());
    for (const Component& c : d.others) used.insert(c.name);
  }
  for (const InputArray& input : algorithm.inputs) used.insert(input.name);
  for (const LayoutBuffer& buffer : program_.layout.buffers) used.insert(buffer.name);
  for (const Placed& placed : branches(program_.mapping))
    for (const Loop* loop : placed.loops) used.insert(loop->name);
  return free_name(name, used);
}

std::vector<std::string> Draft::fresh_iterators(std::size_t count) const {
  static const char* const letters[] = {"x", "y", "z", "w", "u", "v"};
  std::vector<std::string> made;
  for (std::size_t n = 0; n < count; ++n)
    made.push_back(fresh(n < 6 ? letters[n] : "x" + std::to_string(n)));
  return made;
}

void Draft::order(const std::string& computation, const std::vector<std::string>& wanted) {
  const std::set<std::string> moved(wanted.begin(), wanted.end());
  std::vector<std::string> now;
  for (const std::string& loop : loops(computation))
    if (moved.count(loop)) now.push_back(loop);
  if (now == wanted || wanted.size() < 2) return;
  // The command does not name loops that stay at the ends.
  std::size_t first = 0, last = wanted.size();
  while (now[first] == wanted[first]) ++first;
  while (now[last - 1] == wanted[last - 1]) --last;
  std::vector<CommandOperand> operands;
  for (std::size_t n = first; n < last; ++n) operands.emplace_back(LoopRef{computation, wanted[n]});
  give(operands.size() == 2 ? "interchange" : "reorder", std::move(operands));
}

void Draft::vectors(const std::string& computation, const std::string& loop, int lanes,
                    const std::string& tail) {
  if (tail.empty()) {
    give("vectorize", {LoopRef{computation, loop}, lanes});
    return;
  }
  const std::string lane = fresh("lane");
  give("vectorize", {LoopRef{computation, loop}, lanes, loop, lane});
  give(tail, {LoopRef{computation, lane}});
}

void Draft::vectors_inside(const std::string& computation, std::size_t outside,
                           const std::string& loop, int lanes) {
  std::vector<std::string> wanted = loops(computation);
  wanted.erase(wanted.begin(), wanted.begin() + std::ptrdiff_t(outside));
  std::erase(wanted, loop);
  wanted.push_back(loop);
  order(computation, wanted);
  vectors(computation, loop, lanes);
}

void Draft::unroll(const std::string& computation, const std::string& loop,
                   const std::string& tail) {
  give("unroll", {LoopRef{computation, loop}});
  if (!tail.empty()) give(tail, {LoopRef{computation, loop}});
}

void Draft::turned_copy(const LoopRef& loop, const std::string& array,
                        const std::vector<std::string>& iterators, std::size_t innermost,
                        int panel) {
  const std::string copy = fresh("turned");
  give("cache_at", {loop, array, copy, iterators});
  give("compute_at", {copy, OutsideLoops{}});
  store_in_panels(copy, iterators, innermost, panel);
  parallel.push_back({copy, iterators.front()});
}

void Draft::store_in_panels(const std::string& copy, const std::vector<std::string>& iterators,
                            std::size_t innermost, int panel) {
  const Expr inside = variable(iterators[innermost]);
  std::vector<CommandOperand> places{copy, copy};
  if (panel) places.push_back(inside / panel);
  for (std::size_t d = 0; d < iterators.size(); ++d)
    if (d != innermost) places.push_back(variable(iterators[d]));
  places.push_back(panel ? inside % panel : inside);
  give("store_in", std::move(places));
}

}  // namespace strata::automatic
