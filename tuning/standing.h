// Which candidate is the best, by the records alone: the same in a run and when it is resumed.
#pragma once

#include <map>
#include <string>

#include "tuning/record.h"

namespace strata::tuning {

// The score of a candidate is its fastest time; of one that was timed in turn with another, by
// their ratio:  score(c) = minimum(c) / minimum(other) * score(other).  So what the machine did in
// between counts for both. Within 3 % the shorter list of commands is better, else the lower score.
class Standing {
 public:
  // Takes the records in their order.
  void add(const Record& record);

  bool has_best() const { return !best_.empty(); }
  const std::string& best() const { return best_; }  // an id
  double score(const std::string& id) const;         // seconds; 0 if it was not measured

 private:
  struct Place {
    double score;
    std::size_t commands;
  };

  std::map<std::string, Place> places_;
  std::string best_;
};

}  // namespace strata::tuning
