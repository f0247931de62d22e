#include "automatic/model/core_cycles.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "automatic/model/operations_of.h"

namespace strata::automatic {

namespace {

// The cycles to enter an innermost loop: its bounds, its sums, and a mispredicted branch at its end
// (about 12 cycles on current cores, Fog, Microarchitecture).
constexpr double entry_cycles = 12;
constexpr double iteration_cycles = 1;
// The cost of a gather, or of lanes stored one by one, relative to loads of the same number of
// lanes.
constexpr double gather_factor = 1.6;
// An iteration's own buffer with more elements than this is not kept in registers.
constexpr double most_in_registers = 24;
// Two instructions of an iteration step and compare its counter.
constexpr double counting = 2;

bool is_of_block(const Loop& loop) {
  return has_lanes(loop.processor) || is_copied(loop.processor);
}

// What one iteration of the loop around the register block does.
class Block {
 public:
  Block(const Statement& s, const Depths& allocated, const Machine& machine)
      : s_(s), allocated_(allocated), machine_(machine), first_(block_of(s)) {
    for (std::size_t l = first_; l < s.loops.size(); ++l)
      if (has_lanes(s.loops[l]->processor)) vector_ = l;
    instances_ = s.iterations(first_, s.loops.size());
    const double whole = std::max(1, machine.lanes(s.definition->type));
    length_ = vector_ ? double(s.counts[*vector_]) : 1;
    lanes_ = std::min(length_, whole);
    // A partial vector costs as much as a full one.
    vectors_ = instances_ / length_ * std::ceil(length_ / whole);
  }

  // What a loop of the block costs before and after its iterations, besides entry_cycles: the
  // vectors that it keeps in registers (codegen/passes/keep.h) are loaded and stored.
  double entry() const { return keeps() ? vectors_of_write() : 0; }

  double cycles() {
    count_reads();
    count_write();
    const double operations = operations_of(*s_.definition) * vectors_;
    const double loads = sums_ > 0 ? loads_ / 2 : loads_;  // most are operands of a multiply-add
    const double issued = operations + stores_ + loads + counting;
    double most = std::max({operations / machine_.fma_units, loads_ / machine_.loads, stores_,
                            issued / machine_.issue_width});
    if (sums_ > 0) most = std::max(most, latency() * vectors_ / sums_);
    return std::max(most, chain());
  }

 private:
  double latency() const { return is_float(s_.definition->type) ? machine_.fma_latency : 1; }

  bool is_private(const std::string& buffer) const { return allocated_.count(buffer); }
  // Does each iteration around the block have a buffer of its own?
  bool is_of_iteration(const Access& access) const {
    const auto found = allocated_.find(access.buffer);
    return found != allocated_.end() && found->second >= first_;
  }

  // The cycles that the next iteration around the block waits for values of this one, which it
  // reads where this one writes.
  double chain() const {
    if (first_ == 0 || s_.definition->reduction || !s_.write().known) return 0;
    const Point counts = counts_of_lane();
    Access before = s_.write();
    for (std::size_t d = 0; d < before.at.size(); ++d) before.at[d] -= before.along[first_ - 1][d];
    if (before.at == s_.write().at) return 0;
    std::set<Point> written;
    add_places(before, counts, written);
    double longest = 0;
    for (std::size_t n = 1; n < s_.accesses.size(); ++n) {
      const Access& access = s_.accesses[n];
      if (!access.known || access.buffer != before.buffer) continue;
      std::set<Point> read;
      add_places(access, counts, read);
      const auto is_read = [&](const Point& place) { return read.count(place) > 0; };
      if (std::any_of(written.begin(), written.end(), is_read))
        longest = std::max(longest, chain_of(*s_.definition, n - 1, machine_));
    }
    return longest;
  }

  // The iterations of each loop of the block, of which one lane counts.
  Point counts_of_lane() const {
    Point counts;
    for (std::size_t l = first_; l < s_.loops.size(); ++l)
      counts.push_back(vector_ == l ? 1 : std::min<std::int64_t>(s_.counts[l], 64));
    return counts;
  }

  // The elements that one lane of the block touches, for accesses of one buffer.
  double elements(const std::vector<const Access*>& accesses) const {
    std::set<Point> places;
    const Point counts = counts_of_lane();
    for (const Access* access : accesses) add_places(*access, counts, places);
    return double(places.size());
  }

