// The schedule oracle on known programs, legal schedules and planted faults of every kind.
#include <catch2/catch.hpp>

#include "reference/handmade.h"
#include "reference/shadow.h"

namespace strata::test::shadow_test {

using reference::Fault;
using reference::Handmade;
using reference::judge_schedule;
using reference::Parameters;
using reference::Violation;

namespace {

const Expr i = variable("i"), j = variable("j"), k = variable("k"), zero = constant(i32, 0);
constexpr Processor sequential = Processor::sequential, parallel = Processor::parallel,
                    vector = Processor::vector, unrolled = Processor::unrolled;

Expr at(const std::string& array, std::vector<Expr> indices) {
  return access(array, i32, std::move(indices));
}

std::vector<Violation> judged(const Handmade& made, std::int64_t n,
                              const reference::OracleOptions& options = {}) {
  return judge_schedule(made.program(), {{"N", n}}, options);
}

bool legal(const Handmade& made) {
  for (std::int64_t n : {0, 1, 2, 3, 4, 5})
    if (!judged(made, n).empty()) return false;
  return true;
}

bool has(const std::vector<Violation>& violations, Fault fault, const std::string& text = "") {
  for (const Violation& v : violations)
    if (v.fault == fault && reference::to_string(v).find(text) != std::string::npos) return true;
  return false;
}

const reference::OracleOptions order_only{false, {}, 4};

// P(i) = P(i-1) + in(i), stored in one array.
Handmade prefix_sum() {
  return Handmade({"N"})
      .input("{ in[i] : 0 <= i < N }", i32)
      .define("{ P[i] : 0 <= i < N }", select(i > 0, at("P", {i - 1}), zero) + at("in", {i}),
              {"{ P[i] -> P[i - 1] : i > 0 }", "{ P[i] -> in[i] }"})
      .store("{ in[i] -> in[i] }", BufferRole::input)
      .store("{ P[i] -> p[i] }", BufferRole::output);
}

Node under(const std::string& name, Node node, Processor processor = sequential) {
  return Handmade::loop(name, {std::move(node)}, processor);
}

// A(i) = in(i) and S(i) = A(i-1) + A(i) + A(i+1), A in a temporary.
Handmade stencil(const std::string& storage) {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N + 2 }", i32)
      .define("{ A[i] : 0 <= i < N + 2 }", at("in", {i}), {"{ A[i] -> in[i] }"})
      .define("{ S[i] : 1 <= i <= N }", at("A", {i - 1}) + at("A", {i}) + at("A", {i + 1}),
              {"{ S[i] -> A[i - 1] }", "{ S[i] -> A[i] }", "{ S[i] -> A[i + 1] }"})
      .store(storage)
      .store("{ S[i] -> s[i - 1] }", BufferRole::output);
  return made;
}

// C(i, j) = sum over k of A(i, k) * B(k, j), on N x N.
Handmade matmul() {
  return Handmade({"N"})
      .input("{ A[i, k] : 0 <= i, k < N }", i32)
      .input("{ B[k, j] : 0 <= k, j < N }", i32)
      .reduce("{ C[i, j, k] : 0 <= i, j, k < N }", "{ C_init[i, j] : 0 <= i, j < N }",
              Reduction::sum, at("A", {i, k}) * at("B", {k, j}),
              {"{ C[i, j, k] -> A[i, k] }", "{ C[i, j, k] -> B[k, j] }"},
              "{ C[i, j, k] -> C[i, j] }")
      .store("{ C[i, j] -> c[i, j] }", BufferRole::output);
}

Node matmul_nest(const Handmade& made, const std::string& time, Processor a, Processor b,
                 Processor c) {
  return under("a", under("b", under("c", made.branch(time), c), b), a);
}

// In place in the interior of X: X(i, j) = X(i - 1, j) + X(i, j + 1), where the second is still
// old.
Handmade seidel() {
  return Handmade({"N"})
      .input("{ in[i, j] : 0 <= i, j < N }", i32)
      .define("{ X[i, j] : 0 <= i, j < N }", at("in", {i, j}), {"{ X[i, j] -> in[i, j] }"})
      .define("{ X_1[i, j] : 0 < i, j < N - 1 }", at("X", {i - 1, j}) + at("X", {i, j + 1}),
              {"{ X_1[i, j] -> X_1[i - 1, j] : i > 1 }", "{ X_1[1, j] -> X[0, j] }",
               "{ X_1[i, j] -> X[i, j + 1] }"},
              "{ X_1[i, j] -> X[i, j] }")
      .store("{ in[i, j] -> x[i, j] }", BufferRole::output)
      .store("{ X[i, j] -> x[i, j] }", BufferRole::output);
}

Handmade& schedule_seidel(Handmade& made, const std::string& time, Processor outer,
                          Processor inner) {
  return made.schedule({under("i", under("j", made.branch("{ X[i, j] -> [i, j] }"))),
                        under("a", under("b", made.branch(time), inner), outer)});
}

}  // namespace

