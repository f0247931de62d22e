#include "automatic/facts/members.h"

#include <fmt/ranges.h>
#include <isl/map.h>
#include <isl/set.h>

#include <algorithm>
#include <map>

#include "core/sets/relation_text.h"
#include "layers/flow/reads.h"

namespace strata::automatic {

namespace {

bool is_new_loop(const Loop& loop) {
  LoopHead plain;
  plain.name = loop.name;
  return static_cast<const LoopHead&>(loop) == plain;
}

// { S[i] -> [i] }
bool is_identity(const isl::map& time, std::size_t dimensions) {
  const auto function = function_at(time, Point(dimensions, 0), {});
  if (!function || function->dimensions.size() != dimensions) return false;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const QuasiAffine& f = function->dimensions[d];
    if (f.constant != 0 || f.denominator != 1 || !f.quotients.empty()) return false;
    for (std::size_t k = 0; k < dimensions; ++k)
      if (f.coefficients[k] != (k == d)) return false;
  }
  return true;
}

// Why the rules leave the computation alone; empty if they do not.
std::string reason_of(const Definition& d, const std::vector<Placed>& all,
                      const std::set<std::string>& leave) {
  if (leave.count(d.name)) return "left alone, as asked";
  if (all.size() != 1) return all.empty() ? "not scheduled" : "in several pieces";
  if (!d.value.defined()) return "not defined yet";
  const Placed& placed = all.front();
  if (placed.loops.size() != d.iterators.size()) return "scheduled already";
  for (std::size_t l = 0; l < placed.loops.size(); ++l) {
    if (!is_new_loop(*placed.loops[l]) || placed.loops[l]->name != d.iterators[l])
      return "scheduled already";
  }
  if (!is_identity(placed.branch->time, placed.loops.size())) return "scheduled already";
  return d.others.empty() ? "" : "its values are tuples";
}

std::size_t results_of(const Definition& d) {
  return d.reduction ? std::size_t(d.reduction->results) : d.iterators.size();
}

bool is_pure(const Algorithm& algorithm, const Definition& d) {
  const auto all = algorithm.definitions_of(d.array);
  const auto own =
      std::count_if(all.begin(), all.end(), [](const Definition* one) { return !one->is_initial; });
  return own == 1 && d.element.empty() && !reads_array(d, d.array);
}

std::vector<std::string> readers_of(const Algorithm& algorithm, const Definition& d) {
  std::vector<std::string> readers;
  for (const Definition& other : algorithm.definitions)
    if (!other.is_initial && other.name != d.name && reads_array(other, d.array))
      readers.push_back(other.name);
  return readers;
}

}  // namespace

std::vector<const Access*> Member::reads() const {
  std::vector<const Access*> found;
  for (const Access& access : statement.accesses)
    if (!access.write) found.push_back(&access);
  return found;
}

std::vector<const Access*> Member::reads_of(const std::string& array) const {
  std::vector<const Access*> found;
  for (const Access* access : reads())
    if (access->array == array) found.push_back(access);
  return found;
}

bool Member::gathers_along(std::size_t loop) const {
  const auto all = reads();
  return !std::all_of(all.begin(), all.end(), [&](const Access* access) {
    return access->is_contiguous(loop) || access->is_invariant(loop);
  });
}

bool Member::has_known_reads() const {
  const auto all = reads();
  return std::all_of(all.begin(), all.end(), [](const Access* access) { return access->known; });
}

const Member* Facts::find(const std::string& name) const {
  for (const Member& m : members)
    if (m.name == name) return &m;
  return nullptr;
}

std::vector<const Member*> Facts::without(const std::set<std::string>& taken) const {
  std::vector<const Member*> found;
  for (const Member& m : members)
    if (!taken.count(m.name) && !m.shares_loops()) found.push_back(&m);
  return found;
}

std::vector<const Member*> Facts::sharing_loops() const {
  std::vector<const Member*> found;
  for (const Member& m : members)
    if (m.shares_loops()) found.push_back(&m);
  return found;
}

