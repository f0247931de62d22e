#include "automatic/report.h"

#include <algorithm>
#include <cstdio>

namespace strata {

namespace {

constexpr std::size_t most_lines = 12;

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string line_of(const Report::Tried& tried) {
  if (tried.cycles == 0) return "  " + tried.text + ": " + tried.outcome + "\n";
  return "  " + tried.text + ": " + short_number(tried.cycles) + " cycles, most in " +
         tried.largest + "; " + tried.outcome + "\n";
}

}  // namespace

std::string Report::text() const {
  std::string text = changed ? "scheduled: " : "unchanged: " + why_unchanged + "\n";
  if (changed)
    text += std::to_string(commands.size()) + " commands, " + short_number(cycles) +
            " cycles by the model, " + short_number(cycles_before) + " before\n";
  if (!sizes.empty()) text += "for " + sizes + "\n";
  if (!members.empty()) text += "computations\n";
  for (const Member& m : members) text += "  " + m.computation + ": " + m.where + "\n";
  if (tried.empty()) return text;
  text += "candidates: " + std::to_string(tried.size()) + ", refused: " + std::to_string(refused) +
          "\n";
  for (std::size_t n = 0; n < std::min(tried.size(), most_lines); ++n) text += line_of(tried[n]);
  if (tried.size() > most_lines)
    text += "  and " + std::to_string(tried.size() - most_lines) + " more\n";
  return text;
}

}  // namespace strata
