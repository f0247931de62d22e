#include "schedule/edit/prefetches.h"

#include <algorithm>

namespace strata {

namespace {

bool holds(const Loop& loop, const std::string& definition) {
  return std::any_of(loop.body.begin(), loop.body.end(), [&](const Node& node) {
    const auto names = owners(node);
    return std::find(names.begin(), names.end(), definition) != names.end();
  });
}

}  // namespace

bool surely_reads(const Algorithm& algorithm, const std::string& definition,
                  const std::string& array) {
  const Definition* reader = algorithm.find(definition);
  if (!reader) return false;
  return std::any_of(reader->reads.begin(), reader->reads.end(), [&](const Read& read) {
    return !read.may && algorithm.array_read(read) == array && !isl::map(read.relation).is_empty();
  });
}

void drop_idle_prefetches(Program& program) {
  for_each_loop(program.mapping, [&](Loop& loop) {
    std::erase_if(loop.prefetches, [&](const Prefetch& prefetch) {
      return !holds(loop, prefetch.definition) ||
             !surely_reads(*program.algorithm, prefetch.definition, prefetch.array);
    });
  });
}

void pass_prefetches(Mapping& mapping, const std::string& from, const std::string& to,
                     const std::optional<std::string>& array) {
  for_each_loop(mapping, [&](Loop& loop) {
    for (Prefetch& prefetch : loop.prefetches)
      if (prefetch.definition == from && (!array || prefetch.array == *array))
        prefetch.definition = to;
  });
}

}  // namespace strata
