// The text of a Tuning, for people.
#include <fmt/format.h>

#include "strata/tune.h"
#include "tuning/progress.h"

namespace strata {

namespace {

using tuning::duration_text;

std::string first_line(const Tuning& t) {
  std::string line = t.changed ? fmt::format("tuned: {} commands", t.commands.size()) : "unchanged";
  if (t.seconds > 0) line += ", " + duration_text(t.seconds);
  if (t.changed && t.seconds > 0 && t.seconds_before > 0)
    line += fmt::format(", {:.3g} times as fast as it stood ({})", t.seconds_before / t.seconds,
                        duration_text(t.seconds_before));
  return line + "\n";
}

std::string line_of(const Tuning::Candidate& candidate) {
  std::string line = "  " + candidate.text + ": ";
  if (candidate.score > 0)
    line += fmt::format("{}, measured {}, median {}, {} commands; ", duration_text(candidate.score),
                        duration_text(candidate.seconds), duration_text(candidate.median),
                        candidate.commands);
  return line + candidate.outcome + (candidate.logged ? ", by the log" : "") + "\n";
}

std::string lines(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " line" : " lines");
}

}  // namespace

std::string Tuning::text() const {
  std::string text = first_line(*this);
  if (!chosen.empty()) text += "  " + chosen + "\n";
  text += "for " + (sizes.empty() ? "" : sizes + ", ") + std::to_string(threads) +
          (threads == 1 ? " thread\n" : " threads\n");
  if (!stopped.empty()) text += "stopped: " + stopped + "\n";
  if (planned > 0 || !candidates.empty())
    text += fmt::format("candidates: {} of {}\n", candidates.size(),
                        std::max(planned, candidates.size()));
  for (const Candidate& candidate : candidates) text += line_of(candidate);
  if (repeated > 0)
    text += std::to_string(repeated) + " samples were repeated, since other work disturbed them\n";
  if (torn > 0)
    text +=
        "the log has " + lines(torn) + (torn == 1 ? " that is damaged\n" : " that are damaged\n");
  if (others > 0)
    text += "the log has " + lines(others) + " of other programs, machines or sizes\n";
  for (const std::string& record : unreplayable)
    text += "the log does not replay: " + record + "\n";
  return text;
}

}  // namespace strata
