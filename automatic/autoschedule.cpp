#include "automatic/autoschedule.h"

#include <algorithm>
#include <utility>

#include "automatic/inlining.h"
#include "automatic/search.h"
#include "codegen/lower.h"
#include "schedule/finish.h"
#include "schedule/table/command_text.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

using namespace automatic;

// Which candidates a search should find, in the order of the model.
struct Wanted {
  std::size_t legal = 1;       // so many are enough
  bool slower_too = false;     // also candidates that are slower than the program by the model
  bool lowered = true;         // only those whose loops can be generated and are not too much code
  std::size_t judged = 40;     // judges at most so many
  double budget = 50'000'000;  // units of core/sets/meter.h for all judgements: about 4 s
};
constexpr std::size_t most_lowered = 10;

bool is_over(const AutomaticOptions& options) { return options.is_over && options.is_over(); }

void check(const Program& program, const AutomaticOptions& options) {
  for (const std::string& name : options.leave)
    if (!program.algorithm->find(name))
      throw options.request.refused(Code::E0101_unknown_computation,
                                    "there is no computation " + name,
                                    "name computations of " + program.name);
  for (const Placed& placed : branches(program.mapping))
    for (const Loop* loop : placed.loops)
      if (is_of_launch(loop->processor) || is_of_ranks(loop->processor))
        throw options.request.refused(Code::E0106_bad_argument,
                                      "the loop " + loop->name + " of " +
                                          placed.branch->definition + " runs on " +
                                          (is_of_ranks(loop->processor) ? "ranks" : "a GPU") +
                                          ", for which there are no rules",
                                      "schedule this function by commands");
}