TEST_CASE("oracle: a prefix sum", "[judge][oracle]") {
  Handmade made = prefix_sum();
  SECTION("in order") { CHECK(legal(made)); }
  SECTION("shifted and stretched") {
    CHECK(legal(made.schedule({under("i", made.branch("{ P[i] -> [3i + 7] }"))})));
  }
  SECTION("a wrong order: backwards") {
    made.schedule({under("i", made.branch("{ P[i] -> [-i] }"))});
    CHECK(has(judged(made, 3), Fault::value_missing, "P[2] at [0, -2, 0] of value P[1] in p[1]"));
    CHECK(has(judged(made, 3, order_only), Fault::value_missing, "P[2] at [0, -2, 0]"));
    CHECK(judged(made, 1).empty());
  }
  SECTION("in parallel") {
    made.schedule({under("i", made.branch("{ P[i] -> [i] }"), parallel)});
    CHECK(has(judged(made, 3), Fault::race, "P[0] at [0, 0, 0]; P[1] at [0, 1, 0] in p[0]"));
    CHECK(has(judged(made, 3, order_only), Fault::value_missing));
  }
  SECTION("lanes that need each other") {
    made.schedule({under("i", made.branch("{ P[i] -> [i] }"), vector)});
    CHECK(has(judged(made, 3), Fault::value_missing, "P[1] at [0, 1, 0] of value P[0]"));
    CHECK(has(judged(made, 3, order_only), Fault::value_missing));
  }
  SECTION("unrolled is in order") {
    CHECK(legal(made.schedule({under("i", made.branch("{ P[i] -> [i] }"), unrolled)})));
  }
  SECTION("a missing execution") {
    made.schedule({under("i", made.branch("{ P[i] -> [i] }", "{ P[i] : i != 1 }"))});
    CHECK(has(judged(made, 3), Fault::not_scheduled, "P[1]"));
    CHECK(
        has(judged(made, 3, order_only), Fault::value_missing, "P[2] at [0, 2, 0] of value P[1]"));
  }
  SECTION("two executions at one time") {
    made.schedule({under("i", made.branch("{ P[i] -> [0] }"))});
    CHECK(has(judged(made, 2), Fault::same_time, "P[0] at [0, 0, 0]; P[1] at [0, 0, 0]"));
  }
  SECTION("an output that keeps the value made last, if it runs last") {
    Handmade contracted({"N"});
    contracted.define("{ P[i] : 0 <= i < N }", i, {})
        .store("{ P[i] -> p[0] }", BufferRole::output)
        .schedule({under("i", contracted.branch("{ P[i] -> [-i] }"))});
    CHECK(has(judged(contracted, 3), Fault::output_lost, "P[2] in p[0]"));
    CHECK(legal(contracted.schedule({under("i", contracted.branch("{ P[i] -> [i] }"))})));
  }
}

