// The elements of arrays that an instance accesses, as far as they are known without data.
#pragma once

#include <optional>

#include "reference/executions.h"

namespace strata::reference {

// One access that an instance evaluates. A data-dependent index has no value: it may be any.
struct Named {
  std::string array;
  std::vector<std::optional<std::int64_t>> indices;  // empty if a call takes the whole array
};

// The accesses that the instance evaluates; if a select's condition depends on data, those of both
// sides.
std::vector<Named> named_by(const Algorithm& algorithm, const Definition& definition,
                            const Point& instance, const Parameters& parameters);

// True if one of them names the element, or may name it.
bool names(const std::vector<Named>& all, const std::string& array, const Point& element);

}  // namespace strata::reference
