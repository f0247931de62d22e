// The CPUs that Strata knows by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/machine/machine.h"

namespace strata {

// All rows; "target" has no operating system: "x86-64-avx2-..".
const std::vector<Machine>& cpu_table();

const Machine* find_cpu(const std::string& name);

}  // namespace strata
