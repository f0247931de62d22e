// The log of tune: whole lines, whatever happens.
#include <strata/tune.h>
#include <catch2/catch.hpp>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <set>

#include "tests/automatic/programs.h"
#include "tests/folder.h"
#include "tests/tuning/hooked.h"
#include "tuning/log.h"
#include "tuning/standing.h"

namespace strata::test::log_test {

using namespace tuning;

namespace {

const Request request{"tune(f)", {"place.cpp", 1}};

Record sample(const std::string& key, const std::string& command, std::int64_t nanoseconds) {
  Record r;
  r.key = key;
  r.function = "f";
  r.cpu = "znver4";
  r.sizes = "N = 3";
  r.text = "product of c: \"tiles\"\n\\ \t\x01 \xc3\xa4";
  r.commands = {command, "set_schedule(S, \"{ S[i] -> [i] }\")"};
  r.outcome = "measured";
  r.times = {nanoseconds, nanoseconds + 1};
  r.samples = 3;
  return r;
}

std::string text_of(const std::string& path) {
  std::string text;
  for (const std::string& line : lines_of(path)) text += line + "\n";
  return text;
}

// What the log has after it was extended by one more record.
std::size_t records_after_one_more(const std::string& path) {
  {
    Log log(path, false, request);
    log.choose("key");
    log.append(sample("key", "last(S.i)", 5));
  }
  Log log(path, false, request);
  log.choose("key");
  REQUIRE(!log.records().empty());
  CHECK(log.records().back().second.commands[0] == "last(S.i)");
  return log.records().size();
}

// The winner is the same for every reader of the log.
Tuning tuned(const std::string& log, std::size_t candidates, bool replay = false) {
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  TuneOptions options = small_product(candidates, log);
  options.replay = replay;
  return tune(f, program.arguments, options);
}

constexpr std::size_t candidates_of_killed = 5;

std::vector<std::string> lines_if_any(const std::string& path) {
  return std::filesystem::exists(path) ? lines_of(path) : std::vector<std::string>();
}

// Kills a process that tunes, at a random moment, and checks that no line is lost, doubled or torn.
void kill_one(const std::string& path, std::mt19937& random) {
  const std::vector<std::string> before = lines_if_any(path);
  const pid_t child = fork();
  if (child == 0) {
    tuned(path, candidates_of_killed);
    _exit(0);
  }
  usleep(50'000 + random() % 1'000'000);
  kill(child, SIGKILL);
  CHECK(has_no_child());
  const std::vector<std::string> after = lines_if_any(path);
  REQUIRE(after.size() >= before.size());
  CHECK(std::equal(before.begin(), before.end(), after.begin()));
  if (after.empty()) return;
  Log log(path, true, request);
  log.choose(find_record(after.front())->key);
  std::set<std::string> ids;
  for (const auto& [line, record] : log.records()) ids.insert(record.id());
  CHECK(log.torn() == 0);
  CHECK(ids.size() == after.size());
}

// Who goes on with the log, reads it again, or replays it gets the same commands.
void check_winner(const std::string& path) {
  const Tuning last = tuned(path, candidates_of_killed);
  INFO(last.text());
  const std::vector<std::string> lines = lines_of(path);
  CHECK(lines.size() == candidates_of_killed + 1);
  CHECK(last.changed);
  for (const bool replay : {false, true}) {
    const Tuning again = tuned(path, candidates_of_killed, replay);
    CHECK(again.commands == last.commands);
    CHECK(again.seconds == last.seconds);
    for (const Tuning::Candidate& c : again.candidates) CHECK(c.logged);
  }
  CHECK(lines_of(path) == lines);
}

}  // namespace

TEST_CASE("a record's line is read as it was") {
  Record r = sample("0123", "split(S.i, 4)", 17);
  r.against = "89ab";
  r.other = {18, 19};
  r.repeated = 2;
  r.detail = "none";
  const std::string line = to_line(r);
  REQUIRE(line.ends_with("\n"));
  CHECK(line.find('\n') == line.size() - 1);
  const auto read = find_record(line.substr(0, line.size() - 1));
  REQUIRE(read);
  CHECK(to_line(*read) == line);
  CHECK(read->commands == r.commands);
  CHECK(read->text == r.text);
  CHECK(read->id() == r.id());
  for (std::size_t length = 0; length + 1 < line.size(); ++length)
    CHECK(!find_record(line.substr(0, length)));
}

TEST_CASE("a log that ends at any byte is resumed") {
  const Folder folder;
  const std::string whole = folder / "whole", cut = folder / "cut";
  std::vector<std::size_t> ends{0};
  for (const char* const command : {"first(S.i)", "second(S.i)", "third(S.i)"}) {
    Log(whole, false, request).append(sample("key", command, 9));
    ends.push_back(std::filesystem::file_size(whole));
  }
  const std::string text = text_of(whole);
  REQUIRE(text.size() == ends.back());
  for (std::size_t length = 0; length <= text.size(); ++length) {
    write_file(cut, text.substr(0, length));
    // A line that lacks its newline alone is whole.
    std::size_t records = 0;
    bool torn = length > 0;
    for (const std::size_t end : ends) {
      records += end > 0 && length + 1 >= end;
      torn = torn && length != end && length + 1 != end;
    }
    Log log(cut, false, request);
    log.choose("key");
    if (log.records().size() != records || log.torn() != (torn ? 1 : 0))
      FAIL("at " << length << ": " << log.records().size() << " records, " << log.torn());
    if (length % 7 == 0) CHECK(records_after_one_more(cut) == records + 1);
  }
}

TEST_CASE("records of other keys are counted and not used") {
  const Folder folder;
  const std::string path = folder / "log";
  for (const char* const key : {"a", "b", "a", "c"})
    Log(path, false, request).append(sample(key, key, 9));
  Log log(path, false, request);
  log.choose("a");
  CHECK(log.records().size() == 2);
  CHECK(log.others() == 2);
  CHECK(log.records()[1].first == 3);
}

TEST_CASE("processes share a log") {
  const Folder folder;
  const std::string path = folder / "log";
  constexpr int processes = 4, lines = 50;
  for (int process = 0; process < processes; ++process)
    if (fork() == 0) {
      Log log(path, false, request);
      for (int n = 0; n < lines; ++n)
        log.append(sample("key", "c" + std::to_string(process) + "_" + std::to_string(n), 9));
      _exit(0);
    }
  REQUIRE(has_no_child());
  Log log(path, false, request);
  log.choose("key");
  CHECK(log.torn() == 0);
  std::set<std::string> found;
  for (const auto& [line, record] : log.records()) found.insert(record.id());
  CHECK(log.records().size() == processes * lines);
  CHECK(found.size() == processes * lines);
}

TEST_CASE("of equally fast candidates the one with fewer commands is best") {
  const auto record = [](std::vector<std::string> commands, std::int64_t time,
                         const std::string& against, std::int64_t other) {
    Record r = sample("key", "", time);
    r.commands = std::move(commands);
    r.against = against;
    r.other = {other, other};
    return r;
  };
  const Record two = record({"a", "b"}, 1000, "", 0);
  Standing standing;
  standing.add(two);
  standing.add(record({"c", "d", "e"}, 980, two.id(), 1000));  // 2 % faster, longer
  CHECK(standing.best() == two.id());
  const Record one = record({"f"}, 2040, two.id(), 2000);  // 2 % slower, shorter
  standing.add(one);
  CHECK(standing.best() == one.id());
  CHECK(standing.score(one.id()) == Approx(1.02e-6));
  const Record fast = record({"g", "h"}, 90, one.id(), 102);  // the machine was faster meanwhile
  standing.add(fast);
  CHECK(standing.best() == fast.id());
  CHECK(standing.score(fast.id()) == Approx(0.9e-6));
}

// 10 kills, or as many as STRATA_TUNE_KILLS says. A log that is whole is followed by a new one.
TEST_CASE("tune is killed at random moments, and resumes") {
  const Folder folder;
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // what it leaves comes to this process
  std::mt19937 random(20261127);
  const char* const wish = std::getenv("STRATA_TUNE_KILLS");
  const int kills = wish ? std::atoi(wish) : 10;
  int log = 0;
  const auto path = [&] { return folder / ("log" + std::to_string(log)); };
  for (int n = 0; n < kills; ++n) {
    kill_one(path(), random);
    if (lines_if_any(path()).size() <= candidates_of_killed) continue;
    check_winner(path());
    ++log;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  check_winner(path());
}

TEST_CASE("a replay measures nothing") {
  const Folder folder;
  const std::string path = folder / "product.tuning";
  const Tuning first = tuned(path, 2);
  const std::string text = text_of(path);
  const Hooked planted;
  planted->fork = []() -> pid_t { throw std::runtime_error("a process is started"); };
  const Tuning again = tuned(path, 2, true);
  CHECK(again.commands == first.commands);
  CHECK(again.chosen == first.chosen);

  write_file(path, text + "{\"strata_tuning\": 1, \"key\": \"0");
  const Tuning damaged = tuned(path, 2, true);
  CHECK(damaged.torn == 1);
  CHECK(damaged.commands == first.commands);
  CHECK(damaged.text().find("the log has 1 line that is damaged") != std::string::npos);

  Record gone = Log(path, true, request).records().front().second;
  gone.commands = {"split(nobody.i, 4)"};
  gone.times = {1, 1};
  gone.against.clear();
  Log(path, false, request).append(gone);
  const Tuning changed = tuned(path, 2, true);
  REQUIRE(changed.unreplayable.size() == 1);
  CHECK(changed.unreplayable[0].starts_with("line 5: E0101 unknown computation, "));
  CHECK(changed.commands == first.commands);

  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  TuneOptions options = small_product(2, path);
  options.threads = 2;
  options.replay = true;
  const Tuning other = tune(f, program.arguments, options);
  CHECK(other.others == 4);
  CHECK(other.candidates.empty());
  CHECK(other.chosen == "the model's choice, nothing was measured");
}

TEST_CASE("tune on a full disk says so, and changes nothing") {
  const Folder folder;
  const std::string path = folder / "product.tuning";
  tuned(path, 1);
  const std::string text = text_of(path);
  const auto former = signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  rlimit low = limit;
  low.rlim_cur = text.size() + 20;  // of a line, 20 bytes have room
  setrlimit(RLIMIT_FSIZE, &low);
  const Hooked planted;  // children may write: only the log has no room
  planted->fork = [] {
    const pid_t child = fork();
    rlimit high{};
    getrlimit(RLIMIT_FSIZE, &high);
    high.rlim_cur = high.rlim_max;
    if (child == 0) setrlimit(RLIMIT_FSIZE, &high);
    return child;
  };
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  std::string error;
  try {
    tune(f, program.arguments, small_product(2, path), {"place.cpp", 7});
  } catch (const Error& e) {
    error = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &limit);
  signal(SIGXFSZ, former);
  CHECK(error == "error E0503 cannot write file\n  in tune(product) at place.cpp:7\n  the log " +
                     path +
                     " cannot be written: No space left on device\n  to fix it: make room, or name "
                     "another file; the lines that it has stay usable\n");
  CHECK(f.history().empty());
  CHECK(text_of(path) == text);
}

}  // namespace strata::test::log_test
