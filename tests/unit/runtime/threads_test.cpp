// The threads that run parallel loops.
#include <catch2/catch.hpp>

#include <strata/runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

extern "C" {
#include "runtime/threads.h"
}

namespace {

constexpr int rows = 40, columns = 25;
constexpr double much = 1e6;  // units of work

struct Counts {
  std::atomic<int> of[rows * columns] = {};

  bool all_are(int number) const {
    for (const auto& count : of)
      if (count != number) return false;
    return true;
  }
};

struct Row {
  Counts* counts;
  int row;
};

int count_one(void*, int column, unsigned char* closure) {
  const Row& row = *reinterpret_cast<const Row*>(closure);
  ++row.counts->of[row.row * columns + column];
  return 0;
}

// A parallel loop in an iteration of a parallel loop.
int count_row(void*, int row, unsigned char* closure) {
  Row inner{reinterpret_cast<Counts*>(closure), row};
  return strata_run_parallel(count_one, 0, columns, reinterpret_cast<unsigned char*>(&inner), much);
}

int count_all(Counts& counts) {
  return strata_run_parallel(count_row, 0, rows, reinterpret_cast<unsigned char*>(&counts), much);
}

int fail_at_ten(void*, int iteration, unsigned char* closure) {
  ++*reinterpret_cast<std::atomic<int>*>(closure);
  return iteration == 10 ? -7 : 0;
}

// Every iteration fails: odd ones run out of memory, even ones find an index out of range.
int fail_differently(void*, int iteration, unsigned char* closure) {
  const auto* name = reinterpret_cast<const char*>(closure);
  if (iteration % 2) return strata_out_of_memory(name, "b", iteration);
  return strata_index_out_of_range(name, "i", iteration, 0, 0);
}

int fail_inside(void*, int, unsigned char* closure) {
  return strata_run_parallel(fail_differently, 0, 64, closure, much);
}

// Does this thread's message match the code and the kernel?
bool told_of(const std::string& kernel, int code) {
  const std::string message = strata_last_error();
  const bool memory = message.find("memory") != std::string::npos;
  return message.rfind(kernel + ": ", 0) == 0 &&
         code == (memory ? strata_error_out_of_memory : strata_error_index_out_of_range);
}

// The thread that ran each iteration.
struct Runners {
  std::thread::id of[10000];

  int changes() const {
    int changes = 0;
    for (std::size_t n = 1; n < std::size(of); ++n) changes += of[n] != of[n - 1];
    return changes;
  }
};

int record_runner(void*, int iteration, unsigned char* closure) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(500);
  while (std::chrono::steady_clock::now() < end) continue;
  reinterpret_cast<Runners*>(closure)->of[iteration] = std::this_thread::get_id();
  return 0;
}

// What a loop has done, and where.
struct Trace {
  std::mutex lock;
  std::vector<int> iterations;
  std::set<std::thread::id> threads;
};

// Long enough for every thread that is wanted to take some.
int note(void*, int iteration, unsigned char* closure) {
  Trace& trace = *reinterpret_cast<Trace*>(closure);
  {
    const std::lock_guard<std::mutex> held(trace.lock);
    trace.iterations.push_back(iteration);
    trace.threads.insert(std::this_thread::get_id());
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return iteration == 90 ? strata_index_out_of_range("noted", "i", iteration, 0, 90) : 0;
}

int note_soon(void*, int, unsigned char* closure) {
  Trace& trace = *reinterpret_cast<Trace*>(closure);
  const std::lock_guard<std::mutex> held(trace.lock);
  trace.threads.insert(std::this_thread::get_id());
  return 0;
}

// How many threads run a loop of so much work.
std::size_t threads_for(double work) {
  Trace trace;
  REQUIRE(strata_run_parallel(note, 5, 32, reinterpret_cast<unsigned char*>(&trace), work) == 0);
  std::sort(trace.iterations.begin(), trace.iterations.end());
  REQUIRE(trace.iterations.size() == 32);
  for (int n = 0; n < 32; ++n) REQUIRE(trace.iterations[std::size_t(n)] == 5 + n);
  return trace.threads.size();
}

// The ranges in which a loop has run.
struct Ranges {
  std::mutex lock;
  std::map<std::int64_t, std::int64_t> ends;  // by their first iterations

  bool cover(std::int64_t first, std::int64_t end) const {
    std::int64_t next = first;
    for (const auto& [begin, after] : ends) {
      if (begin != next || after <= begin) return false;
      next = after;
    }
    return next == std::max(first, end);
  }
};

int note_range(void* closure, std::int64_t first, std::int64_t end) {
  Ranges& ranges = *static_cast<Ranges*>(closure);
  const std::lock_guard<std::mutex> held(ranges.lock);
  return ranges.ends.emplace(first, end).second ? 0 : 1;
}

// Not before iteration 2^31.
int fail_late(void*, std::int64_t first, std::int64_t) {
  return first >= std::int64_t{1} << 31 ? -7 : 0;
}

void let_threads_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

struct Threads {
  explicit Threads(int number) : before(strata_set_number_of_threads(number)) {}
  ~Threads() { strata_set_number_of_threads(before); }
  int before;
};

}  // namespace

TEST_CASE("each iteration runs once, in loops inside of loops, for several hosts", "[threads]") {
  for (const int number : {1, 2, 3, 8}) {
    const Threads threads(number);
    CAPTURE(number);
    for (int time = 0; time < 50; ++time) {
      auto counts = std::make_unique<Counts>();
      std::vector<std::thread> hosts;
      std::atomic<int> failed = 0;
      for (int host = 0; host < 3; ++host)
        hosts.emplace_back([&] { failed += count_all(*counts) != 0; });
      for (std::thread& host : hosts) host.join();
      REQUIRE(failed == 0);
      REQUIRE(counts->all_are(3));
    }
  }
}

