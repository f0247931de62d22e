#include "tests/fuzz/drawn_case.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

class ThreadsDrawing : CaseDrawing {
 public:
  explicit ThreadsDrawing(Random random) : CaseDrawing(random) {}

  DrawnCase drawn() {
    note("ranges of threads");
    drawn_.mode = Floats::exact;
    add_parameter("N", n >= 0);
    add_input("in", i32, n + 9);
    const Expr first = draw_first();
    const std::vector<Var> over{Var("i", 0, n + 9), Var("j", first, first + draw(1, 6))};
    define("S", over, access("in", i32, {i_}) + cast(i32, j_));
    const bool two = chance(60);
    if (two) define("T", over, access("S", i32, {i_, j_}) * 3);
    schedule(two);
    return std::move(drawn_);
  }

 private:
  Expr draw_bound() {
    return one_of(std::vector<Expr>{i_, 2 * i_, n - i_, n, 5 - i_, i_ / 2, i_ % 3}) + draw(-3, 3);
  }

  Expr draw_first() {
    const Expr a = draw_bound(), b = draw_bound();
    switch (draw(0, 3)) {
      case 0: return max(a, b);
      case 1: return min(a, b);
      case 2: return select(i_ < draw(1, 9), a, b);
      default: return select(n < draw(2, 6), a, b);
    }
  }

  void schedule(bool two) {
    const bool in_rows = chance(50);
    const std::string block = in_rows ? "b" : "i";
    if (two) give("after", {"T", "S", "i"});
    if (in_rows) give("split", {LoopRef{"S", "i"}, draw(2, 4), block, "r"});
    give("gpu_blocks", {LoopRef{"S", block}});
    if (in_rows && !two && chance(50))
      give("gpu_threads", {LoopRef{"S", "r"}, LoopRef{"S", "j"}});
    else
      give("gpu_threads", {LoopRef{"S", "j"}});
    if (two) give("gpu_threads", {LoopRef{"T", "j"}});
  }

  const Expr i_ = variable("i"), j_ = variable("j");
};

}  // namespace

DrawnCase draw_threads(Random random) { return ThreadsDrawing(random).drawn(); }

}  // namespace strata::fuzz
