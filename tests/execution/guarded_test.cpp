// Guarded memory detects the errors of careless kernels.
#include "tests/execution/guarded.h"

#include <catch2/catch.hpp>

namespace strata::test::guarded_test {

using reference::Array;
using reference::Point;

namespace {

// The 2 x 3 box from (1, -2), with the value 10 i + j.
Array some_contents() {
  Array contents = Array::box(i16, {1, -2}, {2, 3});
  for (const Point& p : contents.elements())
    contents.set(p, reference::integer_scalar(i16, 10 * p[0] + p[1]));
  return contents;
}

std::uint8_t* byte_at(Guarded& memory, std::int64_t i, std::int64_t j) {
  const strata_buffer& b = memory.description();
  return b.host + 2 * ((i - b.dim[1].min) * b.dim[1].stride + (j - b.dim[0].min) * b.dim[0].stride);
}

}  // namespace

TEST_CASE("guarded memory holds its elements in every shape", "[guarded]") {
  for (const Shape shape : all_shapes) {
    INFO(to_string(shape));
    Guarded memory(i16, {1, -2}, {2, 3}, shape, some_contents());
    CHECK(reference::integer_of(memory.at({2, 0})) == 20);
    CHECK(*byte_at(memory, 2, 0) == 20);
    CHECK(reference::first_difference(some_contents(), memory.values(some_contents())).empty());
    CHECK(memory.damage().empty());
  }
}

TEST_CASE("guarded memory tells changed elements, and damage elsewhere", "[guarded]") {
  for (const Shape shape : all_shapes) {
    INFO(to_string(shape));
    Guarded memory(i16, {1, -2}, {2, 3}, shape, some_contents());
    ++*byte_at(memory, 1, -1);
    CHECK(reference::first_difference(some_contents(), memory.values(some_contents())) ==
          "[1, -1] is 10 and should be 9");
    CHECK(memory.damage(some_contents()).empty());
    CHECK_FALSE(memory.damage().empty());
    ++*byte_at(memory, 0, -2);
    CHECK_FALSE(memory.damage(some_contents()).empty());
  }
}

TEST_CASE("guarded memory sees writes before and after it, and between rows", "[guarded]") {
  for (const std::int64_t at : {-1, 6}) {
    Guarded memory(i16, {1, -2}, {2, 3}, Shape::dense, some_contents());
    memory.description().host[2 * at] ^= 1;
    CHECK_FALSE(memory.damage(some_contents()).empty());
  }
  Guarded memory(i16, {1, -2}, {2, 3}, Shape::padded, some_contents());
  *byte_at(memory, 2, 1) ^= 1;
  CHECK_FALSE(memory.damage(some_contents()).empty());
}

TEST_CASE("guarded memory without elements is all guard", "[guarded]") {
  Guarded memory(f32, {0, 0}, {0, 4}, Shape::dense, Array());
  CHECK(memory.description().dim[1].extent == 0);
  CHECK(memory.damage().empty());
  memory.description().host[0] ^= 1;
  CHECK_FALSE(memory.damage().empty());
}

}  // namespace strata::test::guarded_test
