// The diversity of the fuzzer's programs and commands.
#include <catch2/catch.hpp>

#include "layers/text/text.h"
#include "tests/fuzz/fuzz_case.h"
#include "tests/fuzz/operations.h"
#include "tests/fuzz/shapes.h"

namespace strata::fuzz::generator_test {

namespace {

constexpr std::uint64_t first_program = 1;
constexpr int programs = 400;

Statistics drawn() {
  Statistics statistics;
  Options options;
  options.oracle = false;
  for (std::uint64_t n = 0; n < programs; ++n) run_case(first_program + n, options, statistics);
  return statistics;
}

}  // namespace

TEST_CASE("commands drawn are accepted and refused, of every kind and on every domain", "[fuzz]") {
  Statistics statistics = drawn();
  INFO(table(statistics));
  CHECK(statistics.acceptance() >= 0.3);
  // Some commands on launches are always legal, and those that make the steps of a warp.
  CHECK(statistics.acceptance() <= 0.77);
  CHECK(statistics.median_accepted() >= 4);
  for (const std::string& kind : command_kinds(Hardware::cpu)) {
    INFO(kind);
    CHECK(statistics.share(statistics.commands.at(kind).programs) >= 5);
  }
  // One program of five is for a GPU.
  for (const std::string& kind : command_kinds(Hardware::gpu)) {
    INFO(kind);
    CHECK(statistics.share(statistics.commands[kind].programs) >= 1);
  }
  for (const Shape& shape : shapes()) {
    INFO(shape.kind);
    CHECK(statistics.share(statistics.kinds.at(shape.kind)) >= 5);
  }
  for (const char* kind : {"recurrence",
                           "stencil in time",
                           "gather",
                           "update",
                           "scatter",
                           "predicate",
                           "read under data",
                           "shared loop",
                           "ragged sum",
                           "sum",
                           "min",
                           "max",
                           "any",
                           "all",
                           "argmin",
                           "floats",
                           "parametric tiles",
                           "wrapping condition",
                           "data near limits",
                           "double rfactor",
                           "scalar",
                           "operations",
                           "calls alike"}) {
    INFO(kind);
    CHECK(statistics.share(statistics.kinds.at(kind)) >= 5);
  }
}

TEST_CASE("every operation is drawn, and for a GPU those that are the same everywhere", "[fuzz]") {
  std::set<Op> on_cpu, on_gpu;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const Hardware hardware : {Hardware::cpu, Hardware::gpu}) {
      Random random(seed);
      (hardware == Hardware::cpu ? on_cpu : on_gpu)
          .merge(draw_operations(random, hardware).operations);
    }
  for (const Op op : all_operations()) {
    INFO(strata::to_string(op));
    CHECK(on_cpu.contains(op));
    CHECK(on_gpu.contains(op) == is_the_same_everywhere(op));
  }
}

TEST_CASE("the same seed draws the same", "[fuzz]") {
  for (std::uint64_t seed : {1u, 2u, 3u}) {
    Random one(seed), other(seed);
    CHECK(strata::to_text(draw_program(one).program) ==
          strata::to_text(draw_program(other).program));
    CHECK(one() == other());
  }
}

}  // namespace strata::fuzz::generator_test
