#include "schedule/judged.h"

#include "schedule/legality/legality.h"
#include "schedule/legality/privatise.h"
#include "schedule/prefetches.h"
#include "schedule/tile_sizes.h"

namespace strata {

namespace {

Program with_waivers(Program after, const Command& command) {
  isl::union_map all;
  for (const Violation& v : find_violations(after)) {
    auto pairs = v.pairs.to_union_map();
    all = all.is_null() ? pairs : all.unite(pairs);
  }
  if (!all.is_null()) after.waivers.push_back({command.text(), Dependences::from(all)});
  return after;
}

Error refusal_of(const Violation& v, const Program& before, const Program& after,
                 const Command& command) {
  const bool order = v.code == Code::E0201_dependence_reversed ||
                     v.code == Code::E0202_dependence_carried;
  const bool own_words = order && !command.consequence.empty();
  std::string mend = v.mend;
  if (v.code == Code::E0207_reduction_concurrent) {
    const std::string commands =
        how_to_privatise(before, after, v.pairs.domain_tuple_id().name());
    if (!commands.empty()) mend = commands;
  }
  if (v.code == Code::E0202_dependence_carried) {
    const Definition* source = after.algorithm->find(v.pairs.domain_tuple_id().name());
    if (source && v.pairs.range_tuple_id().name() == source->name)
      mend = how_to_scatter(after, *source);
  }
  const std::string assumed =
      v.may ? " (an access or a condition is not affine: all that may happen is assumed to)" : "";
  return command.refused(v.code, (own_words ? command.consequence : v.explanation) + assumed, mend,
                         witness_of(v, *after.algorithm));
}

// The same, of questions that need a budget.
Program judged_within_budget(const Program& before, Program after, const Command& command) {
  const Request request{command.text(), command.given.where};
  require_rules(after, Asked::always, request);
  if (command.given.check == Check::deferred) return after;
  require_rules(after, Asked::after_groups, request);
  if (command.given.check == Check::waived) return with_waivers(std::move(after), command);
  Verdict verdict = verdict_of(after);
  if (verdict.violation) {
    const auto example = find_violation_at_some_size(after);
    throw refusal_of(example ? *example : *verdict.violation, before, after, command);
  }
  if (verdict.proved) after.proved = std::move(verdict.proved);
  return after;
}

}  // namespace

Program accepted(Program after, const Command& command) {
  after.history.push_back(command.text());
  return after;
}

void asked_by(const Command& command, const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Error& e) {
    if (e.code() != Code::E0901_out_of_budget) throw;
    throw command.refused(e.code(), e.refusal().explanation, e.refusal().mend);
  }
}

Program judged(const Program& before, Program after, const Command& command) {
  drop_idle_prefetches(after);
  after.history.push_back(command.text());
  asked_by(command, [&] { after = judged_within_budget(before, std::move(after), command); });
  return after;
}

}  // namespace strata
