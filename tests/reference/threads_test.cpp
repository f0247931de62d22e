// The schedule oracle on memories of a GPU.
#include <catch2/catch.hpp>

#include "reference/handmade.h"
#include "reference/shadow.h"

namespace strata::test::threads_test {

using reference::Fault;
using reference::Handmade;

namespace {

const Expr i = variable("i");

// The first fault of memories at N = 4.
std::string faults(Program program, const std::string& buffer, Memory memory,
                   const reference::OracleOptions& options = {}) {
  for (LayoutBuffer& b : program.layout.buffers)
    if (b.name == buffer) b.memory = memory;
  for (const reference::Violation& v : reference::judge_schedule(program, {{"N", 4}}, options))
    if (v.fault == Fault::several_threads || v.fault == Fault::constant_written)
      return reference::to_string(v);
  return "";
}

// A(i) = i and S(i) = A(i), with A stored in a.
Handmade read_back() {
  return Handmade({"N"})
      .define("{ A[i] : 0 <= i < N }", i)
      .define("{ S[i] : 0 <= i < N }", access("A", i64, {i}), {"{ S[i] -> A[i] }"})
      .store("{ A[i] -> a[i] }")
      .store("{ S[i] -> s[i] }", BufferRole::output);
}

// In a block that allocates a, by the threads t = i of one loop, and those of "time".
Program in_one_loop(const std::string& time) {
  Handmade made = read_back();
  Node block =
      Handmade::loop("b",
                     {Handmade::loop("t", {made.branch("{ A[i] -> [0, i] }"), made.branch(time)},
                                     Processor::thread)},
                     Processor::block);
  block.loop().allocations = {"a"};
  return made.schedule({block}).program();
}

// In a block that allocates a, in threads t = i + "ahead" and t = i of loops of their own.
Program in_threads(const std::string& ahead, Processor threads = Processor::thread) {
  Handmade made = read_back();
  Node block = Handmade::loop(
      "b",
      {Handmade::loop("t", {made.branch("{ A[i] -> [0, i + " + ahead + "] }")}, threads),
       Handmade::loop("t", {made.branch("{ S[i] -> [0, i] }")}, Processor::thread)},
      Processor::block);
  block.loop().allocations = {"a"};
  return made.schedule({block}).program();
}

}  // namespace

TEST_CASE("oracle: local memory has one thread for each place", "[judge][oracle]") {
  CHECK(faults(in_threads("0"), "a", Memory::local).empty());
  CHECK(faults(in_threads("0"), "a", Memory::shared).empty());
  // The threads of a loop are counted from its lower bound.
  CHECK(faults(in_threads("7"), "a", Memory::local).empty());
  // Which may be less than the least iteration.
  reference::OracleOptions options;
  options.surely_threads = false;
  CHECK(faults(in_threads("7"), "a", Memory::local, options) ==
        "several threads: A[0] at [0, 0, 0, 7, 0]; S[0] at [0, 0, 1, 0, 0] in a[0]");
  CHECK(faults(in_threads("0"), "a", Memory::local, options).empty());
}

TEST_CASE("oracle: two threads touch a place of local memory", "[judge][oracle]") {
  // In one loop, A(i) is computed by thread i, and S(i) by thread N-1 - i.
  const Program program = in_one_loop("{ S[i] -> [0, N - 1 - i] }");
  CHECK(faults(program, "a", Memory::local) ==
        "several threads: A[0] at [0, 0, 0, 0, 0]; S[0] at [0, 0, 0, 3, 1] in a[0]");
  CHECK(faults(in_one_loop("{ S[i] -> [0, i] }"), "a", Memory::local).empty());
}

TEST_CASE("oracle: what has no thread yet does not touch local memory", "[judge][oracle]") {
  reference::OracleOptions options;
  options.surely_threads = false;
  CHECK(faults(in_threads("7", Processor::sequential), "a", Memory::local, options).empty());
}

TEST_CASE("oracle: a buffer that each iteration has for itself has a thread in each",
          "[judge][oracle]") {
  // Iteration k moves all elements on by k threads.
  Handmade made({"N"});
  made.define("{ A[k, i] : 0 <= k < 2 and 0 <= i < N }", i)
      .store("{ A[k, i] -> a[i] }")
      .schedule({Handmade::loop(
          "b",
          {Handmade::loop(
              "k", {Handmade::loop("t", {made.branch("{ A[k, i] -> [0, k, (i + k) mod 4] }")},
                                   Processor::thread)})},
          Processor::block)});
  Program program = made.program();
  Loop& block = program.mapping.roots[0].loop();
  block.allocations = {"a"};
  reference::OracleOptions options;
  options.surely_threads = false;
  CHECK(faults(program, "a", Memory::local, options).rfind("several threads: A[0, 0] at", 0) == 0);
  std::swap(block.allocations, block.body[0].loop().allocations);
  CHECK(faults(program, "a", Memory::local, options).empty());
}

TEST_CASE("oracle: constant memory is not written", "[judge][oracle]") {
  const auto stored_in = [](const std::string& buffer) {
    Handmade made({"N"});
    return made.input("{ in[i] : 0 <= i < N }", i32)
        .define("{ S[i] : 0 <= i < N }", access("in", i32, {i}), {"{ S[i] -> in[i] }"})
        .store("{ in[i] -> in[i] }", BufferRole::input)
        .store("{ S[i] -> " + buffer + "[i] }", BufferRole::output)
        .program();
  };
  CHECK(faults(stored_in("s"), "in", Memory::constant).empty());
  CHECK(faults(stored_in("in"), "in", Memory::constant) ==
        "constant written: S[0] at [0, 0, 0] in in[0]");
  CHECK(faults(stored_in("in"), "in", Memory::automatic).empty());
}

}  // namespace strata::test::threads_test
