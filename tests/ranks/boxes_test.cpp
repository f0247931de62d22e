// What the functions NAME_box and NAME_owned of a kernel's header say.
#include "grid_rows.h"
#include "heat_1d.h"
#include "read_steps.h"
#include "tests/ranks/case.h"
#include "wide.h"

namespace strata::test::ranks {
namespace {

void expect(const std::string& what, const Case& c, const Range& found, const Range& expected) {
  if (found.min == expected.min && found.extent == expected.extent) return;
  std::string text = what + ", " + c.text + ":";
  for (std::size_t d = 0; d < found.min.size(); ++d)
    text += " [" + std::to_string(found.min[d]) + ", +" + std::to_string(found.extent[d]) + ")";
  report(text);
}

// The rows within "before" and "after" of the block, of those that exist.
Range rows(const Case& c, int64_t before, int64_t after) {
  const int64_t first = std::max<int64_t>(c.first() - before, 0);
  return {{first}, {std::min(c.last() + after, c.N) - first}};
}

}  // namespace

void check_boxes(const Case& c) {
  if (c.first() == c.last() || c.T < 2 || c.N < 2) return;
  expect("g of heat", c, box_of(heat_1d_box, c, 0, c.T, c.N), rows(c, 0, 0));
  const auto with_time = [](Range one) {
    one.min.insert(one.min.begin(), 0);
    one.extent.insert(one.extent.begin(), 2);
    return one;
  };
  expect("u of heat", c, box_of(heat_1d_box, c, 1, c.T, c.N), with_time(rows(c, 1, 1)));
  expect("u of wide", c, box_of(wide_box, c, 1, c.T, c.N), with_time(rows(c, 1, 3)));
  expect("u of heat, computed", c, box_of(heat_1d_owned, c, 1, c.T, c.N), with_time(rows(c, 0, 0)));
  expect("g of heat, computed", c, box_of(heat_1d_owned, c, 0, c.T, c.N), {{0}, {0}});
  expect("u with steps that are read", c, box_of(read_steps_box, c, 2, c.N, c.T),
         with_time(rows(c, 1, 0)));
  expect("none", c, box_of(heat_1d_box, c, 2, c.T, c.N), {});
  Range grid = with_time(rows(c, 0, 0));
  grid.min.push_back(0);
  grid.extent.push_back(c.M);
  expect("u of grid, computed", c, box_of(grid_rows_owned, c, 1, c.T, c.N, c.M), grid);
}

}  // namespace strata::test::ranks
