// Arrays for host programs: they own their memory and are indexed as in the program.
//
//   strata::Array<float> a({N, M, 3});
//   a(i, j, c) = 1.0f;             // the last index is innermost
//   blur(N, M, a, b);              // arrays are passed to kernels
#pragma once

#include <strata/runtime.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strata {

// The type of elements that a kernel sees in an array of T.
template <typename T>
strata_type element_type() {
  if constexpr (std::same_as<T, bool>)
    return strata_boolean();
  else if constexpr (std::floating_point<T>)
    return strata_float(8 * sizeof(T));
  else if constexpr (std::signed_integral<T>)
    return strata_int(8 * sizeof(T));
  else
    return strata_uint(8 * sizeof(T));
}

// A 16-bit float, represented by its bits. It can only be passed to kernels and back.
struct Float16 {
  std::uint16_t bits = 0;
  friend bool operator==(Float16, Float16) = default;
};
struct BFloat16 {
  std::uint16_t bits = 0;
  friend bool operator==(BFloat16, BFloat16) = default;
};
template <>
inline strata_type element_type<Float16>() {
  return strata_float(16);
}
template <>
inline strata_type element_type<BFloat16>() {
  return strata_bfloat16();
}

// The memory of dense arrays begins at a multiple of this.
inline constexpr std::size_t array_alignment = 64;

// The number of elements of a dense array.  std::length_error, in the name of "what", if an extent
// is negative, or the product of the extents or the size in bytes overflows.
inline std::size_t dense_size(const char* what, const std::vector<std::int64_t>& extents,
                              std::size_t element_size) {
  std::int64_t count = 1, bytes = 0;
  for (const std::int64_t extent : extents)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      throw std::length_error(std::string(what) +
                              ": an extent is negative or their product overflows");
  if (__builtin_mul_overflow(count, static_cast<std::int64_t>(element_size), &bytes) ||
      __builtin_add_overflow(bytes, static_cast<std::int64_t>(array_alignment), &bytes))
    throw std::length_error(std::string(what) + ": the size in bytes overflows");
  return static_cast<std::size_t>(count);
}

// The first aligned place in memory that has array_alignment bytes to spare.
inline std::byte* aligned_begin(std::byte* memory) {
  const auto start = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (array_alignment - start % array_alignment) % array_alignment;
}

// A dense array of fixed size; copies have their own memory. Threads may read one array, and call
// kernels with it, at the same time, but not while another thread assigns to it.
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Throws std::length_error if an extent is negative, or if the product of the extents or the size
  // in bytes overflows.
  explicit Array(std::vector<std::int64_t> extents, T fill = T())
      : size_(dense_size("strata::Array", extents, sizeof(T))),
        extents_(std::move(extents)),
        memory_(size_ * sizeof(T) + array_alignment),
        dimensions_(extents_.size()) {
    describe();
    std::fill(begin(), end(), fill);
  }
  Array(std::initializer_list<std::int64_t> extents) : Array(std::vector<std::int64_t>(extents)) {}

  Array(const Array& other) : Array(other.extents_) {
    std::copy(other.begin(), other.end(), begin());
  }
  Array& operator=(const Array& other) {
    Array copy(other);
    *this = std::move(copy);
    return *this;
  }
  // A moved-from array has no elements and no dimensions.
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array taken(std::move(other));
    swap(taken);
    return *this;
  }

  // One index per dimension; neither their number nor their range is checked.
  template <std::integral... Index>
  T& operator()(Index... index) {
    return data()[position({static_cast<std::int64_t>(index)...})];
  }
  template <std::integral... Index>
  const T& operator()(Index... index) const {
    return data()[position({static_cast<std::int64_t>(index)...})];
  }

  T* data() { return reinterpret_cast<T*>(aligned()); }
  const T* data() const { return reinterpret_cast<const T*>(aligned()); }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::size_t size() const { return size_; }
  const std::vector<std::int64_t>& extents() const { return extents_; }
  std::int64_t extent(std::size_t dimension) const { return extents_.at(dimension); }

  // The array as an argument of a kernel; valid as long as the array lives.
  operator halide_buffer_t*() const { return strata_argument(&buffer_); }

 private:
  // The buffer description is set when memory is allocated or moved, and only read afterwards.
  void describe() {
    strata_buffer_init(&buffer_, element_type<T>(), aligned(), static_cast<int>(extents_.size()),
                       dimensions_.data(), extents_.data());
  }

  void swap(Array& other) noexcept {
    std::swap(size_, other.size_);
    extents_.swap(other.extents_);
    memory_.swap(other.memory_);
    dimensions_.swap(other.dimensions_);
    describe();
    other.describe();
  }

  std::byte* aligned() { return aligned_begin(memory_.data()); }
  const std::byte* aligned() const { return aligned_begin(const_cast<std::byte*>(memory_.data())); }

  std::size_t position(std::initializer_list<std::int64_t> indices) const {
    std::int64_t at = 0;
    const std::int64_t* extent = extents_.data();
    for (const std::int64_t index : indices) at = at * *extent++ + index;
    return static_cast<std::size_t>(at);
  }

  std::size_t size_ = 0;
  std::vector<std::int64_t> extents_;
  std::vector<std::byte> memory_;
  std::vector<strata_dimension> dimensions_;
  mutable strata_buffer buffer_{};  // kernels take non-const arguments
};

// Memory of another library on the GPU, as an argument of kernels that have it resident
// (strata_wrap_memory, strata_wrap_tensor). The memory stays the other library's, which keeps it
// until the wrapping ends. Constructors throw std::runtime_error with strata_last_error().
class OnDevice {
 public:
  // A DLTensor of DLPack.
  explicit OnDevice(const void* dl_tensor) : dimensions_(STRATA_MAX_RANK) {
    const int code = strata_wrap_tensor(&buffer_, dimensions_.data(), dl_tensor);
    if (code) throw std::runtime_error(strata_last_error());
  }
  // An address ("cuda") or a cl_mem ("opencl"); dense without strides.
  OnDevice(strata_type type, const char* api, std::uint64_t memory,
           const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides = {})
      : dimensions_(extents.size()) {
    if (!strides.empty() && strides.size() != extents.size())
      throw std::runtime_error("strata::OnDevice: as many strides as extents, or none");
    const int code = strata_wrap_memory(&buffer_, type, api, memory,
                                        static_cast<int>(extents.size()), dimensions_.data(),
                                        extents.data(), strides.empty() ? nullptr : strides.data());
    if (code) throw std::runtime_error(strata_last_error());
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { strata_unwrap(&buffer_); }

  operator halide_buffer_t*() { return strata_argument(&buffer_); }
  const strata_buffer& description() const { return buffer_; }

 private:
  std::vector<strata_dimension> dimensions_;
  strata_buffer buffer_{};
};

}  // namespace strata
