// The search: which candidates there are, in the order of the model.
#pragma once

#include "automatic/model/estimate.h"
#include "automatic/report.h"
#include "automatic/rules/rules.h"

namespace strata::automatic {

// A whole schedule that no rule extends further.
struct Finalist {
  Draft draft;
  std::string text;
  Estimate estimate;
};

struct SearchResult {
  std::vector<Finalist> finalists;     // the fastest first; of equals, the one with fewer commands
  std::vector<Report::Tried> refused;  // a command of a rule was refused
};

// The candidates that extend a draft, in which a group has begun. "is_over", if it is not empty, is
// asked before each: true ends the search.
SearchResult search(const Draft& begun, const Setting& setting, bool only_plain,
                    const std::function<bool()>& is_over = {});

}  // namespace strata::automatic
