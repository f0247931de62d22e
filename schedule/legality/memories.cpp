#include "schedule/legality/memories.h"

#include <isl/map.h>
#include <isl/space.h>

#include <vector>

#include "schedule/legality/stores.h"

namespace strata {

namespace {

// A definition that touches the buffer, and where: { S[i] -> b[e] }.
struct Access {
  std::string definition;
  isl::map place;
};

std::vector<Access> accesses(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  std::vector<Access> all;
  for (const Writer& w : stores.writers) all.push_back({w.definition->name, w.place});
  for (const Use& use : stores.uses) all.push_back({use.reader->name, use.read_place});
  return all;
}

// { S[i] -> [z, y, x] : thread (x, y, z) runs S[i] }; nothing if no branch counts.
using Threads = std::optional<isl::map>;

Threads derive_threads(const ProgramView& s, const std::string& definition, const int& finished) {
  Threads all;
  for (const BranchId& branch : s.of(definition)) {
    if (!finished && !s.is_in_threads(branch)) continue;
    const isl::map one = s.executions(branch)
                             .intersect_params(s.algorithm().context)
                             .apply_range(s.thread_ids(branch));
    all = all ? all->unite(one) : one;
  }
  return all;
}

const Threads& threads_of(const ProgramView& s, const std::string& definition, bool finished) {
  return s.derived("threads", derive_threads, definition, int(finished));
}

bool is_shared(const ProgramView& s, const std::vector<Access>& all, bool finished) {
  std::optional<isl::map> owners;
  for (const Access& access : all) {
    const Threads& threads = threads_of(s, access.definition, finished);
    if (!threads) continue;
    const isl::map one = access.place.reverse().apply_range(*threads);
    owners = owners ? owners->unite(one) : one;
  }
  return owners && !owners->is_single_valued();
}

// { [z, y, x] -> [z', y', x'] : they differ }
isl::map other_thread(const isl::map& threads) {
  const isl::space tuple = threads.range().space();
  const isl::map all = isl::manage(isl_map_universe(isl_space_map_from_set(tuple.copy())));
  return all.subtract(isl::manage(isl_map_identity(isl_space_map_from_set(tuple.copy()))));
}

isl::map pairs_of(const ProgramView& s, const Access& a, const Access& b, bool finished) {
  const Threads &from = threads_of(s, a.definition, finished),
                &to = threads_of(s, b.definition, finished);
  const isl::map same_place = a.place.apply_range(b.place.reverse());
  if (!from || !to) return isl::map::empty(same_place.space());
  return same_place.intersect(from->apply_range(other_thread(*from)).apply_range(to->reverse()));
}

}  // namespace

std::optional<Violation> find_two_threads(const ProgramView& s, const std::string& buffer,
                                          bool finished) {
  const std::vector<Access> all = accesses(s, buffer);
  if (!is_shared(s, all, finished)) return std::nullopt;
  for (const Access& a : all)
    for (const Access& b : all) {
      const isl::map pairs = pairs_of(s, a, b, finished);
      if (pairs.is_empty()) continue;
      return Violation{Code::E0309_several_threads,
                       pairs,
                       "two threads would touch the same element of " + buffer +
                           ", of which each thread has its own in local memory",
                       "put it in shared memory, or give each thread its own elements",
                       {"{0} touches it, and in another thread", "{1} touches it"},
                       s.theta(),
                       a.place};
    }
  return std::nullopt;
}

std::optional<Violation> find_constant_written(const ProgramView& s, const std::string& buffer) {
  const Stores& stores = stores_of(s, buffer);
  if (stores.writers.empty()) return std::nullopt;
  const Writer& w = stores.writers.front();
  return Violation{Code::E0306_malformed_layout,
                   isl::map(w.place.domain().identity()),
                   buffer + " is in constant memory, and would be written",
                   "store " + w.definition->array + " in a separate buffer",
                   {"{0} writes it"},
                   s.theta(),
                   w.place};
}

}  // namespace strata
