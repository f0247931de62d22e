// What a rank has of an array, and the least number of values that must travel.
#pragma once

#include <strata/mpi.h>
#include <strata/runtime.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <type_traits>
#include <vector>

namespace strata::test::ranks {

using Index = std::vector<int64_t>;

// The elements min <= index < min + extent.
struct Range {
  Index min, extent;
};

// The elements min <= index < end, dense, in the order of the program's indices.
template <typename T>
class Part {
 public:
  Part(const Index& min, const Index& end) : dimensions_(min.size()) {
    int64_t stride = 1;
    for (std::size_t k = min.size(); k-- > 0;) {
      const int64_t extent = std::max<int64_t>(0, end[k] - min[k]);
      dimensions_[min.size() - 1 - k] = {int32_t(min[k]), int32_t(extent), int32_t(stride), 0};
      stride *= extent;
    }
    values_.assign(std::size_t(stride) + 1, T(-77777));
    buffer_.dimensions = int32_t(min.size());
    buffer_.dim = dimensions_.data();
    constexpr int bits = 8 * int(sizeof(T));
    buffer_.type = std::is_floating_point_v<T> ? strata_float(bits) : strata_int(bits);
    buffer_.host = reinterpret_cast<uint8_t*>(values_.data());
  }
  explicit Part(const Range& range) : Part(range.min, end_of(range)) {}
  Part(const Part&) = delete;

  T& at(const Index& index) {
    int64_t place = 0;
    for (std::size_t k = 0; k < index.size(); ++k) {
      const strata_dimension& d = dimensions_[index.size() - 1 - k];
      place += (index[k] - d.min) * d.stride;
    }
    return values_.at(std::size_t(place));
  }
  halide_buffer_t* argument() { return strata_argument(&buffer_); }

 private:
  static Index end_of(const Range& range) {
    Index end = range.min;
    for (std::size_t k = 0; k < end.size(); ++k) end[k] += range.extent[k];
    return end;
  }

  std::vector<strata_dimension> dimensions_;
  std::vector<T> values_;
  strata_buffer buffer_ = {};
};

// Brute force over the reads of a program, in the order of its schedule: each value that a rank
// reads and has not made is sent to it once, and one message from a rank to another carries all
// values of a place.
class LeastValues {
 public:
  explicit LeastValues(const std::vector<int64_t>& cuts) : cuts_(cuts) {}

  int owner(int64_t row) const {
    int rank = 0;
    while (row < cuts_[std::size_t(rank)] || row >= cuts_[std::size_t(rank) + 1]) ++rank;
    return rank;
  }
  // "value", made in a row, is read in another one, before which it is waited for at "place"; or on
  // all ranks.
  void read(const Index& value, int64_t made, int64_t reader, const Index& place = {}) {
    add(value, owner(made), owner(reader), place);
  }
  void read_by_all(const Index& value, int64_t made) {
    for (int rank = 0; rank + 1 < int(cuts_.size()); ++rank) add(value, owner(made), rank, {});
  }
  long long count() const { return static_cast<long long>(sent_.size()); }
  long long messages() const { return static_cast<long long>(messages_.size()); }

 private:
  void add(const Index& value, int from, int to, const Index& place) {
    if (from != to && sent_.insert({value, to}).second) messages_.insert({place, {from, to}});
  }

  const std::vector<int64_t>& cuts_;
  std::set<std::pair<Index, int>> sent_;
  std::set<std::pair<Index, std::pair<int, int>>> messages_;
};

}  // namespace strata::test::ranks