TEST_CASE("oracle: instances that do not exist", "[judge][oracle]") {
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i <= N }", i).store("{ S[i] -> s[i] }", BufferRole::output);
  const Node all = under("i", made.branch("{ S[i] -> [i] }"));
  Handmade shorter({"N"});
  shorter.define("{ S[i] : 0 <= i < N }", i).store("{ S[i] -> s[i] }", BufferRole::output);
  Program program = shorter.program();
  program.mapping.roots = {all};
  CHECK(has(judge_schedule(program, {{"N", 2}}), Fault::unknown_instance, "S[2]"));
}

TEST_CASE("oracle: a stencil and its temporary", "[judge][oracle]") {
  const auto fused = [](Handmade made, const std::string& a, const std::string& s, Processor p) {
    made.schedule({Handmade::loop("i", {made.branch(a), made.branch(s)}, p)});
    return made;
  };
  const std::string a = "{ A[i] -> [i] }", late = "{ S[i] -> [i + 1] }";
  SECTION("one after the other, in every way") {
    for (Processor p : {sequential, parallel, vector, unrolled}) {
      Handmade made = stencil("{ A[i] -> t[i] }");
      made.schedule({under("i", made.branch(a), p), under("i", made.branch("{ S[i] -> [i] }"), p)});
      CHECK(legal(made));
    }
  }
  SECTION("fused after a shift") {
    CHECK(legal(fused(stencil("{ A[i] -> t[i] }"), a, late, sequential)));
  }
  SECTION("fused one iteration too early") {
    const auto made = fused(stencil("{ A[i] -> t[i] }"), a, "{ S[i] -> [i] }", sequential);
    CHECK(has(judged(made, 3), Fault::value_missing, "S[1] at [0, 1, 1] of value A[2] in t[2]"));
  }
  SECTION("fused in lanes: a whole instruction of A comes before S") {
    CHECK(has(judged(fused(stencil("{ A[i] -> t[i] }"), a, "{ S[i] -> [i] }", vector), 3),
              Fault::value_missing));
    CHECK(legal(fused(stencil("{ A[i] -> t[i] }"), a, late, vector)));
  }
  SECTION("fused in parallel") {
    CHECK(has(judged(fused(stencil("{ A[i] -> t[i] }"), a, late, parallel), 3), Fault::race));
  }
  SECTION("three places are enough") {
    CHECK(legal(fused(stencil("{ A[i] -> t[i mod 3] }"), a, late, sequential)));
  }
  SECTION("a contraction that is too small") {
    const auto made = fused(stencil("{ A[i] -> t[i mod 2] }"), a, late, sequential);
    CHECK(
        has(judged(made, 3), Fault::value_overwritten, "S[1] at [0, 2, 1] of value A[0] in t[0]"));
    CHECK(judged(made, 3, order_only).empty());
  }
  SECTION("a contraction that lanes break") {
    const auto made = fused(stencil("{ A[i] -> t[i mod 3] }"), a, late, vector);
    CHECK(has(judged(made, 3), Fault::lanes_collide, "in t[0]"));
  }
  SECTION("a missing execution that somebody needs") {
    Handmade made = stencil("{ A[i] -> t[i] }");
    made.schedule({under("i", made.branch(a, "{ A[i] : i > 0 }")),
                   under("i", made.branch("{ S[i] -> [i] }"))});
    CHECK(has(judged(made, 3), Fault::value_missing, "S[1] at [1, 1, 0] of value A[0]"));
  }
  SECTION("recomputation: each S makes the A that it needs") {
    Handmade made = stencil("{ A[i] -> t[i] }");
    const Node redundant = made.branch("{ A[i] -> [s, i] : s - 1 <= i <= s + 1 and 1 <= s <= N }");
    made.schedule({Handmade::loop("s", {under("i", redundant), made.branch("{ S[i] -> [i] }")})});
    CHECK(legal(made));
    made.schedule(
        {Handmade::loop("s", {under("i", redundant), made.branch("{ S[i] -> [i] }")}, parallel)});
    CHECK(judged(made, 3, order_only).empty());
    CHECK(has(judged(made, 3), Fault::race));
  }
}

