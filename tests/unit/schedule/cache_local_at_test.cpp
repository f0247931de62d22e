#include "schedule/commands/storage/cache_local_at.h"

#include "schedule/commands/launch/gpu_tile.h"
#include "schedule/commands/storage/cache_at.h"
#include "tests/unit/programs.h"

namespace strata::test::cache_local_at_test {

namespace {

Program tiles() { return gpu_tile(stencil(), {{"Q", "i"}}, {8}, {"b"}, {"t"}); }

}  // namespace

TEST_CASE("cache_local_at is cache_at in local memory", "[gpu][cache_local_at]") {
  const Program plain = tiles();
  const Program program = cache_local_at(plain, {"Q", "t"}, "P", "copy", {"x"});
  CHECK(loops_of(program, "copy") == "b:block t:thread x");
  CHECK(program.layout.find("copy")->memory == Memory::local);
  CHECK(same_schedule(program, cache_at(plain, {"Q", "t"}, "P", "copy", {"x"}, Memory::local)));
}

TEST_CASE("cache_local_at without names computes in local memory", "[gpu][cache_local_at]") {
  const Program program = cache_local_at(tiles(), "P", {"Q", "t"});
  CHECK(loops_of(program, "P") == "b:block t:thread h");
  CHECK(program.layout.find("P")->memory == Memory::local);
}

}  // namespace strata::test::cache_local_at_test
