// E0114, E0208, E0306, E0902: invalid relations in program texts.
#include <strata/strata.h>

#include "core/sets/session.h"
#include "driver/guard.h"
#include "layers/text/text.h"
#include "layers/verify/verify_algorithm.h"
#include "layers/verify/verify_mapping.h"
#include "tests/error/told.h"

namespace strata::test::relations_test {

namespace {

// s(i) = 1 for 0 <= i < N, with parts of the text that the tests replace.
struct Parts {
  std::string defines = "{ s[i] -> s[i] }";
  std::string schedule = "loop i { run s at { s[i] -> [i] } for [N] -> { s[i] : 0 <= i < N } }";
  std::string store = "";
};

// The refusal of the verifiers.
std::string told_of(const Parts& parts) {
  const std::string run = "run s at { s[i] -> [i] } for [N] -> { s[i] : 0 <= i < N }";
  const std::string text =
      "program f parameter N context { : } array s int32\n"
      "computation s of s int32 (i)\n"
      "  instances [N] -> { s[i] : 0 <= i < N }\n  defines " +
      parts.defines +
      "\n  value 1i32\n"
      "  ranges [N] -> { s[i] : 0 <= i < N }\n"
      "reference { loop i { " +
      run + " } }\nschedule { " + parts.schedule + " }\n" + parts.store;
  const Where here = Where::here();
  return told_at(here, [&] {
    const Program program = parse_program(std::make_shared<Session>(), text);
    const Request request{"set_schedule(s)", here};
    verify_single_assignment(*program.algorithm, program.algorithm->definitions.front(), request);
    verify_mapping(program, request);
  });
}

}  // namespace

TEST_CASE("a text without a fault is read", "[error]") {
  CHECK(told_of({}) == "nothing was refused");
}

TEST_CASE("E0114: two instances define one value", "[error]") {
  CHECK(told_of({.defines = "{ s[i] -> s[floor(i / 2)] }"}) == R"(error E0114 not single assignment
  in set_schedule(s) at HERE
  two instances of s define the same value of s
  for example, with N = 2:
    s[0] and
    s[1] both define it
    at element: s[0]
  to fix it: write the values one after the other, over a separate iterator, or use a reduction
)");
}

TEST_CASE("E0208: schedules that no loops can be", "[error]") {
  CHECK(told_of({.schedule = "loop i { loop i { run s at { s[i] -> [i, 0] } "
                             "for [N] -> { s[i] : 0 <= i < N } } }"}) ==
        R"(error E0208 malformed schedule
  in set_schedule(s) at HERE
  two loops around s are called i
)");
}

TEST_CASE("E0306: values without one place", "[error]") {
  Pair p;
  CHECK(told(p.f, [&] { p.s.store_in("{ s[i, j] -> b[i, j]; s[i, j] -> b[i, j + 1] }"); }) ==
        R"(error E0306 malformed layout
  in store_in(s, "{ s[i, j] -> b[i, j]; s[i, j] -> b[i, j + 1] }") at HERE
  a value of s has several places
  for example, with N = 1, M = 1:
    s[0, 0] has several places
  to fix it: let the relation give each value of s exactly one place
)");
  CHECK(told(p.f, [&] { p.s.store_in("{ s[i, j] -> b[i, k] }"); }) ==
        R"(error E0306 malformed layout
  in store_in(s, "{ s[i, j] -> b[i, k] }") at HERE
  a value of s has several places
  for example, with N = 1, M = 1:
    s[0, 0] has several places
  to fix it: let the relation give each value of s exactly one place
)");
  CHECK(told(p.f, [&] { p.s.store_in("{ s[i, j] -> b[i, j] : i > 0 }"); }) ==
        R"(error E0306 malformed layout
  in store_in(s, "{ s[i, j] -> b[i, j] : i > 0 }") at HERE
  a value of s has no place
  for example, with N = 1, M = 1:
    s[0, 0] has no place
  to fix it: let the relation give each value of s exactly one place
)");
}

TEST_CASE("E0902: the set library fails", "[error]") {
  const Session session;
  const Where here = Where::here();
  CHECK(told_at(here, [&] {
          guarded("interchange(S.i, S.j)", here,
                  [&] { return isl::set(session.isl(), "{ not a set"); });
        }) == R"(error E0902 set library failed
  in interchange(S.i, S.j) at HERE
  isl reports: syntax error
  to fix it: this is a bug in Strata; please report it with the program
)");
}

}  // namespace strata::test::relations_test
