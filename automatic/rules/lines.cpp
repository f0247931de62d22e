// Rule "lines": recurrences along lines, in vectors of lines.
//
//   y[i, j] = f(y[i, j - 1], ..)     a vector holds the same place of several lines i
//     for blocks of lines: for j: for lanes of i: y        y is stored as [j, i]
//
// A computation that reads recurrences of its own line alone has the blocks, and they are computed
// in them.
#include "automatic/rules/lines.h"

#include <algorithm>
#include <map>

namespace strata::automatic {

namespace {

using Strings = std::vector<std::string>;
// The loop over lines of each computation of a place.
using LineOf = std::map<const Member*, std::size_t>;

bool is_recurrence(const Member& m) {
  return !m.is_sum() && m.has_known_reads() && !m.reads_of(m.array()).empty();
}

// In each step, does no instance read a result of another iteration of loop l?
bool runs_over_lines(const Member& m, std::size_t l) {
  const Strings iterators = numbered_iterators(m);
  Strings step_and_line(iterators.begin(), iterators.begin() + std::ptrdiff_t(m.shared));
  step_and_line.push_back(iterators[l]);
  return !is_carried_inside(m, times_at(m, step_and_line), m.shared);
}

// The index of the producer's array that is the line of the reader in all its reads.
std::optional<std::size_t> line_read(const Member& producer, const Member& reader,
                                     std::size_t line) {
  std::optional<std::size_t> found;
  for (const Access* read : reader.reads_of(producer.array())) {
    const auto d = read->known ? read->dimension_along(line) : std::nullopt;
    if (!d || (found && found != d) || read->at[*d] != reader.statement.write().at[line])
      return std::nullopt;
    found = d;
  }
  return found;
}

// The recurrences, among the free members, that the last one's blocks of lines can compute, and the
// last one itself; its loop over lines is "line".
LineOf lines_of(const Setting& setting, const std::vector<const Member*>& free, const Member& last,
                std::size_t line) {
  LineOf lines{{&last, line}};
  for (auto it = free.rbegin(); it != free.rend(); ++it) {
    const Member& m = **it;
    if (&m == &last || !is_recurrence(m) || !is_own_temporary(setting.facts, m)) continue;
    std::optional<std::size_t> own;
    bool fits = true;
    for (const std::string& name : m.readers) {
      const Member* reader = setting.facts.find(name);
      fits = fits && reader && lines.count(reader);
      if (!fits) break;
      const auto read = line_read(m, *reader, lines.at(reader));
      fits = read && (!own || own == read);
      own = read;
    }
    if (fits && own && runs_over_lines(m, *own)) lines[&m] = *own;
  }
  return lines;
}

bool may_be_last(const Member& m) {
  return !m.is_sum() && m.definition->element.empty() && m.results >= 2 &&
         (m.is_pure || is_recurrence(m));
}

// Is the last one, or a producer, a recurrence?
bool has_recurrence(const LineOf& lines, const Member& last) {
  return lines.size() > 1 || is_recurrence(last);
}

// The last one writes its lanes side by side, or is stored anew.
bool may_have_lanes(const Setting& setting, const Member& last, std::size_t line) {
  return !is_recurrence(last) ||
         (runs_over_lines(last, line) &&
          (last.statement.write().is_contiguous(line) || is_own_temporary(setting.facts, last)));
}

Place members_of(const LineOf& lines, const Place& in) {
  Place place;
  for (const Member* m : in)
    if (lines.count(m)) place.push_back(m);
  return place;
}

// Computes a recurrence in the blocks of the last one.
void write_producer(Draft& draft, const Facts& facts, const Member& m, std::size_t line,
                    const LoopRef& blocks, int lanes) {
  draft.give("compute_at", {m.name, blocks});
  const Strings all = draft.loops(m.name);
  const std::size_t outside = all.size() - m.results;
  draft.vectors_inside(m.name, outside, all[outside + line], lanes);
  store_with(draft, facts, m, line);
}

}  // namespace

std::optional<std::size_t> loop_over_lines(const Member& m) {
  if (!is_recurrence(m)) return std::nullopt;
  for (std::size_t l = m.shared; l < m.results; ++l)
    if (m.count(l) > 1 && runs_over_lines(m, l)) return l;
  return std::nullopt;
}

bool is_own_temporary(const Facts& facts, const Member& m) {
  return !m.is_output && m.definition->element.empty() &&
         std::all_of(facts.members.begin(), facts.members.end(), [&](const Member& other) {
           return &other == &m || other.array() != m.array();
         });
}

void store_with(Draft& draft, const Facts& facts, const Member& m, std::size_t innermost) {
  std::size_t folded = m.shared;
  for (const std::string& name : m.readers) {
    const Member* reader = facts.find(name);
    const bool is_near = reader && reader->statement.path.front() == m.statement.path.front();
    folded = is_near ? std::min({folded, reader->shared, shared_rows(m, *reader)}) : 0;
  }
  if (!m.reads_of(m.array()).empty()) folded = std::min(folded, shared_rows(m, m));
  if (folded == 0 && innermost + 1 == m.results) return;
  std::vector<CommandOperand> places{m.name, buffer_of(draft.program().layout, m.array())};
  for (std::size_t l = folded; l < m.results; ++l)
    if (l != innermost) places.push_back(variable(m.iterator(l)));
  places.push_back(variable(m.iterator(innermost)));
  draft.give("store_in", std::move(places));
}

void write_lines(Draft& draft, const Member& m, std::size_t line, int lanes) {
  const std::string blocks = draft.fresh(m.iterator(line) + "0");
  const std::string lane = draft.fresh(m.iterator(line) + "1");
  draft.give("split", {LoopRef{m.name, m.iterator(line)}, lanes, blocks, lane});
  Strings order{blocks};
  for (std::size_t l = m.shared; l < m.results; ++l)
    if (l != line) order.push_back(m.iterator(l));
  order.push_back(lane);
  draft.order(m.name, order);
  draft.give("vectorize", {LoopRef{m.name, lane}});
  draft.parallel.push_back({m.name, blocks});
}

std::vector<Place> lines_places(const Setting& setting, const std::vector<const Member*>& free) {
  std::vector<const Member*> left = free;
  std::vector<Place> places;
  for (auto it = free.rbegin(); it != free.rend(); ++it) {
    const Member& last = **it;
    if (std::find(left.begin(), left.end(), &last) == left.end() || !may_be_last(last)) continue;
    Place widest;
    for (std::size_t l = 0; l < last.results; ++l) {
      const LineOf lines = lines_of(setting, left, last, l);
      if (!has_recurrence(lines, last) || !may_have_lanes(setting, last, l)) continue;
      Place place = members_of(lines, left);
      if (place.back() == &last && place.size() > widest.size()) widest = std::move(place);
    }
    for (const Member* m : widest) std::erase(left, m);
    if (!widest.empty()) places.push_back(std::move(widest));
  }
  return places;
}

std::vector<Candidate> lines_candidates(const Setting& setting, const Place& place) {
  const Member& last = *place.back();
  const int native = setting.machine.lanes(last.definition->type);
  std::vector<Candidate> made;
  if (native < 2) return made;
  for (std::size_t l = 0; l < last.results; ++l) {
    const LineOf lines = lines_of(setting, place, last, l);
    if (lines.size() < place.size() || !may_have_lanes(setting, last, l)) continue;
    for (const int lanes : {native, 2 * native})
      made.push_back({"blocks of " + std::to_string(lanes) + " lines " + last.iterator(l),
                      [&setting, place, lines, l, lanes](Draft& draft) {
                        const Member& last = *place.back();
                        write_lines(draft, last, l, lanes);
                        const LoopRef blocks = draft.parallel.back();
                        for (std::size_t n = place.size() - 1; n-- > 0;)
                          write_producer(draft, setting.facts, *place[n], lines.at(place[n]),
                                         blocks, lanes);
                        if (is_recurrence(last) && !last.statement.write().is_contiguous(l))
                          store_with(draft, setting.facts, last, l);
                      }});
  }
  return made;
}

}  // namespace strata::automatic
