// Random programs whose steps read elements of steps before, and of stages before in their step.
#include <optional>
#include <random>

#include "tests/ranks_oracle/judged.h"

namespace strata::test::ranks_oracle {

namespace {

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {}

  Drawn drawn() {
    Drawn result;
    try {
      draw(result);
      result.accepted = true;
    } catch (const Error&) {
    }
    return result;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  // An index of the element that i reads.
  Expr index(const Expr& i, const Param& n) {
    switch (below(8)) {
      case 0: return i - 1;
      case 1: return i + 1;
      case 2: return i + 3;
      case 3: return 2 * i;
      case 4: return n - 1 - i;
      case 5: return i / 2;
      case 6: return 0 * i;
      default: return i;
    }
  }

  void draw(Drawn& drawn) {
    Function& f = drawn.f;
    const Param steps = f.param("T"), n = f.param("N");
    const Partition rows = f.partition("rows", n);
    f.assume(steps >= 0);
    const Input g = f.input("g", i32, {n});
    drawn.buffers.push_back(g.buffer());
    const Var t("t", 0, steps + 1);
    const std::size_t stages = 1 + below(3);
    std::vector<Var> rows_of;
    std::vector<Computation> all;
    for (std::size_t s = 0; s < stages; ++s) rows_of.emplace_back("i" + std::to_string(s), 0, n);
    f.loop(t, [&] {
      for (std::size_t s = 0; s < stages; ++s)
        all.push_back(f.declare("u" + std::to_string(s), {t, rows_of[s]}, i32));
    });
    int deepest = 1;
    for (std::size_t s = 0; s < stages; ++s)
      all[s].define(value(all, s, g, t, rows_of[s], n, deepest));
    for (std::size_t s = 0; s < stages; ++s) {
      if (below(4) != 0) all[s].store_in({t % (deepest + 1), rows_of[s]});
      drawn.buffers.push_back(all[s].buffer());
    }
    schedule(all, rows_of, t);
    for (std::size_t s = 0; s < stages; ++s)
      if (!peeled_ || s > 0) all[s].distribute(rows_of[s], rows);
    if (peeled_)
      for (const char* const piece : {"head", "rest"})
        all[0].piece(piece).distribute(rows_of[0], rows);
  }

  Expr value(std::vector<Computation>& all, std::size_t s, const Input& g, const Var& t,
             const Var& i, const Param& n, int& deepest) {
    Expr sum = g(i) + cast(i32, i + 2 * t);
    const std::uint64_t reads = 1 + below(3);
    for (std::uint64_t read = 0; read < reads; ++read) {
      const auto from = below(all.size());
      const int delay = int(below(3)) + (from < s ? 0 : 1);
      deepest = std::max(deepest, delay);
      const Expr at = index(i, n);
      const Expr exists = t >= delay && at >= 0 && at < n;
      sum = sum + select(exists, all[from](t - delay, at) * int(read + 2), 7);
    }
    if (below(4) != 0) return sum;
    // A sum over neighbours of the step before.
    const Var k("k" + std::to_string(s), 0, 3);
    const Expr near = clamp(i + k - 1, 0, n - 1);
    return strata::sum(k, select(t > 0, all[s](t - 1, near), g(i) * cast(i32, k + 1)));
  }

  void schedule(std::vector<Computation>& all, const std::vector<Var>& rows_of, const Var& t) {
    const auto which = below(all.size());
    switch (below(6)) {
      case 0: all[which].reverse(rows_of[which]); break;
      case 1:
        if (all.size() > 1) all[1].after(all[0], rows_of[0]);
        break;
      case 2:
        if (all.size() == 1) {
          all[0].peel(t, 1);
          peeled_ = true;
        }
        break;
      case 3: all[which].split(t, 2); break;
      default: break;
    }
  }

  std::mt19937_64 random_;
  bool peeled_ = false;
};

}  // namespace

Drawn drawn(std::uint64_t seed) { return Drawing(seed).drawn(); }

}  // namespace strata::test::ranks_oracle
