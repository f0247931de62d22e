// Loops over iterations in many pieces.
#include <string>

#include "codegen/loops/scan.h"
#include "core/sets/session.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::scan_test {

namespace {

isl::set points(const Session& session, const std::string& conditions) {
  isl::set all(session.isl(), "[i, t] -> { : " + conditions + " }");
  for (unsigned depth = 0; depth < 2; ++depth)
    all = isl::manage(isl_set_set_dim_name(all.release(), isl_dim_param, depth,
                                           iterator_name(int(depth)).c_str()));
  return all;
}

bool are(const std::optional<std::vector<isl::set>>& pieces, const std::vector<isl::set>& wanted) {
  if (!pieces || pieces->size() != wanted.size()) return false;
  for (std::size_t n = 0; n < wanted.size(); ++n)
    if (!(*pieces)[n].is_equal(wanted[n])) return false;
  return true;
}

// { S[i, j] : 0 <= i < 6, j < N, and j is in a piece }; piece n has at most 6 iterations.
Program in_pieces(const std::vector<std::string>& pieces) {
  std::string domain;
  for (const std::string& piece : pieces)
    domain += (domain.empty() ? "{ " : "; ") + std::string("S[i, j] : 0 <= i < 6 and ") + piece +
              " and j < N";
  Handmade made({"N"});
  made.define(domain + " }", cast(f32, variable("i")));
  made.store("{ S[i, j] -> s[i, j] }", BufferRole::output);
  made.schedule(
      {Handmade::loop("i", {Handmade::loop("j", {made.branch("{ S[i, j] -> [i, j] }")})})});
  return made.program();
}

}  // namespace

TEST_CASE("pieces are in the order of all their iterations", "[codegen]") {
  const Session session;
  const isl::set none = points(session, "0 <= i < 9");
  const isl::set low = points(session, "0 <= i < 9 and 0 <= t <= i");
  const isl::set middle = points(session, "0 <= i < 9 and i + 2 <= t <= 20");
  const isl::set high = points(session, "0 <= i < 9 and 30 <= t <= 30 + i");
  CHECK(are(pieces_in_order(high.unite(low).unite(middle), 1, none), {low, middle, high}));
  CHECK(are(pieces_in_order(middle.unite(high).unite(low), 1, none), {low, middle, high}));
}

TEST_CASE("pieces that cross or overlap have no order", "[codegen]") {
  const Session session;
  const isl::set none = points(session, "0 <= i < 9");
  const isl::set up = points(session, "0 <= i < 9 and t = 2 i");
  const isl::set down = points(session, "0 <= i < 9 and t = 9 - i");
  const isl::set wide = points(session, "0 <= i < 9 and 3 <= t <= 5");
  CHECK_FALSE(pieces_in_order(up.unite(down), 1, none));
  CHECK_FALSE(pieces_in_order(wide.unite(up), 1, none));
  const isl::set begin = points(session, "0 <= i < 3");
  CHECK(
      are(pieces_in_order(down.unite(up), 1, begin), {up.intersect(begin), down.intersect(begin)}));
}

TEST_CASE("a loop in many pieces runs each iteration once, in order", "[codegen]") {
  std::vector<std::string> pieces;
  SECTION("one after the other") {
    for (int n = 8; n-- > 0;)
      pieces.push_back(std::to_string(10 * n) + " <= j <= i + " + std::to_string(10 * n));
  }
  SECTION("that cross") {
    for (int n = 0; n < 8; ++n)
      pieces.push_back("j = " + std::to_string(10 * n) + (n % 2 ? " + 3 i" : " + 15 - i"));
  }
  const Program program = in_pieces(pieces);
  REQUIRE(program.algorithm->definitions[0].domain.n_basic_set() == 8);
  for (const int size : {0, 1, 15, 40, 100}) require_theta(program, {{{"N", size}}});
}

}  // namespace strata::test::scan_test
