// The ranges in which integer arithmetic does not wrap.
#include "layers/affine/exact.h"

#include <catch2/catch.hpp>
#include <random>

#include "core/expr/expr_text.h"
#include "core/sets/session.h"
#include "layers/affine/affine.h"
#include "reference/evaluate.h"

namespace strata::test::exact_test {

namespace {

const Expr i = variable("i"), n = parameter("N");
constexpr std::int64_t big = std::int64_t{1} << 62;

class Values : public reference::Environment {
 public:
  std::int64_t i = 0, n = 0;
  std::int64_t variable(const std::string&) override { return i; }
  std::int64_t parameter(const std::string&) override { return n; }
};

// The value over Z of an expression made by "any"; nothing if an intermediate value needs more than
// 120 bits.
std::optional<Wide> over_integers(const Expr& e, const Values& at) {
  if (e.op() == Op::constant) return integer_of(e);
  if (e.op() == Op::variable) return at.i;
  if (e.op() == Op::parameter) return at.n;
  std::vector<Wide> a;
  for (const Expr& arg : e.args()) {
    const auto value = over_integers(arg, at);
    if (!value) return std::nullopt;
    a.push_back(*value);
  }
  const auto floor = [](Wide x, Wide y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); };
  const auto checked = [](Wide x) {
    return x >> 120 == 0 || x >> 120 == -1 ? std::optional(x) : std::nullopt;
  };
  switch (e.op()) {
    case Op::add: return checked(a[0] + a[1]);
    case Op::sub: return checked(a[0] - a[1]);
    case Op::mul: {
      Wide result = 0;
      return __builtin_mul_overflow(a[0], a[1], &result) ? std::nullopt : checked(result);
    }
    case Op::negate: return -a[0];
    case Op::abs: return a[0] < 0 ? -a[0] : a[0];
    case Op::min: return std::min(a[0], a[1]);
    case Op::max: return std::max(a[0], a[1]);
    case Op::div: return floor(a[0], a[1]);
    case Op::mod: return a[0] - a[1] * floor(a[0], a[1]);
    case Op::shift_left:
      return a[0] >> 63 == 0 || a[0] >> 63 == -1 ? std::optional(a[0] * (Wide{1} << int(a[1])))
                                                 : std::nullopt;
    default: return floor(a[0], Wide{1} << int(a[1]));
  }
}

// A random expression over i and N, with constants of any size.
Expr any(std::mt19937_64& random, int depth) {
  const auto pick = [&](int count) { return std::int64_t(random() % std::uint64_t(count)); };
  const auto number = [&] { return constant(i64, std::int64_t(random()) >> pick(63)); };
  if (depth == 0) return pick(3) == 0 ? number() : pick(2) ? i : n;
  const Expr a = any(random, depth - 1), b = any(random, depth - 1);
  switch (pick(11)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * number();
    case 3: return min(a, b);
    case 4: return max(a, b);
    case 5: return -a;
    case 6: return abs(a);
    case 7: return a << constant(i64, pick(63));
    case 8: return a >> constant(i64, pick(63));
    case 9: return a / constant(i64, pick(1000) + 1);
    default: return a % constant(i64, -pick(1000) - 1);
  }
}

}  // namespace

TEST_CASE("what is exact has its value in Z for all ordinary sizes", "[exact]") {
  std::mt19937_64 random(5);
  const std::int64_t end = std::int64_t{1} << 31;
  int exact = 0, wrapped = 0;
  for (int n = 0; n < 20000; ++n) {
    const Expr e = any(random, 1 + n % 4);
    const bool claimed = is_exact(e);
    exact += claimed;
    for (int k = 0; k < 10; ++k) {
      Values at;
      const auto draw = [&] {
        const std::int64_t near = std::int64_t(random() % 5);
        return k < 4 ? (random() % 2 ? end - near : near - end) : std::int64_t(random()) >> 32;
      };
      at.i = draw(), at.n = draw();
      const std::int64_t value = std::int64_t(reference::evaluate(e, at).bits);
      const auto in_z = over_integers(e, at);
      wrapped += !in_z || *in_z != value;
      if (!claimed) continue;
      INFO(to_text(e) << " at i = " << at.i << ", N = " << at.n);
      REQUIRE(in_z.has_value());
      REQUIRE(*in_z == value);
    }
  }
  CHECK(exact > 4000);
  CHECK(wrapped > 20000);
}

TEST_CASE("what may wrap is written out with its value", "[exact]") {
  std::mt19937_64 random(6);
  for (int n = 0; n < 5000; ++n) {
    const Expr e = any(random, 1 + n % 4);
    Wrapping ordinary;
    std::map<const ExprNode*, Expr> done;
    visit(e, [&](const Expr& part) {
      std::vector<Expr> args;
      for (const Expr& arg : part.args()) args.push_back(done.at(arg.identity()));
      done[part.identity()] = ordinary.written_out(part, args);
    });
    Values at;
    at.i = std::int64_t(random()) >> 32, at.n = std::int64_t(random()) >> 32;
    INFO(to_text(e));
    CHECK(reference::evaluate(done.at(e.identity()), at).bits == reference::evaluate(e, at).bits);
  }
}

TEST_CASE("ordinary conditions are affine and what wraps is not", "[exact]") {
  Session session;
  const IteratorScope scope = scope_of(session.isl(), "S", {"i"});
  for (const Expr& e : {i > 0, 2 * i + n < 100, 1000000 * i + n < big, i < n - 1, i % 1000 < n,
                        abs(i - n) < 7, i >= constant(i64, std::int64_t(1) << 63)})
    CHECK(affine_condition(e, scope));
  for (const Expr& e : {i * big > 5, (i * 6364136223846793005 + 1) % 1000 < 500, n * big > 0,
                        (i << 62) > 0, i + big + big > 0, (i * big) / big == i})
    CHECK(!affine_condition(e, scope));
  const Expr most = constant(u64, -1);
  CHECK(affine_condition(most > constant(u64, 1), scope)->is_equal(scope.space.universe_set()));
  CHECK(!affine_condition(most + constant(u64, 1) > constant(u64, 1), scope));
  CHECK(!affine_condition(constant(i8, 100) + constant(i8, 100) > constant(i8, 0), scope));
}

TEST_CASE("the range in which arithmetic is exact follows from the domain", "[exact]") {
  Session session;
  const auto range = [&](const Expr& e, const std::string& domain, bool is_index = false) {
    return exact_range({{e, is_index}}, isl::set(session.isl(), domain), {"i"});
  };
  const std::string line = "[N] -> { S[i] : 0 <= i < N }";
  CHECK(*range(i > 0, line) == ExactRange{});
  CHECK(*range(i + 1 > 0, line) == ExactRange{{"N", 61}});
  CHECK(*range(1024 * i > 0, line) == ExactRange{{"N", 53}});
  CHECK(*range(1024 * i, line, true) == ExactRange{{"N", 51}});
  CHECK(*range(1024 * i > 0, "[N] -> { S[i] : 0 <= i < 1024 N }") == ExactRange{{"N", 43}});
  CHECK(*range(1024 * n > 0, "{ S[i] : 0 <= i < 3 }") == ExactRange{{"N", 52}});
  CHECK(!range(1024 * i > 0, "{ S[i] : 0 <= i < 1000000000000000000 }"));
  CHECK(*range(i * big > 0, line) == ExactRange{{"N", 61}});  // written out
}

}  // namespace strata::test::exact_test
