// The arguments of a kernel's call, filled with numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codegen/remarks/estimate.h"
#include "codegen/tree/loop_tree.h"
#include "core/scalar_value.h"
#include "strata/buffer.h"
#include "tuning/numbers.h"

namespace strata::tuning {

// The arguments of the kernel, which all candidates for a function have in common.
struct Arguments {
  Kernel kernel;                           // of the program as it stands
  std::vector<std::vector<Expr>> extents;  // of each buffer, as declared; empty: what it touches
};

// The memory from the first to the last element.
Memory memory_of(const strata_buffer& buffer);

// The arguments of one call: numbers made from a seed, or the caller's arrays.
class CallArguments {
 public:
  // Floats are in [0.5, 1.5). Integers are in [0, m), where m is the least extent of a dimension,
  // limited to 2 .. 128, so that most integers can be indices. Sizes that the kernel reads have the
  // values in "sizes".
  CallArguments(const Arguments& arguments, const Values& sizes, std::uint64_t seed);
  // The same with arrays of the caller.
  CallArguments(const Arguments& arguments, const Values& sizes,
                const std::vector<halide_buffer_t*>& given);

  // Are the arrays the caller's?
  bool are_given() const { return dense_.empty() && !buffers_.empty(); }
  const std::vector<std::int64_t>& parameters() const { return parameters_; }
  const std::vector<ScalarValue>& scalars() const { return scalars_; }
  const std::vector<halide_buffer_t*>& buffers() const { return buffers_; }
  const strata_buffer& buffer(std::size_t n) const;

  // The bytes of the arrays of such a call; infinite if a size is not known.
  static double bytes_of(const Arguments& arguments, const Values& sizes);

 private:
  struct Dense {
    std::vector<std::byte> memory;
    std::vector<strata_dimension> dimensions;
    strata_buffer buffer{};
  };

  void take_numbers(const Arguments& arguments, const Values& sizes);
  void make_dense(const ArgumentBuffer& argument, const std::vector<std::int64_t>& extents);
  void set_sizes(const Arguments& arguments, const Values& sizes);

  std::vector<std::int64_t> parameters_;
  std::vector<ScalarValue> scalars_;
  std::vector<std::unique_ptr<Dense>> dense_;
  std::vector<halide_buffer_t*> buffers_;
};

// The extents of argument n; nothing if they depend on an unknown value.
std::optional<std::vector<std::int64_t>> extents_of(const Arguments& arguments, std::size_t n,
                                                    const Values& sizes);

}  // namespace strata::tuning
