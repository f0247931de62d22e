#include "automatic/search.h"

#include <algorithm>
#include <map>

namespace strata::automatic {

namespace {

// The number of states that are extended further, for each place; and the number of a place's
// candidates that states other than the first one try.
constexpr std::size_t widest = 3, most_on_others = 4;
// A parallel loop with so many iterations for each thread has work for all threads even near its
// end.
constexpr double enough_for_each = 4;

// Units of core/sets/meter.h for all candidates, about 2 s, and for one of them.
constexpr double search_budget = 30'000'000, candidate_budget = 8'000'000;

struct State {
  Draft draft;
  std::string text;
};

std::size_t commands_of(const Finalist& f) { return f.draft.commands().size(); }

bool is_before(const Finalist& a, const Finalist& b) {
  if (a.estimate.cycles() != b.estimate.cycles()) return a.estimate.cycles() < b.estimate.cycles();
  return commands_of(a) < commands_of(b);
}

class Search {
 public:
  Search(const Draft& begun, const Setting& setting, const std::function<bool()>& is_over)
      : begun_(begun), setting_(setting), is_over_(is_over) {}

  SearchResult run(bool only_plain) {
    bool answered = false;
    try {  // results found before the budget ran out count
      answered = begun_.program().session->within(search_budget, [&] { try_rules(only_plain); });
    } catch (const Error& e) {
      if (e.code() != Code::E0901_out_of_budget) throw;
    }
    if (!answered)
      result_.refused.push_back(
          {"the rules that are left", 0, "", "refused: " + to_string(Code::E0901_out_of_budget)});
    std::stable_sort(result_.finalists.begin(), result_.finalists.end(), is_before);
    return std::move(result_);
  }

 private:
  void try_rules(bool only_plain) {
    std::vector<State> states{{begun_, ""}};
    finish(states.front());
    for (const Rule& rule : rules()) {
      if (only_plain || &rule == &rules().back() || is_over()) continue;
      states = after_rule(rule, std::move(states));
    }
  }

  // Every state, with and without the rule at each place where it applies in that state.
  std::vector<State> after_rule(const Rule& rule, std::vector<State> states) {
    std::vector<State> done;
    for (State& state : states) {
      std::vector<Place> places = rule.places(setting_, setting_.facts.without(state.draft.taken));
      std::erase_if(places, [&](const Place& place) { return is_taken(place, state.draft); });
      std::vector<State> extended{state};
      for (const Place& place : places) extended = after_place(rule, place, std::move(extended));
      for (State& one : extended) done.push_back(std::move(one));
    }
    return widest_of(std::move(done));
  }

  static bool is_taken(const Place& place, const Draft& draft) {
    return std::any_of(place.begin(), place.end(),
                       [&](const Member* m) { return draft.taken.count(m->name) > 0; });
  }

