#include "benchmarks/gpu/cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "batched.h"
#include "benchmarks/gpu/cuda.h"
#include "benchmarks/gpu/libraries.h"
#include "benchmarks/gpu/peers.h"
#include "blur.h"
#include "convolution.h"
#include "copy.h"
#include "examples/common/random.h"
#include "four_steps.h"
#include "histogram.h"
#include "product_128.h"
#include "product_128_behind.h"
#include "product_128_quarters.h"
#include "product_64.h"
#include "product_64_any.h"
#include "product_any.h"
#include "stencil.h"
#include "transpose.h"

namespace gpu_benchmark {

namespace {

using Floats = DeviceArray<float>;
using FloatsPtr = std::shared_ptr<Floats>;

// A case whose result is an array of floats.
class FloatCase {
 public:
  explicit FloatCase(const Place& place) : place_(place) {}

  FloatsPtr random(const std::vector<Size>& extents) {
    const FloatsPtr array = empty(extents);
    examples::Random numbers(++seed_);
    for (float& x : array->host()) x = numbers.signed_unit<float>();
    array->upload();
    return array;
  }
  FloatsPtr empty(const std::vector<Size>& extents) {
    const FloatsPtr array = std::make_shared<Floats>(place_.device, extents);
    case_.kept.push_back(array);
    return array;
  }

  // The result; "right" is the element at a position, "bound" how far off it may be.
  void result(const FloatsPtr& out, const std::function<double(std::size_t)>& right, double bound) {
    case_.poison = [out] {
      std::fill(out->host().begin(), out->host().end(), std::numeric_limits<float>::quiet_NaN());
      out->upload();
    };
    case_.find_wrong = [out, right, bound] { return find_wrong(*out, right, bound); };
  }

  template <typename... Arguments>
  void ours(const std::string& name, int (*kernel)(Arguments...),
            std::type_identity_t<Arguments>... arguments) {
    add(name, true, [=] { require(kernel(arguments...), name); });
  }
  template <typename... Arguments>
  void halide(int (*kernel)(Arguments...), std::type_identity_t<Arguments>... arguments) {
    add("halide", false, [=] { require(kernel(arguments...), "halide"); });
  }
  void add(const std::string& name, bool ours, const std::function<void()>& run) {
    case_.variants.push_back({name, run, ours, true});
  }
  // A library's routine, where there are libraries.
  void peer(const std::string& name, const std::function<std::function<void()>(Libraries&)>& make) {
    if (!place_.libraries) return;
    try {
      add(name, false, make(*place_.libraries));
    } catch (const Failed& failed) {
      case_.missing.emplace_back(name, failed.what());
    }
  }
  // A copy between other arrays that moves as many bytes.
  void device_copy(double bytes) {
    case_.work = bytes;
    if (!place_.libraries) return;
    const Size half = Size(bytes / 2);
    const FloatsPtr from = empty({half / 4}), to = empty({half / 4});
    case_.variants.push_back(
        {"device copy", [=] { cuda::copy(to->address(), from->address(), std::size_t(half)); },
         false, false});
  }
  void work(double amount) { case_.work = amount; }
  Case take() { return std::move(case_); }

 private:
  // All elements must be numbers; the corners and drawn positions, all of a small array, are
  // compared.
  static std::string find_wrong(Floats& out, const std::function<double(std::size_t)>& right,
                                double bound) {
    out.download();
    const std::vector<float>& values = out.host();
    const auto wrong = [&](std::size_t at) {
      return "element " + std::to_string(at) + " is " + std::to_string(values[at]) + ", not " +
             std::to_string(right(at));
    };
    for (std::size_t at = 0; at < values.size(); ++at)
      if (!std::isfinite(values[at])) return wrong(at);
    constexpr std::size_t samples = 1 << 14;
    examples::Random draw(99);
    for (std::size_t s = 0; s < std::min(samples, values.size()); ++s) {
      std::size_t at = values.size() <= samples ? s : std::size_t(draw.below(Size(values.size())));
      if (s == 0) at = values.size() - 1;
      if (s == 1) at = 0;
      if (!(std::abs(values[at] - right(at)) <= bound)) return wrong(at);
    }
    return "";
  }

