#include "tuning/tuner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/record.h"
#include "dsl/author.h"
#include "layers/text/text.h"
#include "schedule/table/command_text.h"
#include "schedule/table/replay.h"
#include "tuning/hooks.h"
#include "tuning/reports.h"
#include "tuning/subject.h"

namespace strata::tuning {

namespace {

constexpr double longest_compilation = 30;  // seconds

std::string group_of(const std::vector<std::string>& commands) {
  std::string text = std::string(group_begin) + "\n";
  for (const std::string& command : commands) text += command + "\n";
  return text + group_end + "\n";
}

std::string ending_text(const Ended& ended) {
  if (ended.how == Ending::signalled)
    return fmt::format("signal {}, {}", ended.number, strsignal(ended.number));
  return fmt::format("status {}", ended.number);
}

}  // namespace

Tuner::Tuner(const Function& f, std::vector<std::string> arguments, const TuneOptions& options,
             const AutomaticOptions& automatic, const Machine& machine, const Request& request)
    : f_(f),
      names_(std::move(arguments)),
      options_(options),
      automatic_(automatic),
      machine_(machine),
      request_(request),
      before_(f.program()),
      progress_(f.name(), options.progress) {}

Tuning Tuner::run(Program& program) {
  find_sizes();
  key_ = key();
  if (!options_.log.empty()) log_ = std::make_unique<Log>(options_.log, options_.replay, request_);
  if (!options_.replay)
    subject_ = make_subject(
        {Author::state(f_), names_, options_, machine_, sizes_, automatic_.threads, request_});
  if (log_) resume();
  if (!options_.replay) measure_all();
  tuning_.interrupted = interruptible_.is_interrupted();
  choose(program);
  return std::move(tuning_);
}

void Tuner::find_sizes() {
  sizes_ = sizes_checked(before_, automatic_);
  automatic_.sizes = sizes_;
  tuning_.sizes = sizes_text(sizes_);
  tuning_.threads = automatic_.threads;
}

// The key of everything that decides which candidates there are, and how fast they run.
std::string Tuner::key() const {
  std::vector<std::string> texts{to_text(before_),
                                 to_text(machine_),
                                 tuning_.sizes,
                                 std::to_string(automatic_.threads),
                                 std::to_string(rules_version),
                                 std::to_string(int(automatic_.floats)),
                                 automatic_.only_plain ? "plain" : ""};
  texts.push_back(recorded(names_));
  texts.push_back(recorded({automatic_.leave.begin(), automatic_.leave.end()}));
  return fmt::format("{:016x}", hash_of_text(recorded(texts)));
}

double Tuner::seconds_left() const {
  return options_.seconds - std::chrono::duration<double>(Clock::now() - start_).count();
}

double Tuner::compile_limit() const { return std::min(longest_compilation, seconds_left()); }

double Tuner::call_limit() const {
  const double best = standing_.has_best() ? standing_.score(standing_.best()) : 0;
  return best > 0 ? 4 * best + 1 : 0.5 * seconds_left();  // leaves time for another candidate
}

// ---- the log ----

void Tuner::resume() {
  log_->choose(key_);
  tuning_.torn = log_->torn();
  tuning_.others = log_->others();
  for (const auto& [line, record] : log_->records())
    if (!record.is_measured() || replays(record, line)) note(record, true);
}

// Does the record replay? Then keeps the program that its commands make.
bool Tuner::replays(const Record& record, std::size_t line) {
  if (measured_.contains(record.id())) return true;
  try {
    const Given given{request_.where, Check::now};
    const Program program =
        record.commands.empty() ? before_ : replayed(before_, group_of(record.commands), given);
    measured_.emplace(record.id(), Competitor{program, record.id()});
    return true;
  } catch (const Error& e) {
    tuning_.unreplayable.push_back(
        fmt::format("line {}: {}, {}", line, to_string(e.code()), e.refusal().explanation));
    return false;
  }
}

// ---- measuring ----

// The candidates: first the best by the model, then the program as it stands, which may take much
// longer.
std::vector<LegalCandidate> Tuner::planned() {
  AutomaticOptions bounded = automatic_;
  bounded.is_over = [&] {
    if (hooks().searching) hooks().searching();
    return !goes_on();
  };
  std::vector<LegalCandidate> all =
      legal_candidates(before_, machine_, bounded, options_.candidates).legal;
  const LegalCandidate plain{before_, "as it stands", 0, {}};
  all.insert(all.begin() + std::ptrdiff_t(std::min<std::size_t>(all.size(), 1)), plain);
  return all;
}

bool Tuner::goes_on() {
  if (interruptible_.is_interrupted())
    tuning_.stopped = "interrupted";
  else if (seconds_left() <= 0)
    tuning_.stopped = fmt::format("{:.3g} s are over", options_.seconds);
  return tuning_.stopped.empty();
}

void Tuner::measure_all() {
  show_progress(Progress::Phase::search);
  const std::vector<LegalCandidate> candidates = planned();
  tuning_.planned = candidates.size();
  std::set<std::string> known;
  if (log_)
    for (const auto& [line, record] : log_->records()) known.insert(record.id());
  std::vector<const LegalCandidate*> left;
  for (const LegalCandidate& candidate : candidates)
    if (!known.contains(new_record(candidate).id())) left.push_back(&candidate);
  if (left.empty() || !goes_on() || !find_expected_results()) return;
  for (const LegalCandidate* candidate : left) {
    show_progress(Progress::Phase::measurement);
    if (!goes_on()) return;
    measure(*candidate);
  }
  show_progress(Progress::Phase::measurement);
}

void Tuner::show_progress(Progress::Phase phase) {
  const double best = standing_.has_best() ? standing_.score(standing_.best()) : 0;
  progress_.show({phase, tuning_.candidates.size(), tuning_.planned, best,
                  standing_.score(Record{}.id()), std::max(seconds_left(), 0.0)});
}

// Takes the arrays that a call wrote, and those that it wrote after a nudge of its inputs.
void Tuner::take_expected(Comparison& comparison, const std::vector<std::string>& both) const {
  comparison.expected = *find_texts(both[0]);
  const std::vector<std::string> nudged = *find_texts(both[1]);
  for (std::size_t n = 0; n < nudged.size(); ++n)
    comparison.rounding.push_back(effect_of_rounding(subject_->arguments.kernel.buffers[n].type,
                                                     comparison.expected[n], nudged[n]));
}

// False if the time was not enough.
bool Tuner::find_expected_results() {
  std::size_t next = 0;
  std::string refusal, failure;
  std::vector<Comparison> known;
  const Supervision supervision{[&](char kind, const std::string& text) {
                                  if (kind == compared) {
                                    known.push_back(std::move(subject_->comparisons[next]));
                                    take_expected(known.back(), *find_texts(text));
                                  }
                                  if (kind == not_compared) failure = text;
                                  if (kind == refused || kind == failed) refusal = text;
                                  if (kind == compared || kind == not_compared) ++next;
                                  return seconds_left();
                                },
                                compile_limit(), [&] { return !goes_on(); }};
  const Ended ended =
      run_in_child([&](const Sender& s) { find_expected(*subject_, before_, s); }, supervision);
  const bool all = next == subject_->comparisons.size();
  if (!all && (ended.how == Ending::late || ended.how == Ending::stopped)) {
    if (tuning_.stopped.empty()) tuning_.stopped = "the program as it stands takes too long";
    return false;
  }
  if (ended.how == Ending::not_started) {
    tuning_.stopped = fmt::format("no process can be started: {}", std::strerror(ended.number));
    return false;
  }
  if (ended.how != Ending::done && refusal.empty()) refusal = "it ends with " + ending_text(ended);
  if (!refusal.empty())
    throw request_.refused(Code::E0502_code_generation_failed,
                           "the program as it stands does not run: " + refusal,
                           "call its kernel without tune");
  if (known.empty() || (!options_.arrays.empty() && !failure.empty()))
    throw request_.refused(Code::E0106_bad_argument,
                           "the program as it stands fails on these arrays: " + failure,
                           "give arrays that it can be called with");
  subject_->comparisons = std::move(known);
  return true;
}

Record Tuner::new_record(const LegalCandidate& candidate) const {
  Record record;
  record.key = key_;
  record.function = f_.name();
  record.cpu = machine_.cpu;
  record.sizes = tuning_.sizes;
  record.threads = automatic_.threads;
  record.text = candidate.text;
  record.commands = candidate.commands;
  return record;
}

// Takes a message of a child. Returns the seconds until the next one must come.
double Tuner::take_message(Record& record, std::string& said, char kind, const std::string& text) {
  switch (kind) {
    case compiled: saved_ = text; break;
    case ready:
      if (!text.empty()) measured_.at(record.against).saved = text;
      break;
    case measured: take_times(record, text); break;
    case refused: record.outcome = "refused"; break;
    case failed: record.outcome = "failed"; break;
    case wrong: record.outcome = "wrong"; break;
    case no_memory: record.outcome = "out of memory"; break;
    default: break;
  }
  if (kind == refused || kind == failed || kind == wrong) said = text;
  // After the comparisons, the other candidate may have to be compiled.
  return call_limit() + (kind == compared && !record.against.empty() ? compile_limit() : 0);
}

void Tuner::take_times(Record& record, const std::string& text) const {
  const auto texts = find_texts(text);
  if (!texts || texts->size() != 6) return;
  const auto number = [&](std::size_t n) { return std::stoll((*texts)[n]); };
  record.outcome = "measured";
  record.times = {number(0), number(1)};
  record.other = {number(2), number(3)};
  record.samples = number(4);
  record.repeated = number(5);
}

void Tuner::measure(const LegalCandidate& candidate) {
  Record record = new_record(candidate);
  if (standing_.has_best()) record.against = standing_.best();
  const Competitor* const beside = record.against.empty() ? nullptr : &measured_.at(record.against);
  std::string said;
  bool is_compiled = false;
  saved_.clear();
  const Supervision supervision{[&](char kind, const std::string& text) {
                                  is_compiled = is_compiled || kind == compiled;
                                  return take_message(record, said, kind, text);
                                },
                                compile_limit(), [&] { return !goes_on(); }};
  const std::size_t number = tried_++;
  const Ended ended = run_in_child(
      [&](const Sender& s) { try_candidate(*subject_, candidate.program, number, beside, s); },
      supervision);
  if (ended.how == Ending::not_started) {
    tuning_.stopped = fmt::format("no process can be started: {}", std::strerror(ended.number));
    return;
  }
  if (record.outcome.empty() && (ended.how == Ending::stopped || !goes_on())) return;
  if (record.outcome.empty() && ended.how == Ending::late)
    said = is_compiled ? "a call" : "its compilation";
  conclude(record, ended, said);
  if (record.outcome == "wrong") report_wrong(record, candidate);
  if (log_) log_->append(record);
  if (record.is_measured())
    measured_.emplace(record.id(), Competitor{candidate.program, record.id(), saved_});
  note(record, false);
}

// Notes the outcome of a candidate, if its child did not tell it.
void Tuner::conclude(Record& record, const Ended& ended, const std::string& said) {
  record.detail = said;
  if (record.outcome.empty() && ended.how == Ending::late) record.outcome = "too slow";
  if (record.outcome.empty()) {
    record.outcome = "crashed";
    record.detail = ending_text(ended);
  }
  if (!record.is_measured()) record.against.clear();
}

void Tuner::report_wrong(Record& record, const LegalCandidate& candidate) {
  const std::string path = wrong_result_path(options_.log, f_.name(), record.id());
  if (write_wrong_result(path, record, to_text(before_), to_text(candidate.program)))
    record.detail += ", which is a bug in Strata: please report it with the file " + path;
  else
    record.detail += ", which is a bug in Strata; " + path + " cannot be written";
}

void Tuner::note(const Record& record, bool logged) {
  standing_.add(record);
  Tuning::Candidate candidate{record.text, record.commands.size(), record.outcome};
  if (!record.detail.empty()) candidate.outcome += ": " + record.detail;
  candidate.id = record.id();
  candidate.seconds = 1e-9 * double(record.times.minimum);
  candidate.median = 1e-9 * double(record.times.median);
  candidate.score = standing_.score(record.id());
  candidate.logged = logged;
  tuning_.repeated += std::size_t(record.repeated);
  tuning_.candidates.push_back(std::move(candidate));
}

// ---- the choice ----

void Tuner::choose(Program& program) {
  if (!standing_.has_best()) return choose_by_model(program);
  for (Tuning::Candidate& candidate : tuning_.candidates) {
    if (candidate.score == 0) continue;
    const bool is_best = candidate.id == standing_.best();
    candidate.outcome = is_best ? "chosen" : "slower";
    if (is_best) tuning_.chosen = candidate.text;
  }
  tuning_.seconds = standing_.score(standing_.best());
  tuning_.seconds_before = standing_.score(Record{}.id());
  program = measured_.at(standing_.best()).program;
  tuning_.changed = standing_.best() != Record{}.id();
  const auto& history = program.history;
  const std::size_t first = before_.history.size();
  for (std::size_t n = first + 1; tuning_.changed && n + 1 < history.size(); ++n)
    tuning_.commands.push_back(history[n]);
}

// Takes the model's choice. Not if a candidate was tried and failed: the choice would be that one.
// Not after Ctrl-C either, since the user should not wait for another search.
void Tuner::choose_by_model(Program& program) {
  if (!tuning_.candidates.empty()) {
    tuning_.chosen = "as it stands, no candidate could be measured";
    return;
  }
  AutomaticOptions interruptible = automatic_;
  interruptible.is_over = [&] { return interruptible_.is_interrupted(); };
  Automatic found = autoscheduled(before_, machine_, interruptible);
  tuning_.interrupted = interruptible_.is_interrupted();
  if (tuning_.interrupted) {
    tuning_.chosen = "as it stands, interrupted before a candidate was measured";
    return;
  }
  tuning_.changed = found.report.changed;
  tuning_.commands = found.report.commands;
  tuning_.chosen = "the model's choice, nothing was measured";
  if (tuning_.changed) program = std::move(found.program);
}

}  // namespace strata::tuning