// Inputs, arrays that no other array reads, and those that the author names.
std::vector<std::string> arguments_of(const Program& program, const AutomaticOptions& options) {
  std::vector<std::string> names = usual_arguments(program);
  for (const std::string& name : options.arguments)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

// The witness in one line.
std::string example_of(const Refusal& refusal) {
  if (!refusal.witness) return "";
  std::string text = "; for example";
  if (!refusal.witness->parameters.empty()) text += ", with " + refusal.witness->parameters;
  for (const Execution& e : refusal.witness->executions)
    text += ", " + e.instance + (e.time.empty() ? "" : " at " + e.time);
  return text;
}

// Judges candidates, the fastest first: are they legal, and their code small?
class Choice {
 public:
  Choice(const Program& before, const Machine& machine, const AutomaticOptions& options,
         const Wanted& wanted)
      : before_(before),
        machine_(machine),
        options_(options),
        wanted_(wanted),
        arguments_(arguments_of(before, options)) {}

  // Judges a candidate. Empty if it is accepted; else the reason.
  std::string outcome_of(const Program& candidate) {
    kernel_.reset();
    if (judged_++ >= wanted_.judged || is_over(options_)) return "not judged";
    const std::string refusal = refusal_of(candidate);
    if (!refusal.empty()) return refusal;
    if (!wanted_.lowered) return "";
    if (lowered_++ == most_lowered) return "not lowered";
    const std::string error = lowers(program_);
    return error.empty() || !lowers(before_).empty() ? "" : error;
  }

  const Program& program() const { return program_; }
  // Of the program, if its loops were generated. The caller takes it.
  std::optional<MadeKernel> kernel() { return std::exchange(kernel_, std::nullopt); }

 private:
  // Each part of a judgement gets the budget of one command, as it does outside of a search.
  bool is_within_budget(const std::function<void()>& part) const {
    const Session& session = *before_.session;
    return session.within(double(session.budget()), part);
  }

  // Empty if the candidate is legal.
  std::string refusal_of(const Program& candidate) try {
    const bool answered = is_within_budget(
        [&] { program_ = with_group_ended(before_, candidate, Given{options_.request.where}); });
    return answered ? "" : "refused: " + to_string(Code::E0901_out_of_budget);
  } catch (const Error& e) {
    return "refused: " + to_string(e.code()) + ", " + e.refusal().explanation +
           example_of(e.refusal());
  }

  // Empty if loops can be generated, and they are not too much code.
  std::string lowers(const Program& program) try {
    LowerOptions lowering{arguments_, options_.floats, options_.request, options_.code_limit};
    lowering.masks = masks_of(machine_);
    Program ready;
    const bool answered =
        is_within_budget(
            [&] { ready = finished(program, arguments_, Given{options_.request.where}); }) &&
        is_within_budget([&] {
          kernel_ = {arguments_, options_.floats, lowering.masks, lower(ready, lowering)};
        });
    return answered ? "" : to_string(Code::E0901_out_of_budget);
  } catch (const Error& e) {
    return to_string(e.code());
  }

  const Program& before_;
  const Machine& machine_;
  const AutomaticOptions& options_;
  const Wanted& wanted_;
  const std::vector<std::string> arguments_;
  std::size_t judged_ = 0, lowered_ = 0;
  Program program_;
  std::optional<MadeKernel> kernel_;
};

// Notes what became of each computation. Computations that "begun" inlines are no longer in the
// program.
void note_members(Report& report, const Facts& facts, const Draft& begun, const Finalist* chosen) {
  const Draft& draft = chosen ? chosen->draft : begun;
  report.members.clear();
  const auto noted = [&](const std::string& name, const std::string& otherwise) {
    std::string where = otherwise;
    for (const auto& [computation, note] : draft.notes)
      if (computation == name) where = note;
    report.members.push_back({name, where});
  };
  for (const auto& [name, note] : begun.notes) report.members.push_back({name, note});
  for (const Member& m : facts.members) noted(m.name, "as written");
  for (const Untouchable& one : facts.others) noted(one.name, one.reason);
}

class Run {
 public:
  Run(const Program& program, const Machine& machine, const AutomaticOptions& options,
      const Wanted& wanted)
      : before_(program), machine_(machine), options_(options), wanted_(wanted) {}

  LegalCandidates run() {
    const Values sizes = sizes_checked(before_, options_);
    found_.report.sizes = sizes_text(sizes);
    const auto now = estimate(before_, machine_, sizes, options_.threads);
    const Draft begun(with_group_begun(before_));
    const Facts facts = facts_at(begun, sizes);
    if (now) {
      found_.report.cycles_before = found_.report.cycles = now->cycles();
      const Draft inlined = options_.only_plain ? begun : with_inlined(begun, facts);
      if (!inlined.commands().empty()) search_from(inlined, facts_at(inlined, sizes), *now);
      if (found_.legal.size() < wanted_.legal) search_from(begun, facts, *now);
    } else {
      found_.report.why_unchanged =
          "a loop has no bounds for these sizes, so that nothing is known";
      note_members(found_.report, facts, begun, nullptr);
    }
    std::stable_sort(found_.legal.begin(), found_.legal.end(),
                     [](const auto& a, const auto& b) { return a.cycles < b.cycles; });
    return std::move(found_);
  }

 private:
  Facts facts_at(const Draft& draft, const Values& sizes) const {
    return facts_of(draft.program(), sizes, options_.leave, options_.arguments);
  }

  // Before any rule looks, inlines computations that are cheaper to compute again than to keep.
  static Draft with_inlined(Draft draft, const Facts& facts) {
    for (const std::string& name : cheap_to_inline(facts)) {
      const Draft before = draft;
      try {
        draft.give("inline", {name});
        draft.notes.emplace_back(name, "inlined");
      } catch (const Error&) {  // the computation stays
        draft = before;
      }
    }
    return draft;
  }

  // Adds candidates that extend the draft.
  void search_from(const Draft& begun, const Facts& facts, const Estimate& now) {
    const Setting context{facts, machine_, options_.threads, options_.floats == Floats::exact};
    SearchResult result = search(begun, context, options_.only_plain, options_.is_over);
    found_.report.refused += result.refused.size();
    const bool is_first = found_.legal.empty();
    const Finalist* chosen = choose(result.finalists, now);
    for (Report::Tried& refused : result.refused) found_.report.tried.push_back(std::move(refused));
    if (is_first) note_members(found_.report, facts, begun, chosen);
  }

  // The first candidate that is accepted; none after the budget has run out.
  const Finalist* choose(const std::vector<Finalist>& finalists, const Estimate& now) {
    Choice choice(before_, machine_, options_, wanted_);
    const std::size_t before = found_.legal.size();
    const Finalist* chosen = nullptr;
    const bool answered = before_.session->within(
        wanted_.budget, [&] { chosen = judge_all(finalists, now, choice); });
    if (!answered) {
      found_.legal.resize(before);
      chosen = nullptr;
    }
    if (before > 0) return chosen;
    if (chosen)
      report_chosen(*chosen);
    else
      found_.report.why_unchanged = !answered           ? "judging exceeds its budget"
                                    : is_over(options_) ? "the search was ended"
                                    : finalists.empty() ? "no rule applies"
                                                        : "no gain";
    return chosen;
  }

  const Finalist* judge_all(const std::vector<Finalist>& finalists, const Estimate& now,
                            Choice& choice) {
    const Finalist* chosen = nullptr;
    for (const Finalist& f : finalists) {
      Report::Tried tried{f.text, f.estimate.cycles(), f.estimate.largest(), ""};
      if (found_.legal.size() >= wanted_.legal) {
        tried.outcome = "slower";
      } else if (!wanted_.slower_too && tried.cycles >= now.cycles()) {
        tried.outcome = "no gain";
      } else if ((tried.outcome = choice.outcome_of(f.draft.program())).empty()) {
        tried.outcome = chosen ? "legal" : "chosen";
        take(choice, f);
        if (!chosen) chosen = &f;
      } else if (tried.outcome.starts_with("refused")) {
        ++found_.report.refused;
      }
      found_.report.tried.push_back(std::move(tried));
    }
    return chosen;
  }

  void take(Choice& choice, const Finalist& accepted) {
    LegalCandidate candidate{
        choice.program(), accepted.text, accepted.estimate.cycles(), {}, choice.kernel()};
    for (const Command& command : accepted.draft.commands())
      candidate.commands.push_back(command_line(command));
    found_.legal.push_back(std::move(candidate));
  }

  void report_chosen(const Finalist& chosen) {
    Report& report = found_.report;
    report.changed = true;
    report.why_unchanged.clear();  // of a search before this one
    report.cycles = chosen.estimate.cycles();
    report.commands = found_.legal.front().commands;
  }

  const Program& before_;
  const Machine& machine_;
  const AutomaticOptions& options_;
  const Wanted wanted_;
  LegalCandidates found_;
};

}  // namespace