  void add_places(const Access& access, const Point& counts, std::set<Point>& places) const {
    Point index(counts.size(), 0);
    for (bool more = true; more && places.size() < 4096;) {
      Point place = access.at;
      for (std::size_t k = 0; k < index.size(); ++k)
        for (std::size_t d = 0; d < place.size(); ++d)
          place[d] += index[k] * access.along[first_ + k][d];
      places.insert(place);
      more = false;
      for (std::size_t k = index.size(); !more && k-- > 0;) {
        more = ++index[k] < counts[k];
        if (!more) index[k] = 0;
      }
    }
  }

  // The number of vectors that accesses like this one load or store, for this many elements per
  // lane.
  double vectors_of(const Access& like, double elements) const {
    if (!vector_ || like.is_invariant(*vector_)) return elements;
    const double stride = double(like.dense_stride(*vector_));
    if (stride == 0 || (like.write && stride > 1)) return elements * length_ * gather_factor;
    const double wider = double(like.bytes) / bytes(s_.definition->type);
    return elements * std::ceil(length_ / lanes_ - 1e-9) * std::max(1.0, wider) * stride;
  }

  double vectors_of_write() const { return vectors_of(s_.write(), elements({&s_.write()})); }

  bool is_own_place(const Access& read) const {
    const Access& write = s_.write();
    return read.known && read.buffer == write.buffer && read.at == write.at &&
           read.along == write.along;
  }

  // Does the loop around the block update the same places in each iteration, in registers?
  bool keeps() const {
    const bool repeats = first_ > 0 && first_ < s_.loops.size() && !s_.definition->reduction &&
                         s_.write().is_invariant(first_ - 1);
    return repeats &&
           std::any_of(s_.accesses.begin() + 1, s_.accesses.end(),
                       [&](const Access& read) { return is_own_place(read); }) &&
           vectors_of_write() <= machine_.vector_registers - 2;
  }

  void count_reads() {
    const bool kept = keeps();
    std::map<std::string, std::vector<const Access*>> buffers;
    for (const Access& access : s_.accesses) {
      if (access.write || (kept && is_own_place(access))) continue;
      if (access.known)
        buffers[access.buffer].push_back(&access);
      else
        loads_ += instances_ * gather_factor;
    }
    for (const auto& [buffer, accesses] : buffers) {
      const double vectors = vectors_of(*accesses.front(), elements(accesses));
      if (is_of_iteration(*accesses.front()) && vectors <= most_in_registers) continue;
      loads_ += vectors;
    }
  }

  void count_write() {
    const Access& write = s_.write();
    if (!write.known) {
      stores_ += instances_ * gather_factor;
      loads_ += instances_ * gather_factor;
      return;
    }
    const double vectors = vectors_of_write();
    if (keeps()) {
      sums_ = vectors;
      return;
    }
    if (!s_.definition->reduction) {
      if (!is_of_iteration(write) || vectors > most_in_registers) stores_ += vectors;
      return;
    }
    const bool carried = first_ > 0 && write.is_invariant(first_ - 1);
    const bool scalar = first_ == s_.loops.size();
    const bool fits = vectors <= machine_.vector_registers - 2;
    if (carried && ((is_private(write.buffer) && fits) || scalar)) {
      sums_ = vectors;
    } else {
      loads_ += vectors;
      stores_ += vectors;
    }
  }

  const Statement& s_;
  const Depths& allocated_;
  const Machine& machine_;
  const std::size_t first_;
  std::optional<std::size_t> vector_;
  double instances_ = 1, length_ = 1, lanes_ = 1, vectors_ = 1;
  double loads_ = 0, stores_ = 0, sums_ = 0;
};

}  // namespace

std::size_t block_of(const Statement& s) {
  std::size_t first = s.loops.size();
  while (first > 0 && is_of_block(*s.loops[first - 1])) --first;
  return first;
}

double core_cycles(const Statement& s, const Depths& allocated, const Machine& machine) {
  const std::size_t block = block_of(s);
  const double runs = s.iterations(0, block);
  const double entries = block > 0 ? s.iterations(0, block - 1) : 1;
  Block one(s, allocated, machine);
  return runs * (one.cycles() + iteration_cycles) + entries * (entry_cycles + one.entry());
}

}  // namespace strata::automatic
