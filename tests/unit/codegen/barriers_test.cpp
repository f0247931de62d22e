// Barriers of launches, counted by hand. In the shapes, "|" is a barrier.
#include "layers/flow/barriers.h"

#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/loops/atomic.h"
#include "schedule/commands/order/after.h"
#include "schedule/commands/storage/allocate_at.h"
#include "schedule/finish.h"
#include "tests/unit/codegen/launch_races.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::barriers_test {

namespace {

using P = Processor;

constexpr int threads = 4;

std::vector<Parameters> sizes() {
  std::vector<Parameters> all;
  for (int k : {0, 1, 2, 3, 5})
    for (int q : {0, 1, 3}) all.push_back({{"K", k}, {"Q", q}});
  return all;
}

Node with_own(Node loop, const std::string& buffer) {
  loop.loop().allocations = {buffer};
  return loop;
}

// Blocks b, steps k, and threads t of a definition X[b, k, t].
std::string domain(const std::string& name) {
  return "{ " + name + "[b, k, t] : 0 <= b < 2 and 0 <= k < K and 0 <= t < 4 }";
}

// X[b, k, t] = 100 b + 10 k + t
Expr made() { return cast(f32, variable("b") * 100 + variable("k") * 10 + variable("t")); }

// The value that the thread "shift" further has of X in the same step.
Expr neighbour(const std::string& x, int shift) {
  return access(x, f32, {variable("b"), variable("k"), (variable("t") + shift) % threads});
}

std::string read(const std::string& reader, const std::string& x, int shift) {
  return "{ " + reader + "[b, k, t] -> " + x + "[b, k, (t + " + std::to_string(shift) +
         ") mod 4] }";
}

// A thread loop t with X[b, k, t] in step k + later.
Node phase(const Handmade& made, const std::string& x, int later = 0) {
  return Handmade::loop(
      "t" + x, {made.branch("{ " + x + "[b, k, t] -> [b, k + " + std::to_string(later) + ", t] }")},
      P::thread);
}

// A copy C and its readers, each of the value of the thread so many further: with the place of a
// copy in the buffer c, and the step in which it is made.
struct CopyAndReaders {
  std::vector<int> shifts;
  std::string place = "t";
  int later = 0;
  bool each_step = true;  // is the buffer one for each step, or for all of a block?
  Processor steps = P::sequential;

  Program program() const {
    Handmade all({"K", "Q"});
    all.define(domain("C"), made());
    std::vector<Node> body{phase(all, "C", later)};
    for (std::size_t n = 0; n < shifts.size(); ++n) {
      const std::string reader = "D" + std::to_string(n);
      all.define(domain(reader), neighbour("C", shifts[n]), {read(reader, "C", shifts[n])});
      all.store("{ " + reader + "[b, k, t] -> out" + std::to_string(n) + "[b, k, t] }",
                BufferRole::output);
    }
    all.store("{ C[b, k, t] -> c[" + place + "] }");
    for (std::size_t n = 0; n < shifts.size(); ++n)
      body.push_back(phase(all, "D" + std::to_string(n)));
    Node loop = Handmade::loop("k", body, steps);
    Node block = Handmade::loop("b", {each_step ? with_own(loop, "c") : loop}, P::block);
    all.schedule({each_step ? block : with_own(block, "c")});
    return all.program();
  }
};

void require_shape(const Program& program, const std::string& expected) {
  CHECK(shape(lowered(program)) == expected);
  require_theta(program, sizes());
  require_fewest_barriers(program, sizes());
}

}  // namespace

TEST_CASE("a copy and readers of it need two barriers a step", "[gpu][barriers]") {
  require_shape(CopyAndReaders{{1}}.program(), "b(k(tC | tD0 |))");
  require_shape(CopyAndReaders{{1}, "t", 0, false}.program(), "b(k(tC | tD0 |))");
  require_shape(CopyAndReaders{{1, 2}}.program(), "b(k(tC | tD0 tD1 |))");
  require_shape(CopyAndReaders{{0, 1}}.program(), "b(k(tC tD0 | tD1 |))");
  // All iterations have one memory, wherever the places are.
  require_shape(CopyAndReaders{{1}, "4 k + t"}.program(), "b(k(tC | tD0 |))");
}

TEST_CASE("two buffers need one barrier a step", "[gpu][barriers]") {
  // The copy for the next step, and a reader of the last one.
  require_shape(CopyAndReaders{{1}, "k mod 2, t", -1, false}.program(), "b(k(tC tD0 |))");
  require_shape(CopyAndReaders{{1}, "k mod 2, t", 0, false}.program(), "b(k(tC | tD0))");
}

