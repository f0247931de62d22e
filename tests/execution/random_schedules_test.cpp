// Commands drawn by chance: whatever is not refused keeps the values.
#include <catch2/catch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <strata/strata.h>

#include <cstdlib>
#include <random>

#include "tests/execution/harness.h"

using namespace strata;
using namespace strata::test;

namespace {

const Var i("i"), j("j"), k("k");

struct Candidate {
  Function f{"drawn"};
  Param N = f.param("N"), M = f.param("M"), T = f.param("T");
  Var rows{"i", 0, N}, columns{"j", 0, M}, lower{"j", 0, min(i + 1, M)};
  Input in = f.input("in", i32, {N, M});
  std::vector<Computation> computations;
  std::vector<Buffer> arguments{in.buffer()};

  void returns(const Computation& c) { arguments.push_back(c.buffer()); }
  // Its values are no output any more, where others read them.
  void keeps(const Computation& c) {
    if (c.name() != computations.back().name())
      std::erase_if(arguments, [&](const Buffer& b) { return b.name() == c.name(); });
  }
};

void stencil_in_place(Candidate& p) {
  Computation s = p.f.declare("s", {Var("i", 1, p.N), Var("j", 1, p.M - 1)}, i32);
  s.define(select(i > 1, s(i - 1, j), p.in(i - 1, j)) + p.in(i, j) * 3 + p.in(i, j + 1));
  s.store_in(p.in.buffer(), {i, j});
  p.computations = {s};
}

void chain(Candidate& p) {
  Computation a = p.f.computation("a", {p.rows, p.lower}, p.in(i, j) + 1);
  Computation b = p.f.computation("b", {p.rows, p.lower},
                                  a(i, j) * 2 + select(i > j, a(i - 1, j), 5));
  Computation c = p.f.computation("c", {p.rows, p.columns},
                                  p.in(i, j) - select(j <= i, b(i, j), 1));
  p.computations = {a, b, c};
  p.returns(c);
}

void reduction(Candidate& p) {
  p.f.assume(p.M > 0);
  const Var over("k", 0, p.M);
  Computation s = p.f.computation("s", {p.rows, p.lower}, sum(over, p.in(i, k) * p.in(i, j)));
  Computation t = p.f.computation("t", {p.rows}, s(i, 0 * i) + p.in(i, 0 * i));
  p.computations = {s, t};
  p.returns(s);
  p.returns(t);
}

void scan(Candidate& p) {
  Computation s = p.f.declare("s", {p.rows, p.columns}, i32);
  s.define(p.in(i, j) + select(i > 0 && j + 1 < p.M, s(i - 1, j + 1), 3));
  Computation t = p.f.computation("t", {p.rows, p.columns}, s(i, j) + s(i, p.M - 1 - j));
  p.computations = {s, t};
  p.returns(t);
  p.returns(s);
}

// An index below "count" that the data decides.
Expr drawn(const Candidate& p, const Expr& count) { return cast(i64, p.in(i, j)) % count; }

void gather(Candidate& p) {
  Computation a = p.f.computation("a", {p.rows, p.columns}, p.in(i, j) + 1);
  Computation u = a.update({p.rows, p.columns}, {i, j}, a(i, j) * 3 - p.in(i, j));
  u.where(p.in(i, j) > 0 && j > 0);
  Computation b =
      p.f.computation("b", {p.rows, p.columns}, a(drawn(p, p.N), j) - a(i, drawn(p, p.M)));
  p.computations = {a, u, b};
  p.returns(b);
}

void scatter(Candidate& p) {
  Computation h = p.f.computation("h", {p.columns}, cast(i32, j));
  Computation s = h.update({p.rows, p.columns}, {drawn(p, p.M)},
                           h(drawn(p, p.M)) * 3 + p.in(i, j));
  Computation t = p.f.computation("t", {p.rows, p.columns}, h(j) * p.in(i, j));
  p.computations = {h, s, t};
  p.returns(t);
}

void ragged(Candidate& p) {
  const Var over("k", drawn(p, 3), drawn(p, 7));
  Computation s = p.f.computation("s", {p.rows, p.columns}, sum(over, p.in(i, k) + p.in(i, j)));
  Computation t = p.f.computation("t", {p.rows, p.columns}, s(i, p.M - 1 - j) * 2);
  p.computations = {s, t};
  p.returns(t);
}

// Gives commands to the computations of one candidate.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::int64_t upto(std::int64_t limit) {
    return std::int64_t(random_() % std::uint64_t(limit + 1));
  }

  void give_one(Candidate& p) {
    Computation& s = p.computations[std::size_t(upto(std::int64_t(p.computations.size()) - 1))];
    const auto loops = loops_of(p.f, s);
    if (loops.empty()) return;
    const std::size_t at = std::size_t(upto(std::int64_t(loops.size()) - 1));
    const Var a = loops[at], b = loops[std::min(at + 1, loops.size() - 1)];
    Computation& other = p.computations[std::size_t(upto(std::int64_t(p.computations.size()) - 1))];
    const std::int64_t size = 1 + upto(4);
    switch (upto(19)) {
      case 0: s.split(a, size); break;
      case 1: s.tile(a, b, size, 1 + upto(4)); break;
      case 2: s.interchange(a, loops[std::size_t(upto(std::int64_t(loops.size()) - 1))]); break;
      case 3: s.skew(a, b, 1 + upto(1), 1 - 2 * upto(1)); break;
      case 4: s.reverse(a); break;
      case 5: s.shift(a, upto(6) - 3); break;
      case 6: s.unroll(a, size); break;
      case 7: s.vectorize(a, size); break;
      case 8: s.parallelize(a); break;
      case 9: s.after(other, a); break;
      case 10: s.before(other, a); break;
      case 11: s.distribute_loop(a); break;
      case 12: s.fuse(a, other, a); break;
      case 13: s.vectorize(a); break;
      case 14: s.allocate_at(other, a), p.keeps(s); break;
      case 15: s.atomic(); break;
      case 16: add_part(p, s, a); break;
      default: other.compute_at(s, a), p.keeps(other); break;
    }
  }

  // Tiles of the size T for some loop, and then borders for about half of all loops.
  void give_tiles_and_borders(Candidate& p) {
    Computation& s = p.computations[std::size_t(upto(std::int64_t(p.computations.size()) - 1))];
    const auto loops = loops_of(p.f, s);
    if (!loops.empty() && upto(1) == 0) {
      const std::size_t at = std::size_t(upto(std::int64_t(loops.size()) - 1));
      given([&] { s.tile(loops[at], loops[std::min(at + 1, loops.size() - 1)], p.T, p.T); });
      given([&] { s.split(loops[at], p.T); });
    }
    for (Computation& c : p.computations)
      for (const Var& v : loops_of(p.f, c)) {
        const auto choice = upto(3);
        if (choice == 0) given([&] { c.separate(v); });
        if (choice == 1) given([&] { c.mask(v); });
        if (choice == 1) given([&] { c.guard(v); });
      }
  }

 private:
  // Whatever is refused changes nothing.
  template <typename Command>
  static void given(Command command) {
    try {
      command();
    } catch (const Error&) {
    }
  }

  static void add_part(Candidate& p, Computation s, const Var& loop) {
    const Computation part = s.rfactor(loop, "part" + std::to_string(p.computations.size()));
    p.computations.insert(p.computations.begin(), part);
  }

  static std::vector<Var> loops_of(const Function& f, const Computation& s) {
    std::vector<Var> loops;
    for (const Placed& placed : branches_of(f.program().mapping, s.name()))
      for (const Loop* loop : placed.loops) loops.emplace_back(loop->name);
    return loops;
  }

  std::mt19937_64 random_;
};

