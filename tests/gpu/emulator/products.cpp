#include "tests/gpu/emulator/products.h"

#include <bit>
#include <cmath>

namespace strata::emulator {

namespace {

using Bits = std::uint32_t;

float brain_of(Bits bits) { return std::bit_cast<float>(bits << 16); }

// The 13 last bits are not read.
float tf32_of(Bits bits) { return std::bit_cast<float>(bits & ~Bits{0x1fff}); }

float half_of(Bits bits) {
  const int exponent = int(bits >> 10 & 31), fraction = int(bits & 1023);
  const float sign = bits & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * std::ldexp(float(fraction), -24);
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  return sign * std::ldexp(float(1024 + fraction), exponent - 25);
}

// A product of 16 x depth by depth x 8; "width" elements of A and B are in a register.
struct Shape {
  float (*read)(Bits);
  int width, depth;
};

Shape shape_of(const std::string& text) {
  const auto is = [&](const char* kind, const char* shape) {
    return text.starts_with(std::string("mma.sync.aligned.") + shape + ".row.col.f32." + kind +
                            "." + kind + ".f32");
  };
  if (is("tf32", "m16n8k8")) return {tf32_of, 1, 8};
  if (is("bf16", "m16n8k16")) return {brain_of, 2, 16};
  if (is("f16", "m16n8k16")) return {half_of, 2, 16};
  throw Fault("the emulator does not know this product");
}

struct Matrices {
  float a[16][16], b[16][8], c[16][8];
};

// Element e of a register.
float element(const Shape& shape, const Thread& t, std::uint32_t slot, int e) {
  const Bits bits = t.get<Bits>(slot);
  return shape.read(shape.width == 1 ? bits : (e == 0 ? bits & 0xffff : bits >> 16));
}

// The operands are D, A, B and C, of 4, 4, 2 and 4 registers.
void gather(const Shape& shape, const Instruction& i, const Thread& t, int lane, Matrices& all) {
  const int group = lane / 4, member = lane % 4, width = shape.width;
  for (int word = 0; word < 4; ++word)
    for (int e = 0; e < width; ++e)
      all.a[group + 8 * (word % 2)][width * member + 4 * width * (word / 2) + e] =
          element(shape, t, i.at[std::size_t(4 + word)], e);
  for (int word = 0; word < 2; ++word)
    for (int e = 0; e < width; ++e)
      all.b[width * member + 4 * width * word + e][group] =
          element(shape, t, i.at[std::size_t(8 + word)], e);
  for (int word = 0; word < 4; ++word)
    all.c[group + 8 * (word / 2)][2 * member + word % 2] =
        t.get<float>(i.at[std::size_t(10 + word)]);
}

}  // namespace

void multiply(const Instruction& product, std::vector<Thread>::iterator warp) {
  const Shape shape = shape_of(product.text);
  Matrices all;
  for (int lane = 0; lane < int(threads_of_warp); ++lane)
    gather(shape, product, warp[lane], lane, all);
  for (int lane = 0; lane < int(threads_of_warp); ++lane)
    for (int word = 0; word < 4; ++word) {
      const int row = lane / 4 + 8 * (word / 2), column = 2 * (lane % 4) + word % 2;
      double sum = all.c[row][column];
      for (int k = 0; k < shape.depth; ++k) sum += double(all.a[row][k]) * all.b[k][column];
      warp[lane].set(product.at[std::size_t(word)], float(sum));
    }
}

}  // namespace strata::emulator