TEST_CASE("threads that read what they wrote need no barrier", "[gpu][barriers]") {
  require_shape(CopyAndReaders{{0}}.program(), "b(k(tC tD0))");
  require_shape(CopyAndReaders{{0, 0}, "t", 0, false}.program(), "b(k(tC tD0 tD1))");
  require_shape(CopyAndReaders{{0}, "4 k + t"}.program(), "b(k(tC tD0))");
}

TEST_CASE("steps that are written out have the same barriers", "[gpu][barriers]") {
  require_shape(CopyAndReaders{{1}, "t", 0, true, P::unrolled}.program(), "b(k(tC | tD0 |))");
}

namespace {

// Programs of one block, whose statements name the loops around them: X[k, t], or X[k, q, t].
struct OneBlock {
  Handmade all;
  explicit OneBlock(const std::string& context = "") : all({"K", "Q"}, context) {}

  // X over "where" as an output, or in the buffer of "store".
  void define(const std::string& instance, const std::string& where, const Expr& value,
              const std::vector<std::string>& reads = {}, const std::string& store = "") {
    const std::string name = instance.substr(0, instance.find('['));
    all.define("{ " + instance + " : " + where + " }", value, reads);
    if (store.empty())
      all.store("{ " + instance + " -> out_" + instance + " }", BufferRole::output);
    else
      all.store("{ " + instance + " -> " + store + " }");
  }
  Node threads(const std::string& time, const std::string& loop = "t") const {
    return Handmade::loop(loop, {all.branch(time)}, P::thread);
  }
  Program in_block(std::vector<Node> body, const std::vector<std::string>& buffers = {}) {
    Node block = Handmade::loop("b", std::move(body), P::block);
    block.loop().allocations = buffers;
    all.schedule({block});
    return all.program();
  }
};

Expr sum_of(const std::vector<std::string>& iterators) {
  Expr sum = constant(i64, 1);
  for (const std::string& name : iterators) sum = sum * 10 + variable(name);
  return cast(f32, sum);
}

const Expr k = variable("k"), q = variable("q"), t = variable("t");

const std::string steps_of_k = "0 <= k < K and 0 <= t < 4";
const std::string steps_of_q = "0 <= k < K and 0 <= q < Q and 0 <= t < 4";

}  // namespace

TEST_CASE("the end of a block needs no barrier", "[gpu][barriers]") {
  OneBlock one;
  one.define("C[t]", "0 <= t < 4", sum_of({"t"}), {}, "c[t]");
  one.define("D[t]", "0 <= t < 4", access("C", f32, {3 - t}), {"{ D[t] -> C[3 - t] }"});
  require_shape(
      one.in_block({one.threads("{ C[t] -> [0, t] }"), one.threads("{ D[t] -> [0, t] }")}, {"c"}),
      "b(t | t)");
}

TEST_CASE("a value of a thread outside of all thread loops is of the first", "[gpu][barriers]") {
  OneBlock one;
  one.define("C[k]", "0 <= k < K", sum_of({"k"}), {}, "c[k]");
  one.define("D[k, t]", steps_of_k, access("C", f32, {k}), {"{ D[k, t] -> C[k] }"});
  one.define("E[k]", "0 <= k < K", access("C", f32, {k}), {"{ E[k] -> C[k] }"});
  const auto steps = [&](const std::string& name) {
    return Handmade::loop("k", {one.all.branch("{ " + name + "[k] -> [0, k] }")});
  };
  const Node threads = Handmade::loop("k", {one.threads("{ D[k, t] -> [0, k, t] }")});
  require_shape(one.in_block({steps("C"), steps("E"), threads}), "b(k k | k(t))");
}

TEST_CASE("threads of loops with fewer axes are the first on the others", "[gpu][barriers]") {
  OneBlock one;
  one.define("C[x]", "0 <= x < 4", sum_of({"x"}), {}, "c[x]");
  one.define("D[y, x]", "0 <= y < 2 and 0 <= x < 4", access("C", f32, {variable("x")}),
             {"{ D[y, x] -> C[x] }"});
  const Node copy = one.threads("{ C[x] -> [0, x] }", "x");
  const auto reader = [&](const std::string& y) {
    return Handmade::loop("y", {one.threads("{ D[y, x] -> [0, " + y + ", x] }", "x")}, P::thread);
  };
  require_shape(one.in_block({copy, reader("y")}, {"c"}), "b(x | y(x))");
  // The threads of a loop count from its lower bound.
  OneBlock first;
  first.define("C[x]", "0 <= x < 4", sum_of({"x"}), {}, "c[x]");
  first.define("D[x]", "5 <= x < 9", access("C", f32, {variable("x") - 5}),
               {"{ D[x] -> C[x - 5] }"});
  require_shape(first.in_block({first.threads("{ C[x] -> [0, x] }", "x"),
                                first.threads("{ D[x] -> [0, x] }", "x")},
                               {"c"}),
                "b(x x)");
}

