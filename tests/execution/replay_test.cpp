// Histories, as text and as C++, replayed on a function with the same definitions.
#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <regex>

#include "layers/text/text.h"
#include "tests/error/told.h"

namespace strata::test::replay_test {

using strata::test::told;

namespace {

// in -> s -> t -> r, a sum; and e.
struct World {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M"), T = f.param("T");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, M};
  Input in = f.input("in", i32, {N, M});
  Computation s = f.computation("s", {i, j}, in(i, j) * 2);
  Computation t = f.computation("t", {i, j}, s(i, j) + select(j > 0, s(i, j - 1), 0));
  Computation r = f.computation("r", {i}, sum(k, t(i, k)));
  Computation e = f.computation("e", {i, j}, in(i, j));
};

std::string lines(const Function& f) {
  std::string text;
  for (const std::string& line : f.history()) text += line + "\n";
  return text;
}

// The source as the preprocessor's # makes a string of it: line breaks are spaces.
std::string in_one_line(const std::string& source) {
  const std::string text = std::regex_replace(source, std::regex("\n *"), " ");
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

}  // namespace

// Compiles the given source, and keeps it as text.
#define PASTED(TEXT, ...)                \
  const std::string TEXT = #__VA_ARGS__; \
  __VA_ARGS__

TEST_CASE("a history in C++ is what the author wrote, and as text it replays", "[replay]") {
  World a, b;
  Function& f = a.f;
  const Param N = a.N, M = a.M, T = a.T;
  const Input in = a.in;
  Computation &s = a.s, &t = a.t, &r = a.r, &e = a.e;
  // clang-format off
  PASTED(pasted, s.compute_at(t, "i"); s.store_in({Var("i") % 2, Var("j")}); t.split("j", 4, "j0", "j1"); t.vectorize("j1"); t.parallelize("i"); r.split("k", 4); f.together([&] { e.reverse("i"); e.interchange("i", "j"); }); e.unchecked().skew("j", "i", 1, 1, "x", "y"); e.shift("x", N + 1); e.set_schedule("{ e[i, j] -> [9, j, 0, i, 0] }"); Computation c = e.cache_at("j", in, "c", {"p", "q"}, Memory::heap); e.store_in(Buffer("kept"), {Var("j"), Var("i")}); e.set_size({M, 2 * N}); Computation P = r.rfactor("k_in", "P"); e.between(t, std::nullopt, r, std::nullopt); e.after(r); e.split("i", T);)
  // clang-format on
  CHECK(in_one_line(f.history_source()) == pasted);
  b.f.replay(lines(f));
  CHECK(b.f.text() == f.text());
  CHECK(b.f.history() == f.history());
  CHECK(to_text(b.f.unscheduled()) == World().f.text());
  CHECK(to_text(World().f.unscheduled()) == World().f.text());
}

TEST_CASE("a history in C++ names partitions", "[replay][ranks]") {
  World a;
  a.f.partition("rows", a.N);
  Computation& e = a.e;
  PASTED(pasted, e.distribute("i", Partition("rows"));)
  CHECK(in_one_line(a.f.history_source()) == pasted);
}

TEST_CASE("a skew by four factors without names, and pieces one after the other", "[replay]") {
  World a, b;
  Function& f = a.f;
  Computation &s = a.s, &e = a.e;
  // clang-format off
  PASTED(pasted, e.skew("i", "j", 1, 1, 1, 2); s.peel("i", 2); s.piece("head").then(s.piece("rest"), "i_head"); s.piece("rest").then(s.piece("head"));)
  // clang-format on
  CHECK(in_one_line(f.history_source()) == pasted);
  b.f.replay(lines(f));
  CHECK(b.f.text() == f.text());
}

TEST_CASE("groups and waivers stand in the history", "[replay]") {
  World a;
  a.t.unchecked().before(a.s);
  a.f.together([&] {
    a.e.reverse(a.i);
    a.e.unchecked().reverse(a.j);
  });
  a.f.together([] {});
  CHECK(lines(a.f) == "unchecked before(t, s)\ntogether {\nreverse(e.i)\nreverse(e.j)\n}\n");
  World b;
  b.f.replay(lines(a.f));
  CHECK(b.f.text() == a.f.text());
}

TEST_CASE("a group that is legal as a whole only replays as a group", "[replay]") {
  World a, b;
  const std::string group = "together {\n  before(t, s)\n  before(s, t)\n}\n";
  a.f.replay(group);
  CHECK(a.f.history().size() == 4);
  CHECK_THROWS_AS(b.f.replay("before(t, s)\nbefore(s, t)\n"), Error);
  CHECK(b.f.history().empty());
  // Inside the author's group, the end of a group in the text has no effect.
  b.f.together([&] {
    b.f.replay("together { before(t, s) }");
    b.s.before(b.t);
  });
  CHECK(lines(b.f) == "together {\nbefore(t, s)\nbefore(s, t)\n}\n");
}

TEST_CASE("a text of commands is given whole or not at all, and tells its line", "[replay]") {
  World a;
  CHECK(told(a.f, [&] { a.f.replay("reverse(e.i)\n\nreverse(e.x)  # no such loop\n"); }) ==
        R"(error E0102 unknown loop
  in line 3: reverse(e.x) at HERE
  e has no loop x; it has i, j
)");
  CHECK(told(a.f, [&] { a.f.replay("reverse(e.i)\nshft(e.i, 1)\n"); })
            .find("error E0108 unreadable text\n  in replay at HERE\n"
                  "  line 2, column 1: there is no command 'shft'; there are after, ") == 0);
  CHECK(told(a.f, [&] { a.f.replay("reverse(e.i)\nshift(e.i)\n"); })
            .find("line 2, column 1: expected shift(COMPUTATION.loop, expression)") !=
        std::string::npos);
  const std::string illegal =
      told(a.f, [&] { a.f.replay("together {\n  reverse(e.i)\n  before(t, s)\n}\n"); });
  CHECK(illegal.find("in line 1: together() at HERE") != std::string::npos);
  CHECK(told(a.f, [&] { a.f.replay("together { reverse(e.i)"); }).find("expected a command") !=
        std::string::npos);
  CHECK(lines(a.f) == "");
  a.f.replay("");
  CHECK(lines(a.f) == "");
}

TEST_CASE("commands inside f.loop before its last definition are refused, also in replay",
          "[replay]") {
  World a;
  const std::string text = told(a.f, [&] {
    a.f.loop(a.i, [&] {
      a.f.computation("u", {a.i, a.j}, 1);
      a.f.replay("reverse(e.i)");
      a.f.computation("v", {a.i, a.j}, 1);
    });
  });
  CHECK(text.find("a command was given inside f.loop before its last definition") !=
        std::string::npos);
}

}  // namespace strata::test::replay_test
