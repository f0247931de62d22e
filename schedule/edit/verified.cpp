#include "schedule/edit/verified.h"

#include "schedule/edit/prefetches.h"
#include "schedule/edit/tile_sizes.h"
#include "schedule/legality/launch_advice.h"
#include "schedule/legality/legality.h"
#include "schedule/legality/privatise.h"

namespace strata {

namespace {

Program with_waivers(Program after, const std::vector<Violation>& violations,
                     const Command& command) {
  isl::union_map all;
  for (const Violation& v : violations) {
    auto pairs = v.pairs.to_union_map();
    all = all.is_null() ? pairs : all.unite(pairs);
  }
  if (!all.is_null()) after.waivers.push_back({command.text(), Dependences::from(all)});
  return after;
}

Error refusal_of(const Violation& v, const Program& before, const Program& after,
                 const Command& command) {
  const bool order =
      v.code == Code::E0201_dependence_reversed || v.code == Code::E0202_dependence_carried;
  const bool own_words = order && !command.consequence.empty();
  std::string mend = v.mend;
  if (v.code == Code::E0207_reduction_concurrent) {
    const std::string commands = how_to_privatise(before, after, v.pairs.domain_tuple_id().name());
    if (!commands.empty()) mend = commands;
  }
  if (v.code == Code::E0202_dependence_carried) {
    const Definition* source = after.algorithm->find(v.pairs.domain_tuple_id().name());
    if (source && v.pairs.range_tuple_id().name() == source->name)
      mend = how_to_scatter(after, *source);
  }
  if (v.code == Code::E0202_dependence_carried || v.code == Code::E0303_race) {
    const std::string orders = how_to_order_launch(after, v.pairs);
    if (v.code == Code::E0303_race && !orders.empty())
      mend = orders + "; or give each iteration its own elements";
    else
      mend += (mend.empty() || orders.empty() ? "" : "; or ") + orders;
  }
  const std::string assumed = v.may ? " (an access or a condition is not affine: everything that "
                                      "may happen is assumed to happen)"
                                    : "";
  return command.refused(v.code, (own_words ? command.consequence : v.explanation) + assumed, mend,
                         witness_of(v, *after.algorithm));
}

// verified(), without turning E0901 into the command's refusal.
Program judged_within_budget(const Program& before, Program after, const Command& command) {
  const Request request{command.text(), command.given.where};
  require_rules(after, Asked::always, request);
  if (command.given.check == Check::deferred) return after;
  Judgement judgement(after);
  if (const auto violation = judgement.first(Asked::after_groups))
    throw refusal_of(*violation, before, after, command);
  require_rules(after, Asked::after_groups, request);
  if (command.given.check == Check::waived) {
    const auto violations = judgement.all();
    return with_waivers(std::move(after), violations, command);
  }
  if (const auto violation = judgement.first(Asked::unless_waived)) {
    const auto example = find_violation_at_some_size(after);
    throw refusal_of(example ? *example : *violation, before, after, command);
  }
  if (auto proofs = judgement.proofs()) after.proofs = std::move(proofs);
  return after;
}

}  // namespace

Program accepted(Program after) {
  after.scheduled = true;
  return after;
}

Program made_within_budget(const Program& program, const Command& command,
                           const std::function<Program()>& make) {
  Program after;
  if (program.session->within_budget([&] { after = make(); })) return after;
  throw command.refused(Code::E0901_out_of_budget, "this is too hard to compute within the budget",
                        "raise the budget with set_budget, or simplify the domain or the schedule");
}

void refuse_as(const Command& command, const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& e) {
    if (e.code() != Code::E0901_out_of_budget) throw;
    throw command.refused(e.code(), e.refusal().explanation, e.refusal().mend);
  }
}

Program verified(const Program& before, Program after, const Command& command) {
  drop_idle_prefetches(after);
  name_pieces(after.mapping);
  after.scheduled = true;
  refuse_as(command, [&] { after = judged_within_budget(before, std::move(after), command); });
  return after;
}

}  // namespace strata
