#include "codegen/memory/prefetch.h"

#include "codegen/memory/touched.h"

namespace strata {

namespace {

AllTouched places_ahead(const Nest& nest, const Prefetch& prefetch, const TimeSpace& space,
                        const Program& program, const Request& request) {
  AllTouched all;
  const auto depth = std::size_t(nest.depth);
  for (const TimeBranch& branch : space.branches) {
    const bool inside = branch.loops.size() > depth && branch.loops[depth] == &nest.loop();
    if (!inside || branch.definition->name != prefetch.definition) continue;
    const isl::set later = instances_inside(branch.times, branch, nest.depth, prefetch.distance);
    for (const auto& [buffer, read] :
         places_read(program, *branch.definition, prefetch.array, later, request)) {
      isl::set& places = all[buffer].places;
      places = places.is_null() ? read.places : places.unite(read.places);
    }
  }
  return all;
}

}  // namespace

std::vector<PlaceBox> prefetch_boxes(const Nest& nest, const isl::set& context,
                                     const TimeSpace& space, const Program& program,
                                     const Request& request) {
  std::vector<PlaceBox> boxes;
  for (const Prefetch& prefetch : nest.loop().prefetches)
    for (const auto& [buffer, read] : places_ahead(nest, prefetch, space, program, request)) {
      const isl::set places = read.places.intersect_params(context);
      if (!places.is_empty())
        boxes.push_back(
            box_hull(*program.layout.find(buffer), places, program.algorithm->parameters));
    }
  return boxes;
}

}  // namespace strata
