#include "tests/fuzz/draw_copies.h"

#include "layers/define/build.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

class Copies {
 public:
  explicit Copies(Random& random)
      : random_(random), rank_(chance(random, 70) ? 1 : 2), halo_(between(random, 0, 3)) {}

  Scheduled draw() {
    all_.program = new_program(std::make_shared<Session>(), "f", request_);
    all_.program = with_parameter(all_.program, "N", request_);
    all_.program = with_assumption(all_.program, n >= 0, request_);
    const Type type = one_of(random_, std::vector{i32, f32, f32, f64, i16, u8});
    all_.program =
        with_input(all_.program, "in", type, std::vector<Expr>(rank_, n + 2 * halo_), request_);
    NewDefinition d;
    d.array = "S";
    for (std::size_t k = 0; k < rank_; ++k) d.iterators.push_back(Var(iterator(k), 0, n));
    d.value = sum_of_neighbours(type);
    all_.program = with_definition(all_.program, d, request_);
    schedule();
    return std::move(all_);
  }

 private:
  static std::string iterator(std::size_t k) { return k == 0 ? "i" : "j"; }

  // in(i + s, ..) for s < 2 halo + 1, along one dimension at a time.
  Expr sum_of_neighbours(Type type) const {
    Expr result;
    for (std::size_t along = 0; along < rank_; ++along)
      for (std::int64_t s = 0; s <= 2 * halo_; ++s) {
        std::vector<Expr> element;
        for (std::size_t k = 0; k < rank_; ++k)
          element.push_back(variable(iterator(k)) + (k == along ? s : halo_));
        const Expr one = access("in", type, element);
        result = result.defined() ? result + one : one;
      }
    return result;
  }

  void schedule() {
    std::vector<CommandOperand> loops, sizes, blocks, threads;
    for (std::size_t k = 0; k < rank_; ++k) {
      loops.emplace_back(LoopRef{"S", iterator(k)});
      const std::vector<std::int64_t> widths{2, 3, 32, 128, 256};
      sizes.push_back(rank_ == 1 ? one_of(random_, widths) : between(random_, 2, 8));
      blocks.push_back("b" + std::to_string(k));
      threads.push_back("t" + std::to_string(k));
    }
    const LoopRef around{"S", "b" + std::to_string(rank_ - 1)};
    for (const auto* more : {&sizes, &blocks, &threads})
      loops.insert(loops.end(), more->begin(), more->end());
    all_.give("gpu_tile", loops);
    const std::vector<std::string> names{"x", "y"};
    all_.give("cache_shared_at", {around, "in", "tile",
                                  std::vector<std::string>(names.begin(), names.begin() + rank_)});
    if (chance(random_, 80)) all_.give("async", {BranchRef{"tile"}});
  }

  Random& random_;
  const Request request_{"copies drawn", {"copies", 0}};
  const std::size_t rank_;
  const std::int64_t halo_;
  Scheduled all_;
};

}  // namespace

Scheduled draw_copies(Random& random) { return Copies(random).draw(); }

}  // namespace strata::fuzz
