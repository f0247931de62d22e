// Which elements of an array an instance names.
#pragma once

#include <optional>

#include "tests/judge/executions.h"

namespace strata::judge {

// One access that an instance evaluates.  A data-dependent index has no value: it may be any.
struct Named {
  std::string array;
  std::vector<std::optional<std::int64_t>> indices;  // empty if a call takes the whole array
};

// The accesses that the instance evaluates, as far as they are known without data: both sides of a
// select whose condition depends on data.
std::vector<Named> named_by(const Algorithm& algorithm, const Definition& definition,
                            const Point& instance, const Parameters& parameters);

// Does one of them name the element, or may it?
bool names(const std::vector<Named>& all, const std::string& array, const Point& element);

}  // namespace strata::judge
