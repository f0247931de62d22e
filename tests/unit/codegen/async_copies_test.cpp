// Waits for asynchronous copies, counted by hand. In the shapes, "~" is a wait and "|" a barrier.
#include "layers/flow/barriers.h"
#include "tests/unit/codegen/launch_races.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::async_copies_test {

namespace {

using P = Processor;

const Expr b = variable("b"), k = variable("k"), t = variable("t"), q = variable("q");

std::vector<Parameters> sizes() {
  std::vector<Parameters> all;
  for (int steps : {0, 1, 2, 3, 5})
    for (int inner : {0, 1, 3}) all.push_back({{"K", steps}, {"Q", inner}});
  return all;
}

// Blocks b, steps k and threads t: asynchronous copies C of an input, stored in c.
struct Copies {
  Handmade all;
  explicit Copies(const std::string& place = "t", const std::string& context = "")
      : all({"K", "Q"}, context) {
    const std::string elements = "[b, k, t] : 0 <= b < 2 and 0 <= k < K and 0 <= t < 4 }";
    all.input("{ in" + elements, f32);
    all.define("{ C" + elements, access("in", f32, {b, k, t}), {"{ C[b, k, t] -> in[b, k, t] }"});
    all.store("{ C[b, k, t] -> c[" + place + "] }");
    all.store("{ in[b, k, t] -> in[b, k, t] }", BufferRole::input);
  }

  // D reads the copy that the thread "shift" further has made.
  void add_reader(const std::string& name, int shift) {
    const std::string other = "(t + " + std::to_string(shift) + ") mod 4";
    all.define("{ " + name + "[b, k, t] : 0 <= b < 2 and 0 <= k < K and 0 <= t < 4 }",
               access("C", f32, {b, k, (t + shift) % 4}),
               {"{ " + name + "[b, k, t] -> C[b, k, " + other + "] }"});
    all.store("{ " + name + "[b, k, t] -> out" + name + "[b, k, t] }", BufferRole::output);
  }

  Node copies(const std::string& time) const {
    Node copy = all.branch("{ C[b, k, t] -> [" + time + "] }");
    copy.branch().asynchronous = true;
    return copy;
  }
  Node run(const std::string& name, const std::string& time = "b, k, t") const {
    return all.branch("{ " + name + "[b, k, t] -> [" + time + "] }");
  }
  static Node threads(const std::string& name, Node node) {
    return Handmade::loop(name, {std::move(node)}, P::thread);
  }
  Program in_steps(std::vector<Node> body) {
    return in_block({Handmade::loop("k", std::move(body))});
  }
  Program in_block(std::vector<Node> body) {
    Node block = Handmade::loop("b", std::move(body), P::block);
    block.loop().allocations = {"c"};
    all.schedule({block});
    Program program = all.program();
    for (LayoutBuffer& buffer : program.layout.buffers)
      if (buffer.name == "c") buffer.memory = Memory::shared;
    return program;
  }
};

void require_shape(const Program& program, const std::string& expected) {
  CHECK(shape(lowered(program)) == expected);
  require_theta(program, sizes());
  require_fewest_barriers(program, sizes());
  require_fewest_waits(program, sizes());
}

}  // namespace

TEST_CASE("a thread waits before the barrier of the first reader", "[gpu][barriers][async]") {
  Copies one;
  one.add_reader("D", 1);
  require_shape(one.in_steps({Copies::threads("tC", one.copies("b, k, t")),
                              Copies::threads("tD", one.run("D"))}),
                "b(k(tC ~ | tD |))");
}

TEST_CASE("the copies for the next step are under way in this one", "[gpu][barriers][async]") {
  Copies one("k mod 2, t");
  one.add_reader("D", 1);
  require_shape(one.in_steps({Copies::threads("tC", one.copies("b, k - 1, t")),
                              Copies::threads("tD", one.run("D"))}),
                "b(k(tC tD ~ |))");
}

