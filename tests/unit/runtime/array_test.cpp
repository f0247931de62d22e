// strata::Array: sizes that exceed any memory, and its buffer description for kernels.
#include <catch2/catch.hpp>

#include <strata/buffer.h>

#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

using strata::Array;

namespace {

constexpr std::int64_t one = 1, most = std::numeric_limits<std::int64_t>::max();

template <typename T>
bool has_no_size(const std::vector<std::int64_t>& extents) {
  try {
    const Array<T> array(extents);
    return false;
  } catch (const std::length_error&) {
    return true;
  }
}

const strata_buffer& described(const halide_buffer_t* argument) {
  return *reinterpret_cast<const strata_buffer*>(argument);
}

// Does the buffer description of the array match it?
template <typename T>
bool describes(const Array<T>& array) {
  const strata_buffer& buffer = described(array);
  const auto& extents = array.extents();
  bool same = buffer.dimensions == int(extents.size()) &&
              reinterpret_cast<const T*>(buffer.host) == array.data();
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); same && d-- > 0;) {
    const strata_dimension& dimension = buffer.dim[extents.size() - 1 - d];
    same = dimension.min == 0 && dimension.extent == extents[d] && dimension.stride == stride;
    stride *= extents[d];
  }
  return same;
}

}  // namespace

TEST_CASE("an array whose bytes are more than there are addresses is not made", "[array]") {
  CHECK(has_no_size<double>({one << 60}));
  CHECK(has_no_size<double>({one << 61}));  // 2^64 bytes
  CHECK(has_no_size<double>({one << 30, one << 31}));
  CHECK(has_no_size<float>({one << 61, 3}));
  CHECK(has_no_size<float>({(one << 61) - 1}));
  CHECK(has_no_size<std::int16_t>({one << 62}));
  CHECK(has_no_size<std::int8_t>({most}));  // plus alignment
  CHECK(has_no_size<std::int8_t>({most, 2}));
  CHECK(has_no_size<std::int32_t>({4, -1}));
  CHECK_FALSE(has_no_size<double>({most, 0}));
  CHECK_FALSE(has_no_size<double>({}));
}

TEST_CASE("an array keeps its description through copies and moves", "[array]") {
  Array<std::int32_t> a({3, 5}, 7);
  CHECK(describes(a));
  const std::int32_t* memory = a.data();
  const Array<std::int32_t> copy(a);
  CHECK(describes(copy));
  CHECK(copy.data() != memory);

  Array<std::int32_t> moved(std::move(a));
  CHECK(moved.data() == memory);
  CHECK(describes(moved));
  CHECK((a.size() == 0 && a.extents().empty()));
  CHECK(describes(a));

  a = std::move(moved);
  CHECK((a.data() == memory && describes(a) && describes(moved)));
  Array<std::int32_t>& itself = a;
  a = std::move(itself);
  CHECK((a.data() == memory && a.size() == 15 && describes(a)));
  moved = copy;
  CHECK((moved.extents() == copy.extents() && moved(2, 4) == 7 && describes(moved)));
  std::vector<Array<std::int32_t>> many;
  for (int n = 0; n < 10; ++n) many.emplace_back(std::vector<std::int64_t>{n, 2}, n);
  for (const auto& one_of_them : many) CHECK(describes(one_of_them));
}
