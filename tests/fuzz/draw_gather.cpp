#include "tests/fuzz/drawn_case.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

class GatherDrawing : CaseDrawing {
 public:
  explicit GatherDrawing(Random random)
      : CaseDrawing(random), type_(one_of(std::vector{i8, u8, i16, u16, i32, u32, i64})) {}

  DrawnCase drawn() {
    note("narrow gather");
    add_parameter("N", n >= 0);
    add_input("a", i32, n);
    add_input("at", type_, n);
    const bool computed = chance(60);
    const std::string read = computed ? "s" : "a";
    if (computed) define("s", {Var("i", 0, n)}, access("a", i32, {variable("i")}) + 1);
    define("o", {Var("j", 0, n)}, value(read));
    if (chance(40)) give("split", {LoopRef{"o", "j"}, draw(2, 4), "j0", "j"});
    if (computed && chance(50))
      give("compute_at", {"s", LoopRef{"o", "j"}});
    else
      give("cache_at", {LoopRef{"o", "j"}, read, "C", CommandOperand::Names{"x"}});
    if (computed && chance(30)) give("store_at", {"s", LoopRef{"o", "j"}});
    return std::move(drawn_);
  }

 private:
  Expr value(const std::string& read) {
    const Expr index = this->index();
    const Expr gathered = access(read, i32, {index});
    // An index that is checked reads only what exists.
    return select(index >= 0 && index < n, gathered, constant(i32, 7));
  }

  Expr index() {
    const Expr at = access("at", type_, {variable("j")});
    const Expr wide = type_ == i64 ? at : cast(i64, at);
    switch (draw(0, 4)) {
      case 0: return wide;
      case 1: return wide % n;
      case 2: return clamp(wide % draw(2, 9), 0, n - 1);
      case 3: return clamp(wide / draw(2, 9) + variable("j"), 0, n - 1);
      default: return clamp(wide, 0, n - 1);
    }
  }

  const Type type_;
};

}  // namespace

DrawnCase draw_gather(Random random) { return GatherDrawing(random).drawn(); }

}  // namespace strata::fuzz
