#include "tests/execution/guarded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "reference/points.h"

namespace strata::test {

using reference::Point;
using reference::Scalar;

namespace {

constexpr std::size_t guard = 256;  // bytes before and after

strata_type described(Type type) {
  if (type == Type::boolean) return strata_boolean();
  if (type == Type::bfloat16) return strata_bfloat16();
  const auto width = static_cast<std::uint8_t>(bits(type));
  if (is_float(type)) return strata_float(width);
  return is_signed_integer(type) ? strata_int(width) : strata_uint(width);
}

std::uint8_t noise(std::size_t byte) {
  return static_cast<std::uint8_t>((byte * 2654435761u) >> 11 | 0x81);
}

}  // namespace

std::string to_string(Shape shape) {
  switch (shape) {
    case Shape::dense: return "dense";
    case Shape::padded: return "padded";
    case Shape::strided: return "strided";
    case Shape::transposed: return "transposed";
    case Shape::backward: return "backward";
  }
  return "";
}

ScalarValue passed(const reference::Array& input) {
  const reference::Scalar& value = input[{}];
  if (is_float(value.type)) return reference::real_of(value);
  const __int128 number = reference::integer_of(value);
  if (number > INT64_MAX) return std::uint64_t(number);
  return std::int64_t(number);
}

void enclose(const reference::Array& a, Point& lower, Point& extent) {
  for (const Point& p : a.elements()) {
    if (extent.empty() && !p.empty()) {
      lower = p;
      extent.assign(p.size(), 1);
    }
    for (std::size_t d = 0; d < p.size(); ++d) {
      const std::int64_t upper = std::max(lower[d] + extent[d], p[d] + 1);
      lower[d] = std::min(lower[d], p[d]);
      extent[d] = upper - lower[d];
    }
  }
}

Guarded::Guarded(Type type, const Point& lower, const Point& extent, Shape shape,
                 const reference::Array& contents)
    : type_(type) {
  lay_out(lower, extent, shape);
  auto* bytes = reinterpret_cast<std::uint8_t*>(memory_.data());
  for (std::size_t b = 0; b < 8 * memory_.size(); ++b) bytes[b] = noise(b);
  for (const Point& p : contents.elements())
    if (contents.defined(p)) set(p, contents[p]);
  before_.assign(bytes, bytes + 8 * memory_.size());
  buffer_.host = bytes + first_;
  buffer_.type = described(type);
  buffer_.dimensions = static_cast<std::int32_t>(dimensions_.size());
  buffer_.dim = dimensions_.data();
}

void Guarded::lay_out(const Point& lower, const Point& extent, Shape shape) {
  const std::size_t rank = lower.size();
  const int margin = shape == Shape::padded ? 2 : 0;
  dimensions_.resize(rank);
  std::int64_t stride = shape == Shape::strided ? 3 : 1;
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t n = 0; n < rank; ++n) {
    const std::size_t index = shape == Shape::transposed ? n : rank - 1 - n;
    const bool down = shape == Shape::backward && n == 0;
    strata_dimension& d = dimensions_[rank - 1 - index];
    d.min = static_cast<std::int32_t>(lower[index]) - margin;
    d.extent = static_cast<std::int32_t>(extent[index]) + 2 * margin;
    d.stride = static_cast<std::int32_t>(down ? -stride : stride);
    const std::int64_t span = std::max(d.extent - 1, 0) * stride;
    (down ? lowest : highest) += span;
    stride = span + stride + (shape == Shape::dense ? 0 : 5);
  }
  const std::size_t size = static_cast<std::size_t>(bytes(type_));
  first_ = guard + static_cast<std::size_t>(lowest) * size;
  memory_.resize((first_ + static_cast<std::size_t>(highest + 1) * size + guard) / 8 + 1);
}

std::size_t Guarded::byte_of(const Point& index) const {
  const std::size_t rank = dimensions_.size();
  if (index.size() != rank) throw std::runtime_error("an index of another rank");
  std::int64_t offset = 0;
  for (std::size_t n = 0; n < rank; ++n) {
    const strata_dimension& d = dimensions_[rank - 1 - n];
    const std::int64_t step = index[n] - d.min;
    if (step < 0 || step >= d.extent)
      throw std::runtime_error(reference::to_string(index) + " is outside of the memory");
    offset += step * d.stride;
  }
  return static_cast<std::size_t>(static_cast<std::int64_t>(first_) + offset * bytes(type_));
}

void Guarded::set(const Point& index, const Scalar& value) {
  auto* memory = reinterpret_cast<std::uint8_t*>(memory_.data());
  std::memcpy(memory + byte_of(index), &value.bits, static_cast<std::size_t>(bytes(type_)));
}

Scalar Guarded::at(const Point& index) const {
  Scalar value{type_, 0};
  const auto* memory = reinterpret_cast<const std::uint8_t*>(memory_.data());
  std::memcpy(&value.bits, memory + byte_of(index), static_cast<std::size_t>(bytes(type_)));
  return value;
}

reference::Array Guarded::values(const reference::Array& like) const {
  reference::Array result(type_, like.elements());
  for (const Point& p : like.elements())
    if (like.defined(p)) result.set(p, at(p));
  return result;
}

std::string Guarded::damage(const reference::Array& written) const {
  std::vector<bool> may_change(before_.size(), false);
  for (const Point& p : written.elements())
    if (written.defined(p))
      std::fill_n(may_change.begin() + static_cast<std::ptrdiff_t>(byte_of(p)), bytes(type_), true);
  const auto* now = reinterpret_cast<const std::uint8_t*>(memory_.data());
  for (std::size_t b = 0; b < before_.size(); ++b)
    if (now[b] != before_[b] && !may_change[b])
      return fmt::format("byte {} relative to the first element has changed",
                         static_cast<std::int64_t>(b) - static_cast<std::int64_t>(first_));
  return "";
}

}  // namespace strata::test
