// Indices that are positive in all iterations of the loops around them.
#include "codegen/tree/positive.h"

#include <catch2/catch.hpp>

#include <random>

#include "core/expr/expr_text.h"
#include "reference/evaluate.h"

namespace strata::test::positive_test {

namespace {

const Expr i = variable("i"), j = variable("j"), k = variable("k"), n = parameter("N");

For loop(const Expr& iterator, const Expr& lower, const Expr& upper) {
  return {{iterator.name()}, iterator.name(), lower, upper, {}, nullptr};
}

bool is_positive_in(const std::vector<For>& loops, const Expr& e) {
  std::vector<const For*> around;
  for (const For& one : loops) around.push_back(&one);
  return is_positive(e, around);
}

// The values of names.
class Values : public reference::Environment {
 public:
  std::int64_t variable(const std::string& name) override { return values.at(name); }
  std::int64_t parameter(const std::string& name) override { return values.at(name); }

  std::map<std::string, std::int64_t> values;
};

std::int64_t value(const Expr& e, Values& at) {
  return std::int64_t(reference::integer_of(reference::evaluate(e, at)));
}

// The least value of e in the iterations of the loops from "first" on, or "least".
std::int64_t least_value(const std::vector<For>& loops, const Expr& e, Values& at,
                         std::int64_t least, std::size_t first = 0) {
  if (first == loops.size()) return std::min(least, value(e, at));
  const std::int64_t lower = value(loops[first].lower, at), upper = value(loops[first].upper, at);
  for (std::int64_t x = lower; x < upper; ++x) {
    at.values[loops[first].variable] = x;
    least = least_value(loops, e, at, least, first + 1);
  }
  return least;
}

// Random indices over variables and N.
struct IndexDraw {
  std::mt19937_64 random;

  std::int64_t below(std::int64_t count) { return std::int64_t(random() % std::uint64_t(count)); }
  Expr leaf(const std::vector<Expr>& names) { return names[std::size_t(below(names.size()))]; }
  Expr sum(const std::vector<Expr>& names) {
    return leaf(names) * (below(7) - 3) + leaf(names) * (below(7) - 3) + (below(9) - 4);
  }
  Expr index(const std::vector<Expr>& names) {
    switch (below(5)) {
      case 0: return max(sum(names), sum(names));
      case 1: return min(sum(names), sum(names));
      case 2: return sum(names) / (below(4) + 2) * (below(5) - 2) + sum(names);
      default: return sum(names);
    }
  }
};

}  // namespace

TEST_CASE("what lies beside a tile of an elimination is found", "[codegen]") {
  // Blocks i of 48 steps k, tiles j of 24 columns after the block.
  const auto blocks = [](const Expr& first) {
    return std::vector<For>{loop(i, constant(i64, 0), n / 48), loop(j, first, (n + 23) / 24),
                            loop(k, i * 48, min(i * 48 + 48, n))};
  };
  CHECK(is_positive_in(blocks(2 * i + 2), 24 * j - k));
  CHECK(is_positive_in(blocks((48 * i + 71) / 24), 24 * j - k));
  CHECK(is_positive_in(blocks(max(2 * i + 2, n)), 24 * j - k));
  CHECK_FALSE(is_positive_in(blocks(2 * i + 1), 24 * j - k));
  CHECK_FALSE(is_positive_in(blocks((48 * i + 70) / 24), 24 * j - k));
  CHECK_FALSE(is_positive_in(blocks(min(2 * i + 2, n)), 24 * j - k));
  CHECK_FALSE(is_positive_in(blocks(2 * i + 2), 24 * j - k - 1));
}

TEST_CASE("nothing is found for what no loop bounds", "[codegen]") {
  CHECK(is_positive_in({}, n - n + 1));
  CHECK_FALSE(is_positive_in({}, n));
  CHECK_FALSE(is_positive_in({}, i));
  CHECK(is_positive_in({loop(i, load("x", i64, {n}), n)}, n - i));
  CHECK_FALSE(is_positive_in({loop(i, load("x", i64, {n}), n)}, i));
  CHECK_FALSE(is_positive_in({loop(i, constant(i64, 1), n)}, max(load("x", i64, {i}), i)));
}

TEST_CASE("what is found positive is so in all iterations of random loops", "[codegen]") {
  IndexDraw draw{std::mt19937_64(7)};
  int found = 0, positive = 0;
  for (int count = 0; count < 20'000; ++count) {
    const std::vector<For> loops{loop(i, draw.sum({n}), draw.index({n})),
                                 loop(j, draw.index({n, i}), draw.index({n, i})),
                                 loop(k, draw.index({n, i, j}), draw.index({n, i, j}))};
    const Expr e = draw.index({n, i, j, k}) - draw.index({n, i, j, k});
    constexpr std::int64_t none = 1'000'000;
    std::int64_t least = none;
    for (std::int64_t size = 0; size < 5; ++size) {
      Values at;
      at.values["N"] = size;
      least = least_value(loops, e, at, least);
    }
    positive += least > 0 && least < none;
    if (!is_positive_in(loops, e)) continue;
    INFO(to_text(e));
    for (const For& one : loops)
      UNSCOPED_INFO(one.variable << " from " << to_text(one.lower) << " to " << to_text(one.upper));
    found += least < none;
    REQUIRE(least > 0);
  }
  CAPTURE(found, positive);
  CHECK(found > 80);
  CHECK(found <= positive);
}

}  // namespace strata::test::positive_test
