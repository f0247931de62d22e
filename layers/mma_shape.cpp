#include "layers/mma_shape.h"

#include <algorithm>

namespace strata {

namespace {

const std::vector<MmaTraits>& mma_table() {
  static const std::vector<MmaTraits> rows{
      // shape, name, operand, depth
      {MmaShape::m16n8k8_tf32, "tf32", Type::float32, 8},
      {MmaShape::m16n8k16_bf16, "bf16", Type::bfloat16, 16},
      {MmaShape::m16n8k16_f16, "f16", Type::float16, 16},
  };
  return rows;
}

}  // namespace

const MmaTraits& traits(MmaShape shape) {
  return *std::find_if(mma_table().begin(), mma_table().end(),
                       [&](const MmaTraits& row) { return row.shape == shape; });
}

std::string to_string(MmaShape shape) { return traits(shape).name; }

std::optional<MmaShape> mma_shape_named(const std::string& name) {
  for (const MmaTraits& row : mma_table())
    if (row.name == name) return row.shape;
  return std::nullopt;
}

std::vector<std::string> mma_shape_names() {
  std::vector<std::string> names;
  for (const MmaTraits& row : mma_table()) names.push_back(row.name);
  return names;
}

std::string names_of_mma_shapes() {
  std::string names;
  for (const MmaTraits& row : mma_table())
    names += (&row == &mma_table().front()  ? ""
              : &row == &mma_table().back() ? " or "
                                            : ", ") +
             row.name;
  return names;
}

}  // namespace strata
