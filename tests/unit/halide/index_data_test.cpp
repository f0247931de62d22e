// Indices and conditions made of data near the limits of their types, in machine code: Halide
// assumes that int64 does not overflow, so no overflow may reach it.
#include <catch2/catch.hpp>

#include "core/expr/expr_text.h"
#include "tests/unit/codegen/index_draw.h"
#include "tests/unit/entry/kernels.h"

namespace strata::test::index_data_test {

namespace {

constexpr int steps_of_i = 8, rounds = 40, expressions = 8;

// x[c] of a type at i, from one buffer per type.
std::string buffer_of(Type type) { return "x_" + to_string(type); }

Expr in_buffers(const Expr& e, std::int64_t first) {
  return rewrite(e, [&](const Expr& part) -> Expr {
    if (part.op() != Op::load) return {};
    return load(buffer_of(part.type()), part.type(), {part.args()[0], v("i") - n(first)});
  });
}

bool uses_large_constants(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& part) {
    const std::int64_t value = part.op() == Op::constant ? part.node().integer : 0;
    found |= value > (std::int64_t{1} << 50) || value < -(std::int64_t{1} << 50);
  });
  return found;
}

// Row "row" of y gets a value where a condition holds, at a place given by an index.
struct Case {
  Expr condition, index, value;

  explicit Case(Draw& draw) {
    do condition = draw.nested(1) < draw.sum();
    while (uses_large_constants(condition));
    do index = clamp(draw.nested(1), 0, 3) + (draw.nested(1) / draw.divisor()) % 4;
    while (uses_large_constants(index));
    const Expr narrow = load("x", i32, {n(draw.below(3))});
    value = select(draw.nested(1) <= draw.sum(), 4, 1) +
            select(cast(i32, draw.index()) + int(draw.small()) < narrow, 16, 8);
  }

  StmtPtr statement(std::int64_t row, std::int64_t first) const {
    const auto in = [&](const Expr& e) { return in_buffers(e, first); };
    const std::vector<Expr> place{n(row), v("i") - n(first), in(index)};
    return make_stmt(If{in(condition), store("y", place, in(value)), nullptr});
  }
};

void check(Draw& draw, Processor processor, std::int64_t first) {
  std::vector<Case> cases;
  std::vector<StmtPtr> body;
  for (int row = 0; row < expressions; ++row) {
    cases.emplace_back(draw);
    body.push_back(cases.back().statement(row, first));
  }
  const std::vector<Type> types{i64, u64, i32, u32, i16, u8, i8};
  std::vector<ArgumentBuffer> arguments;
  for (const Type type : types)
    arguments.push_back(argument(buffer_of(type), type, Access::read, {n(3), n(steps_of_i)}));
  arguments.push_back(argument("y", i32, Access::written, {n(expressions), n(steps_of_i), n(7)}));
  const JitKernel k(kernel("near_limits", {"N"}, arguments,
                           steps("i", n(first), steps_of_i, block(body), processor)));
  for (int round = 0; round < rounds; ++round) {
    std::vector<Numbers> at;
    const std::int64_t size = draw.below(100);
    for (std::int64_t i = first; i < first + steps_of_i; ++i) {
      at.push_back(draw.numbers());
      at.back().i = i, at.back().n = size;
    }
    const auto filled = [&](auto zero) {
      Array<decltype(zero)> x({3, steps_of_i});
      for (int c = 0; c < 3; ++c)
        for (int i = 0; i < steps_of_i; ++i)
          x(c, i) = static_cast<decltype(zero)>(at[std::size_t(i)].data[std::size_t(c)]);
      return x;
    };
    auto x64 = filled(std::int64_t{0});
    auto u64s = filled(std::uint64_t{0});
    auto x32 = filled(std::int32_t{0});
    auto u32s = filled(std::uint32_t{0});
    auto x16 = filled(std::int16_t{0});
    auto u8s = filled(std::uint8_t{0});
    auto x8 = filled(std::int8_t{0});
    Array<std::int32_t> y({expressions, steps_of_i, 7}, 0);
    REQUIRE(k.call({size}, {x64, u64s, x32, u32s, x16, u8s, x8, y}) == 0);
    for (int row = 0; row < expressions; ++row)
      for (int i = 0; i < steps_of_i; ++i) {
        const Case& c = cases[std::size_t(row)];
        const Numbers& here = at[std::size_t(i)];
        const auto condition = plain_value(c.condition, here), place = plain_value(c.index, here),
                   value = plain_value(c.value, here);
        if (!condition || !place || !value) continue;
        INFO(to_text(c.condition) << "; " << to_text(c.index) << "; " << to_text(c.value) << " at "
                                  << here.text());
        REQUIRE(y(row, i, *place) == (*condition != 0 ? *value : 0));
      }
  }
}

}  // namespace

TEST_CASE("machine code of indices made of data is right near the limits of types", "[halide]") {
  Draw draw(21);
  for (const std::int64_t first : {0, 5}) check(draw, Processor::sequential, first);
  check(draw, Processor::unrolled, -3);
  check(draw, Processor::vector, 5);
}

}  // namespace strata::test::index_data_test
