#include "reference/shadow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "reference/atomic_steps.h"
#include "reference/initial_values.h"
#include "reference/lane_order.h"
#include "reference/threads.h"
#include "reference/time_order.h"
#include "reference/values.h"

namespace strata::reference {

namespace {

constexpr std::size_t most_violations = 50;
constexpr std::size_t most_subsets = 32;

// The content of a place: empty at first; no value after a contribution to another result.
struct Content {
  std::optional<std::size_t> value;
  Steps contributions;
  Steps steps;  // atomic updates since then
};

class Oracle {
 public:
  Oracle(const Program& program, const Parameters& parameters, const OracleOptions& options)
      : program_(program),
        algorithm_(*program.algorithm),
        options_(options),
        mapping_(with_initial_values(program)),
        all_(executions(mapping_, algorithm_, parameters)),
        table_(program, parameters, options.storage),
        allocated_(allocated_buffers(mapping_)),
        steps_(program, all_, table_) {}

  std::vector<Violation> run() {
    check_executions();
    if (!found_.empty()) return found_;
    note_touches();
    check_races();
    check_memories();
    for (const auto& loops : subsets(vector_loops(all_))) execute_in(lockstep_of(loops));
    for (int n = 1; n <= options_.mixed_orders; ++n)
      if (!vector_loops(all_).empty()) execute_in(mixed(std::uint64_t(n)));
    check_outputs_run();
    return found_;
  }

 private:
  const Definition& definition(std::size_t n) const {
    return algorithm_.definitions[all_[n].definition];
  }
  const std::vector<std::size_t>& values_made_by(std::size_t n) const {
    return table_.values_of(all_[n].definition, all_[n].instance);
  }
  const std::vector<std::size_t>& values_read_by(std::size_t n) const {
    return table_.reads_of(all_[n].definition, all_[n].instance);
  }
  bool is_step(std::size_t n) const { return steps_.has(all_[n].definition); }

  // The place where execution n finds or stores the value.
  std::optional<std::size_t> place_for(std::size_t n, std::size_t value) {
    const auto& element = table_.values()[value].place;
    if (!element) return std::nullopt;
    const std::string& buffer = table_.places()[*element].buffer;
    const std::size_t depth = allocation_depth(all_[n], buffer);
    if (depth == 0 && allocated_.count(buffer) != 0) find(Fault::out_of_scope, {n}, value);
    const Scheduled& s = all_[n];
    return place_of(*element, {s.path.begin(), s.path.begin() + std::ptrdiff_t(depth)},
                    {s.iterators.begin(), s.iterators.begin() + std::ptrdiff_t(depth)});
  }
  // The number of a buffer element's place; a buffer allocated in a loop has one per iteration.
  std::size_t place_of(std::size_t element, const std::vector<int>& loop, const Point& iteration) {
    const auto [found, is_new] =
        numbers_.emplace(std::tuple{element, loop, iteration}, elements_.size());
    if (is_new) elements_.push_back(element);
    return found->second;
  }

  void find(Fault fault, const std::vector<std::size_t>& executions,
            std::optional<std::size_t> value = {}, std::optional<std::size_t> place = {}) {
    Violation v{fault,
                {},
                value ? table_.values()[*value].text : "",
                place ? table_.places()[elements_[*place]].text : ""};
    for (std::size_t n : executions)
      v.executions.push_back(reference::to_string(algorithm_, all_[n]));
    const std::string text = reference::to_string(v);
    if (found_.size() < most_violations && told_.insert(text).second) found_.push_back(v);
  }

  // The loops whose lanes go innermost: all subsets of the first five, and the set of all loops.
  static std::vector<std::set<std::vector<int>>> subsets(const std::set<std::vector<int>>& loops) {
    std::vector<std::set<std::vector<int>>> all{{}};
    for (const std::vector<int>& loop : loops) {
      const std::size_t count = all.size();
      if (count >= most_subsets) break;
      for (std::size_t n = 0; n < count; ++n) {
        all.push_back(all[n]);
        all.back().insert(loop);
      }
    }
    if (all.back() != loops) all.push_back(loops);
    return all;
  }

  // ---- the set of executions ----

  void check_executions() {
    std::map<Point, std::size_t> at;
    for (std::size_t n = 0; n < all_.size(); ++n) {
      const auto [other, is_new] = at.emplace(all_[n].time(), n);
      if (!is_new) find(Fault::same_time, {other->second, n});
      if (!table_.exists(all_[n].definition, all_[n].instance)) find(Fault::unknown_instance, {n});
    }
  }

  void check_outputs_run() {
    std::set<std::pair<std::size_t, Point>> scheduled;
    for (const Scheduled& s : all_) scheduled.emplace(s.definition, s.instance);
    const std::set<std::string> outputs = output_arrays();
    for (std::size_t d = 0; d < algorithm_.definitions.size(); ++d)
      for (const Point& instance : table_.instances_of(d))
        if (outputs.count(algorithm_.definitions[d].array) != 0 &&
            scheduled.count({d, instance}) == 0)
          find(Fault::not_scheduled, {}, table_.values_of(d, instance).front());
  }

