// Barriers of random programs: without a race, and with one when any single barrier is taken away.
#include "core/error.h"
#include "reference/shadow.h"
#include "tests/unit/codegen/block_draw.h"
#include "tests/unit/codegen/launch_races.h"
#include "tests/unit/codegen/trace.h"

namespace strata::test::barriers_draw_test {

namespace {

std::vector<Parameters> sizes() {
  return {{{"K", 3}, {"Q", 3}}, {{"K", 1}, {"Q", 2}}, {{"K", 2}, {"Q", 0}},
          {{"K", 0}, {"Q", 1}}, {{"K", 5}, {"Q", 1}}, {{"K", 0}, {"Q", 4}}};
}

bool is_legal(const Program& program) {
  for (const Parameters& size : sizes())
    if (!reference::judge_schedule(program, size).empty()) return false;
  return true;
}

// Have all buffers of the block constant sizes?
bool fits(const Program& program) {
  try {
    lowered(program);
    return true;
  } catch (const Error& error) {
    CHECK(error.refusal().code == Code::E0308_size_does_not_fit);
    return false;
  }
}

struct Drawn {
  int programs = 0, barriers = 0, without = 0, in_pieces = 0;
};

// Judges legal programs until there are so many whose loops are in one piece.
Drawn judge_programs(std::uint64_t first, int programs) {
  Drawn drawn;
  for (std::uint64_t seed = first; drawn.programs < programs; ++seed) {
    const Program program = draw_block(seed);
    if (!is_legal(program) || !fits(program)) continue;
    INFO("seed " << seed);
    const Kernel kernel = lowered(program);
    const int count = count_barriers(kernel);
    if (count > count_gaps(program)) {
      ++drawn.in_pieces;
      INFO(to_c_text(kernel));
      for (const Parameters& size : sizes()) CHECK(wrong_in_runs(kernel, program, size) == "");
      continue;
    }
    ++drawn.programs;
    drawn.barriers += count;
    drawn.without += count == 0 ? 1 : 0;
    require_fewest_barriers(program, sizes());
  }
  return drawn;
}

}  // namespace

TEST_CASE("barriers of 300 drawn programs", "[gpu][barriers]") {
  const Drawn drawn = judge_programs(1, 300);
  CHECK(drawn.barriers > 100);
  CHECK(drawn.without > 15);
  CHECK(drawn.without < 210);
  CHECK(drawn.in_pieces > 1);
}

}  // namespace strata::test::barriers_draw_test
