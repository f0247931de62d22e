// Random calls of the API, most of them invalid.
#pragma once

#include <strata/strata.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace strata::test {

// Values that authors may pass by mistake, mixed with valid ones.
class Draw {
 public:
  // "reads" are made by handles, some of them of another function.
  Draw(unsigned seed, std::vector<Expr> reads) : reads_(std::move(reads)), g_(seed) {}

  std::size_t below(std::size_t bound) { return g_() % bound; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <typename T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  std::string name();          // existing, unknown or impossible
  std::int64_t number();       // small, negative, zero, huge
  Var loop();                  // without a range
  Var iterator();              // with any range, or none
  Expr expression(int depth);  // may be undefined, ill-typed, or very deep
  Type type();
  std::string relation();  // domains, schedules and places, most of them invalid
  TileSize size();
  Memory memory();
  template <typename Make>
  auto list(std::size_t most, Make make) {
    std::vector<decltype(make())> out;
    for (std::size_t n = below(most + 1); n > 0; --n) out.push_back(make());
    return out;
  }
  std::vector<Expr> expressions() {
    return list(3, [&] { return expression(2); });
  }
  std::vector<Var> iterators() {
    return list(3, [&] { return iterator(); });
  }

 private:
  Expr leaf();
  Expr deep();
  std::vector<Expr> reads_;
  std::mt19937 g_;
};

// Two independent functions.
class World {
 public:
  World();

  void act(Draw& draw);  // makes a random call
  const std::vector<Expr>& reads() const { return reads_; }

  Function f{"f"}, other{"other"};

 private:
  Computation& any(Draw& draw);
  Computation& handle(Draw& draw);  // of either function
  const Input& input(Draw& draw);
  std::vector<Buffer> buffers(Draw& draw);

  void define(Draw& draw);
  void read(Draw& draw);
  void change_loops(Draw& draw);
  void change_order(Draw& draw);
  void change_storage(Draw& draw);
  void place(Draw& draw);
  void finish(Draw& draw);
  void nest(Draw& draw);

  std::vector<Computation> computations_, foreign_;
  std::vector<Input> inputs_, foreign_inputs_;
  std::vector<Expr> reads_;  // of both functions, which use the same names
};

}  // namespace strata::test
