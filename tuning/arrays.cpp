#include "tuning/arrays.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace strata::tuning {

namespace {

strata_type element_type_of(Type type) {
  if (type == boolean) return strata_boolean();
  if (type == bf16) return strata_bfloat16();
  const auto width = std::uint8_t(bits(type));
  if (is_float(type)) return strata_float(width);
  return is_signed_integer(type) ? strata_int(width) : strata_uint(width);
}

// The load in the value of a size that a kernel reads. Casts may be around it.
const Expr* load_in(const Expr& e) {
  if (e.op() == Op::load) return &e;
  for (const Expr& argument : e.args())
    if (const Expr* const found = load_in(argument)) return found;
  return nullptr;
}

std::int64_t least_extent(const Arguments& arguments, const Values& sizes) {
  std::int64_t least = 128;
  for (std::size_t n = 0; n < arguments.kernel.buffers.size(); ++n) {
    const auto extents = extents_of(arguments, n, sizes);
    for (const std::int64_t extent : *extents) least = std::min(least, extent);
  }
  return std::max<std::int64_t>(least, 2);
}

}  // namespace

std::optional<std::vector<std::int64_t>> extents_of(const Arguments& arguments, std::size_t n,
                                                    const Values& sizes) {
  const ArgumentBuffer& buffer = arguments.kernel.buffers[n];
  const std::vector<Expr>& declared = arguments.extents[n];
  std::vector<std::int64_t> extents;
  for (std::size_t d = 0; d < buffer.uppers.size(); ++d) {
    const auto touched = estimated(buffer.uppers[d], sizes);
    const auto given = declared.empty() ? touched : estimated(declared[d], sizes);
    if (!touched || !given) return std::nullopt;
    extents.push_back(std::max<std::int64_t>({*touched, *given, 0}));
  }
  return extents;
}

double CallArguments::bytes_of(const Arguments& arguments, const Values& sizes) {
  double sum = 0;
  for (std::size_t n = 0; n < arguments.kernel.buffers.size(); ++n) {
    const auto extents = extents_of(arguments, n, sizes);
    if (!extents) return std::numeric_limits<double>::infinity();
    double count = bytes(arguments.kernel.buffers[n].type);
    for (const std::int64_t extent : *extents) count *= double(extent);
    sum += count;
  }
  return sum;
}

CallArguments::CallArguments(const Arguments& arguments, const Values& sizes, std::uint64_t seed) {
  take_numbers(arguments, sizes);
  Numbers numbers(seed, least_extent(arguments, sizes));
  for (std::size_t n = 0; n < arguments.kernel.buffers.size(); ++n) {
    const ArgumentBuffer& argument = arguments.kernel.buffers[n];
    make_dense(argument, *extents_of(arguments, n, sizes));
    const Memory memory = memory_of(dense_.back()->buffer);
    numbers.fill(argument.type, memory.begin, memory.bytes / std::size_t(bytes(argument.type)));
  }
  set_sizes(arguments, sizes);
}

CallArguments::CallArguments(const Arguments& arguments, const Values& sizes,
                             const std::vector<halide_buffer_t*>& given)
    : buffers_(given) {
  take_numbers(arguments, sizes);
}

void CallArguments::take_numbers(const Arguments& arguments, const Values& sizes) {
  for (const std::string& name : arguments.kernel.parameters) parameters_.push_back(sizes.at(name));
  for (const ScalarArgument& scalar : arguments.kernel.scalars) {
    if (is_float(scalar.type))
      scalars_.push_back(1.25);
    else
      scalars_.push_back(1);
  }
}

void CallArguments::make_dense(const ArgumentBuffer& argument,
                               const std::vector<std::int64_t>& extents) {
  auto made = std::make_unique<Dense>();
  const auto size = std::size_t(bytes(argument.type));
  made->memory.resize(dense_size("tune", extents, size) * size + array_alignment);
  made->dimensions.resize(extents.size());
  strata_buffer_init(&made->buffer, element_type_of(argument.type),
                     aligned_begin(made->memory.data()), int(extents.size()),
                     made->dimensions.data(), extents.data());
  buffers_.push_back(strata_argument(&made->buffer));
  dense_.push_back(std::move(made));
}

// Sets each size in order: its indices depend on the sizes before it.
void CallArguments::set_sizes(const Arguments& arguments, const Values& sizes) {
  const auto& list = arguments.kernel.buffers;
  for (const SizeRead& read : arguments.kernel.sizes) {
    const Expr* const place = load_in(read.value);
    if (!place) continue;
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (list[n].name != place->name()) continue;
      const auto extents = *extents_of(arguments, n, sizes);
      std::int64_t at = 0;
      for (std::size_t d = 0; d < extents.size(); ++d)
        at = at * extents[d] + estimated(place->args()[d], sizes).value_or(0);
      const auto size = std::size_t(bytes(list[n].type));
      const Memory memory = memory_of(dense_[n]->buffer);
      const std::int64_t value = sizes.at(read.parameter);
      if (at >= 0 && (std::size_t(at) + 1) * size <= memory.bytes)
        std::memcpy(memory.begin + std::size_t(at) * size, &value, size);
    }
  }
}

const strata_buffer& CallArguments::buffer(std::size_t n) const {
  return *static_cast<const strata_buffer*>(static_cast<const void*>(buffers_[n]));
}

Memory memory_of(const strata_buffer& buffer) {
  const std::int64_t size = (buffer.type.bits + 7) / 8;
  std::int64_t first = 0, last = 0;
  for (int d = 0; d < buffer.dimensions; ++d) {
    const strata_dimension& dimension = buffer.dim[d];
    if (dimension.extent <= 0) return {buffer.host, 0};
    const std::int64_t span = std::int64_t(dimension.extent - 1) * dimension.stride;
    (span < 0 ? first : last) += span;
  }
  return {buffer.host + first * size, std::size_t((last - first + 1) * size)};
}

}  // namespace strata::tuning