using Maker = void (*)(Candidate&);

void try_seed(Maker make, std::uint64_t seed, bool borders) {
  Candidate p;
  make(p);
  Dice dice(seed);
  const std::int64_t commands = 2 + dice.upto(6);
  for (std::int64_t n = 0; n < commands; ++n) {
    try {
      dice.give_one(p);
    } catch (const Error&) {
      // Refused: nothing has changed.
    }
  }
  if (borders) dice.give_tiles_and_borders(p);
  INFO("seed " << seed << ": " << fmt::format("{}", fmt::join(p.f.history(), "; ")));
  try {
    Judged judged(p.f, p.arguments);
    judged.check({1 + dice.upto(6), 1 + dice.upto(7), 2});
    judged.check({dice.upto(3), 1 + dice.upto(3), 1});
    if (borders) judged.check({1 + dice.upto(12), 1 + dice.upto(16), 1 + dice.upto(8)});
  } catch (const Error& e) {
    // Outputs may end in another order, and an array that is updated, which gets its places only
    // now, may have been computed again over itself.
    const bool expected =
        e.code() == Code::E0304_output_not_last || e.code() == Code::E0301_value_overwritten;
    if (!expected) FAIL_CHECK(e.what());
  }
}

// STRATA_SEEDS="first count" draws others.
std::pair<std::uint64_t, std::uint64_t> seeds() {
  unsigned long first = 1, count = 12;
  if (const char* given = std::getenv("STRATA_SEEDS")) std::sscanf(given, "%lu %lu", &first, &count);
  return {first, count};
}

void try_seeds(Maker make, bool borders = false) {
  const auto [first, count] = seeds();
  for (std::uint64_t seed = first; seed < first + count; ++seed) try_seed(make, seed, borders);
}

}  // namespace

TEST_CASE("commands drawn for a stencil in place", "[random]") { try_seeds(stencil_in_place); }
TEST_CASE("commands drawn for a chain over triangles", "[random]") { try_seeds(chain); }
TEST_CASE("commands drawn for a reduction and its reader", "[random]") { try_seeds(reduction); }
TEST_CASE("commands drawn for a scan and its reader", "[random]") { try_seeds(scan); }
TEST_CASE("commands drawn for a gather from an update", "[random]") { try_seeds(gather); }
TEST_CASE("commands drawn for a scatter and its reader", "[random]") { try_seeds(scatter); }
TEST_CASE("commands drawn for rows of different lengths", "[random]") { try_seeds(ragged); }

TEST_CASE("borders drawn for a stencil in place", "[random][borders]") {
  try_seeds(stencil_in_place, true);
}
TEST_CASE("borders drawn for a chain over triangles", "[random][borders]") {
  try_seeds(chain, true);
}
TEST_CASE("borders drawn for a reduction and its reader", "[random][borders]") {
  try_seeds(reduction, true);
}
TEST_CASE("borders drawn for a scan and its reader", "[random][borders]") {
  try_seeds(scan, true);
}
TEST_CASE("borders drawn for a gather from an update", "[random][borders]") {
  try_seeds(gather, true);
}
TEST_CASE("borders drawn for a scatter and its reader", "[random][borders]") {
  try_seeds(scatter, true);
}
TEST_CASE("borders drawn for rows of different lengths", "[random][borders]") {
  try_seeds(ragged, true);
}
