#include "tuning/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace strata::tuning {

std::string duration_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

Progress::Progress(std::string name, TuneProgress wish)
    : name_(std::move(name)),
      shows_(wish == TuneProgress::always ||
             (wish == TuneProgress::terminal && isatty(STDERR_FILENO))) {}

// The next text on the terminal begins a line of its own.
Progress::~Progress() {
  if (shown_) std::fputs("\n", stderr);
}

void Progress::show(std::size_t done, std::size_t planned, double best, double plain,
                    double seconds_left) {
  if (!shows_) return;
  shown_ = true;
  std::string line = fmt::format("tuning {}: {} of {}", name_, done, planned);
  if (best > 0) line += ", best " + duration_text(best);
  if (best > 0 && plain > 0)
    line += fmt::format(", {:.3g} times as fast as it stood", plain / best);
  line += fmt::format(", {:.0f} s left", seconds_left);
  // To the first column before, and the rest of the line cleared.
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
}

}  // namespace strata::tuning
