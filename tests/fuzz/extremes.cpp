#include "tests/fuzz/extremes.h"

#include <limits>

#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max() - 15;
constexpr std::int64_t word = std::int64_t{1} << 31, quarter = std::int64_t{1} << 62;
// The constants of Knuth's linear congruential generator.
constexpr std::int64_t lcg = 6364136223846793005, odd = 1442695040888963407;

}  // namespace

Expr diagonal(const Expr& e) {
  return select(e >= 0 && e < n, access("in", i32, {e, e}), constant(i32, 1));
}

Extremes::Extremes(Random random, std::set<std::string>& kinds)
    : random_(random() ^ 0x9e3779b97f4a7c15), kinds_(kinds) {
  in_conditions_ = chance(14);
  with_size_ = in_conditions_ && chance(50);
  in_data_ = !in_conditions_ && chance(14);
}

Expr Extremes::wrapping(const Expr& x) {
  const Expr large = constant(u64, between(1, 9) - 10), small = constant(u64, between(1, 9));
  switch (between(0, 9)) {
    case 0: return x * quarter > 5;
    case 1: return x * lcg + odd * between(-3, 3) > 0;
    case 2: return (x * lcg + odd) % 1000 < between(0, 1000);
    case 3: return large > small;
    case 4: return large / 2 + small > small && small < large;
    case 5: return cast(i8, x) * constant(i8, between(40, 70)) > constant(i8, 0);
    case 6: return cast(i16, 12000 * x) > constant(i16, 0);
    case 7: return cast(i32, x * (std::int64_t{1} << 30)) >= constant(i32, 0);
    case 8: return n * quarter + x > 0;
    default: return abs(x * lcg) - odd < 0 || (x << 62) < 0;
  }
}

Expr Extremes::is_size() { return word * parameter("S") >= 0; }

Expr Extremes::data(const std::string& iterator, std::int64_t end) {
  return (cast(i64, diagonal(variable(iterator))) & constant(i64, 15)) ^ constant(i64, end);
}

// Usually a limit, where sums of data wrap.
std::int64_t Extremes::far_from_zero() {
  if (chance(70)) return chance(50) ? least : greatest;
  return one_of(random_, std::vector<std::int64_t>{word, -word, 0});
}

Expr Extremes::index(const std::string& iterator) {
  const std::int64_t end = far_from_zero();
  const std::int64_t m = one_of(random_, std::vector<std::int64_t>{5, 6, 7, 9, 11, 13});
  const Expr x = data(iterator, end);
  const Expr sum = (end == least ? -m : m) * variable(iterator) + x;
  switch (between(0, 3)) {
    case 0: return sum % m % n;
    case 1: return clamp(sum / m, 0, 2) % n;
    case 2: return max(min(data(iterator, least), 10) - 20, 0) / quarter % n;
    default: return min(max(data(iterator, greatest), -10) + 20, 0) / quarter % n;
  }
}

Expr Extremes::condition(const std::string& chooser, const std::string& bounded) {
  const std::int64_t end = far_from_zero();
  const std::int64_t constant = end == least      ? between(16, 30)
                                : end == greatest ? between(-30, -16)
                                                  : between(-9, 9);
  const Expr x = data(chooser, end), bound = between(1, 3) * variable(bounded) + constant;
  switch (between(0, 3)) {
    case 0: return bound < x;
    case 1: return x <= bound;
    case 2: return x > bound;
    default: return bound >= x;
  }
}

}  // namespace strata::fuzz
