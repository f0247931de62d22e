#include "tuning/sizes.h"

#include <algorithm>

#include "automatic/model/estimate.h"

namespace strata::tuning {

namespace {

using automatic::estimate;

constexpr double most_cycles = 2e7;

bool is_prime(std::int64_t n) {
  for (std::int64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

// The largest prime up to n; n if there is none.
std::int64_t prime_up_to(std::int64_t n) {
  for (std::int64_t p = n; p > 1; --p)
    if (is_prime(p)) return p;
  return n;
}

// Primes below "most". The prime of each parameter is less than that of the parameter before.
Values primes_below(std::int64_t most, const Values& sizes) {
  Values values;
  for (const auto& [name, size] : sizes) {
    most = std::max<std::int64_t>(prime_up_to(most), 3);
    values[name] = prime_up_to(std::min(size, most));
    --most;
  }
  return values;
}

Values all_at_most(std::int64_t most, const Values& sizes) {
  Values values;
  for (const auto& [name, size] : sizes) values[name] = std::min(size, most);
  return values;
}

}  // namespace

Values sizes_to_compare(const Program& program, const Machine& machine, const Values& sizes) {
  std::vector<Values> all;
  for (const std::int64_t most : {521, 257, 131, 67, 37, 17, 7}) {
    all.push_back(primes_below(most, sizes));
    all.push_back(all_at_most(most, sizes));
  }
  for (const std::int64_t most : {96, 64, 48, 32, 16, 8, 4})
    all.push_back(all_at_most(most, sizes));
  for (const Values& values : all) {
    if (!automatic::sizes_for(program, values)) continue;
    const auto cycles = estimate(program, machine, values);
    if (cycles && cycles->cycles() <= most_cycles) return values;
  }
  return sizes;
}

}  // namespace strata::tuning