  std::set<std::string> output_arrays() const {
    std::set<std::string> outputs = options_.outputs;
    if (!options_.storage) return outputs;
    for (const auto& [array, relation] : program_.layout.store) {
      const auto* buffer =
          program_.layout.find(isl_map_get_tuple_name(relation.get(), isl_dim_out));
      if (buffer != nullptr && buffer->role != BufferRole::temporary) outputs.insert(array);
    }
    return outputs;
  }

  // ---- parallel loops: no order is tried, the executions must not conflict ----

  struct Touch {
    std::size_t execution;
    bool writes;
    bool adds;  // a step touches the value that it adds to
  };

  void note_touches() {
    for (std::size_t n = 0; n < all_.size(); ++n) {
      for (std::size_t value : values_made_by(n))
        if (const auto place = place_for(n, value))
          touches_[*place].push_back({n, true, is_step(n)});
      for (std::size_t value : values_read_by(n))
        if (const auto from = place_for(n, value))
          touches_[*from].push_back({n, false, is_added_to(n, value)});
    }
  }

  void check_races() {
    for (const auto& [place, all] : touches_)
      for (std::size_t b = 0; b < all.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) {
          const Touch &x = all[a], &y = all[b];
          if ((x.writes || y.writes) && concurrent(all_[x.execution], all_[y.execution]) &&
              !both_atomic(x, y))
            find(Fault::race, {x.execution, y.execution}, {}, place);
        }
  }

  // ---- memories of a GPU ----

  Memory memory_of(std::size_t place) const {
    const auto* buffer = program_.layout.find(table_.places()[elements_[place]].buffer);
    return buffer ? buffer->memory : Memory::automatic;
  }

  void check_memories() {
    const Threads threads(all_);
    for (const auto& [place, all] : touches_) {
      const Memory memory = memory_of(place);
      const bool allocated = allocated_.count(table_.places()[elements_[place]].buffer) != 0;
      if (memory == Memory::local && allocated) check_owner(place, all, threads);
      for (const Touch& touch : all)
        if (memory == Memory::constant && touch.writes)
          find(Fault::constant_written, {touch.execution}, {}, place);
    }
  }

  void check_owner(std::size_t place, const std::vector<Touch>& all, const Threads& threads) {
    for (std::size_t b = 0; b < all.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        const auto x = threads.of(all_[all[a].execution]), y = threads.of(all_[all[b].execution]);
        if (x && y && (options_.surely_threads ? surely_differ(*x, *y) : may_differ(*x, *y)))
          find(Fault::several_threads, {all[a].execution, all[b].execution}, {}, place);
      }
  }

  // Are these two atomic contributions to one result, or two atomic steps of one update?
  bool both_atomic(const Touch& x, const Touch& y) const {
    const Definition& d = definition(x.execution);
    if (x.adds && y.adds && &d == &definition(y.execution)) return true;
    return x.writes && y.writes && d.reduction && d.is_atomic &&
           values_made_by(x.execution) == values_made_by(y.execution) &&
           &d == &definition(y.execution);
  }

  // ---- one sequential order over the shadow memory ----

  void execute_in(const LaneChoice& choice) {
    memory_.clear();
    were_there_.clear();
    past_.assign(table_.values().size(), {});
    for (std::size_t value = 0; value < table_.values().size(); ++value)
      if (const auto place = table_.values()[value].place; place && table_.values()[value].is_input)
        memory_[place_of(*place, {}, {})].value = value;
    for (const Instruction& instruction : instructions(all_, choice)) execute(instruction);
    check_outputs();
  }

  void execute(const Instruction& instruction) {
    std::vector<std::pair<std::size_t, Content>> writes;
    std::vector<std::size_t> by;  // the execution of each write
    for (std::size_t n : instruction) {
      for (std::size_t value : values_read_by(n)) check_read(n, value);
      for (std::size_t value : values_made_by(n)) {
        const auto place = place_for(n, value);
        if (!place) continue;
        if (table_.places()[elements_[*place]].outside)
          find(Fault::out_of_bounds, {n}, value, *place);
        if (definition(n).reduction && memory_[*place].value != value)
          find(Fault::contribution_lost, {n}, value, *place);
        writes.emplace_back(*place, written_by(n, value, *place));
        by.push_back(n);
      }
    }
    std::map<std::size_t, std::size_t> writers;
    for (std::size_t lane = 0; lane < writes.size(); ++lane) {
      const auto& [place, content] = writes[lane];
      const auto [other, is_first] = writers.emplace(place, lane);
      if (!is_first) find(Fault::lanes_collide, {by[other->second], by[lane]}, {}, place);
      memory_[place] = content;
      if (content.value) were_there_.emplace(place, *content.value);
    }
    for (std::size_t n : instruction)
      for (std::size_t value : values_made_by(n)) past_[value].push_back(n);
  }

