#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "benchmarks/gpu/cases.h"
#include "benchmarks/gpu/libraries.h"
#include "examples/common/random.h"
#include "tensor_product_gpu.h"

namespace gpu_benchmark {

namespace {

using Halves = DeviceArray<strata::BFloat16>;
using Floats = DeviceArray<float>;

float float_of(strata::BFloat16 x) { return std::bit_cast<float>(std::uint32_t(x.bits) << 16); }

std::shared_ptr<Halves> random(const Place& place, Size n, std::uint32_t seed) {
  const auto array = std::make_shared<Halves>(place.device, std::vector<Size>{n, n});
  examples::Random numbers(seed);
  for (strata::BFloat16& x : array->host())
    x.bits = std::uint16_t(std::bit_cast<std::uint32_t>(numbers.signed_unit<float>()) >> 16);
  array->upload();
  return array;
}

// 16384 drawn elements.
std::string find_wrong(Halves& a, Halves& b, Floats& c, std::size_t n) {
  c.download();
  examples::Random draw(99);
  for (int sample = 0; sample < 1 << 14; ++sample) {
    const std::size_t i = std::size_t(draw.below(Size(n))), j = std::size_t(draw.below(Size(n)));
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += double(float_of(a.host()[i * n + k])) * float_of(b.host()[k * n + j]);
    const float found = c.host()[i * n + j];
    if (!(std::abs(found - sum) <= 1e-6 * double(n)))
      return "element " + std::to_string(i * n + j) + " is " + std::to_string(found) + ", not " +
             std::to_string(sum);
  }
  return "";
}

}  // namespace

Case tensor_case(const Place& place, Size n) {
  const auto a = random(place, n, 1), b = random(place, n, 2);
  const auto c = std::make_shared<Floats>(place.device, std::vector<Size>{n, n});
  Case made;
  made.kept = {a, b, c};
  made.work = 2.0 * double(n) * double(n) * double(n);
  made.variants.push_back(
      {"strata",
       [=] {
         require(tensor_product_gpu(n, n, n, a->argument(), b->argument(), c->argument()),
                 "strata");
       },
       true, true});
  if (place.libraries) try {
      made.variants.push_back(
          {"cuBLAS",
           place.libraries->tensor_product(n, n, n, a->address(), b->address(), c->address()),
           false, true});
    } catch (const Failed& failed) {
      made.missing.emplace_back("cuBLAS", failed.what());
    }
  made.poison = [=] {
    std::fill(c->host().begin(), c->host().end(), std::numeric_limits<float>::quiet_NaN());
    c->upload();
  };
  made.find_wrong = [=] { return find_wrong(*a, *b, *c, std::size_t(n)); };
  return made;
}

}  // namespace gpu_benchmark
