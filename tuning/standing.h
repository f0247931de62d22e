// Finds the best candidate by the records alone. So the result is the same in one run and after a
// resumed run.
#pragma once

#include <map>
#include <string>

#include "tuning/record.h"

namespace strata::tuning {

// The score of a candidate is its fastest time. If it was timed in turn with another one, their
// ratio decides: score(c) = minimum(c) / minimum(other) * score(other). So other work on the
// machine counts for both. If scores are within 3 %, the shorter list of commands is better, else
// the lower score.
class Standing {
 public:
  // Adds a record. Call it in the order of the records.
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
