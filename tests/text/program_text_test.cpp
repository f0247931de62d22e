// Programs as text: each parses back to an equal program, in its own session and in another one.
#include <random>

#include "layers/text/text.h"
#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/launch/min_blocks.h"
#include "schedule/commands/loops/atomic.h"
#include "schedule/commands/loops/guard.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/mask.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/rfactor.h"
#include "schedule/commands/loops/separate.h"
#include "schedule/commands/loops/set_schedule.h"
#include "schedule/commands/loops/set_size.h"
#include "schedule/commands/loops/skew.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/unroll.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/commands/storage/prefetch.h"
#include "schedule/commands/storage/set_memory.h"
#include "schedule/commands/storage/store_in.h"
#include "schedule/finish.h"
#include "schedule/table/command_table.h"
#include "tests/text/program_difference.h"
#include "tests/unit/programs.h"

namespace strata::test::program_text_test {

namespace {

Program tiled_grid() {
  Program p = tile(grid(), {{"S", "i"}, {"S", "j"}}, {32, 8});
  p = parallelize(p, {"S", "i"});
  return vectorize(p, {"S", "j_in"});
}

Program launched_grid() {
  const Program p = gpu_tile(grid(), {{"S", "i"}, {"S", "j"}}, {16, 32}, {"b", "c"}, {"s", "t"});
  return min_blocks(p, {"S", "c"}, 2);
}

Program bordered_grid() {
  Program p = unroll(tiled_grid(), {"S", "i_in"});
  p = guard(mask(p, {"S", "j_in"}), {"S", "i_in"});
  return separate(p, {"S", "i"});
}

Program tiled_by_parameters() {
  Program p = with_parameter(grid(), "T", asked);
  p = tile(p, {{"S", "i"}, {"S", "j"}}, {Param("T"), 8});
  return separate(parallelize(p, {"S", "i"}), {"S", "i"});
}

Program wavefront() {
  Program p = skew(sums_of_neighbours(), {"S", "i"}, {"S", "j"}, 1, 1);
  return interchange(p, {"S", "i"}, {"S", "j"});
}

Program unchecked() {
  return interchange(antidiagonal(), {"S", "i"}, {"S", "j"}, {Where::here(), Check::waived});
}

Program stored_in_place() {
  Program p = store_in(grid(), "S", "b", {Var("i"), Var("j")}, {Var("j"), Var("i") % 2}, {});
  p.layout.buffers.back().role = BufferRole::output;
  return p;
}

Program padded_on_the_stack() {
  Program p = set_size(compute_at(stencil(), "P", {{"Q", "i"}}), "P", {4});
  p = set_size(set_memory(p, "P", Memory::stack), "Q", {parameter("N") * 2 + 1});
  return set_memory(p, "Q", Memory::heap);
}

Program prefetching() {
  Program p = tile(grid(), {{"S", "i"}, {"S", "j"}}, {32, 8});
  return prefetch(prefetch(p, {"S", "i_in"}, "in", 4), {"S", "j"}, "in", 1);
}

Program with_barrier() {
  Program p = tile(grid(), {{"S", "i"}, {"S", "j"}}, {32, 8});
  node_at(p.mapping, {0, 0}).loop().barrier = true;
  return p;
}

NewDefinition definition_of(const std::string& array, std::vector<Var> iterators, Expr value) {
  NewDefinition d;
  d.array = array;
  d.iterators = std::move(iterators);
  d.value = std::move(value);
  d.type = f32;
  return d;
}

Program triangle_with_update() {
  NewDefinition d = definition_of("T", {}, real_constant(f32, 1));
  d.domain = "[N] -> { T[i, j] : 0 <= i <= j < N }";
  Program p = with_definition(empty_program({"N"}), d, asked);
  NewDefinition update =
      definition_of("T", {range("r", "N")}, at("T", {variable("r"), variable("r")}) * 2);
  update.element = {variable("r"), variable("r")};
  return with_definition(p, update, asked);
}

// N is read from "sizes"; sparse rows, a scatter, and an update with a predicate.
Program made_of_data() {
  Program p = with_input(empty_program({}), "sizes", i32, {2}, asked);
  p = with_size(p, "N", access("sizes", i32, {1}), asked);
  const Expr n = parameter("N");
  p = with_input(p, "row", i64, {n + 1}, asked);
  p = with_input(p, "val", f32, {n}, asked);
  const Expr i = variable("i"), k = variable("k");
  const Var entry("k", access("row", i64, {i}), access("row", i64, {i + 1}));
  p = define(p, "T", {range("i", "N")}, sum(entry, access("val", f32, {k})));
  NewDefinition scatter = definition_of("T", {range("i", "N")}, at("T", {i}) + 1.0f);
  scatter.element = {access("row", i64, {i})};
  p = with_definition(p, scatter, asked);
  NewDefinition update = definition_of("T", {range("i", "N")}, at("T", {i}) * 2.0f);
  update.element = {i};
  return with_predicate(with_definition(p, update, asked), "T_2", at("T", {i}) > 1.0f, asked);
}

Program inferred_domain() {
  Var i = range("i", "N");
  Program p = empty_program({"N"});
  p = with_definition(p, definition_of("P", {Var("x")}, cast(f32, Var("x"))), asked);
  return define(p, "Q", {i}, at("P", {i + 1}) + at("P", {i * 2}));
}

Program inferred_reduction() {
  Var i = range("i", "N"), k = range("k", "N"), x("x");
  Program p = with_input(empty_program({"N"}), "in", f32, {parameter("N"), parameter("N")}, asked);
  p = with_definition(p, definition_of("C", {x}, sum(k, at("in", {x, k}))), asked);
  return define(p, "D", {i}, at("C", {i}));
}

Program chosen_by_data() {
  Var i = range("i", "N");
  Program p = with_input(empty_program({"N"}), "index", i32, {parameter("N")}, asked);
  p = with_input(p, "in", f32, {parameter("N")}, asked);
  p = with_assumption(p, parameter("N") >= 6 && parameter("N") % 2 == 0, asked);
  return define(p, "G", {i}, select(access("index", i32, {i}) > 3, at("in", {i}), 0.0f));
}

Program calling_with_arrays() {
  Program p = inferred_reduction();
  const Var i = range("i", "N");
  const Expr in = array_argument("in", f32), results = array_argument("D", f32);
  return define(p, "E", {i}, call(f32, "norm", {in, i, results}) + at("D", {i}));
}

Program declared_only() {
  NewDefinition d = definition_of("D", {range("i", "N")}, Expr());
  return with_definition(empty_program({"N"}), d, asked);
}

Program shared_loop() {
  Var t = range("t", "N"), i = range("i", "N");
  NewDefinition first = definition_of("A", {t, i}, real_constant(f32, 0.1));
  first.open_loops = {"t"};
  Program p = with_definition(empty_program({"N"}), first, asked);
  NewDefinition second = definition_of("B", {t, i}, at("A", {t, i}) / 3);
  second.open_loops = {"t"};
  second.existing_loops = 1;
  return with_definition(p, second, asked);
}

Program in_two_pieces() {
  return set_schedule(row_sums(), "S",
                      "[N] -> { S[i, j] -> [0, i, 0, j, 0] : 2i < N; "
                      "S[i, j] -> [1, i, 0, j, 0] : 2i >= N }");
}

Program with_odd_names() {
  Program p = grid();
  p.name = "two words";
  p.mapping.roots[0].loop().name = "by i";
  p.scheduled = true;
  p.history = {"a \"quoted\" command", "back\\slash"};
  return p;
}

// best(i), at(i) = argmin over k of in(i, k);  T(i) = (at(i), best(i))
Program tuples() {
  Var i = range("i", "N"), k = range("k", "M");
  Program p =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  NewDefinition least;
  least.array = "best";
  least.components = {"at"};
  least.iterators = {i};
  least.tuple = argmin(k, at("in", {i, k}));
  p = with_definition(p, least, asked);
  NewDefinition both;
  both.array = "T";
  both.components = {"U"};
  both.iterators = {i};
  both.tuple = tuple({access("at", i64, {i}), at("best", {i})});
  return with_definition(p, both, asked);
}

struct Case {
  std::string name;
  std::function<Program()> build;
};

const std::vector<Case> cases = {
    {"no computation", [] { return empty_program({"N", "M"}); }},
    {"one computation", grid},
    {"tiles, parallel and vector loops", tiled_grid},
    {"a skewed nest", wavefront},
    {"a waived violation", unchecked},
    {"three nests, two of them fused",
     [] { return applied(three_stages(), {"fuse", {LoopRef{"P", "i"}, LoopRef{"Q", "i"}}}); }},
    {"an order inside a loop", [] { return applied(three_stages(), {"after", {"Q", "P", "i"}}); }},
    {"a stencil", stencil},
    {"a reduction", sums},
    {"atomic contributions", [] { return atomic(sums(), "C"); }},
    {"atomic steps of an update", [] { return atomic(triangle_with_update(), "T_1"); }},
    {"tuples", [] { return tuples(); }},
    {"partial results of tuples", [] { return rfactor(tuples(), {"best", "k"}, "P"); }},
    {"partial results", [] { return rfactor(sums(), {"C", "k"}, "P"); }},
    {"finished storage", [] { return finished(grid(), {"in", "S"}, {}); }},
    {"storage in place", stored_in_place},
    {"a triangle and an update", triangle_with_update},
    {"an inferred domain", inferred_domain},
    {"an inferred domain of a reduction", inferred_reduction},
    {"a read under a condition on data, and assumptions", chosen_by_data},
    {"an extern call with arrays", calling_with_arrays},
    {"indices, conditions, ranges and sizes from data", made_of_data},
    {"a computation without value", declared_only},
    {"a shared loop of the reference order", shared_loop},
    {"a piecewise schedule", in_two_pieces},
    {"recomputation in buffers of an iteration",
     [] { return compute_at(stencil(), "P", {{"Q", "i"}}); }},
    {"memory and extents of a buffer", padded_on_the_stack},
    {"chosen borders", bordered_grid},
    {"the loops of a launch", launched_grid},
    {"prefetches", prefetching},
    {"a barrier", with_barrier},
    {"tiles of a parametric size", tiled_by_parameters},
    {"odd names", with_odd_names},
};

std::string refusal_text(const std::string& text) {
  try {
    parse_program(std::make_shared<Session>(), text);
  } catch (const Error& e) {
    return to_string(e.code()).substr(0, 5) + " " + e.refusal().explanation;
  }
  return "";
}

std::string grid_text() {
  return R"(program f
parameter N
parameter M
context { : }
input in float32
  elements [N, M] -> { in[i0, i1] : 0 <= i0 < N and 0 <= i1 < M }
array S float32
computation S of S float32 (i, j)
  instances [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
  defines { S[i, j] -> S[i, j] }
  value in[i, j] + 1.0f32
  ranges [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
  reads in [N, M] -> { S[i, j] -> in[i, j] : 0 <= i < N and 0 <= j < M }
reference {
  loop i {
    loop j {
      run S
        at { S[i, j] -> [i, j] }
        for [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
    }
  }
}
schedule {
  loop i parallel {
    loop j {
      run S at { S[i, j] -> [i, j] } for [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
    }
  }
}
buffer in float32 2 input
store in { in[i, j] -> in[i, j] }
)";
}

// grid_text() with the first "what" replaced.
std::string changed(const std::string& what, const std::string& by) {
  std::string text = grid_text();
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("every program comes back from its text") {
  for (const Case& c : cases) {
    INFO(c.name);
    const Program program = c.build();
    const std::string text = to_text(program);
    INFO(text);
    const Program back = parse_program(program.session, text);
    CHECK(difference(program, back) == "");
    CHECK(to_text(back) == text);
  }
}

TEST_CASE("every program goes into another session and comes back") {
  for (const Case& c : cases) {
    INFO(c.name);
    const Program program = c.build();
    const Program moved = transfer(program, std::make_shared<Session>());
    CHECK(moved.session != program.session);
    CHECK(isl::set(moved.algorithm->context).ctx().get() == moved.session->isl().get());
    CHECK(difference(program, transfer(moved, program.session)) == "");
  }
}

TEST_CASE("the comparison of these tests tells the programs apart") {
  const auto session = std::make_shared<Session>();
  for (std::size_t a = 0; a < cases.size(); ++a)
    for (std::size_t b = 0; b < cases.size(); ++b) {
      INFO(cases[a].name << " and " << cases[b].name);
      const Program x = transfer(cases[a].build(), session),
                    y = transfer(cases[b].build(), session);
      CHECK((difference(x, y) == "") == (a == b));
    }
}

TEST_CASE("a program lives on in its new session when the old one is gone") {
  const auto session = std::make_shared<Session>();
  Program moved = transfer(row_sums(), session);
  moved = interchange(moved, {"S", "i"}, {"S", "j"});
  CHECK(runs(moved, "S", "{ S[i, j] -> [0, j, 0, i, 0] }"));
  moved = transfer(antidiagonal(), session);
  CHECK(refusal_of([&] { interchange(moved, {"S", "i"}, {"S", "j"}); }).code ==
        Code::E0201_dependence_reversed);
}

TEST_CASE("a text that a person wrote is the program it describes") {
  const Program expected = parallelize(grid(), {"S", "i"});
  Program program = parse_program(expected.session, grid_text());
  program.scheduled = expected.scheduled;
  program.history = expected.history;
  CHECK(difference(program, expected) == "");
}

TEST_CASE("a text that cannot be read says in which line, and why") {
  const std::tuple<std::string, std::string, std::string> mistakes[] = {
      {"program f", "programme f", "E0108 line 1, column 1: expected 'program', found 'programme'"},
      {"parameter M\n", "parameter 3\n",
       "E0108 line 3, column 11: expected the name of a parameter, found '3'"},
      {"input in float32", "input in float31",
       "E0108 line 5, column 10: expected a type (int32, float32, ..), found 'float31'"},
      {"in[i0, i1] : 0 <= i0", "inn[i0, i1] : 0 <= i0",
       "E0108 line 6, column 12: the tuple of this set is 'inn' and should be 'in'"},
      {"in[i0, i1] : 0 <= i0", "[i0, i1] : 0 <= i0",
       "E0108 line 6, column 12: the tuple of this set is '' and should be 'in'"},
      {"{ in[i0, i1] : 0 <= i0 < N and", "{ in[i0, i1] : 0 <= i0 < and",
       "E0108 line 6, column 12: isl cannot read this as a set: [N, M] -> { in[i0, i1] : 0 <= i0 "
       "< and 0 <= i1 < M }"},
      {"of S float32 (i, j)", "of T float32 (i, j)",
       "E0108 line 8, column 18: no array line names 'T'"},
      {"float32 (i, j)", "float32 (i)",
       "E0108 line 9, column 3: S has 1 iterators and instances of 2 dimensions"},
      {"value in[i, j] + 1.0f32", "value inn[i, j] + 1.0f32",
       "E0108 line 11, column 9: there is no input or computation named 'inn'"},
      {"value in[i, j] + 1.0f32", "value in[i, j] + 1",
       "E0110 line 11, column 18: in[i, j] is float32 and 1 is int64, which do not mix; write "
       "cast(float32, 1)"},
      {"value in[i, j] + 1.0f32", "value in[i, j] > 1.0f32",
       "E0108 line 11, column 9: this value is boolean and should be float32"},
      {"in float32", "in float64",
       "E0108 line 11, column 9: this value is float64 and should be float32"},
      {"of S float32 (i, j)", "of S int32 (i, j)",
       "E0108 line 8, column 20: S holds float32, not int32"},
      {"value in[i, j] + 1.0f32", "value in[i, j] +",
       "E0108 line 12, column 3: there is no input or computation named 'ranges'"},
      {"defines { S[i, j] -> S[i, j] }", "defines { S[i, j] -> [i, j] }",
       "E0108 line 10, column 11: the tuples of this relation are 'S' and '' and should be 'S' "
       "and 'S'"},
      {"reads in [N, M] -> { S[i, j] -> in[", "reads out [N, M] -> { S[i, j] -> out[",
       "E0108 line 14, column 1: S reads out, which is neither an input nor a computation"},
      {"loop i {", "loop i vectorised {",
       "E0108 line 15, column 10: expected sequential, parallel, vector, unrolled, block, thread "
       "or node, found 'vectorised'"},
      {"loop i {", "loop i tiles T {", "E0108 line 15, column 16: there is no parameter named 'T'"},
      {"loop i {", "loop i tail masked {",
       "E0108 line 15, column 15: expected automatic, separate, guard or mask, found 'masked'"},
      {"    loop j {", "    prefetches out for S ahead 1\n    loop j {",
       "E0108 line 16, column 16: there is no array named 'out'"},
      {"    loop j {", "    prefetches in for T ahead 1\n    loop j {",
       "E0108 line 16, column 23: there is no computation 'T'"},
      {"    loop j {", "    prefetches in for S ahead 0\n    loop j {",
       "E0108 line 16, column 31: a loop prefetches one iteration ahead or more"},
      {"run S", "run T", "E0108 line 17, column 11: there is no computation named 'T'"},
      {"at { S[i, j] -> [i, j] }", "at { S[i, j] -> [i] }",
       "E0108 line 18, column 12: S has 2 loops around it, but its time has 1 dimensions"},
      {"    loop j {\n      run S\n        at { S[i, j] -> [i, j] }\n        for [N, M] -> { S[i, "
       "j] : 0 <= i < N and 0 <= j < M }\n    }\n",
       "", "E0108 line 15, column 8: loop i is empty"},
      {"run S\n", "runs S\n",
       "E0108 line 17, column 7: expected 'loop', 'run' or '}', found 'runs'"},
      {"float32 2 input", "float32 -2 input",
       "E0108 line 30, column 19: expected the number of dimensions, found '-'"},
      {"2 input", "2 inputs",
       "E0108 line 30, column 21: expected input, output or temporary, found 'inputs'"},
      {"buffer in float32 2", "buffer in float32 3",
       "E0108 line 31, column 10: in has 3 dimensions"},
      {"2 input", "2 input on disk",
       "E0108 line 30, column 30: expected "
       "heap, stack, global, shared, local or constant, found 'disk'"},
      {"2 input", "2 input extent N",
       "E0108 line 30, column 21: in has 2 dimensions and 1 extents"},
      {"store in {", "store out {",
       "E0108 line 31, column 7: there is no array or input named 'out'"},
      {"-> in[i, j] }\n", "-> out[i, j] }\n",
       "E0108 line 31, column 10: this relation should map in to a buffer"},
      {"store in { in[i, j] -> in[i, j] }", "store in { in[i, j] -> in[i, j]",
       "E0108 line 31, column 10: expected a relation in isl's notation, in braces, found '{'"},
      {"store in", "storing in",
       "E0108 line 31, column 1: expected the end of the text, found "
       "'storing'"},
  };
  CHECK(refusal_text(grid_text()) == "");
  for (const auto& [what, by, message] : mistakes) {
    INFO(by);
    CHECK(refusal_text(changed(what, by)) == message);
  }
  CHECK(refusal_text("") ==
        "E0108 line 1, column 1: expected 'program', found the end of the text");
}

TEST_CASE("no beginning of a text is a program, and none breaks the reader") {
  const std::string text = grid_text();
  const std::size_t complete = text.find("buffer in");
  for (std::size_t size = 0; size + 1 < complete; ++size) {
    INFO(size);
    CHECK(refusal_text(text.substr(0, size)) != "");
  }
}

namespace {

// Positions in a program's text outside isl's notation: isl's parser leaks memory on invalid input.
std::vector<std::size_t> places_outside_relations(const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    const bool relation = line.find('{') != line.npos && line.find('}') != line.npos;
    for (std::size_t at = begin; at < end && !relation; ++at) places.push_back(at);
    begin = end + 1;
  }
  return places;
}

}  // namespace

TEST_CASE("a text with characters changed is read or refused, whatever they are") {
  const std::string text = to_text(tiled_grid());
  const std::string characters = "abSNij019.,:;()[]{}<>=+-*/%&|!`\"\\ \n#_\x7f\xff";
  const std::vector<std::size_t> places = places_outside_relations(text);
  std::mt19937 random(5);
  int refused = 0;
  for (int n = 0; n < 1500; ++n) {
    std::string changed = text;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits)
      changed[places[random() % places.size()]] = characters[random() % characters.size()];
    INFO(changed);
    REQUIRE_NOTHROW(refused += refusal_text(changed).empty() ? 0 : 1);
  }
  CHECK(refused > 500);
}

}  // namespace strata::test::program_text_test
