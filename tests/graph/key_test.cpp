// Keys: equal for the same computation under other names, and for no others.
#include <catch2/catch.hpp>

#include <strata/graph.h>

#include <random>

#include "core/record.h"

namespace strata::test::key_test {

using namespace strata::graph;

// A random computation, made from a seed, whose names and order of creation come from another seed.
class Computations {
 public:
  Computations(unsigned seed, unsigned naming) : draw_(seed), naming_(naming) {}

  std::vector<Tensor> make() {
    const Param n(name()), m(name());
    const Shape shape = below(2) ? Shape{n, m} : Shape{n, n * 2};
    // The placeholders come into being in any order; the program's text does not say which.
    std::vector<Tensor> given(2);
    const bool reversed = naming_() % 2 == 0;
    for (const int k : reversed ? std::vector{1, 0} : std::vector{0, 1})
      given[std::size_t(k)] = placeholder(name(), f32, shape);
    tensors_ = given;
    const int stages = 1 + below(4);
    for (int stage = 0; stage < stages; ++stage) tensors_.push_back(stage_of(shape));
    return {given[0], given[1], tensors_.back()};
  }

 private:
  int below(int bound) { return int(draw_() % unsigned(bound)); }
  std::string name() { return std::string("v") + std::to_string(naming_() % 1'000'000'000); }

  Expr value(const Indices& i, int depth) {
    if (depth == 0 || below(4) == 0) {
      if (below(4) == 0) return constant(f32, below(4));
      return tensors_[std::size_t(below(int(tensors_.size())))](i);
    }
    const Expr a = value(i, depth - 1), b = value(i, depth - 1);
    switch (below(4)) {
      case 0: return a + b;
      case 1: return a * b;
      case 2: return max(a, b);
      default: return select(i[0] < i[1], a, b);
    }
  }

  Tensor stage_of(const Shape& shape) {
    ComputeForm form;
    form.iterators = {name(), name()};
    const int reduced = below(3) == 0 ? 1 + below(2) : 0;
    const std::vector<Axis> over = axes(shape, form.iterators[0]);
    return compute_tuple(
        shape, form,
        [&](const Indices& i) {
          if (reduced == 0) return strata::tuple({value(i, 2)});
          if (reduced == 1) return strata::tuple({sum(over[1], value(i.with_last(over[1]), 2))});
          return strata::tuple({sum(over, value({over[0], over[1]}, 2))});
        },
        name(), Where::here())[0];
  }

  // Axes over the dims of the shape, which may have one name, and that of an iterator.
  std::vector<Axis> axes(const Shape& shape, const std::string& iterator) {
    const std::string first = naming_() % 2 ? iterator : name();
    const std::string second = naming_() % 2 ? first : name();
    return {reduce_axis(shape[0], first), reduce_axis(shape[1], second)};
  }

  std::mt19937 draw_, naming_;
  std::vector<Tensor> tensors_;
};

std::vector<float> values_of(unsigned seed) {
  const std::vector<Tensor> t = Computations(seed, 1).make();
  const std::int64_t columns = t[0].shape(1).op() == Op::parameter ? 4 : 6;
  NDArray x(strata_float(32), {3, columns}), y(strata_float(32), {3, columns});
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.data<float>()[n] = float(n % 5) - 2;
    y.data<float>()[n] = float(n % 3) + 0.5f;
  }
  const NDArray result = evaluate({t[2]}, {{t[0], x}, {t[1], y}})[0];
  return {result.data<float>(), result.data<float>() + result.size()};
}

TEST_CASE("10,000 pairs of computations have equal keys if and only if they are the same",
          "[graph]") {
  std::map<std::string, unsigned> seeds;
  for (unsigned seed = 0; seed < 10'000; ++seed) {
    const std::string one = key(Computations(seed, 2 * seed).make());
    const std::string other = key(Computations(seed, 2 * seed + 1).make());
    CHECK(one == other);
    // Another seed may draw the same computation: then the values are the same.
    const auto [there, fresh] = seeds.emplace(one, seed);
    if (!fresh) CHECK(values_of(there->second) == values_of(seed));
  }
  CHECK(seeds.size() > 5'000);
  CHECK(seeds.size() < 9'990);
}

TEST_CASE("what tells computations apart is in the key", "[graph]") {
  const Param n("n"), m("m");
  const Tensor x = placeholder("x", f32, {n, m}), y = placeholder("y", f32, {n, m});
  const auto make = [&](const std::function<Expr(const Indices&)>& f,
                        const Shape& shape = {Param("n"), Param("m")}) {
    return key({x, y, compute(shape, f, "t")});
  };
  const std::vector<std::string> keys{
      make([&](const Indices& i) { return x(i) - y(i); }),
      make([&](const Indices& i) { return y(i) - x(i); }),
      make([&](const Indices& i) { return x(i) - 1.0f; }),
      make([&](const Indices& i) { return x(i) - 1.0000001f; }),
      make([&](const Indices& i) { return x(i) - (-0.0f); }),
      make([&](const Indices& i) { return x(i) - 0.0f; }),
      make([&](const Indices& i) { return select(i[0] < m, x(i), 0.0f); }),
      make([&](const Indices& i) { return select(i[0] < n, x(i), 0.0f); }),
      make([&](const Indices& i) { return select(i[1] < n, x(i), 0.0f); }),
      make([&](const Indices& i) { return cast(f64, x(i)); })};
  for (std::size_t a = 0; a < keys.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) CHECK(keys[a] != keys[b]);
  CHECK(key({x, y}) != key({y, x, y}));
  CHECK(hash_of_text(keys[0]) != hash_of_text(keys[1]));
}

TEST_CASE("symbols that first occur in one dim are numbered by what they do there", "[graph]") {
  const auto make = [](const std::string& a, const std::string& b) {
    const Param p(a), q(b);
    return key({placeholder("x", f32, {p * q + 2 * q})});
  };
  CHECK(make("a", "b") == make("b", "a"));
  CHECK(make("a", "b") == make("z", "y"));
}

TEST_CASE("dims in bodies are numbered as those of shapes", "[graph]") {
  const auto make = [](const std::string& a, const std::string& b) {
    const Tensor x = placeholder("x", f32, {Param(a), Param(b)});
    return key({mean(x), strided_slice(flatten(x), {{0}, {3}, {2}, {0}})});
  };
  CHECK(make("a", "b") == make("b", "a"));
  CHECK(make("a", "b") == make("z", "y"));
}

}  // namespace strata::test::key_test