TEST_CASE("oracle: matmul", "[judge][oracle]") {
  Handmade made = matmul();
  const std::string ijk = "{ C[i, j, k] -> [i, j, k] }";
  SECTION("every order of the loops") {
    for (const char* time : {"[i, j, k]", "[i, k, j]", "[j, i, k]", "[j, k, i]", "[k, i, j]",
                             "[k, j, i]", "[-k, i - k, j]"}) {
      INFO(time);
      made.schedule({matmul_nest(made, std::string("{ C[i, j, k] -> ") + time + " }", sequential,
                                 sequential, sequential)});
      CHECK(legal(made));
    }
  }
  SECTION("parallel, vector and unrolled result loops") {
    made.schedule({matmul_nest(made, "{ C[i, j, k] -> [i, k, j] }", parallel, unrolled, vector)});
    CHECK(legal(made));
    made.schedule({matmul_nest(made, "{ C[i, j, k] -> [i, j, k] }", parallel, vector, sequential)});
    CHECK(legal(made));
    made.schedule({matmul_nest(made, "{ C[i, j, k] -> [i, j, k] }", vector, parallel, sequential)});
    CHECK(legal(made));
  }
  SECTION("a parallel reduction") {
    made.schedule({matmul_nest(made, ijk, sequential, sequential, parallel)});
    CHECK(has(judged(made, 2), Fault::race, "C[0, 0, 0] at"));
    CHECK(judged(made, 1).empty());
  }
  SECTION("a vectorised reduction") {
    made.schedule({matmul_nest(made, ijk, sequential, sequential, vector)});
    CHECK(has(judged(made, 2), Fault::lanes_collide, "in c[0, 0]"));
    CHECK(has(judged(made, 2), Fault::output_lost, "C[0, 0] in c[0, 0]"));
  }
  SECTION("a missing contribution") {
    made.schedule({under("a", under("b", under("c", made.branch(ijk, "{ C[i, j, k] : k > 0 }"))))});
    CHECK(has(judged(made, 2), Fault::not_scheduled, "C[0, 0]"));
  }
  SECTION("all results in one place") {
    Handmade one({"N"});
    one.reduce("{ C[i, k] : 0 <= i, k < N }", "{ C_init[i] : 0 <= i < N }", Reduction::sum, i + k,
               {}, "{ C[i, k] -> C[i] }")
        .define("{ R[i] : 0 <= i < N }", access("C", i64, {i}),
                {"{ R[i] -> C[i, k] : 0 <= k < N }", "{ R[i] -> C_init[i] }"})
        .store("{ C[i] -> c[0] }")
        .store("{ R[i] -> r[i] }", BufferRole::output);
    const auto together = [&](const std::string& time) {
      return one.schedule(
          {Handmade::loop("a", {under("b", one.branch(time)), one.branch("{ R[i] -> [i] }")})});
    };
    CHECK(legal(together("{ C[i, k] -> [i, k] }")));
    one.schedule({under("a", under("b", one.branch("{ C[i, k] -> [i, k] }"))),
                  under("a", one.branch("{ R[i] -> [i] }"))});
    CHECK(has(judged(one, 2), Fault::value_overwritten, "R[0] at [1, 0, 0] of value C[0]"));
    one.schedule({under("a", under("b", one.branch("{ C[i, k] -> [k, i] }"))),
                  under("a", one.branch("{ R[i] -> [i] }"))});
    CHECK(has(judged(one, 2), Fault::contribution_lost, "C[0, 0] at"));
    CHECK(judged(one, 2, order_only).empty());
  }
}

TEST_CASE("oracle: a reader of an unfinished reduction", "[judge][oracle]") {
  Handmade made({"N"});
  made.reduce("{ C[k] : 0 <= k < N }", "{ C_init[] }", Reduction::maximum, k, {}, "{ C[k] -> C[] }")
      .define("{ R[] }", access("C", i64, {}),
              {"{ R[] -> C[k] : 0 <= k < N }", "{ R[] -> C_init[] }"})
      .store("{ R[] -> r[] }", BufferRole::output);
  CHECK(legal(made));
  made.schedule(
      {Handmade::loop("k", {made.branch("{ C[k] -> [k] }"), made.branch("{ R[] -> [N - 2] }")})});
  CHECK(has(judged(made, 3), Fault::value_missing, "R[] at [1, 1, 1] of value C[]"));
}

