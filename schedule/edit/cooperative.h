// Dealing iterations out to the threads of a block.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/edit/band.h"
#include "schedule/edit/command.h"

namespace strata {

// The outermost block loop around "path".
std::optional<Path> launch_around(const Mapping& mapping, const Path& path);

// The threads of a block of the launch at "launch" on the axes x, y, z, as far as it has them: the
// most iterations of the thread loops of each axis.
std::vector<std::int64_t> threads_of_block(const Program& program, const Path& launch);

// The box of constant size around the iterations of "count" loops from "outermost" inwards:
// { pre -> [x] : lo(pre) <= x < lo(pre) + widths }, pre the iterators of the loops around.
struct IterationBox {
  isl::multi_aff lower;  // of [pre]
  std::vector<std::int64_t> widths;
};
std::optional<IterationBox> iteration_box(const Program& program, const Path& outermost, int count);

// Makes the times of the branches under "outermost" convex: an iteration of the loops around then
// also computes values between those that it needs, if they exist. A footprint of several pieces,
// as of a stencil that reads a cross, would otherwise have to be told apart at each step of a
// thread. Nothing changes for a branch that reads what some loop's iteration has for itself: such
// values may not be there. Nor does it for one that is computed inside of the loop at "outermost",
// where several iterations would each compute the values between.
void widen(Program& program, const Path& outermost, const IterationBox& box);

// { [pre, x] -> [pre, t, step] }, t from the last axis to x; see schedule/commands/launch/deal.h.
// "order" has the positions of the loops, the one dealt to neighbours last.
BandMap cooperative_mapping(const IterationBox& box, const std::vector<int>& order,
                            const std::vector<std::int64_t>& threads);

// The positions of "count" loops around the branch, from "level" on, with the one last along which
// neighbouring iterations read neighbouring elements of an array or, if there is none, write them.
std::vector<int> dense_last(const Program& program, const Placed& placed, int level, int count);

}  // namespace strata
