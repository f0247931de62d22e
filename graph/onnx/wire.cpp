#include "graph/onnx/wire.h"

#include <fmt/format.h>

#include <bit>

namespace strata::graph::onnx {

WireError::WireError(const std::string& what, std::size_t at)
    : std::runtime_error(fmt::format("{}, at byte {}", what, at)) {}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at_end()) throw WireError("the file ends in an integer", place());
    const auto byte = static_cast<unsigned char>(bytes_[place_++]);
    if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw WireError("an integer has more than ten bytes", place());
}

std::string_view WireReader::taken(std::uint64_t count) {
  if (count > bytes_.size() - place_)
    throw WireError(
        fmt::format("{} bytes are announced, and {} are left", count, bytes_.size() - place_),
        place());
  const std::string_view result = bytes_.substr(place_, count);
  place_ += count;
  return result;
}

std::uint64_t WireReader::fixed(int bytes) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char c : taken(std::uint64_t(bytes))) {
    value |= std::uint64_t(static_cast<unsigned char>(c)) << shift;
    shift += 8;
  }
  return value;
}

std::optional<WireField> WireReader::next() {
  if (at_end()) return std::nullopt;
  const std::size_t begin = place();
  const std::uint64_t tag = varint();
  WireField field;
  if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
    throw WireError(fmt::format("a field has the number {}", tag >> 3), begin);
  field.number = std::uint32_t(tag >> 3);
  field.wire = Wire(tag & 7);
  switch (field.wire) {
    case Wire::varint: field.integer = varint(); break;
    case Wire::fixed64: field.integer = fixed(8); break;
    case Wire::bytes: field.bytes = taken(varint()); break;
    case Wire::fixed32: field.integer = fixed(4); break;
    default:
      throw WireError(fmt::format("field {} is of the unknown kind {}", field.number, tag & 7),
                      begin);
  }
  return field;
}

namespace {

double float_of(std::uint64_t bits) { return double(std::bit_cast<float>(std::uint32_t(bits))); }
double double_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

void append_fixed(const WireField& field, std::vector<double>& values, Wire wire, int size,
                  double (*value_of)(std::uint64_t)) {
  if (field.wire == wire) return values.push_back(value_of(field.integer));
  if (field.wire != Wire::bytes)
    throw WireError(fmt::format("field {} is not a list of floats", field.number), 0);
  WireReader reader(field.bytes);
  values.reserve(values.size() + field.bytes.size() / std::size_t(size));
  while (!reader.at_end()) values.push_back(value_of(reader.fixed(size)));
}

}  // namespace

void append_integers(const WireField& field, std::vector<std::int64_t>& values) {
  if (field.wire == Wire::varint) return values.push_back(std::int64_t(field.integer));
  if (field.wire != Wire::bytes)
    throw WireError(fmt::format("field {} is not a list of integers", field.number), 0);
  WireReader reader(field.bytes);
  while (!reader.at_end()) values.push_back(std::int64_t(reader.varint()));
}

void append_floats(const WireField& field, std::vector<double>& values) {
  append_fixed(field, values, Wire::fixed32, 4, float_of);
}

void append_doubles(const WireField& field, std::vector<double>& values) {
  append_fixed(field, values, Wire::fixed64, 8, double_of);
}

}  // namespace strata::graph::onnx
