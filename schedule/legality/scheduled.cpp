#include "schedule/legality/scheduled.h"

#include <isl/map.h>

#include <algorithm>

#include "core/sets/announced_work.h"
#include "schedule/legality/told.h"

namespace strata {

struct Scheduled::Whole {
  explicit Whole(const Program& program, const Scheduled& view)
      : told(program), record(program.algorithm, program.proved,
                              [this](const Fact& fact) { return told.value(fact, of(fact.scope)); }),
        top(view) {}

  const Scheduled& of(const Scope& scope) {
    if (scope.buffer.empty()) return top;
    auto& known = scopes[scope];
    if (!known) known.reset(new Scheduled(this, scope));
    return *known;
  }

  Told told;
  Record record;
  const Scheduled& top;
  std::map<Scope, std::unique_ptr<const Scheduled>> scopes;
};

Scheduled::Scheduled(const Program& program)
    : owned_(std::make_unique<Whole>(program, *this)), whole_(owned_.get()) {
  whole_->told.give_automatic_places(
      [this](const std::string& definition) { return runs_once(definition); });
}

Scheduled::Scheduled(Whole* whole, Scope scope) : whole_(whole), scope_(std::move(scope)) {}

Scheduled::~Scheduled() = default;

Record& Scheduled::record() const { return whole_->record; }

const FactValue& Scheduled::read(const Fact& fact) const { return record().read(fact); }

const Scheduled& Scheduled::inside(const std::string& buffer, int number) const {
  return whole_->of({buffer, number, false});
}

const Scheduled& Scheduled::in_one_tile(const std::string& buffer, int number) const {
  return whole_->of({buffer, number, true});
}

const Algorithm& Scheduled::algorithm() const { return whole_->told.algorithm(); }
isl::ctx Scheduled::isl() const { return whole_->told.isl(); }

std::vector<Run> Scheduled::of(const std::string& definition) const {
  std::vector<Run> runs;
  const int count = read_as<int>({Fact::Of::branches, scope_, definition});
  for (int number = 0; number < count; ++number) runs.push_back({definition, number});
  return runs;
}

const isl::map& Scheduled::time(const Run& run) const {
  return read_as<isl::map>({Fact::Of::time, scope_, run.definition, run.number});
}

const isl::set& Scheduled::instances(const Run& run) const {
  return read_as<isl::set>({Fact::Of::instances, scope_, run.definition, run.number});
}

const isl::set& Scheduled::executed(const Run& run) const {
  return read_as<isl::set>({Fact::Of::executed, scope_, run.definition, run.number});
}

const isl::map& Scheduled::leading(const Run& run, unsigned levels) const {
  return read_as<isl::map>(
      {Fact::Of::leading, scope_, run.definition, run.number, "", int(levels)});
}

const Standing& Scheduled::standing(const Run& a, const Run& b) const {
  return read_as<Standing>(
      {Fact::Of::standing, scope_, a.definition, a.number, b.definition, b.number});
}

bool Scheduled::runs_once(const std::string& definition) const {
  return read_as<bool>({Fact::Of::runs_once, scope_, definition});
}

std::vector<std::string> Scheduled::buffers() const {
  return read_as<std::vector<std::string>>({Fact::Of::buffers});
}

const std::string& Scheduled::buffer_of(const std::string& array) const {
  return read_as<std::string>({Fact::Of::buffer, {}, array});
}

const std::vector<std::string>& Scheduled::arrays_in(const std::string& buffer) const {
  return read_as<std::vector<std::string>>({Fact::Of::arrays, {}, buffer});
}

const isl::map& Scheduled::place(const std::string& array) const {
  return read_as<isl::map>({Fact::Of::place, {}, array});
}

std::optional<isl::set> Scheduled::box(const std::string& buffer) const {
  const auto* box = std::get_if<isl::set>(&read({Fact::Of::box, {}, buffer}));
  return box ? std::optional(*box) : std::nullopt;
}

bool Scheduled::is_kept(const std::string& buffer) const {
  return read_as<bool>({Fact::Of::kept, {}, buffer});
}

int Scheduled::allocating_loops(const std::string& buffer) const {
  return read_as<int>({Fact::Of::allocating, {}, buffer});
}

bool Scheduled::stands_in(const Run& run, const std::string& buffer) const {
  return read_as<int>({Fact::Of::allocation, {}, run.definition, run.number, buffer}) >= 0;
}

const std::vector<LoopAt>& Scheduled::tagged_loops() const {
  return read_as<std::vector<LoopAt>>({Fact::Of::tagged});
}

const std::vector<Run>& Scheduled::owners(const LoopAt& loop) const {
  return read_as<std::vector<Run>>(
      {Fact::Of::owners, {}, loop.run.definition, loop.run.number, "", loop.level});
}

isl::union_map Scheduled::theta() const {
  read({Fact::Of::everything});
  return whole_->told.theta(scope_);
}

const Loop& Scheduled::loop(const LoopAt& loop) const {
  read({Fact::Of::everything});
  return whole_->told.loop(loop);
}

namespace {

isl::map executions_of(const Scheduled& s, const Run& run) {
  return executions(Branch{run.definition, TimeMap::from(s.time(run)),
                           InstanceSet::from(s.instances(run))});
}

using Relate = isl::map (*)(isl::ctx, const Standing&);

isl::map times_in_order(const Scheduled& s, const Run& x, const int& order, const Run& y) {
  static constexpr Relate relations[] = {not_before, not_before_other, unordered, concurrent,
                                         same_instruction};
  return relations[order](s.isl(), s.standing(x, y));
}

// time_X . order . time_Y^-1
isl::map instances_in_order(const Scheduled& s, const Run& x, const isl::map& order, const Run& y) {
  const unsigned levels = order.domain_tuple_dim();
  return composed(s.leading(x, levels), order, s.leading(y, levels).reverse());
}

isl::map instances_ordered(const Scheduled& s, const Run& x, const int& order, const Run& y) {
  return instances_in_order(s, x, s.ordered_times(x, Order(order), y), y);
}

}  // namespace

isl::map Scheduled::executions(const Run& run) const {
  return derived("executions", executions_of, run);
}

isl::map Scheduled::run(const isl::map& pairs, const Run& x, const Run& y) const {
  return pairs.intersect_domain(instances(x)).intersect_range(instances(y));
}

isl::map Scheduled::ordered_times(const Run& x, Order order, const Run& y) const {
  return derived("order", times_in_order, x, int(order), y);
}

// Restricts the pairs, not the times, to the instances: these are often unions, while times are
// often single functions.
isl::map Scheduled::pairs_ordered(const isl::map& pairs, const Run& x, Order order,
                                  const Run& y) const {
  if (ordered_times(x, order, y).is_empty()) return isl::map::empty(pairs.space());
  return run(pairs.intersect(derived("ordered", instances_ordered, x, int(order), y)), x, y);
}

isl::map Scheduled::pairs_ordered(const isl::map& pairs, const Run& x, const isl::map& order,
                                  const Run& y) const {
  if (order.is_empty()) return isl::map::empty(pairs.space());
  return run(pairs.intersect(instances_in_order(*this, x, order, y)), x, y);
}

isl::map Scheduled::all_ordered(const isl::map& pairs, const std::string& x, Order order,
                                const std::string& y) const {
  isl::map result = isl::map::empty(pairs.space());
  for (const Run& a : of(x))
    for (const Run& b : of(y)) result = result.unite(pairs_ordered(pairs, a, order, b));
  return result;
}

bool is_atomic_update(const Scheduled& s, const Definition& update) {
  return !update.reduction && update.is_atomic && s.runs_once(update.name);
}

namespace {

isl::map derive_steps(const Scheduled& s, const std::string& name) {
  const Algorithm& algorithm = s.algorithm();
  const Definition& update = *algorithm.find(name);
  const isl::map defines = isl::map(update.defines).intersect_domain(update.domain);
  const isl::map same_element =
      defines.apply_range(defines.reverse()).intersect_params(algorithm.context);
  const Placed reference = branches_of(algorithm.reference, name).front();
  return pairs_ordered(same_element, reference, not_before(reference, reference), reference);
}

isl::map derive_same_result(const Scheduled& s, const std::string& name) {
  const Definition& reduction = *s.algorithm().find(name);
  const isl::map to_result = result_of(reduction).intersect_domain(reduction.domain);
  return to_result.apply_range(to_result.reverse())
      .subtract(isl::map(reduction.domain.identity()))
      .intersect_params(s.algorithm().context);
}

// Applies the rules of edges() for atomic updates; returns false if the edge is dropped.
bool with_commuting_steps(Edge& edge, const Scheduled& s) {
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

std::vector<Edge> derive_edges(const Scheduled& s) {
  const Algorithm& algorithm = s.algorithm();
  std::vector<Edge> all;
  for (const Definition& d : algorithm.definitions) {
    for (const Read& read : d.reads)
      if (!algorithm.find_input(read.producer))
        all.push_back({read.producer, d.name, isl::map(read.relation).reverse(), read.may});
    if (d.reduction)
      all.push_back({d.reduction->initial, d.name,
                     result_of(d).intersect_domain(d.domain).reverse(), false});
  }
  for (Edge& edge : all) edge.relation = edge.relation.intersect_params(algorithm.context);
  std::erase_if(all, [&](Edge& edge) { return !with_commuting_steps(edge, s); });
  return all;
}

}  // namespace

isl::map steps_until(const Scheduled& s, const std::string& update) {
  return s.derived("steps until", derive_steps, update);
}

isl::map same_result(const Scheduled& s, const std::string& reduction) {
  return s.derived("same result", derive_same_result, reduction);
}

const std::vector<Edge>& edges(const Scheduled& s) { return s.derived("edges", derive_edges); }

}  // namespace strata
