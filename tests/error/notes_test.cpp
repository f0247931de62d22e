// Notes: legal, but probably unintended.
#include <strata/strata.h>

#include "tests/error/stderr_of.h"
#include "tests/error/told.h"

namespace strata::test::notes_test {

namespace {

struct Bytes {
  Function f{"bytes"};
  Param N = f.param("N");
  Var i{"i", 1, N - 1};
  Input in = f.input("in", u8, {N}), other = f.input("other", i16, {N});

  // The notes on a computation with this value, without their places.
  std::string noted(const Expr& value) {
    const std::size_t before = f.notes().size();
    f.computation("c" + std::to_string(count_++), {i}, value);
    if (f.notes().size() == before) return "";
    CHECK(f.notes().size() == before + 1);
    const std::string note = f.notes().back();
    CHECK(note.substr(0, note.find('\n')).find(__FILE__) != std::string::npos);
    return note.substr(note.find('\n') + 3);
  }
  int count_ = 0;
};

}  // namespace

TEST_CASE("notes: narrow integers that wrap before they are used as numbers", "[error][notes]") {
  Bytes b;
  const Expr x = b.in(b.i), y = b.in(b.i + 1), z = b.in(b.i - 1), s = b.other(b.i);
  CHECK(b.noted((x + y + z) / 3) ==
        "the uint8 sum in[i] + in[i + 1] + in[i - 1] wraps before it is divided: it ranges from 0 "
        "to 765, but uint8 holds 0 to 255; to avoid wrapping, cast its operands first: cast(u16, "
        "in[i])");
  CHECK(b.noted(select(x - y < 3, 1, 2)) ==
        "the uint8 difference in[i] - in[i + 1] wraps before it is compared: it ranges from -255 "
        "to 255, but uint8 holds 0 to 255; to avoid wrapping, cast its operands first: cast(i16, "
        "in[i])");
  CHECK(b.noted(cast(f32, 2 * s * s)) ==
        "the int16 product 2i16 * other[i] * other[i] wraps before it is made float32: it ranges "
        "from -2147418112 to 2147483648, but int16 holds -32768 to 32767; to avoid wrapping, cast "
        "its operands first: cast(i64, other[i])");
  CHECK(b.noted((x + 1) >> 1).find("wraps before it is shifted right") != std::string::npos);
  CHECK(b.noted(constant(i32, 5) + (x + y)).find("wraps before it is made int32") !=
        std::string::npos);
}

TEST_CASE("notes: none where nothing is lost, or the result only wraps again", "[error][notes]") {
  Bytes b;
  const Expr x = b.in(b.i), y = b.in(b.i + 1), s = b.other(b.i);
  CHECK(b.noted((cast(u16, x) + y) / 2).empty());
  CHECK(b.noted(x + y * 3).empty());
  CHECK(b.noted((x / 2 + y / 2) / 3).empty());
  CHECK(b.noted((x % 16 + y % 16) * 8 / 3).empty());
  CHECK(b.noted(cast(i32, ((x + y) & 255))).empty());
  CHECK(b.noted(cast(i8, x + y)).empty());
  CHECK(b.noted((cast(i32, s) * s) / 7).empty());
  CHECK(b.noted(select(b.i * b.i < 7, x, y)).empty());
}

TEST_CASE("notes: printed once, where they are wanted", "[error][notes]") {
  Function f("mean");
  Var i("i", 0, 9);
  Input in = f.input("in", u8, {9});
  Computation out = f.computation("out", {i}, (in(i) + in(i)) / 2);
  Computation again = f.computation("again", {i}, (in(i) + in(i)) / 2 + (in(i)*in(i)) / 2);
  const std::vector<Buffer> arguments{in.buffer(), out.buffer(), again.buffer()};
  REQUIRE(f.notes().size() == 2);
  CodegenOptions silent;
  silent.print_notes = false;
  CHECK(stderr_of([&] { f.jit(arguments, silent); }).empty());
  CHECK(stderr_of([&] { f.jit(arguments); }) == f.notes()[0] + "\n" + f.notes()[1] + "\n");
  CHECK(stderr_of([&] { f.jit(arguments); }).empty());
}

}  // namespace strata::test::notes_test