TEST_CASE("what is read and what is written a second time wait too", "[gpu][barriers]") {
  // C and E share places; D reads its own of C, and E overwrites that of another thread.
  OneBlock one;
  one.define("C[t]", "0 <= t < 4", sum_of({"t"}), {}, "c[t]");
  one.define("D[t]", "0 <= t < 4", access("C", f32, {t}), {"{ D[t] -> C[t] }"});
  one.define("E[t]", "0 <= t < 4", sum_of({"t"}), {}, "c[3 - t]");
  one.define("F[t]", "0 <= t < 4", access("E", f32, {t}), {"{ F[t] -> E[t] }"});
  const auto at = [&](const std::string& name) {
    return one.threads("{ " + name + "[t] -> [0, t] }", "t" + name);
  };
  require_shape(one.in_block({at("C"), at("D"), at("E"), at("F")}, {"c"}), "b(tC tD | tE tF)");
}

TEST_CASE("barriers of inner loops count for outer ones", "[gpu][barriers]") {
  OneBlock one("{ : K >= 1 and Q >= 1 }");
  one.define("C[k, q, t]", steps_of_q, sum_of({"k", "q", "t"}), {}, "c[t]");
  one.define("D[k, q, t]", steps_of_q, access("C", f32, {k, q, (t + 1) % 4}),
             {"{ D[k, q, t] -> C[k, q, (t + 1) mod 4] }"});
  one.define("E[k, t]", steps_of_k, access("C", f32, {k, parameter("Q") - 1, (t + 2) % 4}),
             {"{ E[k, t] -> C[k, Q - 1, (t + 2) mod 4] }"});
  const Node inner = Handmade::loop("q", {one.threads("{ C[k, q, t] -> [0, k, q, t] }", "tC"),
                                          one.threads("{ D[k, q, t] -> [0, k, q, t] }", "tD")});
  const Node outer = Handmade::loop("k", {inner, one.threads("{ E[k, t] -> [0, k, t] }", "tE")});
  CHECK(shape(lowered(one.in_block({outer}, {"c"}))) == "b(k(q(tC | tD |) tE |))");
  require_fewest_barriers(one.in_block({outer}, {"c"}),
                          {{{"K", 1}, {"Q", 1}}, {{"K", 3}, {"Q", 2}}});
}

namespace {

// A value of all threads before a loop whose iterations wait for each other, and readers after it.
Program around_a_loop(const std::string& context) {
  OneBlock one(context);
  one.define("C[t]", "0 <= t < 4", sum_of({"t"}), {}, "c[t]");
  const Expr before = access("S", f32, {q - 1, (t + 1) % 4});
  one.define("S[q, t]", "0 <= q < Q and 0 <= t < 4", select(q > 0, before, sum_of({"t"})),
             {"{ S[q, t] -> S[q - 1, (t + 1) mod 4] : q > 0 }"});
  one.define("D[t]", "0 <= t < 4", access("C", f32, {3 - t}), {"{ D[t] -> C[3 - t] }"});
  return one.in_block({one.threads("{ C[t] -> [0, t] }", "tC"),
                       Handmade::loop("q", {one.threads("{ S[q, t] -> [0, q, t] }", "tS")}),
                       one.threads("{ D[t] -> [0, t] }", "tD")},
                      {"c"});
}

}  // namespace

TEST_CASE("a loop that may have no iterations surely runs no barrier", "[gpu][barriers]") {
  require_shape(around_a_loop(""), "b(tC q(tS |) | tD)");
  const Program some = around_a_loop("{ : Q >= 1 }");
  CHECK(shape(lowered(some)) == "b(tC q(tS |) tD)");
  require_fewest_barriers(some, {{{"K", 0}, {"Q", 1}}, {{"K", 0}, {"Q", 3}}});
}

