#include "tests/fuzz/statistics.h"

#include <fmt/format.h>

namespace strata::fuzz {

std::int64_t Statistics::all_false_refusals() const {
  std::int64_t all = 0;
  for (const auto& [kind, count] : false_refusals) all += count;
  return all;
}

double Statistics::acceptance() const {
  return schedules() == 0 ? 0 : double(accepted) / double(schedules());
}

std::int64_t Statistics::median_accepted() const {
  std::int64_t below = 0;
  for (const auto& [count, in] : accepted_in_a_program)
    if (2 * (below += in) >= programs) return count;
  return 0;
}

double Statistics::share(std::int64_t some) const {
  return programs == 0 ? 0 : 100 * double(some) / double(programs);
}

namespace {

std::string counted(const std::string& title, const std::map<std::string, std::int64_t>& counts) {
  std::string text = title + "\n";
  for (const auto& [name, count] : counts) text += fmt::format("  {:<34}{:>9}\n", name, count);
  return counts.empty() ? "" : text;
}

std::string told(const LargestRelation& largest, const std::string& of) {
  return fmt::format("most {}: {}, in {}, program {}\n", of, largest.count, largest.what,
                     largest.seed);
}

std::string told(const AutoscheduleCount& a) {
  if (a.programs == 0) return "";
  return fmt::format(
             "autoscheduled {} programs, {} of them changed, {} compiled, {} by a back end; the "
             "slowest {:.1f} s of CPU, program {}\n",
             a.programs, a.changed, a.compiled, a.by_machine, a.slowest, a.slowest_seed) +
         counted("chosen, by rule", a.chosen) + counted("refused, by rule and code", a.refused);
}

}  // namespace

std::string table(const Statistics& s) {
  std::string text = fmt::format("{:<28}{:>9}{:>9}{:>9}{:>10}{:>10}\n", "command", "accepted",
                                 "refused", "other", "judged in", "acc. in");
  for (const auto& [name, c] : s.commands)
    text += fmt::format("  {:<26}{:>9}{:>9}{:>9}{:>9.1f}%{:>9.1f}%\n", name, c.accepted, c.refused,
                        c.inapplicable, s.share(c.programs), s.share(c.accepting_programs));
  text += "programs with\n";
  for (const auto& [name, count] : s.kinds)
    text += fmt::format("  {:<26}{:>9.1f}%\n", name, s.share(count));
  text += counted("refused, by code", s.codes);
  text += counted("refused by design, no execution breaks", s.by_design);
  text += counted("false refusals", s.false_refusals);
  text += counted("legal, and not compiled", s.not_compiled);
  text += counted("compiled without the copies given", s.copies_refused);
  text += fmt::format("accepted {:.1f} % of the commands judged, median {} in a program\n",
                      100 * s.acceptance(), s.median_accepted());
  text += fmt::format(
      "{} oracle decisions, {} pairs compiled, {} of them through Halide, {} runs on ranks\n",
      s.schedules(), s.compiled, s.by_machine, s.on_ranks);
  text += told(s.most_disjuncts, "disjuncts") + told(s.most_existentials, "existentials");
  text += told(s.autoscheduled);
  text += fmt::format("slowest case {:.1f} s, program {}; {} interrupted\n", s.slowest,
                      s.slowest_seed, s.interrupted);
  text += fmt::format("slowest call {:.2f} s of CPU, program {}: {}\n", s.slowest_call.seconds,
                      s.slowest_call.seed, s.slowest_call.what);
  return text;
}

std::string last_line(const Statistics& s, std::uint64_t seed) {
  return fmt::format(
      "programs={} schedules={} accepted={} refused={} mismatches={} illegal_accepted={} "
      "false_refusals={} seed={}",
      s.programs, s.schedules(), s.accepted, s.refused, s.mismatches, s.illegal_accepted,
      s.all_false_refusals(), seed);
}

}  // namespace strata::fuzz
