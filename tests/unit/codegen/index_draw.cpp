#include "tests/unit/codegen/index_draw.h"

#include <algorithm>

namespace strata::test {

std::int64_t Draw::number(int places) {
  static const std::vector<int> widths{7, 8, 15, 16, 31, 32, 61, 62, 63, 63};
  const std::uint64_t limit = one_in(3) ? 0 : std::uint64_t{1} << std::min(places, one_of(widths));
  const std::uint64_t near = limit + std::uint64_t(small());
  return std::int64_t(one_in(2) ? near : std::uint64_t{0} - near);
}

Numbers Draw::numbers() {
  Numbers at;
  at.k = below(7);
  at.i = one_in(2) ? below(40) - 20 : number(61);
  at.n = one_in(2) ? below(40) - 20 : number(61);
  for (std::int64_t& x : at.data) x = number(63);
  return at;
}

Expr Draw::index() {
  const Expr i = variable("i"), n = parameter("N");
  const std::vector<Expr> all{i, n, i + n, 2 * i, i - 1, min(i, n), i / 3, i % 5};
  return one_of(all);
}

Expr Draw::data() {
  static const std::vector<Type> types{i64, i64, i64, u64, i32, u32, i16, u8, i8};
  const Expr x = load("x", one_of(types), {constant(i64, below(3))});
  const Expr wide = x.type() == i64 ? x : cast(i64, x);
  switch (below(8)) {
    case 0: return wide << constant(i64, below(64));
    case 1: return clamp(wide, -below(100), below(100));
    case 2: return min(wide, below(100));
    case 3: return wide % (1 + below(9));
    default: return wide;
  }
}

Expr Draw::sum() {
  Expr result = leaf() * small();
  for (std::int64_t more = below(3); more > 0; --more)
    result = one_in(2) ? result + leaf() * small() : small() - (result - leaf());
  return one_in(3) ? result + number(63) : result;
}

Expr Draw::nested(int depth) {
  if (depth == 0) return sum();
  const Expr a = nested(depth - 1), b = sum();
  switch (below(6)) {
    case 0: return a / divisor() + b;
    case 1: return a % divisor() - b;
    case 2: return min(a, b) + small();
    case 3: return max(a, b) * small();
    case 4: return select(a < b, a, b);
    default: return -a;
  }
}

}  // namespace strata::test
