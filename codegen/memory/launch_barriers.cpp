#include "codegen/memory/launch_barriers.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/loops/isl_expr.h"
#include "codegen/loops/scan.h"
#include "codegen/loops/whole_range.h"
#include "codegen/memory/layout_of.h"
#include "codegen/memory/scratch.h"
#include "layers/flow/barriers.h"

namespace strata {

namespace {

bool is_block(const Loop* loop) { return loop->processor == Processor::block; }
bool is_thread(const Loop* loop) { return loop->processor == Processor::thread; }

isl::map without_names(const isl::map& map) {
  isl_map* plain = isl_map_reset_tuple_id(map.copy(), isl_dim_in);
  return isl::manage(isl_map_reset_tuple_id(plain, isl_dim_out));
}

// { [t0, .., t(levels-1)] -> [f(t0, .., t<depth>)] }, from "f" whose parameters are iterators.
isl::map over_times(const isl::pw_aff& f, int depth, std::size_t levels) {
  const isl::set value = isl::manage(isl_set_from_pw_aff(f.copy()));
  const isl::set all =
      isl::manage(isl_set_universe(isl_space_set_alloc(f.ctx().get(), 0, unsigned(depth) + 1)));
  isl_map* map = value.unbind_params_insert_domain(iterator_tuple(all)).release();
  return isl::manage(isl_map_add_dims(map, isl_dim_in, unsigned(levels) - unsigned(depth) - 1));
}

isl::map joined(const isl::map& a, const isl::map& b) {
  return a.is_null() ? b : isl::manage(isl_map_flat_range_product(a.copy(), b.copy()));
}

// The branches of launches, as layers/flow/barriers.h wants them.
class Branches {
 public:
  Branches(const Program& program, const Mapping& mapping, const TimeSpace& space,
           const std::vector<Lifetime>& lifetimes, const Request& request, FoundBoxes& boxes)
      : program_(program),
        mapping_(mapping),
        space_(space),
        lifetimes_(lifetimes),
        request_(request),
        boxes_(boxes),
        placed_(branches(mapping)) {}

  std::vector<BlockBranch> all(const std::vector<Nest>& nests) {
    for (const Nest& nest : nests) gather(nest);
    for (const Leaf& leaf : leaves_) note_written(definition_of(leaf));
    std::vector<BlockBranch> result;
    for (const Leaf& leaf : leaves_) result.push_back(branch(leaf));
    return result;
  }

 private:
  // A branch with the loops around it, outermost first.
  struct Leaf {
    std::vector<const Nest*> around;
    int branch;
  };

  const TimeBranch& time_branch(const Leaf& leaf) const { return space_.branches[leaf.branch]; }
  const Definition& definition_of(const Leaf& leaf) const { return *time_branch(leaf).definition; }

  void gather(const Nest& nest) {
    if (!nest.is_loop()) {
      const auto& loops = placed_[std::size_t(nest.branch())].loops;
      if (std::any_of(loops.begin(), loops.end(), is_block))
        leaves_.push_back({around_, nest.branch()});
      return;
    }
    around_.push_back(&nest);
    for (const Nest& inner : nest.body()) gather(inner);
    around_.pop_back();
  }

  void note_written(const Definition& definition) {
    written_.insert(buffer_of(program_.layout, definition.array));
  }

  BlockBranch branch(const Leaf& leaf) {
    const TimeBranch& there = time_branch(leaf);
    const isl::set times = isl::manage(isl_set_reset_tuple_id(there.times.copy()));
    BlockBranch result{
        placed_[std::size_t(leaf.branch)], times, thread(leaf), {}, there.asynchronous};
    const isl::map instance = there.instance.as_map().intersect_domain(there.times);
    const Definition& d = *there.definition;
    const Algorithm& algorithm = *program_.algorithm;
    add(result, leaf, d.array, instance.apply_range(d.defines), true);
    for (const Read& read : d.reads) {
      const Definition* producer = algorithm.find(read.producer);
      const isl::map values = instance.apply_range(read.relation);
      add(result, leaf, producer ? producer->array : read.producer,
          producer ? values.apply_range(producer->defines) : values, false);
    }
    return result;
  }

  // { [t] -> [z, y, x] }, as the code numbers threads; what has no thread loops runs in [0, 0, 0].
  std::optional<isl::map> thread(const Leaf& leaf) const {
    constexpr std::size_t axes = 3;
    std::vector<isl::map> counts;
    const std::size_t levels = leaf.around.size();
    for (const Nest* nest : leaf.around) {
      if (nest->loop().tile_size) return std::nullopt;
      if (!is_thread(&nest->loop())) continue;
      const isl::set iterations = bound(nest->whole);
      const auto range = thread_range(iterations, nest->depth);
      if (!range) return std::nullopt;
      const isl::pw_aff t = parameter_named(iterations, iterator_name(nest->depth));
      counts.push_back(over_times(t.sub(range->lower), nest->depth, levels));
    }
    const isl::pw_aff zero = space_.context.pw_aff_on_domain(0);
    isl::map result;
    for (std::size_t axis = counts.size(); axis < axes; ++axis)
      result = joined(result, over_times(zero, int(levels) - 1, levels));
    for (const isl::map& count : counts) result = joined(result, count);
    return result;
  }

