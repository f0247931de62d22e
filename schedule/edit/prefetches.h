// Keeping prefetches (Loop::prefetches) valid when a program changes.
#pragma once

#include <optional>
#include <string>

#include "layers/program.h"

namespace strata {

// Does the definition read the array through affine indices and under affine conditions?
bool surely_reads(const Algorithm& algorithm, const std::string& definition,
                  const std::string& array);

// Removes the prefetches of each loop whose definition is not inside the loop, or does not surely
// read the array (surely_reads).
void drop_idle_prefetches(Program& program);

// Reassigns the prefetches for "from" to "to", which reads in its place; if "array" is given, only
// those of that array.
void pass_prefetches(Mapping& mapping, const std::string& from, const std::string& to,
                     const std::optional<std::string>& array = std::nullopt);

}  // namespace strata
