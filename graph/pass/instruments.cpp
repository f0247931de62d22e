#include "graph/pass/instruments.h"

#include <fmt/format.h>

#include <chrono>

#include "graph/ir/verify.h"
#include "graph/text/print.h"

namespace strata::graph {

struct PassTimes::State {
  using Clock = std::chrono::steady_clock;
  struct Line {
    std::string name;
    std::size_t depth;
    Clock::time_point start;
    double seconds = 0;
  };
  struct Open {
    std::size_t line;
    int running;  // the running passes of the thread, this one included
  };
  std::vector<Line> lines = {};
  std::vector<Open> open = {};  // the passes that are running, the innermost last

  // Closes passes that have thrown, since instruments hear nothing of their end.
  void forget_thrown(int running) {
    while (!open.empty() && open.back().running > running) open.pop_back();
  }
};

PassTimes::PassTimes()
    : state_(std::make_shared<State>()), instrument_(std::make_shared<Instrument>()) {
  instrument_->name = "PassTimes";
  instrument_->enter_pass_ctx = [state = state_] { state->open.clear(); };
  instrument_->run_before_pass = [state = state_](const Module&, const PassInfo& info) {
    const int running = running_passes();
    state->forget_thrown(running - 1);
    state->lines.push_back({info.name, state->open.size(), State::Clock::now()});
    state->open.push_back({state->lines.size() - 1, running});
  };
  instrument_->run_after_pass = [state = state_](const Module&, const PassInfo&) {
    const int running = running_passes();
    state->forget_thrown(running);
    if (state->open.empty() || state->open.back().running < running) return;
    State::Line& line = state->lines[state->open.back().line];
    line.seconds = std::chrono::duration<double>(State::Clock::now() - line.start).count();
    state->open.pop_back();
  };
}

std::string PassTimes::render() {
  std::string text;
  for (const State::Line& line : state_->lines)
    text += fmt::format("{:{}}{}: {:.3f} s\n", "", 2 * line.depth, line.name, line.seconds);
  state_->lines.clear();
  state_->open.clear();
  return text;
}

namespace {

using Watch = std::function<void(const Module&, const PassInfo&)>;

// An instrument of this name that watches passes before or after they run.
std::shared_ptr<Instrument> watching(const char* name, Watch before, Watch after) {
  auto made = std::make_shared<Instrument>();
  made->name = name;
  made->run_before_pass = std::move(before);
  made->run_after_pass = std::move(after);
  return made;
}

Watch printing(const Print& print, const std::string& when) {
  return [print, when](const Module& module, const PassInfo& info) {
    print("# " + when + " " + info.name + "\n" + text_of(module));
  };
}

}  // namespace

std::shared_ptr<Instrument> print_names(const Print& print) {
  const auto name = [print](const Module&, const PassInfo& info) { print(info.name + "\n"); };
  return watching("print_names", name, {});
}

std::shared_ptr<Instrument> print_before(const Print& print) {
  return watching("print_before", printing(print, "before"), {});
}

std::shared_ptr<Instrument> print_after(const Print& print) {
  return watching("print_after", {}, printing(print, "after"));
}

std::shared_ptr<Instrument> verify_after() {
  const auto check = [](const Module& module, const PassInfo&) { verify(module); };
  return watching("verify_after", {}, check);
}

}  // namespace strata::graph