// A part of which others steal is halved each time, so each of a few threads runs a few ranges.
TEST_CASE("a thread runs adjacent iterations", "[threads]") {
  for (const int number : {1, 2, 3}) {
    const Threads threads(number);
    auto runners = std::make_unique<Runners>();
    REQUIRE(strata_run_parallel(record_runner, 0, int(std::size(runners->of)),
                                reinterpret_cast<unsigned char*>(runners.get()), much) == 0);
    CAPTURE(number);
    CHECK(runners->changes() <= 60 * (number - 1));
    for (const std::thread::id& runner : runners->of) REQUIRE(runner != std::thread::id());
  }
}

TEST_CASE("an iteration that fails ends its loop", "[threads]") {
  for (const int number : {1, 4}) {
    const Threads threads(number);
    std::atomic<int> begun = 0;
    CHECK(strata_run_parallel(fail_at_ten, 0, 1000000, reinterpret_cast<unsigned char*>(&begun),
                              much) == -7);
    CHECK(begun >= 11);
    CHECK(begun < 1000000);
  }
}

TEST_CASE("the caller gets the message of the failure whose code its loop returns", "[threads]") {
  for (const int number : {1, 2, 4, 8}) {
    const Threads threads(number);
    std::atomic<int> wrong = 0;
    const auto host = [&](std::string kernel) {
      auto* name = reinterpret_cast<unsigned char*>(kernel.data());
      for (int time = 0; time < 200; ++time) {
        wrong += !told_of(kernel, strata_run_parallel(fail_differently, 0, 64, name, much));
        wrong += !told_of(kernel, strata_run_parallel(fail_inside, 0, 8, name, much));
      }
    };
    std::thread one(host, "one"), other(host, "other");
    one.join();
    other.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("ranges of a loop are all its iterations, each once", "[threads]") {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  for (const int number : {1, 3})
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{-7}, far})
      for (const std::int64_t count : {-3, 0, 1, 1000}) {
        CAPTURE(number, first, count);
        const Threads threads(number);
        Ranges ranges;
        REQUIRE(strata_run_ranges(note_range, first, first + count, &ranges, much) == 0);
        CHECK(ranges.cover(first, first + count));
      }
}

// Each range is called once, so this takes no longer than a short loop.
TEST_CASE("a loop in ranges may have more iterations than an int", "[threads]") {
  constexpr std::int64_t count = std::int64_t{5} << 31;
  const Threads threads(2);
  Ranges ranges;
  REQUIRE(strata_run_ranges(note_range, 3, 3 + count, &ranges, much) == 0);
  CHECK(ranges.cover(3, 3 + count));
  CHECK(strata_run_ranges(fail_late, 0, count, nullptr, much) == -7);
}

TEST_CASE("a child process runs parallel loops, too", "[threads]") {
  const Threads threads(4);
  Counts counts;
  REQUIRE(count_all(counts) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const int code = count_all(counts);
    _exit(code == 0 && counts.all_are(2) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(counts.all_are(1));
}

TEST_CASE("a loop of little work runs where it is, one of more on more threads", "[threads]") {
  const Threads threads(4);
  CHECK(threads_for(much) == 4);
  CHECK(threads_for(0) == 1);
  CHECK(threads_for(0.99) == 1);
  for (const double work : {1.0, 2.5, 3.5}) {
    std::size_t most = 0;
    // 1 if the threads are asleep already, as on a machine with other work they mostly are.
    for (int time = 0; time < 10 || (most < 2 && time < 10'000); ++time) {
      CHECK(threads_for(much) == 4);
      most = std::max(most, threads_for(work));
    }
    CHECK(most >= 2);
    CHECK(most <= std::size_t(1 + work));
  }
  CHECK(threads_for(std::numeric_limits<double>::infinity()) == 4);
  CHECK(threads_for(std::numeric_limits<double>::quiet_NaN()) == 4);
}

TEST_CASE("threads that sleep are woken for much work, of one loop or of several", "[threads]") {
  const Threads threads(2);
  CHECK(threads_for(much) == 2);
  let_threads_sleep();
  CHECK(threads_for(15) == 1);
  let_threads_sleep();
  CHECK(threads_for(15) == 1);
  CHECK(threads_for(17) == 2);
  let_threads_sleep();
  Trace trace;
  for (int time = 0; time < 100000 && trace.threads.size() < 2; ++time)
    REQUIRE(strata_run_parallel(note_soon, 0, 4, reinterpret_cast<unsigned char*>(&trace), 10) ==
            0);
  CHECK(trace.threads.size() == 2);
}

TEST_CASE("a failure is the same with threads and without", "[threads]") {
  const Threads threads(4);
  for (const double work : {0.5, much}) {
    Trace trace;
    CHECK(strata_run_parallel(note, 88, 4, reinterpret_cast<unsigned char*>(&trace), work) ==
          strata_error_index_out_of_range);
    CHECK(std::string(strata_last_error()).rfind("noted: ", 0) == 0);
    if (work < 1) CHECK(trace.iterations == std::vector<int>{88, 89, 90});
  }
}

TEST_CASE("many short iterations all run once, whatever is taken at a time", "[threads]") {
  const Threads threads(3);
  for (const double work : {1.0, 1.5, 10.0, 1000.0}) {
    auto counts = std::make_unique<Counts>();
    for (int row = 0; row < rows; ++row) {
      Row inner{counts.get(), row};
      REQUIRE(strata_run_parallel(count_one, 0, columns, reinterpret_cast<unsigned char*>(&inner),
                                  work) == 0);
    }
    CHECK(counts->all_are(1));
  }
}