TEST_CASE("oracle: Seidel in one array", "[judge][oracle]") {
  Handmade made = seidel();
  const std::string same = "{ X_1[i, j] -> [i, j] }", skewed = "{ X_1[i, j] -> [i + j, j] }";
  CHECK(legal(schedule_seidel(made, same, sequential, sequential)));
  CHECK(legal(schedule_seidel(made, "{ X_1[i, j] -> [j, i] }", sequential, sequential)));
  SECTION("neither loop in parallel") {
    CHECK(has(judged(schedule_seidel(made, same, parallel, sequential), 4), Fault::race));
    CHECK(has(judged(schedule_seidel(made, same, sequential, parallel), 4), Fault::race));
  }
  SECTION("lanes: the old value to the right is read before it is overwritten") {
    CHECK(legal(schedule_seidel(made, same, sequential, vector)));
  }
  SECTION("lanes down the columns need each other") {
    CHECK(has(judged(schedule_seidel(made, same, vector, sequential), 5), Fault::value_missing));
  }
  SECTION("j backwards overwrites the old value before it is read") {
    schedule_seidel(made, "{ X_1[i, j] -> [i, -j] }", sequential, sequential);
    CHECK(has(judged(made, 4), Fault::value_overwritten, "of value X[1, 2] in x[1, 2]"));
    CHECK(judged(made, 4, order_only).empty());
  }
  SECTION("a wavefront: only with the skew that carries both") {
    // Dependences (1, 0) and, because of storage, (0, 1): both are carried by i + j.
    CHECK(legal(schedule_seidel(made, skewed, sequential, parallel)));
    CHECK(has(judged(schedule_seidel(made, "{ X_1[i, j] -> [i - j, j] }", sequential, parallel), 5),
              Fault::value_overwritten));
  }
  SECTION("tiles") {
    made.schedule({under("i", under("j", made.branch("{ X[i, j] -> [i, j] }"))),
                   under("a", under("b", matmul_nest(made,
                                                     "{ X_1[i, j] -> [a, b, c, d, e] : "
                                                     "a = floor(i/2) and b = floor(j/2) and "
                                                     "c = 0 and d = i and e = j }",
                                                     sequential, sequential, sequential)))});
    CHECK(legal(made));
  }
}

TEST_CASE("oracle: values of two arrays in one output", "[judge][oracle]") {
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i < N }", i)
      .define("{ T[i] : 0 <= i < N }", i)
      .store("{ S[i] -> b[i] }", BufferRole::output)
      .store("{ T[i] -> b[i] }", BufferRole::output);
  CHECK(legal(made));
  const auto fused = [&](Processor p) {
    return made.schedule(
        {Handmade::loop("i", {made.branch("{ S[i] -> [i] }"), made.branch("{ T[i] -> [i] }")}, p)});
  };
  for (Processor p : {sequential, parallel, vector}) CHECK(legal(fused(p)));
  made.schedule(
      {under("i", made.branch("{ T[i] -> [i] }")), under("i", made.branch("{ S[i] -> [i] }"))});
  CHECK(has(judged(made, 2), Fault::output_lost, "value T[0] in b[0]"));
}

TEST_CASE("oracle: input elements that an output array keeps", "[judge][oracle]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32)
      .define("{ S[i] : 0 < i < N }", at("in", {i - 1}), {"{ S[i] -> in[i - 1] }"})
      .store("{ in[i] -> b[i] }", BufferRole::output)
      .store("{ S[i] -> b[i] }", BufferRole::output);
  CHECK(has(judged(made, 3), Fault::value_overwritten, "S[2] at [0, 2, 0] of value in[1] in b[1]"));
  CHECK(legal(made.schedule({under("i", made.branch("{ S[i] -> [-i] }"))})));
  made.schedule({under("i", made.branch("{ S[i] -> [i] }"), vector)});
  CHECK_FALSE(legal(made));
}

