#include "graph/onnx/array_of.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <stdexcept>

#include "graph/evaluate/element.h"

namespace strata::graph::onnx {

namespace {

struct TypeRow {
  DataType type;
  Type element;
};
constexpr TypeRow type_rows[] = {
    {DataType::float32, f32},  {DataType::uint8, u8},        {DataType::int8, i8},
    {DataType::uint16, u16},   {DataType::int16, i16},       {DataType::int32, i32},
    {DataType::int64, i64},    {DataType::boolean, boolean}, {DataType::float16, f16},
    {DataType::float64, f64},  {DataType::uint32, u32},      {DataType::uint64, u64},
    {DataType::bfloat16, bf16}};

std::runtime_error failure(const TensorProto& tensor, const std::string& what) {
  return std::runtime_error(fmt::format("tensor \"{}\" {}", tensor.name, what));
}

// The product of the dims, at most 2^48.
std::uint64_t number_of_elements(const TensorProto& tensor) {
  std::uint64_t count = 1;
  for (const std::int64_t dim : tensor.dims) {
    if (dim < 0) throw failure(tensor, fmt::format("has the extent {}", dim));
    if (dim != 0 && count > (std::uint64_t(1) << 48) / std::uint64_t(dim))
      throw failure(tensor, "has more than 2^48 elements");
    count *= std::uint64_t(dim);
  }
  if (tensor.dims.size() > 64) throw failure(tensor, "has more than 64 dimensions");
  return count;
}

std::uint64_t number_in(const TensorProto& tensor, const std::string& key, std::uint64_t absent) {
  const auto found = tensor.external.find(key);
  if (found == tensor.external.end()) return absent;
  const std::string& text = found->second;
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw failure(tensor, fmt::format("has the {} \"{}\", which is not a number", key, text));
  return std::stoull(text);
}

// The path of the external file. It may not lead out of the folder.
std::filesystem::path path_of(const TensorProto& tensor, const std::filesystem::path& folder) {
  const auto found = tensor.external.find("location");
  const std::filesystem::path location = found == tensor.external.end() ? "" : found->second;
  bool leaves = location.empty() || location.is_absolute();
  for (const auto& part : location) leaves |= part == "..";
  if (leaves)
    throw failure(tensor, fmt::format("is in the file \"{}\", which is not in the model's folder",
                                      location.string()));
  return folder / location;
}

void read_beside(const TensorProto& tensor, const std::filesystem::path& folder,
                 const NDArray& array) {
  const std::filesystem::path path = path_of(tensor, folder);
  const std::uint64_t offset = number_in(tensor, "offset", 0);
  const std::uint64_t length = number_in(tensor, "length", array.bytes());
  std::ifstream file(path, std::ios::binary);
  file.seekg(std::streamoff(offset));
  file.read(reinterpret_cast<char*>(array.raw()), std::streamsize(array.bytes()));
  if (length != array.bytes() || !file)
    throw failure(tensor, fmt::format("has {} bytes, and {} of them cannot be read at {} of {}",
                                      array.bytes(), length, offset, path.string()));
}

// Throws unless there is a regular file with so many bytes from the offset on.
void require_beside(const TensorProto& tensor, const std::filesystem::path& folder,
                    std::uint64_t bytes) {
  const std::filesystem::path path = path_of(tensor, folder);
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(path, error);
  const std::uint64_t size = is_file ? std::filesystem::file_size(path, error) : 0;
  const std::uint64_t offset = number_in(tensor, "offset", 0);
  if (!is_file || error || offset > size || bytes > size - offset)
    throw failure(tensor, fmt::format("needs {} bytes at {} of the file {}, which has {}", bytes,
                                      offset, path.string(), size));
}

// ONNX writes 16-bit floats as integers with the same bits.
void write_values(const TensorProto& tensor, const NDArray& array, Type type) {
  for (std::size_t k = 0; k < array.size(); ++k) {
    if (is_half(type)) {
      const auto bits = std::uint16_t(tensor.integers[k]);
      std::memcpy(array.raw() + 2 * k, &bits, 2);
    } else if (is_float(type)) {
      write(array, k, real_element(type, tensor.reals[k]));
    } else {
      write(array, k, integer_element(type, tensor.integers[k]));
    }
  }
}

}  // namespace

std::optional<Type> element_of(DataType type) {
  for (const TypeRow& row : type_rows)
    if (row.type == type) return row.element;
  return std::nullopt;
}

std::string name_of(DataType type) {
  if (const auto element = element_of(type)) return to_string(*element);
  if (type == DataType::string) return "string";
  return fmt::format("type {} of onnx.proto", int(type));
}

NDArray array_of(const TensorProto& tensor, const std::optional<std::filesystem::path>& folder) {
  const auto type = element_of(tensor.type);
  if (!type) throw failure(tensor, "has elements of " + name_of(tensor.type));
  const std::uint64_t count = number_of_elements(tensor), bytes = count * strata::bytes(*type);
  if (tensor.is_external) {
    if (!folder) throw failure(tensor, "is in a file beside, and no folder is given");
    require_beside(tensor, *folder, bytes);
  }
  const std::size_t values =
      is_float(*type) && !is_half(*type) ? tensor.reals.size() : tensor.integers.size();
  const bool is_raw = !tensor.is_external && (!tensor.raw.empty() || values == 0);
  if (is_raw && tensor.raw.size() != bytes)
    throw failure(tensor, fmt::format("has {} bytes of elements, and its dims want {}",
                                      tensor.raw.size(), bytes));
  if (!tensor.is_external && !is_raw && values != count)
    throw failure(tensor, fmt::format("has {} elements, and its dims want {}", values, count));
  const NDArray array(element_type_of(*type), tensor.dims);
  if (tensor.is_external)
    read_beside(tensor, *folder, array);
  else if (is_raw && bytes > 0)
    std::memcpy(array.raw(), tensor.raw.data(), bytes);
  else
    write_values(tensor, array, *type);
  if (*type == boolean)
    for (std::size_t k = 0; k < array.size(); ++k)
      array.raw()[k] = std::byte(array.raw()[k] != std::byte(0));
  return array;
}

}  // namespace strata::graph::onnx
