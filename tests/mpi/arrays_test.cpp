// Scatter and gather of arrays, by boxes.
#include "tests/mpi/ranks.h"

namespace strata::test::mpi {
namespace {

using Index = std::vector<int64_t>;

int32_t value_at(int64_t i, int64_t j) { return static_cast<int32_t>(1000 * i + j); }

// Rows and columns [i, ..) x [j, ..) of the whole, which begins at (-2, 5).
struct Part : Box<int32_t> {
  Part(const Index& min, const Index& extent) : Box(min, extent, strata_int(32)) {}
  int32_t& at(int64_t i, int64_t j) {
    const strata_dimension &rows = dimensions[1], &columns = dimensions[0];
    return values[static_cast<std::size_t>((i - rows.min) * columns.extent + j - columns.min)];
  }
  template <typename Do>
  void each(Do what) {
    const strata_dimension &rows = dimensions[1], &columns = dimensions[0];
    for (int64_t i = rows.min; i < rows.min + rows.extent; ++i)
      for (int64_t j = columns.min; j < columns.min + columns.extent; ++j) what(i, j);
  }
};

// Parts with a halo, of rows or of columns.
void check_blocks(strata_team* team, int root, bool by_rows) {
  const int64_t rows = 11, columns = 7, n = by_rows ? rows : columns;
  Part whole({-2, 5}, {rows, columns});
  if (rank_of() == root) whole.each([&](int64_t i, int64_t j) { whole.at(i, j) = value_at(i, j); });
  const int64_t first = strata_even_cut(n, size_of(), rank_of()),
                end = strata_even_cut(n, size_of(), rank_of() + 1);
  const int64_t low = std::max<int64_t>(first - 1, 0), high = std::min<int64_t>(end + 1, n);
  Part part(by_rows ? Index{low - 2, 5} : Index{-2, low + 5},
            by_rows ? Index{high - low, columns} : Index{rows, high - low});
  CHECK(strata_scatter(team, root, whole.argument(), part.argument()) == 0);
  bool right = true;
  part.each([&](int64_t i, int64_t j) { right &= part.at(i, j) == value_at(i, j); });
  CHECK(right);

  part.each([&](int64_t i, int64_t j) { part.at(i, j) = -1; });
  strata_buffer own;
  strata_dimension dimensions[2];
  const Index min = by_rows ? Index{first - 2, 5} : Index{-2, first + 5},
              extent = by_rows ? Index{end - first, columns} : Index{rows, end - first};
  CHECK(strata_crop(&own, dimensions, part.argument(), min.data(), extent.data()) == 0);
  for (int64_t i = min[0]; i < min[0] + extent[0]; ++i)
    for (int64_t j = min[1]; j < min[1] + extent[1]; ++j) part.at(i, j) = value_at(j, i);
  CHECK(strata_gather(team, root, strata_argument(&own),
                      rank_of() == root ? whole.argument() : nullptr) == 0);
  right = true;
  if (rank_of() == root)
    whole.each([&](int64_t i, int64_t j) { right &= whole.at(i, j) == value_at(j, i); });
  CHECK(right);
}

// The whole with strides, columns outermost; only rank 0 has elements, or all have all of them.
void check_strides(strata_team* team, bool all) {
  Part memory({0, 0}, {5, 8}), part({0, 0}, {all || rank_of() == 0 ? 4 : 0, 5});
  strata_dimension dimensions[] = {{0, 5, 8, 0}, {0, 4, 2, 0}};
  strata_buffer whole = memory.buffer;
  whole.dim = dimensions;
  memory.each([&](int64_t i, int64_t j) { memory.at(i, j) = value_at(i, j); });
  CHECK(strata_scatter(team, 0, strata_argument(&whole), part.argument()) == 0);
  bool right = true;
  part.each([&](int64_t i, int64_t j) { right &= part.at(i, j) == value_at(j, 2 * i); });
  CHECK(right);
  part.each([&](int64_t i, int64_t j) { part.at(i, j) = static_cast<int32_t>(10 * i + j); });
  CHECK(strata_gather(team, 0, part.argument(), strata_argument(&whole)) == 0);
  memory.each([&](int64_t i, int64_t j) {
    const bool moved = rank_of() == 0 && j % 2 == 0;
    right &= memory.at(i, j) == (moved ? static_cast<int32_t>(10 * (j / 2) + i) : value_at(i, j));
  });
  CHECK(right);
}

}  // namespace

void test_arrays() {
  World world;
  for (int root = 0; root < size_of(); ++root)
    for (const bool by_rows : {true, false}) check_blocks(world.team, root, by_rows);
  check_strides(world.team, true);
  check_strides(world.team, false);
  Box<double> scalar({}, {}, strata_float(64)), of_root({}, {}, strata_float(64));
  of_root.values[0] = rank_of() + 2.5;
  CHECK(strata_scatter(world.team, 0, of_root.argument(), scalar.argument()) == 0);
  CHECK(scalar.values[0] == 2.5);
}

namespace {

// What the last rank does wrong, or root, is told to all, and nothing is written.
void check_wrong(strata_team* team, int where, Part& whole, Box<int32_t>& part, int code,
                 const std::string& message) {
  for (int32_t& value : part.values) value = 7;
  const Told told = told_by(
      [&] { return strata_scatter(team, 0, whole.argument(), part.argument()); });
  const bool here = rank_of() == where;
  CHECK(told.code == (here ? code : strata_error_other_rank));
  const std::string name = "strata_scatter: ", text = name + message;
  CHECK_TEXT(told.message, here ? text
                                : name + "rank " + std::to_string(where) + " failed with " +
                                      std::to_string(code) + ": " + text);
  for (const int32_t value : part.values) CHECK(value == 7);
}

}  // namespace

void test_wrong_arrays() {
  World world;
  strata_team* const team = world.team;
  const int last = size_of() - 1;
  const std::string rank = std::to_string(last);
  const bool here = rank_of() == last;
  Part whole({0, 0}, {4, 4}), right({1, 1}, {2, 2}), outside({1, 1}, {4, 2}), vector({1, 1}, {2, 2});
  Box<int32_t> unsigned_part({1, 1}, {2, 2}, strata_uint(32));
  vector.buffer.dimensions = 1;
  check_wrong(team, 0, whole, here ? outside : right, strata_error_out_of_bounds,
              "the part of rank " + rank +
                  " has elements 1 to 4 in dimension 0, the whole array 0 to 3");
  check_wrong(team, 0, whole, here ? vector : right, strata_error_wrong_rank,
              "the part of rank " + rank + " has 1 dimensions, the whole array 2");
  check_wrong(team, 0, whole, here ? unsigned_part : right, strata_error_wrong_type,
              "the elements of rank " + rank + " have another type than those of the whole array");
  Part without_memory({1, 1}, {2, 2}), negative({1, 1}, {2, 2});
  without_memory.buffer.host = nullptr;
  negative.dimensions[1].extent = -1;
  check_wrong(team, last, whole, here ? without_memory : right, strata_error_null_host,
              "the part has no host memory");
  check_wrong(team, last, whole, here ? negative : right, strata_error_bad_shape,
              "an extent of the part is -1");
  uint8_t* const host = whole.buffer.host;
  if (rank_of() == 0) whole.buffer.host = nullptr;
  check_wrong(team, 0, whole, right, strata_error_null_host, "the whole array has no host memory");
  Told told = told_by([&] { return strata_gather(team, 0, nullptr, nullptr); });
  CHECK(told.code == strata_error_null_buffer);
  told = told_by([&] { return strata_gather(team, -1, right.argument(), nullptr); });
  CHECK(told.code == strata_error_team_size);
  CHECK_TEXT(told.message, "strata_gather: there is no rank -1");
  CHECK(meet(team) == 0);
  if (size_of() == 1) return;
  whole.buffer.host = host;
  told = told_by([&] { return strata_gather(team, here, right.argument(), whole.argument()); });
  CHECK(told.code == strata_error_ranks_differ);
  CHECK_TEXT(told.message, "strata_gather: the root is 0 on one rank and 1 on another");
}

}  // namespace strata::test::mpi