std::string sizes_text(const Values& sizes) {
  std::string text;
  for (const auto& [name, size] : sizes)
    text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(size);
  return text;
}

Values sizes_checked(const Program& program, const AutomaticOptions& options) {
  const auto& names = program.algorithm->parameters;
  for (const auto& [name, size] : options.sizes)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw options.request.refused(Code::E0106_bad_argument, "there is no parameter " + name,
                                    "name parameters of " + program.name);
  const auto sizes = sizes_for(program, options.sizes);
  if (!sizes)
    throw options.request.refused(Code::E0106_bad_argument,
                                  "no sizes like these agree with what is assumed",
                                  "give sizes for which the assumptions of the function hold");
  return *sizes;
}

Automatic autoscheduled(const Program& program, const Machine& machine,
                        const AutomaticOptions& options) {
  check(program, options);
  LegalCandidates found = Run(program, machine, options, {}).run();
  if (found.legal.empty()) return {program, std::move(found.report)};
  LegalCandidate& chosen = found.legal.front();
  return {std::move(chosen.program), std::move(found.report), std::move(chosen.kernel)};
}

LegalCandidates legal_candidates(const Program& program, const Machine& machine,
                                 const AutomaticOptions& options, std::size_t most) {
  check(program, options);
  const std::size_t judged = 4 * most;
  const double budget = double(judged) * double(program.session->budget());
  return Run(program, machine, options, {most, true, false, judged, budget}).run();
}

}  // namespace strata
