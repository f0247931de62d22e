// The wire format of protocol buffers: one field after another, each a number and a value.
//
//   WireReader reader(bytes);
//   while (const auto field = reader.next())
//     if (field->number == 3) name = field->bytes;
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace strata::graph::onnx {

// The bytes are damaged.
class WireError : public std::runtime_error {
 public:
  WireError(const std::string& what, std::size_t at);
};

enum class Wire { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct WireField {
  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t integer = 0;    // of the other kinds
  std::string_view bytes = {};  // of Wire::bytes, in the memory being read
};

// Reads only in the given memory, which must stay alive. Groups, which the format has deprecated,
// are a WireError.
class WireReader {
 public:
  // "at" is the place of the bytes in the file, for messages.
  explicit WireReader(std::string_view bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}

  // The next field; nothing at the end.
  std::optional<WireField> next();
  bool at_end() const { return place_ == bytes_.size(); }
  // Where the next byte is in the file.
  std::size_t place() const { return at_ + place_; }

  std::uint64_t varint();
  std::uint64_t fixed(int bytes);  // 4 or 8 bytes, the lowest first

 private:
  std::string_view taken(std::uint64_t count);

  std::string_view bytes_;
  std::size_t at_, place_ = 0;
};

// Appends values of a repeated field. One field has one value, or many (packed).
void append_integers(const WireField& field, std::vector<std::int64_t>& values);
void append_floats(const WireField& field, std::vector<double>& values);
void append_doubles(const WireField& field, std::vector<double>& values);

}  // namespace strata::graph::onnx
