// Simplifies quotients and remainders whose dividend stays within one multiple of the divisor,
//     x / m  ~>  c,   x % m  ~>  x - c m      where c m <= x < (c + 1) m
// by the ranges that constant bounds give the loop variables. Then the tile's iterators alone index
// a buffer that is contracted to a tile (b[i % 4]). The pass also takes out the rest beside a
// multiple of a divisor u of m,
//     (u x + r) / m  ~>  x / (m / u),   (u x + r) % m  ~>  u (x % (m / u)) + r     if 0 <= r < u
// so in a buffer of two tiles, b[(8 k + i) % 16], i stays a linear index.
#pragma once

#include "codegen/tree/loop_tree.h"

namespace strata {

Kernel narrow(const Kernel& kernel);

}  // namespace strata
