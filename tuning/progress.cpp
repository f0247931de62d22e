#include "tuning/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "core/json.h"

namespace strata::tuning {

namespace {

TuneProgress way_of(TuneProgress wish) {
  if (wish != TuneProgress::automatic) return wish;
  return isatty(STDERR_FILENO) ? TuneProgress::line : TuneProgress::json;
}

std::string line_of(const std::string& name, const Progress::State& s) {
  std::string line = "tuning " + name + ": ";
  if (s.phase == Progress::Phase::search)
    line += "search";
  else
    line += fmt::format("{} of {}", s.done, s.planned);
  if (s.best > 0) line += ", best " + duration_text(s.best);
  if (s.best > 0 && s.plain > 0)
    line += fmt::format(", {:.3g} times as fast as it stood", s.plain / s.best);
  return line + fmt::format(", {:.0f} s left", s.seconds_left);
}

// Leaves out what is not known.
std::string json_of(const std::string& name, const Progress::State& s) {
  std::string line =
      fmt::format("{{\"strata_progress\": 1, \"function\": {}, \"phase\": \"{}\"", in_json(name),
                  s.phase == Progress::Phase::search ? "search" : "measurement");
  if (s.phase == Progress::Phase::measurement)
    line += fmt::format(", \"done\": {}, \"planned\": {}", s.done, s.planned);
  if (s.best > 0) line += fmt::format(", \"best_s\": {:.4g}", s.best);
  if (s.plain > 0) line += fmt::format(", \"plain_s\": {:.4g}", s.plain);
  return line + fmt::format(", \"seconds_left\": {:.1f}}}\n", s.seconds_left);
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

Progress::Progress(std::string name, TuneProgress wish)
    : name_(std::move(name)), way_(way_of(wish)) {}

// Ends the line, so that the next text on the terminal begins a new one.
Progress::~Progress() {
  if (is_line_open_) std::fputs("\n", stderr);
}

void Progress::show(const State& state) {
  if (way_ == TuneProgress::json) std::fputs(json_of(name_, state).c_str(), stderr);
  if (way_ == TuneProgress::line) {
    // First goes to the first column, and at the end clears the rest of the line.
    std::fprintf(stderr, "\r%s\x1b[K", line_of(name_, state).c_str());
    is_line_open_ = true;
  }
  std::fflush(stderr);
}

}  // namespace strata::tuning
