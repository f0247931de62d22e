#include "automatic/inlining.h"

#include <algorithm>
#include <limits>
#include <map>

#include "automatic/model/operations_of.h"

namespace strata::automatic {

namespace {

constexpr double most_added = 2;
// No expression gets more operations than this.
constexpr double most_operations = 60;
constexpr double unknown = std::numeric_limits<double>::infinity();

bool can_be_inlined(const Member& m) {
  return m.is_pure && !m.is_sum() && !m.is_output && !m.shares_loops;
}

// How often the reader reads an element of the array: at different indices, and again along each
// loop that changes no index.
double reads_by(const Member& reader, const std::string& array) {
  std::vector<const Access*> different;
  for (const Access* access : reader.reads_of(array)) {
    if (!access->known) return unknown;
    const auto is_same = [&](const Access* other) {
      return other->at == access->at && other->along == access->along;
    };
    if (std::none_of(different.begin(), different.end(), is_same)) different.push_back(access);
  }
  double reads = 0;
  for (const Access* access : different) {
    double times = 1;
    for (std::size_t l = 0; l < reader.statement.loops.size(); ++l)
      if (access->is_invariant(l)) times *= double(reader.count(l));
    reads += times;
  }
  return reads;
}

}  // namespace

std::vector<std::string> cheap_to_inline(const Facts& facts) {
  std::vector<std::string> found;
  std::map<std::string, double> computed;    // of those found: how often an element is computed
  std::map<std::string, double> operations;  // with those of what is inlined into it
  for (const Member& m : facts.members) operations[m.name] = operations_of(*m.definition);
  for (auto m = facts.members.rbegin(); m != facts.members.rend(); ++m) {
    if (!can_be_inlined(*m)) continue;
    double reads = 0, largest = 0;
    for (const std::string& name : m->readers) {
      const Member* reader = facts.find(name);
      if (!reader || reader->shares_loops) reads = unknown;
      if (reads == unknown) break;
      const auto inlined = computed.find(name);
      reads += reads_by(*reader, m->array()) * (inlined == computed.end() ? 1 : inlined->second);
      largest = std::max(largest, operations[name] + operations[m->name]);
    }
    const double added = operations[m->name] == 0 ? 0 : (reads - 1) * operations[m->name];
    if (reads == unknown || added > most_added || largest > most_operations) continue;
    for (const std::string& name : m->readers) operations[name] += operations[m->name];
    computed[m->name] = reads;
    found.push_back(m->name);
  }
  return found;
}

}  // namespace strata::automatic
