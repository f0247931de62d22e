#include "schedule/legality/program_view.h"

#include <isl/map.h>

#include <algorithm>

#include "schedule/legality/fact_evaluator.h"

namespace strata {

struct ProgramView::Whole {
  explicit Whole(const Program& program, const ProgramView& view)
      : facts(program),
        record(program.algorithm, program.proofs,
               [this](const Fact& fact) { return facts.value(fact, of(fact.scope)); }),
        top(view) {}

  const ProgramView& of(const FactScope& scope) {
    if (scope.buffer.empty()) return top;
    auto& known = scopes[scope];
    if (!known) known.reset(new ProgramView(this, scope));
    return *known;
  }

  FactEvaluator facts;
  Record record;
  const ProgramView& top;
  std::map<FactScope, std::unique_ptr<const ProgramView>> scopes;
};

ProgramView::ProgramView(const Program& program)
    : owned_(std::make_unique<Whole>(program, *this)), whole_(owned_.get()) {
  whole_->facts.give_automatic_places(
      [this](const std::string& definition) { return runs_once(definition); });
}

ProgramView::ProgramView(Whole* whole, FactScope scope) : whole_(whole), scope_(std::move(scope)) {}

ProgramView::~ProgramView() = default;

Record& ProgramView::record() const { return whole_->record; }

const FactValue& ProgramView::read(const Fact& fact) const { return record().read(fact); }

const ProgramView& ProgramView::inside(const std::string& buffer, int number) const {
  return whole_->of({buffer, number, false});
}

const ProgramView& ProgramView::in_one_tile(const std::string& buffer, int number) const {
  return whole_->of({buffer, number, true});
}

const Algorithm& ProgramView::algorithm() const { return whole_->facts.algorithm(); }
isl::ctx ProgramView::isl() const { return whole_->facts.isl(); }

std::vector<BranchId> ProgramView::of(const std::string& definition) const {
  std::vector<BranchId> runs;
  const int count = read_as<int>({Fact::Of::branches, scope_, definition});
  for (int number = 0; number < count; ++number) runs.push_back({definition, number});
  return runs;
}

const isl::map& ProgramView::time(const BranchId& branch) const {
  return read_as<isl::map>({Fact::Of::time, scope_, branch.definition, branch.number});
}

const isl::set& ProgramView::instances(const BranchId& branch) const {
  return read_as<isl::set>({Fact::Of::instances, scope_, branch.definition, branch.number});
}

const isl::set& ProgramView::executed(const BranchId& branch) const {
  return read_as<isl::set>({Fact::Of::executed, scope_, branch.definition, branch.number});
}

const isl::map& ProgramView::leading(const BranchId& branch, unsigned levels) const {
  return read_as<isl::map>(
      {Fact::Of::leading, scope_, branch.definition, branch.number, "", int(levels)});
}

const isl::map& ProgramView::thread_ids(const BranchId& branch) const {
  return read_as<isl::map>({Fact::Of::threads, scope_, branch.definition, branch.number});
}

bool ProgramView::is_in_threads(const BranchId& branch) const {
  return read_as<bool>({Fact::Of::in_threads, scope_, branch.definition, branch.number});
}

const RelativePosition& ProgramView::relative_position(const BranchId& a, const BranchId& b) const {
  return read_as<RelativePosition>(
      {Fact::Of::relative_position, scope_, a.definition, a.number, b.definition, b.number});
}

bool ProgramView::runs_once(const std::string& definition) const {
  return read_as<bool>({Fact::Of::runs_once, scope_, definition});
}

std::vector<std::string> ProgramView::buffers() const {
  return read_as<std::vector<std::string>>({Fact::Of::buffers});
}

const std::string& ProgramView::buffer_of(const std::string& array) const {
  return read_as<std::string>({Fact::Of::buffer, {}, array});
}

const std::vector<std::string>& ProgramView::arrays_in(const std::string& buffer) const {
  return read_as<std::vector<std::string>>({Fact::Of::arrays, {}, buffer});
}

const isl::map& ProgramView::place(const std::string& array) const {
  return read_as<isl::map>({Fact::Of::place, {}, array});
}

std::optional<isl::set> ProgramView::box(const std::string& buffer) const {
  const auto* box = std::get_if<isl::set>(&read({Fact::Of::box, {}, buffer}));
  return box ? std::optional(*box) : std::nullopt;
}

const std::string& ProgramView::memory_of(const std::string& buffer) const {
  return read_as<std::string>({Fact::Of::memory, {}, buffer});
}

bool ProgramView::is_kept(const std::string& buffer) const {
  return read_as<bool>({Fact::Of::kept, {}, buffer});
}

int ProgramView::allocating_loops(const std::string& buffer) const {
  return read_as<int>({Fact::Of::allocating, {}, buffer});
}

bool ProgramView::is_in_allocating_loop(const BranchId& branch, const std::string& buffer) const {
  return read_as<int>({Fact::Of::allocation, {}, branch.definition, branch.number, buffer}) >= 0;
}

const std::vector<LoopAt>& ProgramView::tagged_loops() const {
  return read_as<std::vector<LoopAt>>({Fact::Of::tagged});
}

const std::vector<BranchId>& ProgramView::owners(const LoopAt& loop) const {
  return read_as<std::vector<BranchId>>(
      {Fact::Of::owners, {}, loop.branch.definition, loop.branch.number, "", loop.level});
}

isl::union_map ProgramView::theta() const {
  read({Fact::Of::everything});
  return whole_->facts.theta(scope_);
}

const Loop& ProgramView::loop(const LoopAt& loop) const {
  read({Fact::Of::everything});
  return whole_->facts.loop(loop);
}

namespace {

isl::map executions_of(const ProgramView& s, const BranchId& branch) {
  return executions(Branch{branch.definition, TimeMap::from(s.time(branch)),
                           InstanceSet::from(s.instances(branch))});
}

using Relate = isl::map (*)(isl::ctx, const RelativePosition&);

isl::map times_in_order(const ProgramView& s, const BranchId& x, const int& order,
                        const BranchId& y) {
  static constexpr Relate relations[] = {not_before, not_before_other, unordered, concurrent,
                                         same_instruction};
  return relations[order](s.isl(), s.relative_position(x, y));
}

// time_X . order . time_Y^-1
isl::map instances_in_order(const ProgramView& s, const BranchId& x, const isl::map& order,
                            const BranchId& y) {
  const unsigned levels = order.domain_tuple_dim();
  return s.leading(x, levels).apply_range(order).apply_range(s.leading(y, levels).reverse());
}

isl::map instances_ordered(const ProgramView& s, const BranchId& x, const int& order,
                           const BranchId& y) {
  return instances_in_order(s, x, s.ordered_times(x, Order(order), y), y);
}

}  // namespace

isl::map ProgramView::executions(const BranchId& branch) const {
  return derived("executions", executions_of, branch);
}

isl::map ProgramView::run(const isl::map& pairs, const BranchId& x, const BranchId& y) const {
  return pairs.intersect_domain(instances(x)).intersect_range(instances(y));
}

isl::map ProgramView::ordered_times(const BranchId& x, Order order, const BranchId& y) const {
  return derived("order", times_in_order, x, int(order), y);
}

// Restricts the pairs, not the times, to the instances: these are often unions, while times are
// often single functions.
isl::map ProgramView::pairs_ordered(const isl::map& pairs, const BranchId& x, Order order,
                                    const BranchId& y) const {
  if (ordered_times(x, order, y).is_empty()) return isl::map::empty(pairs.space());
  return run(pairs.intersect(derived("ordered", instances_ordered, x, int(order), y)), x, y);
}

isl::map ProgramView::pairs_ordered(const isl::map& pairs, const BranchId& x, const isl::map& order,
                                    const BranchId& y) const {
  if (order.is_empty()) return isl::map::empty(pairs.space());
  return run(pairs.intersect(instances_in_order(*this, x, order, y)), x, y);
}

isl::map ProgramView::all_ordered(const isl::map& pairs, const std::string& x, Order order,
                                  const std::string& y) const {
  isl::map result = isl::map::empty(pairs.space());
  for (const BranchId& a : of(x))
    for (const BranchId& b : of(y)) result = result.unite(pairs_ordered(pairs, a, order, b));
  return result;
}

bool is_atomic_update(const ProgramView& s, const Definition& update) {
  return !update.reduction && update.is_atomic && s.runs_once(update.name);
}

namespace {

isl::map derive_steps(const ProgramView& s, const std::string& name) {
  const Algorithm& algorithm = s.algorithm();
  const Definition& update = *algorithm.find(name);
  const isl::map defines = isl::map(update.defines).intersect_domain(update.domain);
  const isl::map same_element =
      defines.apply_range(defines.reverse()).intersect_params(algorithm.context);
  const Placed reference = branches_of(algorithm.reference, name).front();
  return pairs_ordered(same_element, reference, not_before(reference, reference), reference);
}

isl::map derive_same_result(const ProgramView& s, const std::string& name) {
  const Definition& reduction = *s.algorithm().find(name);
  const isl::map to_result = result_of(reduction).intersect_domain(reduction.domain);
  return to_result.apply_range(to_result.reverse())
      .subtract(isl::map(reduction.domain.identity()))
      .intersect_params(s.algorithm().context);
}

// Applies the rules of edges() for atomic updates; returns false if the edge is dropped.
bool with_commuting_steps(Edge& edge, const ProgramView& s) {
  const Definition& source = *s.algorithm().find(edge.source);
  const Definition& sink = *s.algorithm().find(edge.sink);
  if (is_atomic_update(s, source)) {
    if (edge.source == edge.sink) return false;
    edge.relation = steps_until(s, edge.source).reverse().apply_range(edge.relation);
  }
  if (source.array == sink.array && is_atomic_update(s, sink))
    edge.relation = edge.relation.apply_range(steps_until(s, edge.sink).reverse());
  return true;
}

std::vector<Edge> derive_edges(const ProgramView& s) {
  const Algorithm& algorithm = s.algorithm();
  std::vector<Edge> all;
  for (const Definition& d : algorithm.definitions) {
    for (const Read& read : d.reads)
      if (!algorithm.find_input(read.producer))
        all.push_back({read.producer, d.name, isl::map(read.relation).reverse(), read.may});
    if (d.reduction)
      all.push_back(
          {d.reduction->initial, d.name, result_of(d).intersect_domain(d.domain).reverse(), false});
  }
  for (Edge& edge : all) edge.relation = edge.relation.intersect_params(algorithm.context);
  std::erase_if(all, [&](Edge& edge) { return !with_commuting_steps(edge, s); });
  return all;
}

}  // namespace

isl::map steps_until(const ProgramView& s, const std::string& update) {
  return s.derived("steps until", derive_steps, update);
}

isl::map same_result(const ProgramView& s, const std::string& reduction) {
  return s.derived("same result", derive_same_result, reduction);
}

const std::vector<Edge>& edges(const ProgramView& s) { return s.derived("edges", derive_edges); }

}  // namespace strata
