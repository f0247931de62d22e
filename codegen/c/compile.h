// The system's C compiler.
#pragma once

#include <string>

#include "core/floats.h"

namespace strata::c {

enum class Product { object, assembly };

struct CompilerOptions {
  Floats floats = Floats::fast;  // "exact": no products and sums are joined
  std::string cpu = "native";    // of -march=, or -mcpu= for AArch64
  Product product = Product::object;
  int seconds = 60;  // of a processor's time
};

// The product of a text, compiled with -O3 by the compiler that STRATA_CC names, else by the first
// of cc, gcc and clang that there is. E0502 with what the compiler says; also if there is none,
// or it takes longer than "seconds".
std::string compiled(const std::string& text, const CompilerOptions& options);

}  // namespace strata::c
