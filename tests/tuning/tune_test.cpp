// tune gives what ran fastest, and what it computes is right.
#include <strata/buffer.h>
#include <strata/tune.h>
#include <catch2/catch.hpp>

#include <signal.h>
#include <unistd.h>

#include "layers/program.h"
#include "tests/automatic/programs.h"
#include "tests/folder.h"
#include "tests/tuning/hooked.h"

namespace strata::test::tune_test {

namespace {

// Checks c = a b for matrices of small integers, whose products are exact.
void check_product(Function& f, const std::vector<Buffer>& arguments, std::int64_t n) {
  const JitFunction kernel = f.jit(arguments);
  Array<float> a({n, n}), b({n, n}), c({n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      a(i, j) = float((3 * i + j) % 7);
      b(i, j) = float((i + 5 * j) % 5);
    }
  REQUIRE(kernel({n, n, n}, {a, b, c}) == 0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) != sum) FAIL("c(" << i << ", " << j << ") is " << c(i, j) << ", not " << sum);
    }
}

}  // namespace

TEST_CASE("tune gives the commands that ran fastest") {
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tune(f, program.arguments, small_product(3));
  INFO(t.text());
  CHECK(t.changed);
  CHECK(t.candidates.size() == 4);
  CHECK(t.planned == 4);
  CHECK(t.stopped.empty());
  CHECK(!t.interrupted);
  CHECK(t.sizes == "K = 96, M = 96, N = 96");
  double least = 1e9;
  for (const Tuning::Candidate& c : t.candidates) {
    CHECK(c.score > 0);
    CHECK(c.seconds <= c.median);
    CHECK((c.outcome == "chosen" || c.outcome == "slower"));
    least = std::min(least, c.score);
    if (c.outcome == "chosen") CHECK(c.text == t.chosen);
  }
  CHECK(t.seconds <= 1.03 * least);
  CHECK(3 * t.seconds < t.seconds_before);
  const std::vector<std::string> history = f.history();
  REQUIRE(history.size() == t.commands.size() + 2);
  CHECK(std::vector<std::string>(history.begin() + 1, history.end() - 1) == t.commands);
  CHECK(has_no_child());
  check_product(f, program.arguments, 71);
}

// Comparisons find no difference in what legality allows: integers, rows of sums, updates in
// place, data as indices, recurrences.
TEST_CASE("the results of candidates are those of the program as it stands") {
  for (const Named& one : algorithms()) {
    if (one.name != "blur_of_borders" && one.name != "softmax" && one.name != "heat" &&
        one.name != "histogram" && one.name != "running_sum")
      continue;
    const Unscheduled program = one.make();
    Function f = program.f;
    TuneOptions options{.threads = 2, .candidates = 1};
    for (const std::string& name : f.program().algorithm->parameters)
      options.sizes[name] = name == "T" ? 4 : 100;
    const Tuning t = tune(f, program.arguments, options);
    INFO(one.name << "\n" << t.text());
    CHECK(t.candidates.size() == t.planned);
    for (const Tuning::Candidate& c : t.candidates) CHECK(c.score > 0);
  }
}

// In 60 steps of the logistic map, a rounding error of a sum grows by ten orders of magnitude.
TEST_CASE("results that rounding errors change are not wrong") {
  Function f("chaos");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N), t("t", 0, 60);
  Input a = f.input("a", f64, {N, N});
  Computation s = f.computation("s", {i}, sum(k, a(i, k)));
  Computation x = f.declare("x", {i, t}, f64);
  x.define(select(t > 0, 3.9 * x(i, t - 1) * (1.0 - x(i, t - 1)),
                  0.3 + 0.1 * s(i) / cast(f64, Expr(N))));
  const Tuning tuning =
      tune(f, {a.buffer(), x.buffer()}, {.sizes = {{"N", 120}}, .threads = 1, .candidates = 4});
  INFO(tuning.text());
  bool has_sums = false;
  for (const Tuning::Candidate& c : tuning.candidates) {
    CHECK(!c.outcome.starts_with("wrong"));
    has_sums |= c.text.find("vectors of contributions") != std::string::npos;
  }
  CHECK(has_sums);
}

