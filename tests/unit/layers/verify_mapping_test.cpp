// The rules of layer II, and the positions of initial values.
#include "layers/verify/verify_mapping.h"

#include "layers/flow/initial_values.h"
#include "layers/flow/order.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/tile.h"
#include "tests/unit/programs.h"

namespace strata::test::verify_mapping_test {

namespace {

Branch& first_branch(Program& program) {
  Node* node = &program.mapping.roots.front();
  while (node->is_loop()) node = &node->loop().body.front();
  return node->branch();
}

Code code_of(const Program& program) {
  return refusal_of([&] { verify_mapping(program, asked); }).code;
}

}  // namespace

TEST_CASE("programs as they are built satisfy every rule of layer II", "[layers]") {
  for (const Program& p : {grid(), antidiagonal(), three_stages(), sums()})
    CHECK_NOTHROW(verify_mapping(p, asked));
}

TEST_CASE("R201: a branch maps the instances of a definition to its loops", "[layers]") {
  Program p = grid();
  first_branch(p).definition = "nobody";
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  p = grid();
  first_branch(p).time = TimeMap(p.session->isl(), "{ S[i, j] -> [i] }");
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  p = grid();
  first_branch(p).time = TimeMap(p.session->isl(), "{ T[i, j] -> [i, j] }");
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  p = sums();
  first_branch(p).definition = "C_init";
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
}

TEST_CASE("R202: loops are not empty and have different names", "[layers]") {
  Program p = grid();
  p.mapping.roots.push_back(Node{Loop{LoopHead{{"empty"}}}});
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  p = grid();
  p.mapping.roots.front().loop().name = "j";
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  p = grid();
  p.mapping.roots.front().loop().name = "not a name";
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
}

TEST_CASE("R203: no two instances run at the same time", "[layers]") {
  Program p = grid();
  first_branch(p).time = TimeMap(p.session->isl(), "{ S[i, j] -> [i + j, 0] }");
  const Refusal r = refusal_of([&] { verify_mapping(p, asked); });
  CHECK(r.code == Code::E0203_not_injective);
  CHECK(witness_text(r) == "N = 2, M = 2: S[0, 1] at [0, 1, 0, 0, 0]; S[1, 0] at [0, 1, 0, 0, 0]");
}

TEST_CASE("R204: every instance of an output runs", "[layers]") {
  Program p = grid();
  p.layout.buffers.push_back({"S", f32, 2, BufferRole::output});
  p.layout.store.emplace("S", AccessRelation(p.session->isl(), "{ S[i, j] -> S[i, j] }"));
  first_branch(p).instances =
      InstanceSet(p.session->isl(), "[N, M] -> { S[i, j] : 0 <= i < N and 0 < j < M }");
  const Refusal r = refusal_of([&] { verify_mapping(p, asked); });
  CHECK(r.code == Code::E0204_not_scheduled);
  CHECK(witness_text(r) == "N = 1, M = 1: S[0, 0]");
  p.layout.buffers.back().role = BufferRole::temporary;
  CHECK_NOTHROW(verify_mapping(p, asked));
}

TEST_CASE("R205: no buffer is allocated twice around one branch", "[layers]") {
  Program p = grid();
  Loop& outer = p.mapping.roots.front().loop();
  Loop& inner = outer.body.front().loop();
  inner.allocations = {"b", "c"};
  CHECK_NOTHROW(verify_mapping(p, asked));
  outer.allocations = {"b"};
  CHECK(code_of(p) == Code::E0106_bad_argument);
}

TEST_CASE("R209: pieces are told apart by names, and one branch alone has none", "[layers]") {
  Program p = grid();
  first_branch(p).piece = "head";
  CHECK(code_of(p) == Code::E0208_malformed_schedule);
  first_branch(p).piece = "";
  CHECK_NOTHROW(verify_mapping(p, asked));
  p.mapping.roots.push_back(p.mapping.roots.front());
  const auto named = [&](const std::string& a, const std::string& b) {
    Program named = p;
    first_branch(named).piece = a;
    node_at(named.mapping, {1, 0, 0}).branch().piece = b;
    return named;
  };
  CHECK_NOTHROW(verify_mapping(named("head", "rest"), asked));
  for (const auto& [a, b] : {std::pair("head", "head"), {"head", ""}, {"head", "2x"}, {"", ""}})
    CHECK(code_of(named(a, b)) == Code::E0208_malformed_schedule);
}

TEST_CASE("initial values run just before the loops that reduce", "[layers]") {
  const Program p = sums();
  auto initial = [](const Program& program) {
    Program complete = program;
    complete.mapping = complete_mapping(program);
    return complete;
  };
  CHECK(runs(initial(p), "C_init", "{ C_init[i] -> [0, i, 0] }"));
  CHECK(runs(initial(p), "C", "{ C[i, k] -> [0, i, 1, k, 0] }"));

  const Program outside = interchange(p, {"C", "i"}, {"C", "k"});
  CHECK(runs(initial(outside), "C_init", "{ C_init[i] -> [0, i, 0] }"));
  CHECK(runs(initial(outside), "C", "{ C[i, k] -> [1, k, 0, i, 0] }"));

  const Program tiled = tile(p, {{"C", "i"}, {"C", "k"}}, {4, 8}, {"i0", "k0"}, {"i1", "k1"});
  CHECK(runs(initial(tiled), "C_init",
             "{ C_init[i] -> [0, i0, 0, i1, 0] : i0 = floor(i/4) and "
             "i1 = i - 4 i0 }"));
  // Not beside the next axis of a grid, or of a block: before all of them. In a block, results
  // keep their axis.
  for (const auto& [axis, times] : {std::pair(Processor::block, "{ C_init[i] -> [0, i, 0] }"),
                                    {Processor::thread, "{ C_init[i] -> [0, i, 0, 0, 0] }"}}) {
    Program launched = sums();
    Loop& i = launched.mapping.roots.front().loop();
    i.processor = i.body.front().loop().processor = axis;
    CHECK(runs(initial(launched), "C_init", times));
    CHECK(runs(initial(launched), "C", "{ C[i, k] -> [1, i, 0, k, 0] }"));
  }
}

TEST_CASE("the partial order follows the processors", "[layers]") {
  Program p = three_stages();
  const auto order = [&](Processor outer, Processor inner) {
    p.mapping.roots.front().loop().processor = outer;
    p.mapping.roots.front().loop().body.front().loop().processor = inner;
    return branches(p.mapping).front();
  };
  const auto equals = [&](const isl::map& relation, const char* text) {
    return relation.is_equal(isl::map(p.session->isl(), text));
  };
  using enum Processor;
  Placed s = order(sequential, sequential);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a > c or (a = c and b >= d) }"));
  CHECK(concurrent(s, s).is_empty());
  CHECK(lower_lane(s, s).is_empty());
  s = order(parallel, sequential);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a != c or b >= d }"));
  CHECK(equals(concurrent(s, s), "{ [a] -> [c] : a != c }"));
  s = order(sequential, vector);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a >= c }"));
  CHECK(equals(lower_lane(s, s), "{ [a, b] -> [a, d] : b < d }"));
  CHECK(concurrent(s, s).is_empty());
  s = order(vector, sequential);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a > c or b >= d }"));
  s = order(block, thread);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] }"));
  CHECK(equals(concurrent(s, s), "{ [a, b] -> [c, d] : a != c or b != d }"));
  s = order(sequential, thread);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a >= c }"));
  CHECK(equals(concurrent(s, s), "{ [a, b] -> [a, d] : b != d }"));
  s = order(thread, sequential);
  CHECK(equals(not_before(s, s), "{ [a, b] -> [c, d] : a != c or b >= d }"));
  CHECK(equals(concurrent(s, s), "{ [a] -> [c] : a != c }"));
}

}  // namespace strata::test::verify_mapping_test
