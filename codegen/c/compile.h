// The system's C compiler.
#pragma once

#include <string>

#include "core/floats.h"

namespace strata::c {

enum class Product { object, assembly };

struct CompilerOptions {
  Floats floats = Floats::fast;  // "exact": no fused multiply-add
  std::string cpu = "native";    // of -march=, or -mcpu= for AArch64
  Product product = Product::object;
  int seconds = 60;  // of processor time
};

// Compiles a text with -O3, by the compiler that STRATA_CC names, else by the first of cc, gcc and
// clang that exists. Throws E0502 with the compiler's messages if it fails, if there is no
// compiler, or if it takes longer than "seconds".
std::string compiled(const std::string& text, const CompilerOptions& options);

}  // namespace strata::c
