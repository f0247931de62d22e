// Programs that read far away: at i - 1, 2i, N - 1 - i and i / 2, of one and of two steps before,
// and at indices from data.
#include "tests/ranks/generate.h"
#include "tests/ranks/reads.h"

namespace strata::test::ranks {
namespace {

void make_far_reads(const std::string& name, unsigned which) {
  Rows r(name);
  const Input g = r.f.input("g", i32, {r.N});
  const Var &t = r.t, &i = r.i;
  Computation u = r.f.declare("u", {t, i}, i32);
  const Expr at[] = {i - 1, 2 * i, r.N - 1 - i, i / 2};
  Expr sum = cast(i32, 0);
  for (unsigned n = 0; n < far_reads; ++n)
    for (int delay = 1; delay <= 2; ++delay)
      if (is_read(which, n, delay)) {
        const Expr exists = t >= delay && at[n] >= 0 && at[n] < r.N;
        sum = sum + select(exists, u(t - delay, at[n]), int(n) + delay);
      }
  u.define(select(t == 0, g(i), sum));
  u.store_in({t % 3, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), u.buffer()});
}

void make_gather() {
  Rows r("gather_steps");
  const Input g = r.f.input("g", i32, {r.N}), p = r.f.input("p", i32, {r.N});
  const Var &t = r.t, &i = r.i;
  Computation u = r.f.declare("u", {t, i}, i32);
  const Expr at = clamp(p(i), 0, r.N - 1);
  u.define(select(t == 0, g(i), 3 * u(t - 1, at) + 1));
  u.store_in({t % 2, i});
  u.distribute(i, r.rows);
  write(r.f, {g.buffer(), p.buffer(), u.buffer()});
}

}  // namespace

void make_reads() {
  for (std::size_t n = 0; n < std::size(far_read_programs); ++n)
    make_far_reads("far_reads_" + std::to_string(n), far_read_programs[n]);
  make_gather();
}

}  // namespace strata::test::ranks