Facts facts_of(const Program& program, const Values& sizes, const std::set<std::string>& leave,
               const std::set<std::string>& arguments) {
  const Algorithm& algorithm = *program.algorithm;
  Facts facts{sizes, {}, {}};
  for (const Definition& d : algorithm.definitions) {
    if (d.is_initial) continue;
    const auto all = branches_of(program.mapping, d.name);
    std::string reason = reason_of(d, all, leave);
    std::optional<Statement> statement;
    if (reason.empty()) {
      statement = statement_of(program, all.front(), sizes, Touching::elements);
      if (!statement) reason = "a loop has no bounds, or no iterations, for these sizes";
    }
    if (!reason.empty()) {
      facts.others.push_back({d.name, reason});
      continue;
    }
    Member member{d.name, &d, std::move(*statement), results_of(d), is_pure(algorithm, d)};
    const auto& loops = all.front().loops;
    for (std::size_t l = 0; l < loops.size(); ++l)
      if (loops[l]->body.size() != 1) member.shared = l + 1;
    member.readers = readers_of(algorithm, d);
    member.is_output = member.readers.empty() || is_output(program.layout, algorithm, d.array) ||
                       arguments.count(buffer_of(program.layout, d.array));
    facts.members.push_back(std::move(member));
  }
  return facts;
}

bool is_pointwise(const Member& producer, const Member& reader) {
  const auto reads = reader.reads_of(producer.array());
  if (reads.size() != 1 || !reads[0]->known) return false;
  const Access& read = *reads[0];
  if (read.at.size() > reader.statement.loops.size()) return false;
  for (std::size_t l = 0; l < read.along.size(); ++l)
    for (std::size_t d = 0; d < read.at.size(); ++d)
      if (read.along[l][d] != (l == d && reader.count(l) > 1)) return false;
  // The constants: where C writes the element e, it reads P at e.
  const Point& written = reader.statement.write().at;
  return written.size() >= read.at.size() &&
         std::equal(read.at.begin(), read.at.end(), written.begin());
}

std::size_t shared_rows(const Member& producer, const Member& reader) {
  const Point& written = reader.statement.write().at;
  std::size_t least = std::min(reader.results, written.size());
  for (const Access* read : reader.reads_of(producer.array())) {
    const auto is_shared = [&](std::size_t d) {
      for (std::size_t l = 0; l < read->along.size(); ++l)
        if (read->along[l][d] != (l == d && reader.count(l) > 1)) return false;
      return read->at[d] == written[d];
    };
    std::size_t shared = 0;
    const std::size_t most = read->known ? std::min(least, read->at.size()) : 0;
    while (shared < most && is_shared(shared)) ++shared;
    least = shared;
  }
  return least;
}

namespace {

// c if the member reads the array at  j mod c,  j its iterator; 0 otherwise.
std::int64_t panel_in(const Member& member, const std::string& array, std::size_t column) {
  std::int64_t panel = 0;
  const auto is_panel = [&](const Expr& index) {
    return index.op() == Op::mod && index.args()[0].op() == Op::variable &&
           index.args()[0].name() == member.iterator(column) &&
           index.args()[1].op() == Op::constant;
  };
  for_each_expression(*member.definition, [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (e.op() != Op::access || e.name() != array) return;
      for (const Expr& index : e.args())
        if (is_panel(index)) panel = index.args()[1].node().integer;
    });
  });
  return panel;
}

}  // namespace

