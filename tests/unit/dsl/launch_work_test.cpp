// How much work launches take: a bound on compile time that no machine changes.
#include <catch2/catch.hpp>

#include "examples/gpu/product.h"
#include "examples/gpu/stencil_tiles.h"

namespace strata::test::launch_work_test {

namespace {

struct Launch {
  gpu_examples::Scheduled (*make)(gpu_examples::On);
  std::int64_t enough;  // units of work for the last proofs and the loop tree
};

}  // namespace

TEST_CASE("the tree of a launch with shared tiles takes few operations", "[codegen][gpu]") {
  const Launch launch = GENERATE(Launch{gpu_examples::product, 5'000'000},
                                 Launch{gpu_examples::stencil_tiles, 8'000'000});
  gpu_examples::Scheduled scheduled = launch.make(gpu_examples::On::gpu);
  scheduled.function.set_budget(launch.enough);
  CHECK_NOTHROW(scheduled.function.loops(scheduled.arguments));
}

}  // namespace strata::test::launch_work_test
