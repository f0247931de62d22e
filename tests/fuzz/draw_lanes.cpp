#include "tests/fuzz/drawn_case.h"

namespace strata::fuzz {

namespace {

class LanesDrawing : CaseDrawing {
 public:
  explicit LanesDrawing(Random random)
      : CaseDrawing(random),
        lanes_(draw(2, 33)),
        size_(draw(1, 3) * lanes_ + draw(0, 5)),
        from_(any_type()),
        to_(any_type()) {}

  DrawnCase drawn() {
    add_input("in", i32, size_);
    if (chance(50))
      convert();
    else
      read_small();
    vectorize("o", "i", lanes_);
    const std::vector<std::string> tails{"mask", "separate", ""};
    if (const std::string tail = one_of(tails); !tail.empty()) give(tail, {LoopRef{"o", "i_lane"}});
    return std::move(drawn_);
  }

 private:
  Expr flag() const { return access("in", i32, {i_}) > 0; }

  // Sometimes through a third type.
  Expr converted(const Expr& value) {
    return cast(to_, chance(20) ? cast(any_type(), value) : value);
  }

  void convert() {
    note("lanes");
    add_input("a", from_, size_);
    const Expr a = access("a", from_, {i_}), one = constant(to_, 1);
    const std::vector<Expr> values{converted(a), max(converted(a), one),
                                   select(a > constant(from_, 0), one, converted(a)),
                                   select(flag(), converted(a), one)};
    define("o", {Var("i", 0, size_)}, one_of(values));
  }

  void read_small() {
    note("small producer");
    const std::int64_t elements = draw(1, lanes_), first = draw(-2, size_ - 1);
    add_input("a", from_, elements);
    define("s", {Var("k", 0, elements)}, access("a", from_, {variable("k")}) + constant(from_, 1));
    const auto [index, end] = place(first, elements);
    const Expr one = constant(to_, 1);
    Expr value = converted(access("s", from_, {index}));
    if (chance(25)) value = select(flag(), value, one);
    define("o", {Var("i", 0, size_)}, select(i_ >= first && i_ < end, value, one));
    if (chance(30)) vectorize("s", "k", draw(2, 9));
    if (chance(30)) give("set_memory", {"s", Memory::stack});
    if (chance(20)) give("compute_at", {"s", LoopRef{"o", "i"}});
  }

  // An element of s, which exists for "first" <= i < the number beside it.
  std::pair<Expr, std::int64_t> place(std::int64_t first, std::int64_t elements) {
    switch (draw(0, 4)) {
      case 0: return {first + elements - 1 - i_, first + elements};
      case 1: return {(i_ - first) / 2, first + 2 * elements};
      case 2: return {2 * (i_ - first), first + (elements + 1) / 2};
      default: return {i_ - first, first + elements};
    }
  }

  const Expr i_ = variable("i");
  const std::int64_t lanes_, size_;
  const Type from_, to_;
};

}  // namespace

DrawnCase draw_lanes(Random random) { return LanesDrawing(random).drawn(); }

}  // namespace strata::fuzz