  Place place_;
  Case case_;
  std::uint32_t seed_ = 0;
};

Case product(const Place& place, Size n) {
  FloatCase made(place);
  const FloatsPtr a = made.random({n, n}), b = made.random({n, n}), c = made.empty({n, n});
  halide_buffer_t *const x = a->argument(), *const y = b->argument(), *const z = c->argument();
  if (n % 128 == 0) {
    made.ours("strata 128 x 128", product_128, n, n, n, x, y, z);
    made.ours("strata 128 x 128, copies behind", product_128_behind, n, n, n, x, y, z);
    made.ours("strata 128 x 128, quarters", product_128_quarters, n, n, n, x, y, z);
  }
  if (n % 64 == 0) made.ours("strata 64 x 64", product_64, n, n, n, x, y, z);
  made.ours("strata any", product_any, n, n, n, x, y, z);
  made.ours("strata any, 64 x 64", product_64_any, n, n, n, x, y, z);
  if (n % 64 == 0)
    made.halide(halide_product, x, y, z);
  else
    made.halide(halide_product_any, x, y, z);
  made.peer("cuBLAS", [&](Libraries& libraries) {
    return libraries.product(n, n, n, a->address(), b->address(), c->address());
  });
  made.work(2.0 * double(n) * double(n) * double(n));
  made.result(
      c,
      [=](std::size_t at) {
        double sum = 0;
        for (std::size_t k = 0; k < std::size_t(n); ++k)
          sum += double(a->host()[at / std::size_t(n) * std::size_t(n) + k]) *
                 b->host()[k * std::size_t(n) + at % std::size_t(n)];
        return sum;
      },
      1e-6 * double(n));
  return made.take();
}

Case copy_case(const Place& place, Size n) {
  FloatCase made(place);
  const FloatsPtr in = made.random({n}), out = made.empty({n});
  made.ours("strata", copy, n, in->argument(), out->argument());
  made.halide(halide_copy, in->argument(), out->argument());
  made.device_copy(8.0 * double(n));
  made.result(out, [=](std::size_t at) { return in->host()[at]; }, 0);
  return made.take();
}

Case transpose_case(const Place& place, Size n, Size m) {
  FloatCase made(place);
  const FloatsPtr in = made.random({n, m}), out = made.empty({m, n});
  made.ours("strata", transpose, n, m, in->argument(), out->argument());
  made.halide(halide_transpose, in->argument(), out->argument());
  made.device_copy(8.0 * double(n) * double(m));
  made.result(
      out,
      [=](std::size_t at) {
        return in->host()[at % std::size_t(n) * std::size_t(m) + at / std::size_t(n)];
      },
      0);
  return made.take();
}

Case blur_case(const Place& place, Size n, Size m) {
  FloatCase made(place);
  const FloatsPtr in = made.random({n, m}), out = made.empty({n - 2, m - 4});
  made.ours("strata", blur, n, m, in->argument(), out->argument());
  made.halide(halide_blur, in->argument(), out->argument());
  made.device_copy(4.0 * double(n * m + (n - 2) * (m - 4)));
  made.result(
      out,
      [=](std::size_t at) {
        const std::size_t row = at / std::size_t(m - 4), column = at % std::size_t(m - 4);
        double sum = 0;
        for (std::size_t y = row; y < row + 3; ++y)
          for (std::size_t x = column; x < column + 3; ++x)
            sum += in->host()[y * std::size_t(m) + x];
        return sum / 9;
      },
      1e-6);
  return made.take();
}

// "count" steps of the stencil around a point.
double stepped(const std::vector<float>& in, Size n, Size m, Size i, Size j, int count) {
  i = std::clamp<Size>(i, 0, n - 1), j = std::clamp<Size>(j, 0, m - 1);
  if (count == 0) return in[std::size_t(i * m + j)];
  const auto at = [&](Size y, Size x) { return stepped(in, n, m, y, x, count - 1); };
  return 0.5 * at(i, j) + 0.125 * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
}

Case stencil_case(const Place& place, Size n, Size m) {
  FloatCase made(place);
  const FloatsPtr in = made.random({n, m}), out = made.empty({n, m});
  made.ours("strata", stencil, n, m, in->argument(), out->argument());
  made.halide(halide_stencil, in->argument(), out->argument());
  made.device_copy(8.0 * double(n) * double(m));
  made.result(
      out, [=](std::size_t at) { return stepped(in->host(), n, m, Size(at) / m, Size(at) % m, 1); },
      1e-6);
  return made.take();
}

Case four_steps_case(const Place& place, Size n, Size m) {
  FloatCase made(place);
  const FloatsPtr in = made.random({n, m}), other = made.empty({n, m}), out = made.empty({n, m});
  halide_buffer_t *const x = in->argument(), *const y = other->argument(),
                         *const z = out->argument();
  made.ours("strata", four_steps, n, m, x, z);
  made.halide(halide_four_steps, x, z);
  made.add("four launches", false, [=] {
    for (const auto& [from, to] : {std::pair{x, y}, {y, z}, {z, y}, {y, z}})
      require(stencil(n, m, from, to), "stencil");
  });
  made.work(4 * 6.0 * double(n) * double(m));
  made.result(
      out, [=](std::size_t at) { return stepped(in->host(), n, m, Size(at) / m, Size(at) % m, 4); },
      1e-6);
  return made.take();
}

Case convolution_case(const Place& place, const std::array<int, 5>& shape) {
  FloatCase made(place);
  const auto [n, c, o, h, w] =
      std::array<Size, 5>{shape[0], shape[1], shape[2], shape[3], shape[4]};
  const FloatsPtr in = made.random({n, c, h + 2, w + 2}), weights = made.random({o, c, 3, 3}),
                  out = made.empty({n, o, h, w});
  made.ours("strata", convolution, n, c, o, h, w, in->argument(), weights->argument(),
            out->argument());
  made.halide(halide_convolution, in->argument(), weights->argument(), out->argument());
  made.peer("cuDNN", [&](Libraries& libraries) {
    return libraries.convolution(shape, in->address(), weights->address(), out->address());
  });
  made.work(2.0 * double(n * o * h * w) * double(9 * c));
  made.result(
      out,
      [=, c = c, o = o, h = h, w = w](std::size_t at) {
        const Size x = Size(at) % w, y = Size(at) / w % h, of = Size(at) / (w * h) % o,
                   image = Size(at) / (w * h * o);
        double sum = 0;
        for (Size k = 0; k < 9 * c; ++k)
          sum += double(in->host()[std::size_t(
                     ((image * c + k / 9) * (h + 2) + y + k / 3 % 3) * (w + 2) + x + k % 3)]) *
                 weights->host()[std::size_t(of * 9 * c + k)];
        return sum;
      },
      1e-5 * double(c));
  return made.take();
}

Case batched_case(const Place& place, Size count) {
  FloatCase made(place);
  const FloatsPtr a = made.random({count, 32, 32}), b = made.random({count, 32, 32}),
                  c = made.empty({count, 32, 32});
  made.ours("strata", batched, count, a->argument(), b->argument(), c->argument());
  made.halide(halide_batched, a->argument(), b->argument(), c->argument());
  made.peer("cuBLAS", [&](Libraries& libraries) {
    return libraries.product(32, 32, 32, a->address(), b->address(), c->address(), count);
  });
  made.work(3 * 4096.0 * double(count));
  made.result(
      c,
      [=](std::size_t at) {
        double sum = 0;
        for (std::size_t k = 0; k < 32; ++k)
          sum +=
              double(a->host()[at / 32 * 32 + k]) * b->host()[at / 1024 * 1024 + k * 32 + at % 32];
        return sum;
      },
      1e-5);
  return made.take();
}

Case histogram_case(const Place& place, Size rows, Size columns) {
  const auto image =
      std::make_shared<DeviceArray<std::uint8_t>>(place.device, std::vector<Size>{rows, columns});
  const auto counts =
      std::make_shared<DeviceArray<std::int32_t>>(place.device, std::vector<Size>{256});
  examples::Random draw(5);
  for (std::uint8_t& pixel : image->host()) pixel = std::uint8_t(draw.below(256));
  image->upload();
  Case made;
  made.kept = {image, counts};
  made.work = double(rows) * double(columns);
  const auto ours = [=] {
    require(histogram(rows, columns, image->argument(), counts->argument()), "strata");
  };
  made.variants.push_back({"strata", ours, true, true});
  const auto halide = [=] {
    require(halide_histogram(image->argument(), counts->argument()), "halide");
  };
  made.variants.push_back({"halide", halide, false, true});
  if (place.libraries) try {
      made.variants.push_back(
          {"CUB", place.libraries->histogram(image->address(), rows * columns, counts->address()),
           false, true});
    } catch (const Failed& failed) {
      made.missing.emplace_back("CUB", failed.what());
    }
  made.poison = [=] {
    std::fill(counts->host().begin(), counts->host().end(), -7);
    counts->upload();
  };
  made.find_wrong = [=]() -> std::string {
    counts->download();
    std::vector<std::int32_t> right(256, 0);
    for (const std::uint8_t pixel : image->host()) ++right[pixel];
    return right == counts->host() ? "" : "the counts";
  };
  return made;
}

}  // namespace

std::vector<Row> rows(bool small) {
  std::vector<Row> all;
  const auto add = [&](const std::string& name, const char* unit, std::vector<Goal> goals,
                       const std::function<Case(const Place&)>& make) {
    goals.push_back({"halide", 1.0});
    all.push_back({name, unit, std::move(goals), make});
  };
  for (const Size n : small ? std::vector<Size>{256, 192, 135}
                            : std::vector<Size>{1024, 2048, 4096, 8192, 3072, 1060, 4097})
    add("product " + std::to_string(n), "TFLOP/s", {{"cuBLAS", 0.9}},
        [n](const Place& place) { return product(place, n); });
  all.push_back({"tensor product", "TFLOP/s", {{"cuBLAS", 0.9}}, [small](const Place& place) {
                   return tensor_case(place, small ? 192 : 4096);
                 }});
  const Size n = small ? 192 : 8192, m = small ? 256 : 8192;
  const std::vector<Goal> as_copy{{"device copy", 0.9}};
  add("copy", "GB/s", as_copy, [=](const Place& place) { return copy_case(place, n * m); });
  add("transpose", "GB/s", as_copy,
      [=](const Place& place) { return transpose_case(place, n, m); });
  add("blur", "GB/s", as_copy, [=](const Place& place) { return blur_case(place, n, m); });
  add("stencil step", "GB/s", as_copy,
      [=](const Place& place) { return stencil_case(place, n, m); });
  add("four steps", "TFLOP/s", {{"four launches", 2.0}},
      [=](const Place& place) { return four_steps_case(place, n, m); });
  const std::array<int, 5> shape =
      small ? std::array{1, 8, 128, 8, 16} : std::array{5, 128, 128, 100, 80};
  add("convolution 3 x 3", "TFLOP/s", {{"cuDNN", 0.9}},
      [=](const Place& place) { return convolution_case(place, shape); });
  add("histogram", "GB/s", {{"CUB", 0.8}},
      [=](const Place& place) { return histogram_case(place, n, small ? 300 : 4 * m); });
  add("products 32 x 32", "GB/s", {{"cuBLAS", 0.9}},
      [=](const Place& place) { return batched_case(place, small ? 5 : 1 << 16); });
  return all;
}

}  // namespace gpu_benchmark
