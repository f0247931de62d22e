// Which ranks exchange a message, and how rows are packed. The linker sends the calls of
// strata_team_pack here (CMakeLists.txt).
#include <chrono>
#include <cstring>
#include <limits>

#include "grid_rows.h"
#include "heat_1d.h"
#include "runtime/team.h"
#include "tests/ranks/case.h"

extern "C" int __real_strata_team_pack(void* slot, int64_t at, const void* base, int64_t first,
                                       int64_t step, int64_t count, int64_t size);
extern "C" int __wrap_strata_team_pack(void* slot, int64_t at, const void* base, int64_t first,
                                       int64_t step, int64_t count, int64_t size);

namespace strata::test::ranks {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Packed {
  int runs = 0;
  int64_t elements = 0;
  double pack = std::numeric_limits<double>::infinity(),
         copy = pack;  // the shortest times of a run
};
Packed packed;

void expect(bool condition, const std::string& what) {
  if (!condition) report(what);
}

// Neighbours alone exchange messages, and a second call packs where the first did.
void check_partners() {
  const int64_t N = 10 * size, T = 3;
  Part<float> g({10 * rank}, {10 * rank + 10}), u({0, 0}, {2, N});
  const auto run = [&] {
    expect(heat_1d(team, T, N, nullptr, g.argument(), u.argument()) == 0, "heat fails");
  };
  run();
  const int neighbours = (rank > 0) + (rank + 1 < size);
  expect(strata_team_partners(team, 0) == neighbours,
         std::to_string(strata_team_partners(team, 0)) + " partners");
  const void* const before = neighbours ? strata_team_slot(team, 0, 0, 1) : nullptr;
  run();
  expect(!neighbours || before == strata_team_slot(team, 0, 0, 1), "the slot has moved");
}

// A row of 4 MB is one run, copied at the speed of memcpy.
void check_rows() {
  const int64_t T = 8, M = 1 << 20;
  Part<int32_t> g({rank, 0}, {rank + 1, M});
  Part<int32_t> u({0, 0, 0}, {2, size, M});
  packed = {};
  expect(grid_rows(team, T, size, M, nullptr, g.argument(), u.argument()) == 0, "grid fails");
  // The inner columns of a row go to each neighbour that has an inner row.
  const bool up = rank > 1, down = rank + 2 < size;
  const int64_t runs = T * (up + down);
  expect(packed.runs == runs, std::to_string(packed.runs) + " runs, not " + std::to_string(runs));
  expect(packed.elements == runs * (M - 2), std::to_string(packed.elements) + " elements");
  if (runs) expect(packed.copy >= 0.8 * packed.pack, "rows are packed more slowly than copied");
}

}  // namespace

void check_packing() {
  check_partners();
  check_rows();
}

}  // namespace strata::test::ranks

int __wrap_strata_team_pack(void* slot, int64_t at, const void* base, int64_t first, int64_t step,
                            int64_t count, int64_t size) {
  using strata::test::ranks::now;
  using strata::test::ranks::packed;
  ++packed.runs;
  packed.elements += count;
  for (int again = 0; again < 3 && step == size; ++again) {
    const double start = now();
    std::memcpy(static_cast<char*>(slot) + at, static_cast<const char*>(base) + first,
                static_cast<std::size_t>(count * size));
    const double middle = now();
    __real_strata_team_pack(slot, at, base, first, step, count, size);
    packed.copy = std::min(packed.copy, middle - start);
    packed.pack = std::min(packed.pack, now() - middle);
  }
  return __real_strata_team_pack(slot, at, base, first, step, count, size);
}
