// A search before measurement that ends early: by Ctrl-C, or when its time is over.
#include <catch2/catch.hpp>

#include <signal.h>
#include <unistd.h>

#include "tests/automatic/programs.h"
#include "tests/folder.h"
#include "tests/tuning/hooked.h"

namespace strata::test::ended_search_test {

namespace {

// Tunes; "act" happens when the search asks for the third time whether it is over.
Tuning tuned(Function& f, const std::vector<Buffer>& arguments, const TuneOptions& options,
             const std::function<void()>& act) {
  const Hooked planted;
  planted->searching = [&, asked = 0]() mutable {
    if (++asked == 3) act();
  };
  return tune(f, arguments, options);
}

}  // namespace

TEST_CASE("Ctrl-C in the search ends tune at once, and nothing is given") {
  const Folder folder;
  const std::string log = folder / "product.tuning";
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tuned(f, program.arguments, small_product(8, log), [] { raise(SIGINT); });
  INFO(t.text());
  CHECK(t.interrupted);
  CHECK(t.stopped == "interrupted");
  CHECK(!t.changed);
  CHECK(t.chosen == "as it stands, interrupted before a candidate was measured");
  CHECK(f.history().empty());
  CHECK(lines_of(log).empty());
  CHECK(has_no_child());
}

TEST_CASE("Ctrl-C in the search applies the best of the log") {
  const Folder folder;
  const std::string log = folder / "product.tuning";
  const Unscheduled former = product_of_matrices();
  Function g = former.f;
  const Tuning first = tune(g, former.arguments, small_product(1, log));
  const std::vector<std::string> lines = lines_of(log);
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  const Tuning t = tuned(f, program.arguments, small_product(8, log), [] { raise(SIGINT); });
  INFO(t.text());
  CHECK(t.interrupted);
  CHECK(t.commands == first.commands);
  CHECK(f.text() == g.text());
  CHECK(lines_of(log) == lines);
}

TEST_CASE("the time of tune bounds its search") {
  const Unscheduled program = product_of_matrices();
  Function f = program.f;
  TuneOptions options = small_product(8);
  options.seconds = 0.5;
  const Tuning t = tuned(f, program.arguments, options, [] { usleep(600'000); });
  INFO(t.text());
  CHECK(t.stopped == "0.5 s are over");
  CHECK(t.planned == 1);  // the program as it stands: no candidate was judged
  CHECK(t.chosen == "the model's choice, nothing was measured");
  CHECK(t.changed);
}

}  // namespace strata::test::ended_search_test
