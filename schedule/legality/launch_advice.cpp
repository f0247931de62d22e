#include "schedule/legality/launch_advice.h"

#include <algorithm>

#include "layers/flow/order.h"

namespace strata {

namespace {

// The outermost loop around both branches in which some of the pairs differ; nullptr if none.
const Loop* separating_loop(const isl::map& pairs, const Placed& source, const Placed& sink) {
  const int shared = shared_loops(source, sink);
  for (int level = 0; level < shared; ++level) {
    const isl::map same = leading_time(source, unsigned(level + 1))
                              .apply_range(leading_time(sink, unsigned(level + 1)).reverse());
    const isl::map run = pairs.intersect_domain(leading_time(source, 1).domain())
                             .intersect_range(leading_time(sink, 1).domain());
    if (!run.is_subset(same)) return source.loops[std::size_t(level)];
  }
  return nullptr;
}

std::string advice(const Loop& loop, bool one_definition) {
  const bool blocks = loop.processor == Processor::block;
  if (!one_definition)
    return "distribute_loop(" + loop.name + ") first: then " +
           (blocks ? "the second computation has a launch of its own, after the first"
                   : "all threads of the block pass the first computation before the second");
  return "leave " + loop.name + " sequential: " +
         (blocks ? "around the blocks, where each of its iterations is a launch, or inside of them"
                 : "around the threads, which then wait for each other in each of its iterations, "
                   "or inside of them");
}

std::string advice_on(const Program& after, const isl::map& pairs) {
  const std::string source = pairs.domain_tuple_id().name(), sink = pairs.range_tuple_id().name();
  for (const Placed& a : branches_of(after.mapping, source))
    for (const Placed& b : branches_of(after.mapping, sink)) {
      const Loop* loop = separating_loop(pairs, a, b);
      if (loop && is_of_launch(loop->processor)) return advice(*loop, source == sink);
    }
  return "";
}

}  // namespace

std::string how_to_order_launch(const Program& after, const isl::map& pairs) {
  std::string found;
  const bool decided = after.session->within_budget([&] { found = advice_on(after, pairs); });
  return decided ? found : "";
}

}  // namespace strata
