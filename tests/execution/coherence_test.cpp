// Layer IV with two memories: the loop tree runs with a host and a device side of each buffer.
#include <catch2/catch.hpp>

#include "codegen/lower.h"
#include "layers/flow/coherence.h"
#include "layers/flow/initial_values.h"
#include "layers/verify/verify_coherence.h"
#include "reference/inputs.h"
#include "reference/loop_tree_interpreter.h"
#include "schedule/finish.h"
#include "tests/execution/least_copies.h"
#include "tests/execution/march.h"
#include "tests/execution/refused.h"

namespace strata::test::coherence_test {

namespace {

using Names = std::vector<std::string>;

Program ready(const Function& f, const Names& arguments) {
  return finished(f.program(), arguments, {});
}

Kernel tree_of(const Program& program, const Names& arguments) {
  LowerOptions options;
  options.arguments = arguments;
  return lower(program, options);
}

// Runs the tree and compares with the meaning of the program.
reference::TreeRun run(const Program& program, const Kernel& tree,
                       const reference::Parameters& parameters) {
  const reference::Arrays inputs = reference::random_inputs(program, parameters, 3);
  const reference::Arrays before = reference::input_buffers(program, parameters, inputs);
  const reference::Arrays after =
      reference::final_contents(program, parameters, reference::run(program, parameters, inputs));
  reference::TreeRun result = reference::run_tree(tree, parameters, before);
  if (const std::string wrong = reference::first_wrong_place(after, result); !wrong.empty())
    result.findings.push_back(wrong);
  return result;
}

void require_right(const Program& program, const Kernel& tree,
                   const reference::Parameters& parameters) {
  const reference::TreeRun result = run(program, tree, parameters);
  INFO((result.findings.empty() ? "" : result.findings.front()));
  REQUIRE(result.findings.empty());
}

std::size_t count(const std::map<std::string, std::size_t>& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? 0 : found->second;
}

// The tree without its n-th copy; counts "n" down.
StmtPtr without_copy(const StmtPtr& s, int& n) {
  if (std::holds_alternative<DeviceCopy>(*s) && n-- == 0) return make_stmt(Block{});
  return with_insides(*s, [&](const StmtPtr& inside) { return without_copy(inside, n); });
}

const Names march_arguments{"start", "source", "out"};

}  // namespace

TEST_CASE("copies are right and fewest, whatever is launched", "[gpu][sides]") {
  for (unsigned mask = 0; mask < 32; ++mask) {
    March p;
    std::array<bool, 5> launched{};
    for (std::size_t n = 0; n < 5; ++n)
      if ((launched[n] = (mask >> n & 1) != 0)) p.launch(n);
    const Program program = ready(p.f, march_arguments);
    const Kernel tree = tree_of(program, march_arguments);
    for (const int steps : {0, 1, 2, 5}) {
      CAPTURE(mask, steps);
      const reference::TreeRun result = run(program, tree, {{"T", steps}, {"N", 19}});
      INFO((result.findings.empty() ? "" : result.findings.front()));
      REQUIRE(result.findings.empty());
      for (const auto& [buffer, least] : least_copies_of_march(steps, launched)) {
        CAPTURE(buffer);
        CHECK(count(result.to_device, buffer) == least.to_device);
        CHECK(count(result.to_host, buffer) == least.to_host);
      }
    }
  }
}

TEST_CASE("no copy can be left out, and R403 finds each that is", "[gpu][sides]") {
  for (const unsigned mask : {2u, 4u, 14u, 21u, 10u}) {
    March p;
    for (std::size_t n = 0; n < 5; ++n)
      if (mask >> n & 1) p.launch(n);
    const Program program = ready(p.f, march_arguments);
    const auto copies = coherence_copies(program, complete_mapping(program), {"a test", {}});
    REQUIRE(!copies.empty());
    for (std::size_t n = 0; n < copies.size(); ++n) {
      std::vector<CoherenceCopy> fewer = copies;
      fewer.erase(fewer.begin() + long(n));
      CAPTURE(mask, copies[n].buffer);
      CHECK_THROWS_AS(verify_coherence(program, fewer, {"a test", {}}), Error);
    }
    const Kernel tree = tree_of(program, march_arguments);
    for (int n = 0;; ++n) {
      int left = n;
      Kernel fewer = tree;
      fewer.body = without_copy(tree.body, left);
      if (left >= 0) break;
      bool found = false;
      for (const int steps : {0, 1, 3})
        found = found || !run(program, fewer, {{"T", steps}, {"N", 19}}).findings.empty();
      CAPTURE(mask, n);
      CHECK(found);
    }
  }
}

TEST_CASE("what a launch leaves of an argument is the caller's", "[gpu][sides]") {
  Function f("halves");
  Param N = f.param("N");
  Var i("i", 0, N), half("i", 0, N / 2);
  Input in = f.input("in", i32, {N});
  Computation a = f.computation("a", {half}, in(2 * half) + 1);
  Computation b = f.computation("b", {Var("j", 0, N / 2)}, in(Var("j", 0, N / 2)) + 2);
  // a is stored over the even elements of in; the odd ones are those of the caller.
  Computation c = f.computation("c", {i}, in(i));
  SECTION("over an input") {
    c.before(a);
    b.before(a);
    a.store_in(in.buffer(), {2 * half});
    a.gpu_tile(half, 8);
    const Names arguments{"in", "b", "c"};
    const Program program = ready(f, arguments);
    const Kernel tree = tree_of(program, arguments);
    for (const int n : {0, 1, 2, 17, 40}) {
      const reference::TreeRun result = run(program, tree, {{"N", n}});
      CAPTURE(n);
      INFO((result.findings.empty() ? "" : result.findings.front()));
      CHECK(result.findings.empty());
      CHECK(count(result.to_device, "in") == (n > 1 ? 1 : 0));
      CHECK(count(result.to_host, "in") == (n > 1 ? 1 : 0));
    }
  }
  SECTION("all of an output is written: it is not copied to the device") {
    a.gpu_tile(half, 8);
    const Names arguments{"in", "a", "b", "c"};
    const Program program = ready(f, arguments);
    const reference::TreeRun result = run(program, tree_of(program, arguments), {{"N", 17}});
    CHECK(result.findings.empty());
    CHECK(count(result.to_device, "a") == 0);
    CHECK(count(result.to_host, "a") == 1);
    CHECK(count(result.to_device, "in") == 1);
  }
}

TEST_CASE("a scalar of a tuple is copied where it is read itself", "[gpu][sides]") {
  Function f("least");
  Param N = f.param("N");
  Var i("i", 0, N), k("k", 0, N);
  Input in = f.input("in", i32, {N, N});
  Computation best = f.computation({"best", "at"}, {i}, argmin(k, in(i, k)));
  const bool reads_both = GENERATE(false, true);
  f.computation("o", {i}, reads_both ? best(i) + cast(i32, best.component(1)(i)) : best(i) + 1);
  best.gpu_tile(i, 8);
  const Names arguments{"in", "o"};
  const Program program = ready(f, arguments);
  const reference::TreeRun result = run(program, tree_of(program, arguments), {{"N", 17}});
  INFO((result.findings.empty() ? "" : result.findings.front()));
  CHECK(result.findings.empty());
  CHECK(count(result.to_host, "best") == 1);
  CHECK(count(result.to_host, "at") == (reads_both ? 1 : 0));
}

TEST_CASE("a loop in which both sides work copies in each step", "[gpu][sides]") {
  Function f("rows");
  define_rows(f);
  const Names arguments{"in", "r", "s"};
  const Program program = ready(f, arguments);
  const Kernel tree = tree_of(program, arguments);
  for (const int steps : {0, 1, 4}) {
    const reference::TreeRun result = run(program, tree, {{"T", steps}, {"N", 11}});
    CAPTURE(steps);
    INFO((result.findings.empty() ? "" : result.findings.front()));
    CHECK(result.findings.empty());
    CHECK(count(result.to_device, "in") == (steps > 0 ? 1 : 0));
    CHECK(count(result.to_device, "r") == 0);  // each row is written before it is read
    CHECK(count(result.to_host, "r") == std::size_t(steps));
  }
}

TEST_CASE("copies are printed with their times", "[gpu][sides]") {
  March p;
  p.launch(1);
  const std::string text = p.f.communication(p.arguments());
  CHECK(text.find("to_device source at [N, T] -> { source[] -> [1] : N > 0 and T > 0 }") !=
        std::string::npos);
  CHECK(text.find("to_device first") != std::string::npos);
  CHECK(text.find("to_host v") != std::string::npos);
}

TEST_CASE("an author's copies replace the derived ones", "[gpu][sides]") {
  March p;
  for (std::size_t n : {1, 2}) p.launch(n);
  p.f.host_to_device(p.source, *p.v, p.t);  // in each step
  const Program program = ready(p.f, march_arguments);
  const Kernel tree = tree_of(program, march_arguments);
  require_right(program, tree, {{"T", 3}, {"N", 20}});
  CHECK(count(run(program, tree, {{"T", 3}, {"N", 20}}).to_device, "source") == 3);
}

TEST_CASE("a resident argument is not copied", "[gpu][sides]") {
  March p;
  for (std::size_t n : {0, 1, 2, 3, 4}) p.launch(n);
  p.f.resident(p.start);
  p.f.resident(*p.out);
  const Program program = ready(p.f, march_arguments);
  const Kernel tree = tree_of(program, march_arguments);
  const reference::TreeRun result = run(program, tree, {{"T", 3}, {"N", 20}});
  INFO((result.findings.empty() ? "" : result.findings.front()));
  CHECK(result.findings.empty());
  CHECK(count(result.to_device, "start") == 0);
  CHECK(count(result.to_device, "source") == 1);
  CHECK(count(result.to_host, "out") == 0);
}

}  // namespace strata::test::coherence_test
