// The shapes of matrix products on tensor cores: m x n x k of PTX's mma.sync, with the type that
// the operands have there. The sums are float32.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/type.h"

namespace strata {

enum class MmaShape { m16n8k8_tf32, m16n8k16_bf16, m16n8k16_f16 };

// A row of the table of shapes.
struct MmaTraits {
  MmaShape shape;
  std::string name;    // in program texts: "tf32"
  Type operand;        // in memory; tf32 has float32 there, and rounds it to 10 bits of fraction
  std::int64_t depth;  // the extent of k
};

// What a branch of contributions A * B is marked with (R215): which of its operands A is.
struct MmaMark {
  MmaShape shape;
  bool a_is_first = true;
};

const MmaTraits& traits(MmaShape shape);

std::string to_string(MmaShape shape);
std::optional<MmaShape> mma_shape_named(const std::string& name);
std::vector<std::string> mma_shape_names();  // in the order of the enumeration
// "tf32, bf16 or f16"
std::string names_of_mma_shapes();

}  // namespace strata