  // The loop around the leaf that allocates the buffer; null: an argument, or the kernel's.
  const Nest* allocating(const Leaf& leaf, const std::string& buffer) const {
    for (const Nest* nest : leaf.around) {
      const auto& own = nest->loop().allocations;
      if (std::find(own.begin(), own.end(), buffer) != own.end()) return nest;
    }
    return nullptr;
  }

  // Is "loop", which is around the leaf, such a loop or inside of one?
  static bool is_inside(bool (*such)(const Loop*), const Leaf& leaf, const Nest* loop) {
    return std::any_of(leaf.around.begin(), leaf.around.begin() + loop->depth + 1,
                       [&](const Nest* nest) { return such(&nest->loop()); });
  }

  // An atomic update reads its array in its steps alone, a reduction in its contributions.
  bool is_of_step(const Leaf& leaf, const std::string& array, bool writes) const {
    const Definition& d = definition_of(leaf);
    return d.is_atomic && (writes || (!d.reduction && array == d.array));
  }

  // Nothing where one thread alone touches each place.
  void add(BlockBranch& result, const Leaf& leaf, const std::string& array, const isl::map& values,
           bool writes) {
    const std::string name = buffer_of(program_.layout, array);
    const LayoutBuffer* buffer = program_.layout.find(name);
    if (!written_.count(name) || (buffer && buffer->memory == Memory::local)) return;
    const Nest* own = allocating(leaf, name);
    if (own && is_inside(is_thread, leaf, own)) return;
    isl::map places = without_names(values.apply_range(store_of(program_.layout, array, request_)));
    const bool is_shared = own && is_inside(is_block, leaf, own);  // a loop of the host: global
    const Fenced memory{is_shared, !is_shared, false};
    const auto box = own ? box_of(*own, name) : std::nullopt;
    if (box && box->memory == Memory::local) return;
    if (box && !is_block(&own->loop())) places = from_origin(places, *own, box->box);
    result.touchings.push_back({name, places, memory, writes, is_of_step(leaf, array, writes)});
  }

  // Nothing if no place is touched.
  std::optional<OwnBox> box_of(const Nest& own, const std::string& name) {
    const auto lives = lifetimes_in(own.loop(), mapping_, lifetimes_);
    for (const OwnBox& box : own_boxes(own, lives, space_, program_, request_, boxes_))
      if (box.life.buffer == name) return box;
    return std::nullopt;
  }

  static isl::map from_origin(const isl::map& places, const Nest& own, const PlaceBox& box) {
    isl::map origin;
    for (const isl::pw_aff& lower : box.lowers)
      origin = joined(origin, over_times(lower, own.depth, places.domain_tuple_dim()));
    // isl_map_sum does not align parameters.
    isl_map* sum = isl_map_align_params(places.copy(), isl_map_get_space(origin.get()));
    isl_map* less = isl_map_align_params(origin.copy(), isl_map_get_space(sum));
    return isl::manage(isl_map_sum(sum, isl_map_neg(less)));
  }

  const Program& program_;
  const Mapping& mapping_;
  const TimeSpace& space_;
  const std::vector<Lifetime>& lifetimes_;
  const Request& request_;
  FoundBoxes& boxes_;
  const std::vector<Placed> placed_;
  std::vector<const Nest*> around_;
  std::vector<Leaf> leaves_;
  std::set<std::string> written_;
};

Pause pause_of(const Fenced& fenced) {
  if (!fenced.shared && !fenced.global) return {fenced.copies, std::nullopt};
  const Fence one = fenced.shared ? Fence::shared : Fence::global;
  return {fenced.copies, fenced.shared && fenced.global ? Fence::both : one};
}

}  // namespace

BarriersAfter launch_barriers(const Program& program, const Mapping& mapping,
                              const TimeSpace& space, const std::vector<Nest>& nests,
                              const std::vector<Lifetime>& lifetimes, const Request& request,
                              FoundBoxes& boxes) {
  BarriersAfter result;
  Branches branches(program, mapping, space, lifetimes, request, boxes);
  for (const Gap& gap : barriers(branches.all(nests)))
    result[&node_at(mapping, gap.body).loop()][gap.after] = pause_of(gap.fence);
  return result;
}

}  // namespace strata
