// Where lanes that are off may store anything, since no lane that is on touches their places.
#include "codegen/entry/idle_places.h"

#include "core/expr/expr.h"

namespace strata::test::idle_places_test {

namespace {

const Expr N = parameter("N");
const Expr i = variable("i"), k = variable("k"), lane = variable("lane");

Expr sum(const Expr& place) { return load("s", f32, {place}); }

StmtPtr store(const Expr& place, const Expr& value, const std::string& buffer = "s") {
  return make_stmt(Execute{"S", {k, place}, buffer, {place}, value});
}

StmtPtr loop(const std::string& name, std::int64_t extent, StmtPtr body, Processor processor) {
  For out{{name, processor}, name, constant(i64, 0), constant(i64, extent), extent, body};
  return make_stmt(out);
}

// for k: vector lane: mask (condition) statement
StmtPtr vector(const Expr& condition, const StmtPtr& statement) {
  const StmtPtr masked = make_stmt(If{condition, statement, nullptr, true});
  return loop("k", 5, loop("lane", 8, masked, Processor::vector), Processor::sequential);
}

bool is_idle(const std::vector<StmtPtr>& body) {
  return has_idle_places(
      {"s", f32, {8 * i}, {constant(i64, 8)}, make_stmt(Block{body}), Memory::stack});
}

const Expr place = 8 * i + lane;
const StmtPtr cleared = vector(place < N, store(place, constant(f32, 0)));

}  // namespace

TEST_CASE("masks that ask the same of the place leave others idle", "[idle places]") {
  CHECK(is_idle({cleared, vector(N >= 8 * i + lane + 1, store(place, sum(place) + 1.0f))}) ==
        false);  // another operator
  const StmtPtr added = vector(place < N, store(place, sum(place) + 1.0f));
  CHECK(is_idle({cleared, added}));
  CHECK(is_idle({cleared, added, vector(place < N, store(place, max(sum(place), 0.0f), "out"))}));
  const Expr twice = place < N && place > i;
  CHECK(is_idle({vector(twice, store(place, sum(place) + 1.0f))}));
}

TEST_CASE("a place is not idle if another store may be to it", "[idle places]") {
  CHECK_FALSE(is_idle({cleared, vector(place < N + 1, store(place, sum(place) + 1.0f))}));
  CHECK_FALSE(is_idle({cleared, vector(place + k < N, store(place, sum(place) + 1.0f))}));
  CHECK_FALSE(is_idle({cleared, vector(place < N, store(8 * i + 7 - lane, sum(place)))}));
  CHECK_FALSE(is_idle({cleared, store(8 * i, constant(f32, 1))}));
  const Expr turned = 8 * i + (lane + k) % 8;
  CHECK_FALSE(is_idle({vector(place < N, store(turned, constant(f32, 1)))}));
  CHECK_FALSE(is_idle({vector(load("x", i32, {place}) > 0, store(place, constant(f32, 1)))}));
}

TEST_CASE("what decides something has to have a value in all lanes", "[idle places]") {
  const auto idle_with = [](const Expr& value) {
    return is_idle({cleared, vector(place < N, store(place, value, "out"))});
  };
  CHECK(idle_with(sum(place) / 3.0f));
  CHECK_FALSE(idle_with(select(sum(place) > 0.0f, load("x", f32, {place}), 0.0f)));
  CHECK_FALSE(idle_with(load("x", f32, {cast(i64, sum(place))})));
  CHECK_FALSE(is_idle(
      {cleared, make_stmt(If{sum(8 * i) > 0.0f, store(place, constant(f32, 0), "out"), nullptr})}));
}

}  // namespace strata::test::idle_places_test