TEST_CASE("of several barriers on the way one has the wait", "[gpu][barriers][async]") {
  // E is an ordinary exchange between threads, with barriers of its own.
  Copies one("k mod 2, t");
  one.add_reader("D", 1);
  const std::string of_e = "0 <= b < 2 and 0 <= k < K and 0 <= t < 4 }";
  one.all.define("{ E[b, k, t] : " + of_e, cast(f32, k * 4 + t));
  one.all.define("{ G[b, k, t] : " + of_e, access("E", f32, {b, k, 3 - t}),
                 {"{ G[b, k, t] -> E[b, k, 3 - t] }"});
  one.all.store("{ E[b, k, t] -> e[b, t] }");
  one.all.store("{ G[b, k, t] -> outG[b, k, t] }", BufferRole::output);
  const Program program = one.in_steps(
      {Copies::threads("tC", one.copies("b, k - 1, t")), Copies::threads("tE", one.run("E")),
       Copies::threads("tG", one.run("G")), Copies::threads("tD", one.run("D"))});
  CHECK(shape(lowered(program)) == "b(k(tC tE | tG tD ~ |))");
  require_fewest_waits(program, sizes());
}

TEST_CASE("a thread that reads its own copies waits without a barrier", "[gpu][barriers][async]") {
  Copies one;
  one.add_reader("D", 0);
  require_shape(one.in_steps({Copies::threads("tC", one.copies("b, k, t")),
                              Copies::threads("tD", one.run("D"))}),
                "b(k(tC ~ tD))");
  Copies next("k mod 2, t");
  next.add_reader("D", 0);
  require_shape(next.in_steps({Copies::threads("tC", next.copies("b, k - 1, t")),
                               Copies::threads("tD", next.run("D"))}),
                "b(k(tC tD ~))");
}

TEST_CASE("a thread waits inside of its own loops", "[gpu][barriers][async]") {
  Copies one;
  one.add_reader("D", 0);
  const Node both = Handmade::loop("t", {one.copies("b, k, t"), one.run("D")}, P::thread);
  require_shape(one.in_steps({both}), "b(k(t(~)))");
  Copies own;
  own.add_reader("D", 0);
  const Node steps = Handmade::loop("k", {own.copies("b, t, k"), own.run("D", "b, t, k")});
  require_shape(own.in_block({Handmade::loop("t", {steps}, P::thread)}), "b(t(k(~)))");
}

TEST_CASE("barriers inside of a loop have the waits, if it surely has steps",
          "[gpu][barriers][async]") {
  for (const bool some : {false, true}) {
    Copies one("k, t", some ? "{ : Q >= 1 and K = 1 }" : "{ : K = 1 }");
    one.add_reader("D", 1);
    const Expr before = access("S", f32, {b, q - 1, (t + 1) % 4});
    one.all.define("{ S[b, q, t] : 0 <= b < 2 and 0 <= q < Q and 0 <= t < 4 }",
                   select(q > 0, before, cast(f32, t + 0)),
                   {"{ S[b, q, t] -> S[b, q - 1, (t + 1) mod 4] : q > 0 }"});
    one.all.store("{ S[b, q, t] -> outS[b, q, t] }", BufferRole::output);
    const Node inner =
        Handmade::loop("q", {Copies::threads("tS", one.all.branch("{ S[b, q, t] -> [b, q, t] }"))});
    const Program program = one.in_block({Copies::threads("tC", one.copies("b, t")), inner,
                                          Copies::threads("tD", one.run("D", "b, t"))});
    CHECK(shape(lowered(program)) == (some ? "b(tC q(tS ~ |) tD)" : "b(tC q(tS |) ~ | tD)"));
    const std::vector<Parameters> all{{{"K", 1}, {"Q", some ? 1 : 0}}, {{"K", 1}, {"Q", 3}}};
    require_fewest_barriers(program, all);
    require_fewest_waits(program, all);
  }
}

}  // namespace strata::test::async_copies_test
