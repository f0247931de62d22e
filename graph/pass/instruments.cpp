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
  std::vector<Line> lines = {};
  std::vector<std::size_t> open = {};  // the passes that are running, the innermost last
};

PassTimes::PassTimes()
    : state_(std::make_shared<State>()), instrument_(std::make_shared<Instrument>()) {
  instrument_->name = "PassTimes";
  instrument_->enter_pass_ctx = [state = state_] { state->open.clear(); };
  instrument_->run_before_pass = [state = state_](const Module&, const PassInfo& info) {
    state->open.push_back(state->lines.size());
    state->lines.push_back({info.name, state->open.size() - 1, State::Clock::now()});
  };
  instrument_->run_after_pass = [state = state_](const Module&, const PassInfo&) {
    if (state->open.empty()) return;
    State::Line& line = state->lines[state->open.back()];
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

std::shared_ptr<Instrument> print_names(const Print& print) {
  auto made = std::make_shared<Instrument>();
  made->name = "print_names";
  made->run_before_pass = [print](const Module&, const PassInfo& info) { print(info.name + "\n"); };
  return made;
}

std::shared_ptr<Instrument> print_before(const Print& print) {
  auto made = std::make_shared<Instrument>();
  made->name = "print_before";
  made->run_before_pass = [print](const Module& module, const PassInfo& info) {
    print("# before " + info.name + "\n" + text_of(module));
  };
  return made;
}

std::shared_ptr<Instrument> print_after(const Print& print) {
  auto made = std::make_shared<Instrument>();
  made->name = "print_after";
  made->run_after_pass = [print](const Module& module, const PassInfo& info) {
    print("# after " + info.name + "\n" + text_of(module));
  };
  return made;
}

std::shared_ptr<Instrument> verify_after() {
  auto made = std::make_shared<Instrument>();
  made->name = "verify_after";
  made->run_after_pass = [](const Module& module, const PassInfo&) { verify(module); };
  return made;
}

}  // namespace strata::graph
