// One question put to the library and to the schedule oracle: is this program legal?
#pragma once

#include <optional>
#include <string>

#include "core/error.h"
#include "layers/program.h"
#include "tests/fuzz/sizes.h"
#include "tests/judge/shadow.h"

namespace strata::fuzz {

// What the oracle found first, and at which size.
struct Broken {
  judge::Violation violation;
  Parameters size;
};
std::string to_string(const Broken& broken);

// The first violation at the sizes of "effort", with the places that code will give what has none
// yet; outputs that are lost or not computed left out: which arrays are outputs is not known before
// code is generated.
std::optional<Broken> broken(const Program& program, Effort effort);
// The same of what the library refuses: at those sizes, and at the one that its witness is of.
std::optional<Broken> broken(const Program& program, const std::optional<Witness>& witness);

// Why the library may refuse a program though no execution of it breaks, if this is such a case:
// the kinds that docs/testing.md explains.  "code" is that of the refusal.
std::optional<std::string> refused_by_design(Code code, const Program& program);

}  // namespace strata::fuzz
