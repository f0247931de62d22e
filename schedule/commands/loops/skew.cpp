#include "schedule/commands/loops/skew.h"

#include <fmt/format.h>

#include <cstdlib>
#include <numeric>
#include <utility>

#include "schedule/edit/band.h"
#include "schedule/edit/parametric.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

// Products of two factors fit in 64 bits.
constexpr std::int64_t largest_factor = 1'000'000'000;

Command described(const LoopRef& i, const LoopRef& j, const std::vector<std::int64_t>& factors,
                  const std::vector<std::string>& names, Given given) {
  Command command{
      "skew",
      {i, j},
      given,
      fmt::format("skewing {} and {} would read a value before it is computed", i.loop, j.loop)};
  for (std::int64_t factor : factors) command.operands.push_back(factor);
  for (const std::string& name : names) command.operands.push_back(name);
  for (std::int64_t factor : factors)
    if (factor > largest_factor || factor < -largest_factor)
      throw command.refused(Code::E0106_bad_argument,
                            fmt::format("the factor {} is too large", factor),
                            "stay between -10^9 and 10^9");
  return command;
}

Program skewed(const Program& program, const LoopRef& i, const LoopRef& j, const SkewFactors& f,
               const std::vector<std::string>& names, const Command& command) {
  if (!names.empty() && names.size() != 2)
    throw command.refused(Code::E0106_bad_argument,
                          fmt::format("{} names are given for 2 loops", names.size()),
                          "give two names");
  Program result = program;
  const Path path = band_named(result, {i, j}, command);
  require_known_tiles(result, path, 2, "skewed", command);
  const auto chosen =
      new_names(result, path,
                {{names.empty() ? "" : names[0], i.loop}, {names.empty() ? "" : names[1], j.loop}},
                {i.loop, j.loop}, command);

  auto loops = loops_of_band(result.mapping, path, 2);
  for (int n = 0; n < 2; ++n) loops[n].name = chosen[n];
  const auto t = band_iterators(result.session->isl(), 2);
  const auto times = [&](int n, std::int64_t factor) {
    return t.at(n).scale(isl::val(t.ctx(), long(factor)));
  };
  rewrite_band(result.mapping, path, 2, loops,
               band_map(t, {times(0, f.a).add(times(1, f.b)), times(0, f.c).add(times(1, f.d))}));

  return verified(program, std::move(result), command);
}

// x with a x = 1 modulo m, 0 <= x < m, by Euclid's algorithm; a and m are coprime.
std::int64_t inverse_modulo(std::int64_t a, std::int64_t m) {
  std::int64_t r = ((a % m) + m) % m, next_r = m, x = 1, next_x = 0;
  while (next_r != 0) {
    const std::int64_t q = r / next_r;
    r = std::exchange(next_r, r - q * next_r);
    x = std::exchange(next_x, x - q * next_x);
  }
  return ((x % m) + m) % m;
}

}  // namespace

std::optional<SkewFactors> completed_skew(std::int64_t a, std::int64_t b) {
  if (std::gcd(a, b) != 1) return std::nullopt;
  if (a == 0) return SkewFactors{a, b, -b, 0};
  // a d = 1 + b c:  c = -1/b modulo |a|, the least such c >= 0 first, then the one below it.
  const std::int64_t m = std::abs(a);
  const std::int64_t c = (m - inverse_modulo(b, m)) % m;
  const SkewFactors least{a, b, c, (1 + b * c) / a};
  const SkewFactors below{a, b, c - m, (1 + b * (c - m)) / a};
  if (least.d >= 0 || std::abs(least.c) <= std::abs(below.c)) return least;
  return below;
}

Program skew(const Program& program, const LoopRef& i, const LoopRef& j, std::int64_t a,
             std::int64_t b, const std::vector<std::string>& names, Given given) {
  const Command command = described(i, j, {a, b}, names, given);
  const auto factors = completed_skew(a, b);
  if (!factors) {
    const std::int64_t common = std::gcd(a, b);
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} {} + {} {} leaves out iterations: {} and {} have the common factor {}", a,
                    i.loop, b, j.loop, a, b, common),
        common == 0 ? "give factors that are not both 0"
                    : fmt::format("give {} and {}", a / common, b / common));
  }
  return skewed(program, i, j, *factors, names, command);
}

Program skew(const Program& program, const LoopRef& i, const LoopRef& j, const SkewFactors& f,
             const std::vector<std::string>& names, Given given) {
  const Command command = described(i, j, {f.a, f.b, f.c, f.d}, names, given);
  const std::int64_t determinant = f.a * f.d - f.b * f.c;
  if (determinant != 1 && determinant != -1)
    throw command.refused(
        Code::E0106_bad_argument,
        fmt::format("{} * {} - {} * {} is {}, so the new loops do not run each iteration once", f.a,
                    f.d, f.b, f.c, determinant),
        "the determinant must be 1 or -1");
  return skewed(program, i, j, f, names, command);
}

}  // namespace strata
