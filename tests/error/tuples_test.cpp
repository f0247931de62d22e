// Tuples: refusals.
#include <strata/strata.h>

#include "tests/error/told.h"

namespace strata::test::tuples_test {

namespace {

struct Least : Grid {
  Computation best = f.computation({"best", "at"}, {i}, argmin(j, in(i, j)));
};

}  // namespace

TEST_CASE("E0104, E0109: names of scalars", "[error]") {
  Least p;
  CHECK(told(p.f, [&] { p.f.computation({"a", "b", "c"}, {p.i}, tuple({1, 2})); }) ==
        R"(error E0109 wrong arity
  in computation(a) at HERE
  a has values of 2 scalars, but 3 names are given
  to fix it: give one name for each scalar
)");
  CHECK(told(p.f, [&] { p.f.computation({"a", "at"}, {p.i}, tuple({1, 2})); }) ==
        R"(error E0104 name taken
  in computation(a) at HERE
  the name at is taken
  to fix it: choose another name
)");
  CHECK(told(p.f, [&] { p.best.store_in(Buffer("at"), {p.i}); }) == R"(error E0104 name taken
  in store_in(best, at, i) at HERE
  at holds scalars of best
  to fix it: choose another name
)");
}

TEST_CASE("E0106: what tuples do not have", "[error]") {
  Least p;
  CHECK(told(p.f, [&] { p.best.component(1).store_in({p.i}); }) == R"(error E0106 bad argument
  in store_in(at, at, i) at HERE
  at is stored together with best
  to fix it: store best
)");
  CHECK(told(p.f, [&] { p.best.atomic(); }) == R"(error E0106 bad argument
  in atomic(best) at HERE
  the operation of best has no atomic instruction
  to fix it: use sum, product, minimum, maximum, any or all, or use rfactor
)");
  CHECK(told(p.f, [&] { p.best.update({p.i}, {p.i}, 1.0f); }) == R"(error E0106 bad argument
  in update(best) at HERE
  best holds tuples, which cannot be updated
  to fix it: define another computation that reads it
)");
  CHECK(told(p.f, [&] { p.best.component(2); }) == R"(error E0106 bad argument
  in component(best, 2) at HERE
  the values of best have 2 scalars
  to fix it: count from 0
)");
}

TEST_CASE("E0106, E0109, E0110: reductions that authors make", "[error]") {
  Least p;
  const auto first = [](const auto& a, const auto&) { return std::vector<Expr>{a[0]}; };
  const Reducer odd("odd", {0, 0}, first), wide("wide", {0}, [](const auto& a, const auto& b) {
    return std::vector<Expr>{cast(i64, a[0]) + cast(i64, b[0])};
  });
  const std::vector<std::string> one{"u"}, two{"u", "v"};
  CHECK(told(p.f, [&] { p.f.computation(two, {p.i}, reduce(odd, p.j, {1, 2})); }) ==
        R"(error E0106 bad argument
  in computation(u) at HERE
  the step of odd gives 1 scalars for 2 identities
)");
  CHECK(told(p.f, [&] { p.f.computation(one, {p.i}, reduce(odd, p.j, {1})); }) ==
        R"(error E0109 wrong arity
  in computation(u) at HERE
  odd combines 2 scalars, not 1
  to fix it: give one value for each identity
)");
  CHECK(told(p.f, [&] { p.f.computation(one, {p.i}, reduce(wide, p.j, {1})); }) ==
        R"(error E0110 types do not mix
  in computation(u) at HERE
  a step of wide gives int64 for an identity of int32
)");
  CHECK(told(p.f, [&] { p.f.computation(two, {p.i}, argmax(p.j, p.in(p.i, p.j) > 0.0f)); }) ==
        R"(error E0110 types do not mix
  in computation(u) at HERE
  argmax takes a number, not boolean; write cast(int32, ..)
)");
}

}  // namespace strata::test::tuples_test
