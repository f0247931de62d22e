// The errors of this back end.
#pragma once

#include <string>

#include "core/error.h"

namespace strata {

// An error without a command; "mend" says what the author can do.
inline Error refused(Code code, std::string explanation, std::string mend = "") {
  Refusal refusal{code, "", std::move(explanation), std::nullopt, std::move(mend), {}};
  return Error(std::move(refusal));
}

// For a loop tree that breaks the contract of codegen/tree/loop_tree.h, or that Halide does not
// support.
inline Error cannot_generate(std::string explanation) {
  return refused(Code::E0502_code_generation_failed, std::move(explanation));
}

}  // namespace strata