std::optional<ProductFacts> product_of(const Member& member) {
  const auto reads = member.reads();
  if (!member.is_sum() || !member.is_pure || reads.size() != 2 || !member.has_known_reads() ||
      member.results < 2)
    return std::nullopt;
  if (!member.statement.write().is_contiguous(member.results - 1)) return std::nullopt;
  for (const auto& [by_row, by_column] :
       {std::pair(reads[0], reads[1]), std::pair(reads[1], reads[0])}) {
    std::optional<std::size_t> row, column;
    for (std::size_t l = 0; l < member.results; ++l) {
      if (!by_row->is_invariant(l) && by_column->is_invariant(l)) row = l;
      if (by_row->is_invariant(l) && !by_column->is_invariant(l)) column = l;
    }
    for (std::size_t l = 0; column && l < *column && !row; ++l)
      if (member.count(l) == 1) row = l;
    if (row && column && *column + 1 == member.results)
      return ProductFacts{*row, *column, by_row, by_column,
                          panel_in(member, by_column->array, *column)};
  }
  return std::nullopt;
}

std::vector<std::string> numbered_iterators(const Member& member) {
  std::vector<std::string> names;
  for (std::size_t l = 0; l < member.definition->iterators.size(); ++l)
    names.push_back("i" + std::to_string(l));
  return names;
}

isl::map times_at(const Member& member, const std::vector<std::string>& range) {
  return isl::map(member.definition->domain.ctx(),
                  fmt::format("{{ {}[{}] -> [{}] }}", member.name,
                              fmt::join(numbered_iterators(member), ", "), fmt::join(range, ", ")));
}

std::string condition_text(const Member& member, const isl::set& instances) {
  isl_set* named = instances.copy();
  for (unsigned l = 0; l < member.definition->iterators.size(); ++l)
    named = isl_set_set_dim_name(named, isl_dim_set, l, member.iterator(l).c_str());
  const std::string text = canonical_text(isl::manage(named));
  const std::size_t first = text.find(" : "), last = text.rfind(" }");
  return first == std::string::npos ? "" : text.substr(first, last - first);
}

bool is_carried_inside(const Member& member, const isl::map& times, std::size_t first) {
  for (const Read& read : member.definition->reads) {
    if (read.producer != member.name) continue;
    isl_map* pairs = isl::map(read.relation).reverse().apply_domain(times).release();
    isl_set* distances = isl_map_deltas(isl_map_apply_range(pairs, times.copy()));
    for (unsigned q = 0; q < first; ++q) distances = isl_set_fix_si(distances, isl_dim_set, q, 0);
    const isl::set apart = isl::manage(distances);
    for (unsigned q = unsigned(first); q < times.range_tuple_dim(); ++q) {
      const isl::set after = isl::manage(isl_set_lower_bound_si(apart.copy(), isl_dim_set, q, 1));
      const isl::set before = isl::manage(isl_set_upper_bound_si(apart.copy(), isl_dim_set, q, -1));
      if (!after.is_empty() || !before.is_empty()) return true;
    }
  }
  return false;
}

std::vector<std::vector<const Member*>> by_nest(const std::vector<const Member*>& members) {
  std::map<int, std::vector<const Member*>> nests;
  for (const Member* m : members) nests[m->statement.path.front()].push_back(m);
  std::vector<std::vector<const Member*>> all;
  for (auto& [root, nest] : nests) all.push_back(std::move(nest));
  return all;
}

std::vector<std::vector<const Member*>> connected(const std::vector<const Member*>& members) {
  std::vector<std::vector<const Member*>> sets;
  for (const Member* m : members) {
    std::vector<const Member*> joined;
    const auto reads_one = [&](const std::vector<const Member*>& set) {
      return std::any_of(set.begin(), set.end(), [&](const Member* other) {
        return !m->reads_of(other->array()).empty() || other->array() == m->array();
      });
    };
    std::vector<std::vector<const Member*>> apart;
    for (auto& set : sets) {
      if (reads_one(set))
        joined.insert(joined.end(), set.begin(), set.end());
      else
        apart.push_back(std::move(set));
    }
    joined.push_back(m);
    std::sort(joined.begin(), joined.end(),
              [&](const Member* a, const Member* b) { return a < b; });
    apart.push_back(std::move(joined));
    sets = std::move(apart);
  }
  std::sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a[0] < b[0]; });
  return sets;
}

}  // namespace strata::automatic