TEST_CASE("the iterations of a loop with a step are next to each other", "[gpu][barriers]") {
  OneBlock one;
  const std::string even = "0 <= k < K and k mod 2 = 0 and 0 <= t < 4";
  one.define("C[k, t]", even, sum_of({"k", "t"}), {}, "c[t]");
  one.define("D[k, t]", even, access("C", f32, {k, (t + 1) % 4}),
             {"{ D[k, t] -> C[k, (t + 1) mod 4] }"});
  require_shape(one.in_block({Handmade::loop("k", {one.threads("{ C[k, t] -> [0, k, t] }", "tC"),
                                                   one.threads("{ D[k, t] -> [0, k, t] }", "tD")})},
                             {"c"}),
                "b(k(tC | tD |))");
}

TEST_CASE("an author's barrier counts, and is the end of an iteration", "[gpu][barriers]") {
  const auto with_one = [](const CopyAndReaders& kind) {
    Program program = kind.program();
    node_at(program.mapping, {0, 0}).loop().barrier = true;
    return program;
  };
  CHECK(shape(lowered(with_one({{0}}))) == "b(k(tC tD0 |))");
  CHECK(shape(lowered(with_one({{1}}))) == "b(k(tC | tD0 |))");
  // Two buffers: the end of an iteration does not separate a copy from its reader in it.
  CHECK(shape(lowered(with_one({{1}, "k mod 2, t", -1, false}))) == "b(k(tC tD0 |))");
  CHECK(shape(lowered(with_one({{1}, "k mod 2, t", 0, false}))) == "b(k(tC | tD0 |))");
  CHECK(to_c_text(lowered(with_one({{0}}))).find("__syncthreads();  // shared and global") !=
        std::string::npos);
}

namespace {

// for b, k, t: h((b + k + t) % 3) += in(b, k, t) in atomic steps, b over blocks and t over threads.
Program steps_of_updates() {
  const Expr b = variable("b"), k = variable("k"), t = variable("t"), K = parameter("K");
  Program program = with_input(empty_program({"K"}), "in", i32, {2, K, threads}, asked);
  NewDefinition first, add;
  first.array = add.array = "h";
  first.iterators = {Var("x", 0, 3)};
  first.value = constant(i32, 0);
  program = with_definition(program, first, asked);
  add.iterators = {Var("b", 0, 2), Var("k", 0, K), Var("t", 0, threads)};
  add.element = {(b + k + t) % 3};
  add.value = access("h", i32, *add.element) + access("in", i32, {b, k, t});
  program = atomic(with_definition(program, add, asked), "h_1");
  program = gpu_threads(gpu_blocks(program, {{"h_1", "b"}}), {{"h_1", "t"}});
  return finished(program, {"in", "h"}, {});
}

}  // namespace

TEST_CASE("atomic steps alone need no barrier", "[gpu][barriers]") {
  const Program program = steps_of_updates();
  CHECK(shape(lowered(program)) == "x b(k(t))");
  require_fewest_barriers(program, {{{"K", 0}}, {{"K", 1}}, {{"K", 5}}});
}

namespace {

// C and D(k, b, t) = C(k, b, t + 1) in launches of steps k on the host, each with a buffer of C.
Program with_buffer_of_a_step() {
  const Var k("k", 0, parameter("K")), b("b", 0, 2), t("t", 0, threads);
  Program p = define(empty_program({"K"}), "C", {k, b, t}, made());
  p = define(p, "D", {k, b, t}, at("C", {k, b, (variable("t") + 1) % threads}));
  p = gpu_blocks(after(p, "D", "C", "b", {}), {{"D", "b"}});
  p = gpu_threads(gpu_threads(p, {{"C", "t"}}), {{"D", "t"}});
  return finished(allocate_at(p, "C", LoopRef{"D", "k"}), {"D"}, {});
}

}  // namespace

TEST_CASE("a fence has the memories of the conflicts", "[gpu][barriers]") {
  const auto fences = [](const Program& program) {
    const std::string text = to_c_text(lowered(program));
    std::string all;
    for (std::size_t at = 0; (at = text.find("__syncthreads();  // ", at)) != std::string::npos;
         ++at) {
      const std::size_t begin = at + 21;
      all += (all.empty() ? "" : ", ") + text.substr(begin, text.find('\n', at) - begin);
    }
    return all;
  };
  CHECK(fences(CopyAndReaders{{1}}.program()) == "shared, shared");
  CHECK(fences(around_a_loop("")) == "global, shared");
  CHECK(fences(around_a_loop("{ : Q >= 1 }")) == "shared and global");
  CHECK(fences(with_buffer_of_a_step()) == "global");
}

}  // namespace strata::test::barriers_test
