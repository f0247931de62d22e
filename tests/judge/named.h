// Which elements of an array an instance names.
#pragma once

#include <optional>

#include "tests/judge/executions.h"

namespace strata::judge {

// One access that an instance evaluates; an index that hangs on data has no number: it may be any.
struct Named {
  std::string array;
  std::vector<std::optional<std::int64_t>> indices;  // empty where a call takes the whole array
};

// The accesses that the instance evaluates, as far as no data are needed to tell: of a select whose
// condition hangs on data, both sides.
std::vector<Named> named_by(const Algorithm& algorithm, const Definition& definition,
                            const Point& instance, const Parameters& parameters);

// Does one of them name, or may it, the element?
bool names(const std::vector<Named>& all, const std::string& array, const Point& element);

}  // namespace strata::judge