TEST_CASE("oracle: nested lanes may change places", "[judge][oracle]") {
  // S(i) reads S(i - 1), and i = 4a + 2b + c with lanes b and c: if the lanes b go innermost and
  // the lanes c stay outside, S(2) at (b, c) = (1, 0) runs before S(1) at (0, 1).
  Handmade made({"N"});
  made.define("{ S[i] : 0 <= i < N }", select(i > 0, access("S", i64, {i - 1}), constant(i64, 0)),
              {"{ S[i] -> S[i - 1] : i > 0 }"});
  const Node inside = made.branch("{ S[i] -> [a, b, c, i] : 0 <= b, c <= 1 and i = 4a + 2b + c }");
  const auto nest = [&](Processor b, Processor c) {
    return made.schedule({under("a", under("b", under("c", under("k", inside), c), b))});
  };
  CHECK(legal(nest(sequential, sequential)));
  CHECK(legal(nest(vector, sequential)) == false);
  CHECK(legal(nest(sequential, vector)));
  CHECK(has(judged(nest(vector, vector), 3), Fault::value_missing, "S[2] at"));
}

TEST_CASE("oracle: lanes kept outside for one part of the body only", "[judge][oracle]") {
  // In lanes i: S(i) writes t[i], then for k: T(i, k) reads S(i) and writes u, R(i, k) reads T(i,
  // k). A scalar u shared by all lanes is correct lane after lane, but in no order that moves
  // lanes inside k.
  Handmade made({"N"});
  made.define("{ T[i, k] : 0 <= i, k < N }", i + k)
      .define("{ R[i, k] : 0 <= i, k < N }", access("T", i64, {i, k}), {"{ R[i, k] -> T[i, k] }"})
      .store("{ T[i, k] -> u[] }")
      .store("{ R[i, k] -> r[i, k] }", BufferRole::output);
  const auto nest = [&](Processor p) {
    return made.schedule({under("i",
                                Handmade::loop("k", {made.branch("{ T[i, k] -> [i, k] }"),
                                                     made.branch("{ R[i, k] -> [i, k] }")}),
                                p)});
  };
  CHECK(legal(nest(sequential)));
  CHECK(has(judged(nest(vector), 2), Fault::lanes_collide, "in u[]"));
  CHECK(has(judged(nest(parallel), 2), Fault::race, "in u[]"));
}

namespace {

Node allocating(const std::string& buffer, Node loop) {
  loop.loop().allocations.push_back(buffer);
  return loop;
}

// The stencil with A computed in the loop of S: for each i the values from i - reach to i + 1.
Node recomputed(const Handmade& made, int reach, Processor p = sequential) {
  const std::string needed = "i - " + std::to_string(reach) + " <= a <= i + 1";
  const Node a = made.branch("{ A[a] -> [i, a] : 1 <= i <= N and " + needed + " }");
  return Handmade::loop("i", {under("a", a), made.branch("{ S[i] -> [i] }")}, p);
}

}  // namespace

TEST_CASE("oracle: what is computed again for each reader", "[judge][oracle]") {
  for (const char* storage : {"{ A[i] -> a[i] }", "{ A[i] -> a[i % 3] }", "{ A[i] -> b[-i] }"}) {
    Handmade made = stencil(storage);
    CHECK(legal(made.schedule({recomputed(made, 1)})));
    CHECK(legal(made.schedule({allocating("a", recomputed(made, 1))})));
  }
  Handmade small = stencil("{ A[i] -> a[i % 2] }");
  small.schedule({allocating("a", recomputed(small, 1))});
  CHECK(has(judged(small, 1), Fault::value_overwritten, "S[1] at [0, 1, 1] of value A[0] in a[0]"));
}

TEST_CASE("oracle: an iteration does not find what another one put", "[judge][oracle]") {
  Handmade made = stencil("{ A[i] -> a[i] }");
  // Every i also needs i - 1, made in the previous iteration.
  made.schedule({recomputed(made, 0)});
  CHECK(has(judged(made, 1), Fault::value_missing, "S[1] at [0, 1, 1] of value A[0]"));
  CHECK_FALSE(has(judged(made, 3), Fault::value_missing, "of value A[1]"));
  made.schedule({allocating("a", recomputed(made, 0))});
  CHECK(has(judged(made, 3), Fault::value_missing, "S[2] at [0, 2, 1] of value A[1] in a[1]"));
}

