// Which elements the programs of generate_reads.cpp read, as bits.
#pragma once

namespace strata::test::ranks {

// i - 1, 2i, N - 1 - i and i / 2, each of one and of two steps before.
inline constexpr unsigned far_reads = 4;
inline constexpr bool is_read(unsigned which, unsigned read, int delay) {
  return which >> (2 * read + unsigned(delay) - 1) & 1;
}
inline constexpr unsigned far_read_programs[] = {0xff, 0x66, 0x99, 0x15, 0x0f, 0x50};

}  // namespace strata::test::ranks
