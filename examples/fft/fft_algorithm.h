// Fast Fourier transforms of the rows of a matrix, and their schedule.
#pragma once

#include <string>
#include <vector>

#include "examples/common/scheduled.h"

namespace fft_example {

// A complex number in two expressions.
struct Complex {
  strata::Expr re, im;

  friend Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Complex times_minus_i() const { return {im, -re}; }
};

// A stage, and its values.
struct Stage {
  std::int64_t radix, s, n;
  strata::Computation x;
};

// B rows of "points" complex numbers, a power of two from 2 on. Stockham's algorithm: before a
// stage of radix r, n = points / s numbers remain to be transformed for each of s residues q,
//     x'(b, p, k s + q) = turn(k, p) sum_m e^(-2 pi i k m / r) x(b, p + m n / r, q)
// for p < n / r, k < r, q < s. Then s' = r s. turn(k, p) = e^(-2 pi i k p / n) is element (k, s p)
// of cosine and sine, which the caller fills with e^(-2 pi i k p / points).
struct Fft {
  strata::Function function{"fft"};
  strata::Param B = function.param("B");
  strata::Input re, im, cosine, sine;
  std::vector<Stage> stages;

  explicit Fft(std::int64_t points)
      : re(function.input("re", strata::f32, {B, points})),
        im(function.input("im", strata::f32, {B, points})),
        cosine(function.input("cosine", strata::f32, {4, quarter(points)})),
        sine(function.input("sine", strata::f32, {4, quarter(points)})) {
    for (std::int64_t s = 1; s < points; s *= stages.back().radix) add_stage(points, s);
  }
  const strata::Computation& out() const { return stages.back().x; }
  examples::Scheduled with_arguments() const {
    return {function,
            {re.buffer(), im.buffer(), cosine.buffer(), sine.buffer(), out().buffer(),
             out().component(1).buffer()}};
  }
  static std::int64_t quarter(std::int64_t points) { return (points + 3) / 4; }

 private:
  Complex before(const strata::Expr& b, const strata::Expr& p, const strata::Expr& q) const {
    if (stages.empty()) return {re(b, p), im(b, p)};
    const strata::Computation& x = stages.back().x;
    return {x(b, p, q), x.component(1)(b, p, q)};
  }
  // The sum over m for each k, where p and q are those of x'.
  std::vector<Complex> butterfly(std::int64_t radix, std::int64_t n, const strata::Expr& b,
                                 const strata::Expr& p, const strata::Expr& q) const {
    std::vector<Complex> a;
    for (std::int64_t m = 0; m < radix; ++m) a.push_back(before(b, p + m * (n / radix), q));
    if (radix == 2) return {a[0] + a[1], a[0] - a[1]};
    const Complex even = a[0] + a[2], odd = a[1] + a[3];
    const Complex even1 = a[0] - a[2], odd1 = (a[1] - a[3]).times_minus_i();
    return {even + odd, even1 + odd1, even - odd, even1 - odd1};
  }
  void add_stage(std::int64_t points, std::int64_t s);
};

// choices[k]
inline Complex chosen(const strata::Expr& k, const std::vector<Complex>& choices) {
  Complex result = choices.back();
  for (std::int64_t c = std::int64_t(choices.size()) - 2; c >= 0; --c)
    result = {select(k == c, choices[std::size_t(c)].re, result.re),
              select(k == c, choices[std::size_t(c)].im, result.im)};
  return result;
}

inline void Fft::add_stage(std::int64_t points, std::int64_t s) {
  using namespace strata;
  const std::int64_t n = points / s, radix = n % 4 == 0 ? 4 : 2;
  const std::string number = std::to_string(stages.size() + 1);
  Var b("b", 0, B), p("p", 0, n / radix), k("k", 0, radix), q("q", 0, radix * s);
  const Expr only = constant(i64, 0);
  Complex value = chosen(q / s, butterfly(radix, n, b, n == radix ? only : p, q % s));
  if (n == radix) {
    Computation x = function.computation({"out_re", "out_im"}, {b, q}, tuple({value.re, value.im}));
    stages.push_back({radix, s, n, x});
    return;
  }
  Computation turn = function.computation({"cos" + number, "sin" + number}, {k, p},
                                          tuple({cosine(k, s * p), sine(k, s * p)}));
  value = value * Complex{turn(q / s, p), turn.component(1)(q / s, p)};
  Computation x =
      function.computation({"x" + number, "y" + number}, {b, p, q}, tuple({value.re, value.im}));
  stages.push_back({radix, s, n, x});
}

// The loops of a stage: the r results of a butterfly one after the other, so that they share their
// operands, in vectors over q, or over p where there are fewer q.
inline void schedule_stage(const Stage& stage, std::int64_t lanes) {
  using strata::Var;
  strata::Computation x = stage.x;
  Var b("b"), p("p"), q("q"), k("k"), lane("lane");
  if (stage.s >= lanes) {
    x.split(q, stage.s, k, q).vectorize(q, int(lanes), q, lane);
    x.interchange(k, q).unroll(k);
  } else if (stage.n / stage.radix >= lanes) {
    x.vectorize(p, int(lanes), p, lane);
    if (stage.s > 1)
      x.split(q, stage.s, k, q).interchange(p, q).interchange(lane, p).unroll(k);
    else
      x.interchange(lane, q).unroll(q);
    x.store_in({b, q, p});
  }
}

inline examples::Scheduled scheduled(std::int64_t points = 1024) {
  Fft fft(points);
  strata::Var b("b");
  strata::Computation out = fft.out();
  for (std::size_t t = fft.stages.size() - 1; t-- > 0;) fft.stages[t].x.compute_at(out, b);
  const std::int64_t lanes = strata::machine().lanes(strata::f32);
  for (const Stage& stage : fft.stages) schedule_stage(stage, lanes);
  out.parallelize(b);
  return fft.with_arguments();
}

}  // namespace fft_example
