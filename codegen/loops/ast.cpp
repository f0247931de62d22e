#include "codegen/loops/ast.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "codegen/loops/generation.h"
#include "codegen/loops/isl_expr.h"
#include "codegen/loops/parametric_tile.h"
#include "codegen/tree/allocate.h"
#include "codegen/tree/index_math.h"

namespace strata {

namespace {

// Is there another copy of the nest among its siblings?
bool has_copy(const std::vector<Nest>& siblings, const Nest& nest) {
  return std::any_of(siblings.begin(), siblings.end(),
                     [&](const Nest& other) { return &other != &nest && other.node == nest.node; });
}

// A loop of more pieces is generated piece by piece.
constexpr int most_pieces = 6;

}  // namespace

StmtPtr conditional(const If& branch) {
  const auto decided = as_constant(branch.condition);
  if (!decided) return make_stmt(branch);
  const StmtPtr& taken = *decided != 0 ? branch.then : branch.otherwise;
  return taken ? taken : make_stmt(Block{});
}

Position with_value(Position position, const std::string& name, const Expr& value) {
  position.values[name] = value;
  return position;
}

Generation::Generation(const TimeSpace& space, std::set<std::string> taken, const TreeParts& parts,
                       const Request& request)
    : space_(space), given_(taken), parts_(parts), request_(request), taken_(std::move(taken)) {}

Error Generation::failed(const std::string& explanation) const {
  return request_.refused(Code::E0502_code_generation_failed, explanation);
}

Expr Generation::expr(const isl::ast_expr& e, const Position& position) const {
  return to_expr(e, [&](const std::string& name) {
    const auto value = position.values.find(name);
    if (value != position.values.end()) return value->second;
    if (!given_.count(name)) throw failed("isl names " + name + ", which is bound nowhere");
    return parameter(name);
  });
}

std::vector<Expr> Generation::exprs(const std::vector<isl::pw_aff>& functions,
                                    const isl::ast_build& build, const Position& position) const {
  std::vector<Expr> result;
  for (const isl::pw_aff& f : functions) result.push_back(expr(build.expr_from(f), position));
  return result;
}

isl::set Generation::points(const isl::set& times, const Position& position) {
  isl::set result = bound(times);
  for (const int depth : position.tiles)
    result = without_iterator_(result.intersect(inside_tile(times.params(), depth)), depth);
  return result;
}

Position Generation::knowing(Position position, const isl::set& condition) const {
  position.here = position.here.intersect(condition);
  if (lanes_.masked().empty()) position.anyway = position.here;
  return position;
}

For Generation::new_loop(const Nest& nest) {
  For result;
  static_cast<LoopTags&>(result) = nest.loop();
  result.variable = nest.loop().name;
  for (int number = 1; !taken_.insert(result.variable).second; ++number)
    result.variable = nest.loop().name + "_" + std::to_string(number);
  return result;
}

StmtPtr Generation::body(const Loop* loop, const std::vector<Nest>& nests,
                         const std::vector<OwnBuffer>& own, const Position& position) {
  constexpr int after_all = std::numeric_limits<int>::max();
  const std::vector<CoherenceCopy> copies = parts_.copies(loop);
  std::vector<NodeStmt> statements;
  if (!loop && parts_.agrees) statements.push_back({0, make_stmt(Agree{})});
  int done = 0;  // the copies before this position
  for (const Nest& one : nests) {
    add_copies(statements, copies, done, one.node + 1, position);
    done = one.node + 1;
    if (const StmtPtr stmt = nest(nests, one, position)) statements.push_back({one.node, stmt});
  }
  add_copies(statements, copies, done, after_all, position);
  const auto barriers = parts_.barriers.find(loop);
  return with_own_buffers(
      barriers == parts_.barriers.end() ? statements : with_pauses(statements, barriers->second),
      with_copies(own, copies));
}

// A buffer lives until it is copied for the last time.
std::vector<OwnBuffer> Generation::with_copies(std::vector<OwnBuffer> own,
                                               const std::vector<CoherenceCopy>& copies) {
  for (OwnBuffer& buffer : own)
    for (const CoherenceCopy& copy : copies) {
      if (copy.buffer != buffer.buffer) continue;
      buffer.first = std::min(buffer.first, copy.position);
      buffer.last = std::max(buffer.last, copy.position);
    }
  return own;
}

// Adds the copies at positions first .. last - 1.
void Generation::add_copies(std::vector<NodeStmt>& statements,
                            const std::vector<CoherenceCopy>& copies, int first, int last,
                            const Position& position) {
  for (const CoherenceCopy& copy : copies) {
    if (copy.position < first || copy.position >= last) continue;
    const isl::set runs = beyond(points(copy.when, position), position.here);
    if (runs.is_disjoint(position.here)) continue;
    const StmtPtr stmt = make_stmt(DeviceCopy{copy.direction, copy.buffer});
    const bool always = isl_set_plain_is_universe(runs.get());
    const auto build = isl::ast_build::from_context(position.here);
    statements.push_back(
        {copy.position,
         always ? stmt : conditional({expr(build.expr_from(runs), position), stmt, nullptr})});
  }
}

// Null if the nest never runs here.
StmtPtr Generation::nest(const std::vector<Nest>& siblings, const Nest& nest, Position position) {
  position.in_pieces = has_copy(siblings, nest);
  const StmtPtr stmt = nest.is_loop() ? loop(nest, position) : execution(nest, position);
  if (!stmt || !nest.only) return stmt;
  return under(beyond(points(*nest.only, position), position.here), position.here, stmt, nest,
               position);
}

// if (the branch runs here) S(instance); null where it never runs
StmtPtr Generation::execution(const Nest& leaf, const Position& position) {
  const isl::set runs = beyond(points(leaf.times, position), position.here);
  const bool always = isl_set_plain_is_universe(runs.get());
  const isl::set known = always ? position.here : position.here.intersect(runs);
  if (!always && known.is_empty()) return nullptr;
  const auto build = isl::ast_build::from_context(known);
  const TimeBranch& branch = space_.branches[leaf.branch()];
  const auto instance = branch.instance.bind_domain(iterator_tuple(leaf.times));
  std::vector<Expr> coordinates;
  for (int d = 0; d < int(branch.definition->iterators.size()); ++d)
    coordinates.push_back(expr(build.expr_from(instance.at(d)), position));
  const StmtPtr stmt = parts_.execution(branch, coordinates, leaf.times);
  if (!lanes_.masked().empty()) return masked(leaf, position, stmt);
  return always ? stmt : under(runs, position.here, stmt, leaf, position);
}

// if (some lane runs here) mask (this lane does) stmt
StmtPtr Generation::masked(const Nest& leaf, const Position& position, const StmtPtr& stmt) {
  const isl::set& anyway = position.anyway;
  const isl::set runs = points(leaf.times, position);
  if (!lanes_.is_one()) return under(beyond(runs, anyway), anyway, stmt, leaf, position);
  isl::set some = runs;
  for (const int depth : lanes_.masked()) some = without_iterator_(some, depth);
  some = beyond(some, anyway);
  const isl::set lanes = beyond(runs, anyway.intersect(some));
  if (isl_set_plain_is_universe(lanes.get())) return under(some, anyway, stmt, leaf, position);
  // A mask is directly around one Execute, so inside a predicate. A predicate that differs between
  // lanes may read what only the lanes that run may read: around it the condition is an ordinary
  // If.
  const auto* predicate = std::get_if<If>(stmt.get());
  const bool inside = predicate && !lanes_.distinguish(predicate->condition);
  const StmtPtr& always = inside ? predicate->then : stmt;
  const bool masks = std::holds_alternative<Execute>(*always);
  StmtPtr result = under(lanes, anyway.intersect(some), always, leaf, position, masks);
  if (inside) result = make_stmt(If{predicate->condition, result, nullptr});
  return under(some, anyway, result, leaf, position);
}

StmtPtr Generation::under(const isl::set& condition, const isl::set& context, const StmtPtr& stmt,
                          const Nest& nest, const Position& position, bool masks) {
  if (isl_set_plain_is_universe(condition.get())) return stmt;
  const Expr e = expr(isl::ast_build::from_context(context).expr_from(condition), position);
  if (position.in_pieces) lanes_.keep_apart(e, nest);
  return conditional({e, stmt, nullptr, masks});
}

StmtPtr Generation::loop(const Nest& nest, const Position& position) {
  const isl::set iterations = points(nest.times, position);
  if (iterations.is_disjoint(position.here)) return nullptr;
  if (is_of_launch(nest.loop().processor)) return launch_loop(nest, iterations, position);
  if (nest.loop().tile_size) return tile_loop(nest, iterations, position);
  if (has_guards(nest, position))
    if (const auto range = whole_range_(points(nest.whole, position), nest.depth))
      return whole_loop(nest, iterations, *range, position);
  const bool one_piece = is_concurrent(nest.loop().processor);
  if (!one_piece && iterations.n_basic_set() > most_pieces)
    if (const auto pieces = pieces_in_order(iterations, nest.depth, position.here))
      return piece_by_piece(nest, *pieces, position);
  const Scan scan(asts_, iterations, nest.depth, position.here, one_piece);
  return scanned(scan.root(), scan, nest, position);
}

StmtPtr Generation::piece_by_piece(const Nest& nest, const std::vector<isl::set>& pieces,
                                   Position position) {
  position.in_pieces = true;
  Block result;
  for (const isl::set& piece : pieces) {
    const Scan scan(asts_, piece, nest.depth, position.here, false);
    result.body.push_back(scanned(scan.root(), scan, nest, position));
  }
  return make_stmt(std::move(result));
}

StmtPtr Generation::iteration(const Nest& nest, const Position& position) {
  return prefetching(nest, body(&nest.loop(), nest.body(), own_buffers(nest, position), position),
                     position);
}

std::vector<OwnBuffer> Generation::own_buffers(const Nest& nest, const Position& position) const {
  std::vector<OwnBuffer> all;
  const std::vector<OwnBox> boxes = parts_.own(nest);
  if (boxes.empty()) return all;
  const auto build = isl::ast_build::from_context(position.here);
  for (const auto& [life, box, memory] : boxes) {
    const auto lowers = exprs(box.lowers, build, position),
               extents = exprs(box.extents, build, position);
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
                                const Position& position) const {
  if (nest.loop().prefetches.empty()) return iteration;
  const auto build = isl::ast_build::from_context(position.here);
  Block result;
  for (const PlaceBox& box : parts_.prefetched(nest, position.here))
    result.body.push_back(
        make_stmt(PrefetchBox{box.buffer->name, exprs(box.lowers, build, position),
                              exprs(box.extents, build, position)}));
  result.body.push_back(iteration);
  return make_stmt(std::move(result));
}

StmtPtr loop_tree(const std::vector<Nest>& nests, const TimeSpace& space,
                  std::set<std::string> taken, const TreeParts& parts, const Request& request) {
  return Generation(space, std::move(taken), parts, request)
      .body(nullptr, nests, parts.kernel_buffers, {space.context, space.context});
}

}  // namespace strata
