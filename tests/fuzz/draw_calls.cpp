#include "tests/fuzz/drawn_case.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

class CallsDrawing : CaseDrawing {
 public:
  explicit CallsDrawing(Random random)
      : CaseDrawing(random),
        type_(chance(50) ? f32 : f64),
        function_(one_of(std::vector{Op::exp, Op::sqrt, Op::pow, Op::tanh, Op::log, Op::erf})) {}

  DrawnCase drawn() {
    note("calls alike");
    add_parameter("N", n >= 0);
    add_parameter("M", m >= 0);
    for (const char* name : {"x", "y", "p"}) add_input(name, i32, n + m + 8);
    z_changes_ = chance(35);
    if (z_changes_) define("z", {i_}, number("x", variable("i")));
    define_first();
    if (z_changes_) change();
    if (chance(75)) define_second();
    schedule();
    return std::move(drawn_);
  }

 private:
  // A small number, not negative: rounding then stays within the bounds of the judge.
  Expr number(const std::string& input, const Expr& index) {
    const Expr small = access(input, i32, {index}) & constant(i32, 15);
    return cast(type_, small) * real_constant(type_, 0.25);
  }

  Expr called(const Expr& e) const {
    switch (function_) {
      case Op::pow: return pow(e, real_constant(type_, 1.5));
      case Op::log: return log(e + real_constant(type_, 1));
      default: return make(function_, {e});
    }
  }

  // The call that most definitions make, or one that is different in one of the loops.
  Expr call() {
    const Expr i = variable("i");
    const Expr argument = z_changes_ ? access("z", type_, {i}) : number("x", i);
    switch (draw(0, 7)) {
      case 0: return called(number("x", other()));
      case 1: return called(argument + number("y", other()));
      case 2: return called(called(argument) / real_constant(type_, 64));
      default: return called(argument);
    }
  }

  // Under one of two conditions, or under none.
  Expr guarded(const Expr& e) {
    if (chance(60)) return e;
    note("calls under conditions");
    const Expr flag = access("p", i32, {variable("i")}) & constant(i32, chance(70) ? 1 : 2);
    return select(flag > constant(i32, 0), e, real_constant(type_, 2));
  }

  Expr value() {
    const Expr e = guarded(call());
    switch (draw(0, 3)) {
      case 0: return e;
      case 1: return e + guarded(call());
      default: return e * number("y", other()) + real_constant(type_, 1);
    }
  }

  // A loop that may be empty, even inside of others that run.
  Var any_j() {
    return one_of(std::vector{Var("j", 0, m - 1), Var("j", 0, m), Var("j", 0, draw(1, 9)),
                              Var("j", 0, variable("i") + 1)});
  }

  // One loop, so that executions stand side by side in it, to three.
  void draw_loops() {
    depth_ = one_of(std::vector{1, 2, 2, 3});
    over_ = {i_};
    if (depth_ > 1) over_.push_back(any_j());
    if (depth_ > 2) over_.push_back(Var("k", 0, chance(50) ? m : Expr(draw(1, 3))));
  }

  std::string last() const { return depth_ == 1 ? "i" : depth_ == 2 ? "j" : "k"; }

  // An index that is not that of the call which most definitions make.
  Expr other() const { return variable(depth_ == 1 ? "i" : "j"); }

  void define_first() {
    draw_loops();
    if (chance(55)) return define("o", over_, value());
    if (depth_ == 2 && chance(50)) {
      is_sum_ = true;
      return define("o", {i_}, sum(over_[1], value()));
    }
    note("calls in a tuple");
    NewDefinition d;
    d.array = "o";
    d.iterators = over_;
    const Expr one = value();
    d.tuple = tuple({one, value()});
    d.components = {"o_other"};
    define(d);
  }

  // z is written after the calls of "o" have read it, in the same loops.
  void change() {
    NewDefinition d;
    d.array = "z";
    d.iterators = {i_};
    d.element = {{variable("i")}};
    d.value = access("z", type_, {variable("i")}) + number("y", variable("i"));
    define(d);
    if (chance(80)) give("after", {"z_1", "o", "i"});
  }

  void define_second() {
    const bool is_sum = is_sum_ && chance(50);
    if (depth_ == 2 && chance(30)) over_[1] = any_j();
    if (is_sum)
      define("u", {i_}, sum(over_[1], value()));
    else
      define("u", over_, value());
    if (chance(85)) give("after", {"u", z_changes_ ? "z_1" : "o", "i"});
    if (!z_changes_ && chance(60)) give("after", {"u", "o", last()});
  }

  void schedule() {
    if (chance(25)) give("interchange", {LoopRef{"o", "i"}, LoopRef{"o", "j"}});
    if (chance(25)) give("split", {LoopRef{"o", "i"}, draw(2, 4), "i0", "i1"});
    if (chance(45)) {
      vectorize("o", chance(70) ? last() : "i", draw(2, 9));
      const std::vector<std::string> tails{"mask", "separate", ""};
      if (const std::string tail = one_of(tails); !tail.empty())
        give(tail, {LoopRef{"o", last() + "_lane"}});
    }
    if (chance(20)) give("unroll", {LoopRef{"o", last()}, draw(2, 3)});
    if (chance(20)) give("parallelize", {LoopRef{"o", "i"}});
  }

  const Var i_ = Var("i", 0, n);
  std::vector<Var> over_;
  const Type type_;
  const Op function_;
  int depth_ = 1;
  bool z_changes_ = false, is_sum_ = false;
};

}  // namespace

DrawnCase draw_calls(Random random) { return CallsDrawing(random).drawn(); }

}  // namespace strata::fuzz