  // A contribution adds itself to the result that it finds; a broken result is no longer a value.
  Content written_by(std::size_t n, std::size_t value, std::size_t place) {
    if (is_step(n)) {
      Content content = memory_[place];
      content.steps.emplace(all_[n].definition, all_[n].instance);
      return content;
    }
    if (!definition(n).reduction) return {value, {}, {}};
    if (memory_[place].value != value) return {};
    Content content = memory_[place];
    content.contributions.emplace(all_[n].definition, all_[n].instance);
    return content;
  }

  bool is_whole(const Content& content, std::size_t value) {
    const Accumulated& wanted = steps_.accumulated(value);
    return content.steps == wanted.steps && is_complete(content, wanted.value);
  }

  // Does the place hold the value that the reader adds to, with all earlier steps of other
  // definitions and no others?  Steps of the reader's own definition do not matter.
  bool is_begun(const Content& content, std::size_t reader, std::size_t value) {
    const std::size_t own = all_[reader].definition;
    const Accumulated& wanted = steps_.accumulated(steps_.before(value, own));
    return without(content.steps, own) == without(wanted.steps, own) &&
           is_complete(content, wanted.value);
  }

  // Does the place hold the value with all its contributions?  Steps of updates do not matter.
  bool is_complete(const Content& content, std::size_t value) const {
    if (content.value != value) return false;
    const auto& all = content.contributions;
    return all.size() == table_.values()[value].contributions &&
           std::set(all.begin(), all.end()).size() == all.size();
  }

  void check_read(std::size_t reader, std::size_t value) {
    const auto& before = past_[value];
    if (const auto place = place_for(reader, value)) {
      const std::size_t began = steps_.accumulated(value).value;
      if (is_whole(memory_[*place], value)) return;
      if (is_added_to(reader, value) && is_begun(memory_[*place], reader, value)) return;
      const bool was_there =
          were_there_.count({*place, began}) != 0 || table_.values()[began].is_input;
      const bool unfinished = memory_[*place].value == began && !has_foreign_steps(*place, value);
      find(was_there && !unfinished ? Fault::value_overwritten : Fault::value_missing, {reader},
           value, *place);
      return;
    }
    const bool made = std::any_of(before.begin(), before.end(), [&](std::size_t writer) {
      return !concurrent(all_[writer], all_[reader]);
    });
    if (!made && !table_.values()[value].is_input) find(Fault::value_missing, {reader}, value);
  }

  // Is the reader a step that only adds to the value?
  bool is_added_to(std::size_t reader, std::size_t value) const {
    if (!is_step(reader)) return false;
    for (const std::size_t made : values_made_by(reader))
      if (table_.same_element(made, value)) return true;
    return false;
  }

  bool has_foreign_steps(std::size_t place, std::size_t value) {
    const auto &here = memory_[place].steps, &wanted = steps_.accumulated(value).steps;
    return !std::includes(wanted.begin(), wanted.end(), here.begin(), here.end());
  }

  void check_outputs() {
    for (std::size_t element = 0; element < table_.places().size(); ++element) {
      const auto& last = table_.last_in_place()[element];
      if (!table_.places()[element].in_output || !last) continue;
      const std::size_t place = place_of(element, {}, {});
      if (!is_whole(memory_[place], *last)) find(Fault::output_lost, {}, *last, place);
    }
  }

  const Program& program_;
  const Algorithm& algorithm_;
  const OracleOptions& options_;
  const Mapping mapping_;
  const std::vector<Scheduled> all_;
  const ValueTable table_;
  const std::set<std::string> allocated_;
  AtomicSteps steps_;
  // Places, numbered in the order in which they are met, and the element of each.
  std::map<std::tuple<std::size_t, std::vector<int>, Point>, std::size_t> numbers_;
  std::vector<std::size_t> elements_;
  std::map<std::size_t, std::vector<Touch>> touches_;  // by place
  std::map<std::size_t, Content> memory_;
  std::set<std::pair<std::size_t, std::size_t>> were_there_;  // place, value: in this order so far
  std::vector<std::vector<std::size_t>> past_;                // by value: the executions so far
  std::vector<Violation> found_;
  std::set<std::string> told_;
};

}  // namespace

std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::unknown_instance: return "no instance";
    case Fault::same_time: return "same time";
    case Fault::not_scheduled: return "not scheduled";
    case Fault::value_missing: return "value missing";
    case Fault::value_overwritten: return "value overwritten";
    case Fault::contribution_lost: return "contribution lost";
    case Fault::race: return "race";
    case Fault::out_of_bounds: return "out of bounds";
    case Fault::out_of_scope: return "out of scope";
    case Fault::lanes_collide: return "lanes collide";
    case Fault::output_lost: return "output lost";
    case Fault::several_threads: return "several threads";
    default: return "constant written";
  }
}

std::string to_string(const Violation& v) {
  return fmt::format("{}: {}{}{}", to_string(v.fault), fmt::join(v.executions, "; "),
                     v.value.empty() ? "" : " of value " + v.value,
                     v.place.empty() ? "" : " in " + v.place);
}

std::vector<Violation> judge_schedule(const Program& program, const Parameters& parameters,
                                      const OracleOptions& options) {
  return Oracle(program, parameters, options).run();
}

}  // namespace strata::reference
