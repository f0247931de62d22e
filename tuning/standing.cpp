#include "tuning/standing.h"

namespace strata::tuning {

namespace {

constexpr double equally_fast = 1.03;

}  // namespace

double Standing::score(const std::string& id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? 0 : found->second.score;
}

void Standing::add(const Record& record) {
  const std::string id = record.id();
  if (!record.is_measured() || places_.contains(id)) return;
  double score = 1e-9 * double(record.times.minimum);
  const double other = this->score(record.against);
  if (other > 0 && record.other.minimum > 0)
    score = double(record.times.minimum) / double(record.other.minimum) * other;
  const Place place{score, record.commands.size()};
  places_.emplace(id, place);
  if (best_.empty()) {
    best_ = id;
    return;
  }
  const Place& best = places_.at(best_);
  if (place.score * equally_fast < best.score ||
      (place.score < best.score * equally_fast && place.commands < best.commands))
    best_ = id;
}

}  // namespace strata::tuning
