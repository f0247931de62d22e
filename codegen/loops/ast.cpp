#include "codegen/loops/ast.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "codegen/loops/generation.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/tree/allocate.h"

namespace strata {

namespace {

// Is there another copy of the nest among its siblings?
bool has_copy(const std::vector<Nest>& siblings, const Nest& nest) {
  return std::any_of(siblings.begin(), siblings.end(),
                     [&](const Nest& other) { return &other != &nest && other.node == nest.node; });
}

}  // namespace

Place with_value(Place place, const std::string& name, const Expr& value) {
  place.values[name] = value;
  return place;
}

Generation::Generation(const TimeSpace& space, std::set<std::string> taken, const TreeParts& parts,
                       const Request& request)
    : space_(space), given_(taken), parts_(parts), request_(request), taken_(std::move(taken)) {}

Error Generation::failed(const std::string& explanation) const {
  return request_.refused(Code::E0502_code_generation_failed, explanation);
}

Expr Generation::expr(const isl::ast_expr& e, const Place& place) const {
  return to_expr(e, [&](const std::string& name) {
    const auto value = place.values.find(name);
    if (value != place.values.end()) return value->second;
    if (!given_.count(name)) throw failed("isl names " + name + ", which is bound nowhere");
    return parameter(name);
  });
}

std::vector<Expr> Generation::exprs(const std::vector<isl::pw_aff>& functions,
                                    const isl::ast_build& build, const Place& place) const {
  std::vector<Expr> result;
  for (const isl::pw_aff& f : functions) result.push_back(expr(build.expr_from(f), place));
  return result;
}

isl::set Generation::points(const isl::set& times, const Place& place) {
  isl::set result = bound(times);
  for (const int depth : place.tiles)
    result = without_iterator_(result.intersect(inside_tile(times.params(), depth)), depth);
  return result;
}

Place Generation::knowing(Place place, const isl::set& condition) const {
  place.here = place.here.intersect(condition);
  if (lanes_.masked().empty()) place.anyway = place.here;
  return place;
}

For Generation::new_loop(const Nest& nest) {
  For result;
  static_cast<LoopTags&>(result) = *nest.loop;
  result.variable = nest.loop->name;
  for (int number = 1; !taken_.insert(result.variable).second; ++number)
    result.variable = nest.loop->name + "_" + std::to_string(number);
  return result;
}

StmtPtr Generation::body(const Loop* loop, const std::vector<Nest>& nests,
                         const std::vector<OwnBuffer>& own, const Place& place) {
  constexpr int after_all = std::numeric_limits<int>::max();
  const std::vector<SideCopy> copies = parts_.copies(loop);
  std::vector<NodeStmt> statements;
  if (!loop && parts_.agrees) statements.push_back({0, make_stmt(Agree{})});
  int done = 0;  // the copies before this position
  for (const Nest& one : nests) {
    add_copies(statements, copies, done, one.node + 1, place);
    done = one.node + 1;
    if (const StmtPtr stmt = nest(nests, one, place)) statements.push_back({one.node, stmt});
  }
  add_copies(statements, copies, done, after_all, place);
  const auto barriers = parts_.barriers.find(loop);
  return with_own_buffers(
      barriers == parts_.barriers.end() ? statements : with_pauses(statements, barriers->second),
      with_copies(own, copies));
}

// A buffer lives until it is copied for the last time.
std::vector<OwnBuffer> Generation::with_copies(std::vector<OwnBuffer> own,
                                               const std::vector<SideCopy>& copies) {
  for (OwnBuffer& buffer : own)
    for (const SideCopy& copy : copies) {
      if (copy.buffer != buffer.buffer) continue;
      buffer.first = std::min(buffer.first, copy.position);
      buffer.last = std::max(buffer.last, copy.position);
    }
  return own;
}

// Adds those at positions first .. last - 1.
void Generation::add_copies(std::vector<NodeStmt>& statements, const std::vector<SideCopy>& copies,
                            int first, int last, const Place& place) {
  for (const SideCopy& copy : copies) {
    if (copy.position < first || copy.position >= last) continue;
    const isl::set runs = beyond(points(copy.when, place), place.here);
    if (runs.is_disjoint(place.here)) continue;
    const StmtPtr stmt = make_stmt(DeviceCopy{copy.direction, copy.buffer});
    const bool always = isl_set_plain_is_universe(runs.get());
    const auto build = isl::ast_build::from_context(place.here);
    statements.push_back(
        {copy.position,
         always ? stmt : make_stmt(If{expr(build.expr_from(runs), place), stmt, nullptr})});
  }
}

// Null if the nest never runs here.
StmtPtr Generation::nest(const std::vector<Nest>& siblings, const Nest& nest, Place place) {
  place.in_pieces = has_copy(siblings, nest);
  const StmtPtr stmt = nest.loop ? loop(nest, place) : execution(nest, place);
  if (!stmt || !nest.only) return stmt;
  return under(beyond(points(*nest.only, place), place.here), place.here, stmt, nest, place);
}

// if (the branch runs here) S(instance); null where it never does
StmtPtr Generation::execution(const Nest& leaf, const Place& place) {
  const isl::set runs = beyond(points(leaf.times, place), place.here);
  const bool always = isl_set_plain_is_universe(runs.get());
  const isl::set known = always ? place.here : place.here.intersect(runs);
  if (!always && known.is_empty()) return nullptr;
  const auto build = isl::ast_build::from_context(known);
  const TimeBranch& branch = space_.branches[leaf.branch];
  const auto instance = branch.instance.bind_domain(iterator_tuple(leaf.times));
  std::vector<Expr> coordinates;
  for (int d = 0; d < int(branch.definition->iterators.size()); ++d)
    coordinates.push_back(expr(build.expr_from(instance.at(d)), place));
  const StmtPtr stmt = parts_.execution(branch, coordinates, leaf.times);
  if (!lanes_.masked().empty()) return masked(leaf, place, stmt);
  return always ? stmt : under(runs, place.here, stmt, leaf, place);
}

// if (some lane runs here) mask (this lane does) stmt
StmtPtr Generation::masked(const Nest& leaf, const Place& place, const StmtPtr& stmt) {
  const isl::set& anyway = place.anyway;
  const isl::set runs = points(leaf.times, place);
  if (!lanes_.is_one()) return under(beyond(runs, anyway), anyway, stmt, leaf, place);
  isl::set some = runs;
  for (const int depth : lanes_.masked()) some = without_iterator_(some, depth);
  some = beyond(some, anyway);
  const isl::set lanes = beyond(runs, anyway.intersect(some));
  if (isl_set_plain_is_universe(lanes.get())) return under(some, anyway, stmt, leaf, place);
  // A mask is directly around one Execute, so inside a predicate. One that differs between lanes
  // may read what only those that run may read: around it the condition is an ordinary If.
  const auto* predicate = std::get_if<If>(stmt.get());
  const bool inside = predicate && !lanes_.distinguish(predicate->condition);
  const StmtPtr& always = inside ? predicate->then : stmt;
  const bool masks = std::holds_alternative<Execute>(*always);
  StmtPtr result = under(lanes, anyway.intersect(some), always, leaf, place, masks);
  if (inside) result = make_stmt(If{predicate->condition, result, nullptr});
  return under(some, anyway, result, leaf, place);
}

StmtPtr Generation::under(const isl::set& condition, const isl::set& context, const StmtPtr& stmt,
                          const Nest& nest, const Place& place, bool masks) {
  if (isl_set_plain_is_universe(condition.get())) return stmt;
  const Expr e = expr(isl::ast_build::from_context(context).expr_from(condition), place);
  if (place.in_pieces) lanes_.keep_apart(e, nest);
  return make_stmt(If{e, stmt, nullptr, masks});
}

StmtPtr Generation::loop(const Nest& nest, const Place& place) {
  const isl::set iterations = points(nest.times, place);
  if (iterations.is_disjoint(place.here)) return nullptr;
  if (is_of_launch(nest.loop->processor)) return launch_loop(nest, iterations, place);
  if (nest.loop->tile_size) return tile_loop(nest, iterations, place);
  if (has_guards(nest, place))
    if (const auto range = whole_range_(points(nest.whole, place), nest.depth))
      return whole_loop(nest, iterations, *range, place);
  const bool one_piece = is_concurrent(nest.loop->processor);
  const Scan scan(asts_, iterations, nest.depth, place.here, one_piece);
  return scanned(scan.root(), scan, nest, place);
}

StmtPtr Generation::iteration(const Nest& nest, const Place& place) {
  return prefetching(nest, body(nest.loop, nest.body, own_buffers(nest, place), place), place);
}

std::vector<OwnBuffer> Generation::own_buffers(const Nest& nest, const Place& place) const {
  std::vector<OwnBuffer> all;
  const std::vector<OwnBox> boxes = parts_.own(nest);
  if (boxes.empty()) return all;
  const auto build = isl::ast_build::from_context(place.here);
  for (const auto& [life, box, memory] : boxes) {
    const auto lowers = exprs(box.lowers, build, place), extents = exprs(box.extents, build, place);
    LayoutBuffer buffer = *box.buffer;
    buffer.memory = memory;
    const auto allocated = [this, buffer, lowers, extents,
                            packed = box.packed](const StmtPtr& body) {
      return strata::allocated(buffer, lowers, extents, body, request_, packed);
    };
    all.push_back({life.buffer, life.first, life.last, allocated});
  }
  return all;
}

// The prefetches of the iteration, then the iteration.
StmtPtr Generation::prefetching(const Nest& nest, const StmtPtr& iteration,
                                const Place& place) const {
  if (nest.loop->prefetches.empty()) return iteration;
  const auto build = isl::ast_build::from_context(place.here);
  Block result;
  for (const PlaceBox& box : parts_.prefetched(nest, place.here))
    result.body.push_back(make_stmt(PrefetchBox{box.buffer->name, exprs(box.lowers, build, place),
                                                exprs(box.extents, build, place)}));
  result.body.push_back(iteration);
  return make_stmt(std::move(result));
}

StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const TreeParts& parts, const Request& request) {
  return Generation(space, std::move(taken), parts, request)
      .body(nullptr, nests, parts.kernel_buffers, {space.context, space.context});
}

}  // namespace strata
