// The arguments of a kernel's call, with numbers in them.
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

// What all candidates for a function have in common: the arguments of its kernel.
struct Arguments {
  Kernel kernel;                           // of the program as it stands
  std::vector<std::vector<Expr>> extents;  // of each buffer, as declared; empty: what it touches
};

// From the first to the last element.
Memory memory_of(const strata_buffer& buffer);

// One call's arguments: numbers made from a seed, or the caller's arrays.
class CallArguments {
 public:
  // Floats in [0.5, 1.5); integers in [0, m), where m is the least extent of a dimension, but from
  // 2 to 128: so most can be indices. Sizes that the kernel reads have the values of "sizes".
  CallArguments(const Arguments& arguments, const Values& sizes, std::uint64_t seed);
  // With arrays of the caller.
  CallArguments(const Arguments& arguments, const Values& sizes,
                const std::vector<halide_buffer_t*>& given);

  const std::vector<std::int64_t>& parameters() const { return parameters_; }
  const std::vector<ScalarValue>& scalars() const { return scalars_; }
  const std::vector<halide_buffer_t*>& buffers() const { return buffers_; }
  const strata_buffer& buffer(std::size_t n) const;

  // The bytes that the arrays of such a call have; infinite where a size is not known.
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

// The extents of argument n; nothing if they depend on what is not known.
std::optional<std::vector<std::int64_t>> extents_of(const Arguments& arguments, std::size_t n,
                                                    const Values& sizes);

}  // namespace strata::tuning