TEST_CASE("candidates that crash, hang, are wrong or eat memory cost a line") {
  const Folder folder;
  const std::string log = folder / "product.tuning";
  const Hooked planted;
  planted->memory = std::int64_t(256) << 20;
  planted->called = [](std::size_t candidate, const std::vector<halide_buffer_t*>& arrays) {
    static volatile int hanging = 1;
    static std::vector<char*> eaten;
    const auto* const c = static_cast<const strata_buffer*>(static_cast<void*>(arrays[2]));
    if (candidate == 2) raise(SIGSEGV);
    while (candidate == 3 && hanging) {
    }
    if (candidate == 4) reinterpret_cast<float*>(c->host)[17] += 1;
    while (candidate == 5) eaten.push_back(new char[std::size_t(16) << 20]);
  };
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tune(f, program.arguments, small_product(6, log));
  INFO(t.text());
  REQUIRE(t.candidates.size() == 7);
  const auto begins = [&](std::size_t n, const std::string& text) {
    return t.candidates[n].outcome.starts_with(text);
  };
  CHECK(begins(2, "crashed: signal 11"));
  CHECK(begins(3, "too slow: a call"));
  CHECK(begins(4, "wrong: c: element 17 is "));
  CHECK(begins(5, "out of memory"));
  for (const std::size_t n : {0, 1, 6}) CHECK(t.candidates[n].score > 0);
  CHECK(t.changed);
  CHECK(has_no_child());

  const std::vector<std::string> lines = lines_of(log);
  REQUIRE(lines.size() == 7);
  CHECK(lines[2].find("\"outcome\": \"crashed\"") != std::string::npos);
  CHECK(lines[3].find("\"outcome\": \"too slow\"") != std::string::npos);
  CHECK(lines[4].find("\"outcome\": \"wrong\"") != std::string::npos);
  CHECK(lines[5].find("\"outcome\": \"out of memory\"") != std::string::npos);

  const std::string report = log + ".wrong-" + t.candidates[4].id;
  CHECK(begins(4, "wrong") == (lines[4].find(report) != std::string::npos));
  const std::vector<std::string> told = lines_of(report);
  REQUIRE(told.size() > 10);
  CHECK(told[0] == "Strata's commands changed a result. Please report this file.");
  check_product(f, program.arguments, 33);
}

TEST_CASE("Ctrl-C applies the best so far") {
  const Folder folder;
  const std::string log = folder / "product.tuning";
  const Hooked planted;
  planted->fork = [] {
    static int forks = 0;
    if (++forks == 4) raise(SIGINT);  // while the third candidate runs
    return fork();
  };
  struct sigaction before{};
  sigaction(SIGINT, nullptr, &before);
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tune(f, program.arguments, small_product(8, log));
  INFO(t.text());
  CHECK(t.interrupted);
  CHECK(t.stopped == "interrupted");
  CHECK(t.candidates.size() == 2);
  CHECK(lines_of(log).size() == 2);
  CHECK(t.changed);
  CHECK(f.history().size() == t.commands.size() + 2);
  CHECK(has_no_child());
  struct sigaction after{};
  sigaction(SIGINT, nullptr, &after);
  CHECK(before.sa_handler == after.sa_handler);
}

TEST_CASE("without time for a candidate, or without processes, the model chooses") {
  const Unscheduled modelled = product_of_matrices();
  Function g = modelled.f;
  const Report report = g.autoschedule(
      machine(), {.arguments = modelled.arguments, .sizes = small_product(1).sizes, .threads = 1});
  SECTION("no time") {
    const Unscheduled program = product_of_matrices();
    Function f = program.f;
    TuneOptions options = small_product(4);
    options.seconds = 1e-3;
    const Tuning t = tune(f, program.arguments, options);
    CHECK(t.stopped == "0.001 s are over");
    CHECK(t.chosen == "the model's choice, nothing was measured");
    CHECK(t.commands == report.commands);
    CHECK(f.text() == g.text());
  }
  SECTION("no process") {
    const Hooked planted;
    planted->fork = [] {
      errno = EAGAIN;
      return pid_t(-1);
    };
    const Unscheduled program = product_of_matrices();
    Function f = program.f;
    const Tuning t = tune(f, program.arguments, small_product(4));
    CHECK(t.stopped == "no process can be started: Resource temporarily unavailable");
    CHECK(t.commands == report.commands);
    CHECK(f.text() == g.text());
  }
}

TEST_CASE("where all candidates fail nothing is given") {
  const Hooked planted;
  planted->called = [](std::size_t, const std::vector<halide_buffer_t*>&) { raise(SIGKILL); };
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tune(f, program.arguments, small_product(1));
  CHECK(!t.changed);
  CHECK(t.chosen == "as it stands, no candidate could be measured");
  for (const Tuning::Candidate& c : t.candidates) CHECK(c.outcome == "crashed: signal 9, Killed");
  CHECK(f.history().empty());
}

TEST_CASE("STRATA_AUTOSCHEDULE turns tune off") {
  setenv("STRATA_AUTOSCHEDULE", "off", 1);
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tune(f, program.arguments, small_product(4));
  unsetenv("STRATA_AUTOSCHEDULE");
  CHECK(!t.changed);
  CHECK(t.stopped == "STRATA_AUTOSCHEDULE is off");
  CHECK(f.history().empty());
}

TEST_CASE("the caller's arrays are used, and stay as they are") {
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  Array<float> a({96, 96}, 2.0f), b({96, 96}, 3.0f), c({96, 96}, 7.0f);
  TuneOptions options = small_product(1);
  options.arrays = {a, b, c};
  const Tuning t = tune(f, program.arguments, options);
  INFO(t.text());
  CHECK(t.candidates.size() == 2);
  for (const Tuning::Candidate& candidate : t.candidates) CHECK(candidate.score > 0);
  CHECK(std::all_of(c.begin(), c.end(), [](float value) { return value == 7.0f; }));
}

}  // namespace strata::test::tune_test
