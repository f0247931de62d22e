#include "codegen/tree/launch_axes.h"

#include <algorithm>

namespace strata {

namespace {

// The most loops of "processor" directly inside each other.
std::size_t nested(Processor processor, const StmtPtr& s) {
  std::size_t most = 0;
  for_each_inside(*s, [&](const StmtPtr& part) { most = std::max(most, nested(processor, part)); });
  const auto* loop = std::get_if<For>(s.get());
  return most + (loop && loop->processor == processor ? 1 : 0);
}

}  // namespace

std::size_t axis_of(const For& loop) { return nested(loop.processor, loop.body); }

}  // namespace strata
