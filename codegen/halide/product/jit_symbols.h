// Symbols that kernels compiled in process call.
#pragma once

#include <map>
#include <string>

#include "codegen/object/loaded_object.h"

namespace strata::halide {

// The functions of strata_runtime that this program is linked with, so that kernels in process and
// kernels from object files share threads, messages and handlers; and the author's "functions".
Addresses symbols_for_kernels(const std::map<std::string, void*>& functions);

// Sets the message of this thread, and returns the code.
int report_failure(int code, const std::string& text);

}  // namespace strata::halide
