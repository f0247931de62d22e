// What becomes of prefetches (Loop::prefetches) when a program changes.
#pragma once

#include <optional>
#include <string>

#include "layers/program.h"

namespace strata {

// Does the definition read the array, by indices and under conditions that are affine?
bool reads_for_sure(const Algorithm& algorithm, const std::string& definition,
                    const std::string& array);

// Takes those from each loop whose definition does not stand inside (any longer), or does not read
// the array for sure.
void drop_idle_prefetches(Program& program);

// What prefetched for "from" does so for "to", which reads in its place: all, or of one array.
void pass_prefetches(Mapping& mapping, const std::string& from, const std::string& to,
                     const std::optional<std::string>& array = std::nullopt);

}  // namespace strata
