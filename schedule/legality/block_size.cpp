#include "schedule/legality/block_size.h"

#include <algorithm>

#include "core/machine/device.h"
#include "schedule/legality/extent.h"

namespace strata {

namespace {

// The threads on an axis, and a loop that has so many.
struct Axis {
  std::int64_t threads = 1;
  std::string loop;
};

// The number of threads of the thread loop at a path.
using CountThreads = std::optional<std::int64_t> (*)(const Program&, const Path&);

// The axes of the blocks in "nodes", whose parent is at "path": x, y, z.
std::vector<Axis> axes_in(const Program& program, const std::vector<Node>& nodes, const Path& path,
                          CountThreads count) {
  std::vector<Axis> most;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].is_loop()) continue;
    Path inside = path;
    inside.push_back(int(n));
    const Loop& loop = nodes[n].loop();
    std::vector<Axis> axes = axes_in(program, loop.body, inside, count);
    if (loop.processor == Processor::thread) {
      const auto threads = count(program, inside);
      axes.push_back(
          {(threads ? threads : constant_extent(program, inside)).value_or(1), loop.name});
    }
    most.resize(std::max(most.size(), axes.size()));
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      if (axes[axis].threads > most[axis].threads) most[axis] = axes[axis];
  }
  return most;
}

bool fits(const std::vector<Axis>& axes) {
  const DeviceLimits limits = limits_of(Device::none);
  std::int64_t threads = 1;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (axis < limits.threads_on_axis.size() && axes[axis].threads > limits.threads_on_axis[axis])
      return false;
    threads *= axes[axis].threads;
  }
  return threads <= limits.threads;
}

void verify_block(const Loop& blocks, const std::vector<Axis>& axes, const Request& request) {
  const DeviceLimits limits = limits_of(Device::none);
  const std::string block = "a block of the launch of loop " + blocks.name + " would have ";
  std::int64_t threads = 1;
  std::string product;
  for (std::size_t axis = 0; axis < std::min(axes.size(), limits.threads_on_axis.size()); ++axis) {
    const std::int64_t most = limits.threads_on_axis[axis];
    const std::string name(1, "xyz"[axis]);
    if (axes[axis].threads > most)
      throw request.refused(
          Code::E0106_bad_argument,
          block + std::to_string(axes[axis].threads) + " threads on axis " + name + ", loop " +
              axes[axis].loop + ", but a GPU has at most " + std::to_string(most) + " there",
          "split " + axes[axis].loop + ", and leave the loop inside or outside of it sequential");
    threads *= axes[axis].threads;
    product = std::to_string(axes[axis].threads) + (axis ? " x " : "") + product;
  }
  if (threads > limits.threads)
    throw request.refused(
        Code::E0106_bad_argument,
        block + product + " = " + std::to_string(threads) + " threads, but a GPU has at most " +
            std::to_string(limits.threads) + " in a block",
        "take smaller tiles, or split a thread loop and leave one of the two sequential");
}

void verify_blocks(const Program& program, const std::vector<Node>& nodes, const Path& path,
                   const Request& request) {
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].is_loop()) continue;
    Path inside = path;
    inside.push_back(int(n));
    const Loop& loop = nodes[n].loop();
    if (loop.processor == Processor::block) {
      if (!fits(axes_in(program, loop.body, inside, most_iterations)))
        verify_block(loop, axes_in(program, loop.body, inside, constant_extent), request);
    } else {
      verify_blocks(program, loop.body, inside, request);
    }
  }
}

}  // namespace

void verify_block_sizes(const Program& program, const Request& request) {
  verify_blocks(program, program.mapping.roots, {}, request);
}

}  // namespace strata
