// What the oracle reports for values stored out of bounds.
#include <catch2/catch.hpp>

#include "reference/handmade.h"
#include "reference/shadow.h"

namespace strata::reference::bounds_test {

TEST_CASE("oracle: places outside of an input or of a buffer's extents", "[judge][oracle]") {
  Handmade made({"N"});
  made.input("{ in[i] : 0 <= i < N }", i32)
      .define("{ S[i] : 0 <= i < N }", constant(i32, 1))
      .store("{ in[i] -> in[i] }", BufferRole::input)
      .store("{ S[i] -> in[i + 1] }", BufferRole::input);
  const auto found = judge_schedule(made.program(), {{"N", 3}});
  REQUIRE_FALSE(found.empty());
  CHECK(to_string(found.front().fault) == "out of bounds");

  Handmade other({"N"});
  other.define("{ S[i] : 0 <= i < N }", constant(i32, 1)).store("{ S[i] -> b[i] }");
  Program program = other.program();
  program.layout.buffers.front().extents = {parameter("N")};
  CHECK(judge_schedule(program, {{"N", 3}}).empty());
  program.layout.buffers.front().extents = {Expr(std::int64_t{2})};
  CHECK(judge_schedule(program, {{"N", 2}}).empty());
  CHECK_FALSE(judge_schedule(program, {{"N", 3}}).empty());
}

}  // namespace strata::reference::bounds_test
