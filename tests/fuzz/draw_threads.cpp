#include "tests/fuzz/draw_threads.h"

#include "layers/define/build.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

class Threads {
 public:
  explicit Threads(Random& random) : random_(random) {}

  Scheduled draw() {
    all_.program = new_program(std::make_shared<Session>(), "f", request_);
    all_.program = with_parameter(all_.program, "N", request_);
    all_.program = with_assumption(all_.program, n >= 0, request_);
    all_.program = with_input(all_.program, "in", i32, {n + 9}, request_);
    const Expr i = variable("i"), j = variable("j");
    const Expr first = draw_first();
    const std::vector<Var> over{Var("i", 0, n + 9), Var("j", first, first + draw(1, 6))};
    define("S", over, access("in", i32, {i}) + cast(i32, j));
    const bool two = chance(random_, 60);
    if (two) define("T", over, access("S", i32, {i, j}) * 3);
    schedule(two);
    return std::move(all_);
  }

 private:
  std::int64_t draw(std::int64_t a, std::int64_t b) { return between(random_, a, b); }

  Expr draw_bound() {
    const Expr i = variable("i");
    return one_of(random_, std::vector<Expr>{i, 2 * i, n - i, n, 5 - i, i / 2, i % 3}) +
           draw(-3, 3);
  }

  Expr draw_first() {
    const Expr a = draw_bound(), b = draw_bound();
    switch (draw(0, 3)) {
      case 0: return max(a, b);
      case 1: return min(a, b);
      case 2: return select(variable("i") < draw(1, 9), a, b);
      default: return select(n < draw(2, 6), a, b);
    }
  }

  void define(const std::string& name, const std::vector<Var>& over, const Expr& value) {
    NewDefinition d;
    d.array = name;
    d.iterators = over;
    d.value = value;
    all_.program = with_definition(all_.program, d, request_);
  }

  void schedule(bool two) {
    const bool in_rows = chance(random_, 50);
    const std::string block = in_rows ? "b" : "i";
    if (two) all_.give("after", {"T", "S", "i"});
    if (in_rows) all_.give("split", {LoopRef{"S", "i"}, draw(2, 4), block, "r"});
    all_.give("gpu_blocks", {LoopRef{"S", block}});
    if (in_rows && !two && chance(random_, 50))
      all_.give("gpu_threads", {LoopRef{"S", "r"}, LoopRef{"S", "j"}});
    else
      all_.give("gpu_threads", {LoopRef{"S", "j"}});
    if (two) all_.give("gpu_threads", {LoopRef{"T", "j"}});
  }

  Random& random_;
  const Request request_{"threads drawn", {"threads", 0}};
  Scheduled all_;
};

}  // namespace

Scheduled draw_threads(Random& random) { return Threads(random).draw(); }

}  // namespace strata::fuzz
