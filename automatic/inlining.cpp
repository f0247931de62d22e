#include "automatic/inlining.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "automatic/model/operations_of.h"

namespace strata::automatic {

namespace {

constexpr double most_added = 2;
// No expression gets more operations than this.
constexpr double most_operations = 60;

bool can_be_inlined(const Member& m) {
  return m.is_pure && !m.is_sum() && !m.is_output && !m.shares_loops();
}

// How often the reader reads an element of the array. Different indices count, and so does each
// iteration of a loop that changes no index. Nothing if an index depends on data.
std::optional<double> reads_by(const Member& reader, const std::string& array) {
  std::vector<const Access*> different;
  for (const Access* access : reader.reads_of(array)) {
    if (!access->known) return std::nullopt;
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

// What happens to a computation that is inlined.
struct Inlined {
  double computed = 0;               // how often an element is computed
  std::set<std::string> hosts = {};  // the remaining computations that compute it
};

class Inlining {
 public:
  explicit Inlining(const Facts& facts) : facts_(facts) {
    for (const Member& m : facts.members) operations_[m.name] = operations_of(*m.definition);
  }

  std::vector<std::string> cheap() {
    std::vector<std::string> found;
    for (auto m = facts_.members.rbegin(); m != facts_.members.rend(); ++m)
      if (can_be_inlined(*m) && take(*m)) found.push_back(m->name);
    return found;
  }

 private:
  bool take(const Member& m) {
    const auto made = in_readers(m);
    if (!made) return false;
    const double own = operations_.at(m.name);
    if (own != 0 && (made->computed - 1) * own > most_added) return false;
    for (const std::string& host : made->hosts)
      if (operations_.at(host) + own > most_operations) return false;
    for (const std::string& host : made->hosts) operations_.at(host) += own;
    inlined_.emplace(m.name, *made);
    return true;
  }

  // The computation if its readers compute it. Nothing if that is not known.
  std::optional<Inlined> in_readers(const Member& m) const {
    Inlined all;
    for (const std::string& name : m.readers) {
      const Member* reader = facts_.find(name);
      const auto reads =
          reader && !reader->shares_loops() ? reads_by(*reader, m.array()) : std::nullopt;
      if (!reads) return std::nullopt;
      const auto known = inlined_.find(name);
      const Inlined at = known == inlined_.end() ? Inlined{1, {name}} : known->second;
      all.computed += *reads * at.computed;
      all.hosts.insert(at.hosts.begin(), at.hosts.end());
    }
    return all;
  }

  const Facts& facts_;
  std::map<std::string, double> operations_;  // including inlined computations
  std::map<std::string, Inlined> inlined_;
};

}  // namespace

std::vector<std::string> cheap_to_inline(const Facts& facts) { return Inlining(facts).cheap(); }

}  // namespace strata::automatic
