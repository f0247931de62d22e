// Is a program legal?  The answers of the library and of the schedule oracle.
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "layers/program.h"
#include "reference/shadow.h"
#include "tests/fuzz/sizes.h"

namespace strata::fuzz {

// The first violation that the oracle found, and its size.
struct OracleViolation {
  reference::Violation violation;
  Parameters size;
};
std::string to_string(const OracleViolation& broken);

// The first violation at the sizes of "effort", with automatic places for arrays without a layout
// entry. Outputs that are lost or not computed do not count: outputs are known only when code is
// generated.
std::optional<OracleViolation> broken(const Program& program, Effort effort);
// The same for a program that the library refuses: also at the size of the refusal's witness.
std::optional<OracleViolation> broken(const Program& program,
                                      const std::optional<Witness>& witness);

// Why the library may refuse a program that no execution breaks, if this is such a case: one of the
// kinds that docs/testing.md explains. "code" is the refusal's code.
std::optional<std::string> refused_by_design(Code code, const Program& program,
                                             const std::optional<Witness>& witness);

}  // namespace strata::fuzz
