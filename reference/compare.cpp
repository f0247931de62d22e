#include "reference/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "reference/float_format.h"
#include "reference/points.h"

namespace strata::reference {

double epsilon(Type type) { return std::ldexp(1.0, -format_of(type).fraction_bits); }

double sum_bound(Type type, std::int64_t n, double magnitude) {
  return double(n) * epsilon(type) * magnitude;
}

double distance(const Scalar& a, const Scalar& b) {
  const double x = number_of(a), y = number_of(b);
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  const double apart = std::fabs(x - y);
  return std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
}

std::string first_beyond(const Array& expected, const Array& actual,
                         const std::function<double(const Point&)>& bound) {
  for (const Point& p : expected.elements()) {
    if (!expected.defined(p)) continue;
    if (!actual.defined(p)) return to_string(p) + " has no value";
    if (distance(expected[p], actual[p]) > bound(p))
      return fmt::format("{} is {} and should be {}, at most {} off", to_string(p),
                         to_string(actual[p]), to_string(expected[p]), bound(p));
  }
  return "";
}

std::string first_beyond(const Array& expected, const Array& actual, double bound) {
  return first_beyond(expected, actual, [bound](const Point&) { return bound; });
}

}  // namespace strata::reference
