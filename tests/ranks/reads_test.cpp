// Reads far away, with delays, and gathers: the values sent are the least, also where they are
// many.
#include "tests/ranks/reads.h"

#include "far_reads_0.h"
#include "far_reads_1.h"
#include "far_reads_2.h"
#include "far_reads_3.h"
#include "far_reads_4.h"
#include "far_reads_5.h"
#include "gather_steps.h"
#include "tests/ranks/case.h"

namespace strata::test::ranks {
namespace {

using Kernel = int (*)(strata_team*, int64_t, int64_t, const int64_t*, halide_buffer_t*,
                       halide_buffer_t*);
constexpr Kernel kernels[] = {far_reads_0, far_reads_1, far_reads_2,
                              far_reads_3, far_reads_4, far_reads_5};
static_assert(std::size(kernels) == std::size(far_read_programs));

void check_far_reads(const Case& c, std::size_t program) {
  const unsigned which = far_read_programs[program];
  std::vector<std::vector<uint32_t>> a(1);  // of all steps
  for (int64_t i = 0; i < c.N; ++i) a[0].push_back(uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t) {
    a.emplace_back();
    for (int64_t i = 0; i < c.N; ++i) {
      const int64_t at[] = {i - 1, 2 * i, c.N - 1 - i, i / 2};
      uint32_t sum = 0;
      for (unsigned n = 0; n < far_reads; ++n)
        for (int delay = 1; delay <= 2; ++delay) {
          if (!is_read(which, n, delay)) continue;
          const int64_t from = at[n];
          const bool exists = t >= delay && from >= 0 && from < c.N;
          if (exists) least.read({t - delay, from}, from, i, {t});
          sum += exists ? a[std::size_t(t - delay)][std::size_t(from)] : n + unsigned(delay);
        }
      a.back().push_back(sum);
    }
  }
  Part<int32_t> g({c.first()}, {c.last()}), u({0, 0}, {3, c.N});
  fill(g, c, false);
  check(
      "far reads " + std::to_string(program), c, least,
      [&] { return kernels[program](team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 3, i})) == a.back()[std::size_t(i)]; });
}

void check_gather(const Case& c) {
  std::vector<uint32_t> a, b(std::size_t(c.N));
  for (int64_t i = 0; i < c.N; ++i) a.push_back(uint32_t(c.at(i)));
  const auto from = [&](int64_t i) {
    return std::min<int64_t>(c.at(i, c.M - 1) % (c.N + 3), c.N - 1);
  };
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b))
    for (int64_t i = 0; i < c.N; ++i) {
      b[std::size_t(i)] = 3u * a[std::size_t(from(i))] + 1u;
      for (int64_t e = 0; e < c.N; ++e) least.read({t - 1, e}, e, i, {t});  // any of them
    }
  Part<int32_t> g({c.first()}, {c.last()}), p({c.first()}, {c.last()}), u({0, 0}, {2, c.N});
  fill(g, c, false);
  for (int64_t i = c.first(); i < c.last(); ++i) p.at({i}) = int32_t(from(i));
  check(
      "gathers", c, least,
      [&] {
        return gather_steps(team, c.T, c.N, c.given(), g.argument(), p.argument(), u.argument());
      },
      [&](int64_t i) { return uint32_t(u.at({c.T % 2, i})) == a[std::size_t(i)]; });
}

}  // namespace

void check_reads(const Case& c) {
  for (std::size_t program = 0; program < std::size(kernels); ++program)
    check_far_reads(c, program);
  check_gather(c);
}

}  // namespace strata::test::ranks