TEST_CASE("oracle: a buffer for each iteration is not a race", "[judge][oracle]") {
  Handmade made = stencil("{ A[i] -> a[i % 3] }");
  for (Processor p : {parallel, vector}) {
    CHECK(legal(made.schedule({allocating("a", recomputed(made, 1, p))})));
    CHECK_FALSE(legal(made.schedule({recomputed(made, 1, p)})));
  }
}

TEST_CASE("oracle: a buffer lives in the iterations of all loops around it", "[judge][oracle]") {
  // Every i needs P(j), but only the first one makes it.
  Handmade made({"N"});
  made.define("{ P[j] : 0 <= j < N }", j)
      .define("{ Q[i, j] : 0 <= i, j < N }", access("P", i64, {j}), {"{ Q[i, j] -> P[j] }"});
  const auto nest = [&](const std::string& iterations) {
    return Handmade::loop("j", {made.branch("{ P[j] -> [i, j] : " + iterations + " }"),
                                made.branch("{ Q[i, j] -> [i, j] }")});
  };
  CHECK(legal(made.schedule({under("i", nest("i = 0"))})));
  CHECK_FALSE(legal(made.schedule({under("i", allocating("P", nest("i = 0")))})));
  CHECK_FALSE(legal(made.schedule({allocating("P", under("i", nest("i = 0")))})));
  CHECK(legal(made.schedule({under("i", allocating("P", nest("0 <= i < N")))})));
}

TEST_CASE("oracle: outside of the loops that allocate the buffer", "[judge][oracle]") {
  Handmade made({"N"});
  made.define("{ P[i] : 0 <= i < N }", i)
      .define("{ Q[i] : 0 <= i < N }", access("P", i64, {i}), {"{ Q[i] -> P[i] }"});
  made.schedule({allocating("P", under("i", made.branch("{ P[i] -> [i] }"))),
                 under("i", made.branch("{ Q[i] -> [i] }"))});
  CHECK(has(judged(made, 1), Fault::out_of_scope, "Q[0] at [1, 0, 0] of value P[0]"));
  made.schedule({under("i", made.branch("{ P[i] -> [i] }")),
                 allocating("P", under("i", made.branch("{ Q[i] -> [i] }")))});
  CHECK(has(judged(made, 1), Fault::out_of_scope, "P[0] at [0, 0, 0] of value P[0]"));
}

TEST_CASE("oracle: a reduction computed again begins anew", "[judge][oracle]") {
  // C(i) = sum of k, and D(i, j) = C(i), recomputed after each complete sum.
  Handmade made({"N"});
  made.reduce("{ C[i, k] : 0 <= i, k < N }", "{ C_init[i] : 0 <= i < N }", Reduction::sum, k, {},
              "{ C[i, k] -> C[i] }")
      .define("{ D[i, j] : 0 <= i, j < N }", access("C", i64, {i}),
              {"{ D[i, j] -> C[i, k] : 0 <= k < N }", "{ D[i, j] -> C_init[i] }"});
  const auto nest = [&](const std::string& iterations) {
    const std::string time = "{ C[i, k] -> [i, j, k] : " + iterations + " }";
    return under("i", Handmade::loop("j", {under("k", made.branch(time)),
                                           made.branch("{ D[i, j] -> [i, j] }")}));
  };
  for (const char* iterations : {"0 <= j < N", "j = 0"}) {
    Node shared = nest(iterations), own = shared;
    own.loop().body[0].loop().allocations = {"C"};
    CHECK(legal(made.schedule({shared})));
    CHECK(legal(made.schedule({allocating("C", shared)})));
    CHECK(legal(made.schedule({own})) == (iterations[0] == '0'));
  }
}

}  // namespace strata::test::shadow_test
