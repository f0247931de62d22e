#include "reference/conjunction.h"

#include <isl/aff.h>
#include <isl/mat.h>
#include <isl/set.h>

#include <algorithm>

namespace strata::reference {

namespace {

using Wide = __int128;

constexpr std::int64_t far = std::int64_t{1} << 50;  // a column beyond this counts as unbounded
constexpr int most_rounds = 64;

std::int64_t integer(isl_val* value) {
  const std::int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

std::vector<Sum> rows(isl_mat* matrix) {
  std::vector<Sum> result;
  for (int row = 0; row < isl_mat_rows(matrix); ++row) {
    Sum sum;
    sum.constant = integer(isl_mat_get_element_val(matrix, row, 0));
    for (int column = 1; column < isl_mat_cols(matrix); ++column)
      sum.coefficients.push_back(integer(isl_mat_get_element_val(matrix, row, column)));
    result.push_back(std::move(sum));
  }
  isl_mat_free(matrix);
  return result;
}

Conjunction::Floor floor_of(isl_aff* aff) {
  const std::int64_t divisor = integer(isl_aff_get_denominator_val(aff));
  aff = isl_aff_scale_val(aff, isl_val_int_from_si(isl_aff_get_ctx(aff), divisor));
  Conjunction::Floor result{{{}, integer(isl_aff_get_constant_val(aff))}, divisor};
  for (const isl_dim_type type : {isl_dim_param, isl_dim_in, isl_dim_div})
    for (int n = 0; n < isl_aff_dim(aff, type); ++n)
      result.sum.coefficients.push_back(integer(isl_aff_get_coefficient_val(aff, type, n)));
  isl_aff_free(aff);
  return result;
}

Conjunction conjunction(isl_basic_set* set) {
  Conjunction result;
  result.parameters = std::size_t(isl_basic_set_dim(set, isl_dim_param));
  result.dimensions = std::size_t(isl_basic_set_dim(set, isl_dim_set));
  result.equalities = rows(
      isl_basic_set_equalities_matrix(set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
  result.inequalities = rows(
      isl_basic_set_inequalities_matrix(set, isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
  for (int n = 0; n < isl_basic_set_dim(set, isl_dim_div); ++n)
    result.floors.push_back(floor_of(isl_basic_set_get_div(set, n)));
  return result;
}

std::int64_t floor_div(Wide a, std::int64_t b) {
  return std::int64_t(std::clamp<Wide>(a / b - (a % b != 0 && (a < 0) != (b < 0)), -far, far));
}

// Enumerates values column by column, each within the constraints and the ranges of the others.
class Search {
 public:
  Search(const Conjunction& of, const std::vector<std::int64_t>& values)
      : of_(of),
        first_(values.size()),
        end_(of.parameters + of.dimensions),
        above_(of.inequalities) {
    for (const std::int64_t value : values) ranges_.push_back({value, value});
    ranges_.resize(end_ + of.floors.size(), {-far, far});
    for (const Sum& sum : of.equalities) add(sum, 1), add(sum, -1);
    for (std::size_t n = 0; n < of.floors.size(); ++n) add(of.floors[n], n);
  }

  std::optional<std::vector<Point>> run() {
    for (int round = 0; round < most_rounds && tightened(); ++round)
      if (empty_) return found_;
    for (std::size_t column = first_; column < end_; ++column)
      if (ranges_[column].lower <= -far || ranges_[column].upper >= far) return std::nullopt;
    choose(first_);
    return found_;
  }

 private:
  struct Range {
    std::int64_t lower, upper;
    bool operator==(const Range&) const = default;
  };

  void add(Sum sum, std::int64_t sign) {
    sum.constant *= sign;
    for (std::int64_t& c : sum.coefficients) c *= sign;
    above_.push_back(std::move(sum));
  }

  // 0 <= sum - divisor * floor <= divisor - 1
  void add(const Conjunction::Floor& floor, std::size_t n) {
    Sum sum = floor.sum;
    sum.coefficients.resize(ranges_.size());
    sum.coefficients[end_ + n] -= floor.divisor;
    add(sum, 1);
    sum.constant -= floor.divisor - 1;
    add(sum, -1);
  }

  // The maximum of the sum without the column's term; nothing if unbounded.
  std::optional<Wide> most_without(const Sum& sum, std::size_t column) const {
    Wide most = sum.constant;
    for (std::size_t n = 0; n < sum.coefficients.size(); ++n) {
      const std::int64_t c = sum.coefficients[n];
      if (c == 0 || n == column) continue;
      const std::int64_t end = c > 0 ? ranges_[n].upper : ranges_[n].lower;
      if (end >= far || end <= -far) return std::nullopt;
      most += Wide(c) * end;
    }
    return most;
  }

  // Uses c * x + rest >= 0 for each inequality.
  void narrow(std::size_t column) {
    Range& range = ranges_[column];
    for (const Sum& sum : above_) {
      const std::int64_t c = sum.coefficients[column];
      if (c == 0) continue;
      const auto rest = most_without(sum, column);
      if (!rest) continue;
      if (c > 0) range.lower = std::max(range.lower, -floor_div(*rest, c));
      if (c < 0) range.upper = std::min(range.upper, floor_div(*rest, -c));
    }
  }

  // Narrows every column; did any range change?
  bool tightened() {
    const std::vector<Range> before = ranges_;
    for (std::size_t column = first_; column < ranges_.size(); ++column) {
      narrow(column);
      empty_ = empty_ || ranges_[column].lower > ranges_[column].upper;
    }
    return ranges_ != before;
  }

  void choose(std::size_t column) {
    if (column == end_) {
      finish();
      return;
    }
    const Range before = ranges_[column];
    narrow(column);
    const Range range = ranges_[column];
    for (std::int64_t value = range.lower; value <= range.upper; ++value) {
      ranges_[column] = {value, value};
      choose(column + 1);
    }
    ranges_[column] = before;
  }

  Wide value(const Sum& sum, const Point& columns) const {
    Wide result = sum.constant;
    for (std::size_t n = 0; n < sum.coefficients.size(); ++n)
      if (sum.coefficients[n] != 0) result += Wide(sum.coefficients[n]) * columns[n];
    return result;
  }

  // All dimensions have values: computes the floors and checks all constraints.
  void finish() {
    Point columns(ranges_.size(), 0);
    for (std::size_t n = 0; n < end_; ++n) columns[n] = ranges_[n].lower;
    for (std::size_t n = 0; n < of_.floors.size(); ++n)
      columns[end_ + n] = floor_div(value(of_.floors[n].sum, columns), of_.floors[n].divisor);
    for (const Sum& sum : above_)
      if (value(sum, columns) < 0) return;
    found_.emplace_back(columns.begin() + std::ptrdiff_t(first_),
                        columns.begin() + std::ptrdiff_t(end_));
  }

  const Conjunction& of_;
  const std::size_t first_, end_;  // the columns that are enumerated
  std::vector<Sum> above_;         // all constraints as inequalities
  std::vector<Range> ranges_;
  std::vector<Point> found_;
  bool empty_ = false;
};

}  // namespace

std::vector<Conjunction> conjunctions(const isl::set& set) {
  std::vector<Conjunction> result;
  isl_set* explicit_floors = isl_set_compute_divs(set.copy());
  isl_set_foreach_basic_set(
      explicit_floors,
      [](isl_basic_set* part, void* all) {
        static_cast<std::vector<Conjunction>*>(all)->push_back(conjunction(part));
        isl_basic_set_free(part);
        return isl_stat_ok;
      },
      &result);
  isl_set_free(explicit_floors);
  return result;
}

std::optional<std::vector<Point>> points(const Conjunction& conjunction,
                                         const std::vector<std::int64_t>& values) {
  return Search(conjunction, values).run();
}

}  // namespace strata::reference