  std::vector<State> after_place(const Rule& rule, const Place& place, std::vector<State> states) {
    std::vector<Candidate> candidates = rule.candidates(setting_, place);
    std::vector<std::pair<double, State>> ranked;
    std::vector<State> unchanged;
    for (std::size_t n = 0; n < states.size(); ++n) {
      std::vector<std::pair<double, std::size_t>> order;
      states[n].draft.share();
      for (std::size_t c = 0; c < candidates.size(); ++c)
        if (auto next = extended(states[n], rule, place, candidates[c])) {
          order.push_back({next->second, c});
          ranked.emplace_back(next->second, std::move(next->first));
        }
      states[n].draft.share_no_longer();
      if (n == 0) keep_best(candidates, std::move(order));
      unchanged.push_back(std::move(states[n]));
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<State> next;
    for (std::size_t n = 0; n < std::min(ranked.size(), widest); ++n)
      next.push_back(std::move(ranked[n].second));
    next.push_back(std::move(unchanged.front()));
    return next;
  }

  static void keep_best(std::vector<Candidate>& candidates,
                        std::vector<std::pair<double, std::size_t>> order) {
    std::stable_sort(order.begin(), order.end());
    std::vector<Candidate> best;
    for (std::size_t n = 0; n < std::min(order.size(), most_on_others); ++n)
      best.push_back(candidates[order[n].second]);
    candidates = std::move(best);
  }

  // In each rule's list, states with most computations scheduled come first. Keeps both ends of the
  // list.
  static std::vector<State> widest_of(std::vector<State> states) {
    if (states.size() <= 2 * widest) return states;
    std::vector<State> kept(std::make_move_iterator(states.begin()),
                            std::make_move_iterator(states.begin() + 2 * widest - 1));
    kept.push_back(std::move(states.back()));
    return kept;
  }

  static std::string text_of(const Rule& rule, const Place& place, const Candidate& candidate) {
    return std::string(rule.name) + " of " + place.back()->name + ": " + candidate.text;
  }

  // The state with the candidate, and its cycles. Nothing if a command is refused, or takes more
  // than the candidate's budget.
  std::optional<std::pair<State, double>> extended(const State& state, const Rule& rule,
                                                   const Place& place, const Candidate& candidate) {
    if (is_over()) return std::nullopt;
    std::optional<std::pair<State, double>> next;
    std::string refusal = to_string(Code::E0901_out_of_budget);
    try {
      const bool answered = begun_.program().session->within(candidate_budget, [&] {
        State written = with(state, rule, place, candidate);
        written.draft.share_no_longer();
        const double cycles = finish(written);
        next.emplace(std::move(written), cycles);
      });
      if (answered) return next;
    } catch (const Error& e) {
      refusal = to_string(e.code()) + " in " + e.refusal().command + ", " + e.refusal().explanation;
    }
    result_.refused.push_back({text_of(rule, place, candidate), 0, "", "refused: " + refusal});
    return std::nullopt;
  }

  static State with(State state, const Rule& rule, const Place& place, const Candidate& candidate) {
    const std::string text = text_of(rule, place, candidate);
    state.text += (state.text.empty() ? "" : "; ") + text;
    candidate.write(state.draft);
    for (const Member* m : place) {
      state.draft.taken.insert(m->name);
      state.draft.notes.emplace_back(m->name, text);
    }
    return state;
  }

  // Completes the state by the rule "plain" at all places that are left, and by parallel loops.
  // Adds it as a finalist, and returns its cycles.
  double finish(State state) {
    const Rule& plain = rules().back();
    for (const Place& place : plain.places(setting_, setting_.facts.without(state.draft.taken)))
      state = with(std::move(state), plain, place, plain.candidates(setting_, place).front());
    if (setting_.threads > 1) give_threads(state.draft);
    const auto cycles =
        estimate(state.draft.program(), setting_.machine, setting_.facts.sizes, setting_.threads);
    if (!cycles) return infinite;
    const double sum = cycles->cycles();
    if (!state.draft.commands().empty())
      result_.finalists.push_back({std::move(state.draft), std::move(state.text), *cycles});
    return sum;
  }

  // Makes one loop of each outermost node parallel: the first with work for all threads, else the
  // longest.
  void give_threads(Draft& draft) const {
    std::map<int, std::vector<std::pair<LoopRef, double>>> nodes;
    for (const LoopRef& loop : draft.parallel)
      if (const auto count = count_of(draft, loop))
        nodes[count->first].push_back({loop, count->second});
    for (const auto& [node, loops] : nodes) {
      const auto has_enough = [&](const auto& loop) {
        return loop.second >= enough_for_each * setting_.threads;
      };
      auto best = std::find_if(loops.begin(), loops.end(), has_enough);
      if (best == loops.end())
        best = std::max_element(loops.begin(), loops.end(),
                                [](const auto& a, const auto& b) { return a.second < b.second; });
      if (best->second < 2) continue;
      try {
        draft.give("parallelize", {best->first});
      } catch (const Error&) {  // a computation that shares it forbids it: it stays sequential
      }
    }
  }

  // The outermost node around the loop, and the loop's iterations.
  std::optional<std::pair<int, double>> count_of(const Draft& draft, const LoopRef& ref) const {
    auto all = branches_of(draft.program().mapping, ref.definition);
    if (!ref.piece.empty())
      std::erase_if(all, [&](const Placed& placed) { return placed.branch->piece != ref.piece; });
    if (all.size() != 1) return std::nullopt;
    const auto statement =
        statement_of(draft.program(), all.front(), setting_.facts.sizes, Touching::elements);
    if (!statement) return std::nullopt;
    for (std::size_t l = 0; l < statement->loops.size(); ++l)
      if (statement->loops[l]->name == ref.loop)
        return std::pair(all.front().path.front(), double(statement->counts[l]));
    return std::nullopt;
  }

  bool is_over() const { return is_over_ && is_over_(); }

  static constexpr double infinite = 1e300;

  const Draft& begun_;
  const Setting& setting_;
  const std::function<bool()>& is_over_;
  SearchResult result_;
};

}  // namespace

SearchResult search(const Draft& begun, const Setting& setting, bool only_plain,
                    const std::function<bool()>& is_over) {
  return Search(begun, setting, is_over).run(only_plain);
}

}  // namespace strata::automatic
