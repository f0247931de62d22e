// The search for candidates, in the order of the model.
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
  std::vector<Report::Tried> refused;  // by a refusal of one of the rule's commands
};

// The candidates that extend a draft in which a group has begun. If "is_over" is not empty, the
// search calls it before each candidate; true ends the search.
SearchResult search(const Draft& begun, const Setting& setting, bool only_plain,
                    const std::function<bool()>& is_over = {});

}  // namespace strata::automatic
