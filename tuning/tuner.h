// The course of tune: finds candidates, takes known results from the log, measures the others, and
// chooses.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>

#include "automatic/autoschedule.h"
#include "strata/tune.h"
#include "tuning/interrupt.h"
#include "tuning/log.h"
#include "tuning/progress.h"
#include "tuning/standing.h"
#include "tuning/trial.h"

namespace strata::tuning {

class Tuner {
 public:
  Tuner(const Function& f, std::vector<std::string> arguments, const TuneOptions& options,
        const AutomaticOptions& automatic, const Machine& machine, const Request& request);

  // Returns what was measured and chosen. "program" becomes the choice.
  Tuning run(Program& program);

 private:
  using Clock = std::chrono::steady_clock;

  void find_sizes();
  std::string key() const;
  void resume();
  bool replays(const Record& record, std::size_t line);
  void measure_all();
  std::vector<LegalCandidate> planned();
  bool find_expected_results();
  void take_expected(Comparison& comparison, const std::vector<std::string>& both) const;
  bool goes_on();
  void measure(const LegalCandidate& candidate);
  void conclude(Record& record, const Ended& ended, const std::string& said);
  void take_times(Record& record, const std::string& text) const;
  double take_message(Record& record, std::string& said, char kind, const std::string& text);
  Record new_record(const LegalCandidate& candidate) const;
  void note(const Record& record, bool logged);
  void report_wrong(Record& record, const LegalCandidate& candidate);
  void show_progress(Progress::Phase phase);
  void choose(Program& program);
  void choose_by_model(Program& program);

  double seconds_left() const;
  double compile_limit() const;
  double call_limit() const;

  const Function& f_;
  const std::vector<std::string> names_;
  const TuneOptions& options_;
  AutomaticOptions automatic_;
  const Machine& machine_;
  const Request& request_;
  const Program before_;
  const Clock::time_point start_ = Clock::now();

  Values sizes_;
  std::string key_;
  std::unique_ptr<Log> log_;
  Interruptible interruptible_;
  Progress progress_;
  std::optional<Subject> subject_;
  Standing standing_;
  std::map<std::string, Competitor> measured_;  // by id
  std::string saved_;                           // of the current candidate
  std::size_t tried_ = 0;
  Tuning tuning_;
};

}  // namespace strata::tuning
