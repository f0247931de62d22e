#include "tests/gpu/emulator/exchanges.h"

#include <array>

#include "tests/gpu/emulator/products.h"

namespace strata::emulator {

namespace {

using Word = std::uint32_t;
using Warp = std::vector<Thread>::iterator;

void require(bool is_known) {
  if (!is_known) throw Fault("the emulator does not know this exchange");
}

// shfl.sync.bfly.b32 result, value, bits, 31, -1
void shuffle(const Instruction& i, Warp warp) {
  require(warp->get<Word>(i.at[3]) == 31 && warp->get<Word>(i.at[4]) == ~Word{0});
  std::array<Word, threads_of_warp> values;
  for (std::size_t n = 0; n < threads_of_warp; ++n) values[n] = warp[n].get<Word>(i.at[1]);
  for (std::size_t n = 0; n < threads_of_warp; ++n)
    warp[n].set(i.at[0], values.at(n ^ warp[n].get<Word>(i.at[2])));
}

// vote.sync.ballot.b32 result, predicate, -1
void vote(const Instruction& i, Warp warp) {
  require(warp->get<Word>(i.at[2]) == ~Word{0});
  Word voters = 0;
  for (std::size_t n = 0; n < threads_of_warp; ++n) voters |= (warp[n].get<Word>(i.at[1]) & 1) << n;
  for (std::size_t n = 0; n < threads_of_warp; ++n) warp[n].set(i.at[0], voters);
}

}  // namespace

void exchange(const Instruction& exchange, Warp warp) {
  exchange.text.starts_with("shfl") ? shuffle(exchange, warp) : vote(exchange, warp);
}

}  // namespace strata::emulator
