// sides_host: kernels of sides_generator.cpp on OpenCL: results as plain loops compute them, and
// the bytes copied between host and device, counted.  Exit status 1 if anything is wrong.
#include <strata/buffer.h>

#include <vector>

#include "doubled.h"
#include "march.h"
#include "odd.h"
#include "own_buffers.h"
#include "rows.h"
#include "tests/execution/least_copies.h"
#include "tests/gpu/halide_devices.h"
#include "tests/gpu/on_device.h"
#include "tests/gpu/wrong.h"

namespace {

using strata::Array;
using Size = std::int64_t;
using Ints = Array<std::int32_t>;

// The bytes copied since this was made.
class Traffic {
 public:
  bool is(Size to_device, Size to_host) const {
    const strata_device_traffic now = strata_device_traffic_so_far();
    std::printf("  copied: %ld to the device, %ld to the host\n",
                long(now.to_device - before_.to_device), long(now.to_host - before_.to_host));
    return now.to_device - before_.to_device == to_device &&
           now.to_host - before_.to_host == to_host;
  }

 private:
  strata_device_traffic before_ = strata_device_traffic_so_far();
};

void test_march(Size steps, Size n) {
  const std::string name = "march " + std::to_string(steps) + ", " + std::to_string(n);
  Ints start({n}), source({n}), out({n});
  for (Size i = 0; i < n; ++i) start(i) = std::int32_t(i * 7 % 11), source(i) = std::int32_t(i % 5);
  const Traffic traffic;
  require(march(steps, n, start, source, out) == 0, name);
  Size to_device = 0, to_host = 0;
  if (n > 0)
    for (const auto& [buffer, least] :
         strata::test::least_copies_of_march(int(steps), {false, true, true, true, false})) {
      to_device += Size(least.to_device) * n * 4;
      to_host += Size(least.to_host) * n * 4;
    }
  require(traffic.is(to_device, to_host), name + ": bytes copied");
  std::vector<std::int32_t> u(std::size_t(n), 0), v(u);
  for (Size t = 0; t < steps; ++t) {
    for (Size i = 0; i < n; ++i)
      v[std::size_t(i)] = (t ? u[std::size_t(i)] : start(i) * 3 + 1) + source(i);
    for (Size i = 0; i < n; ++i)
      u[std::size_t(i)] = v[std::size_t(i ? i - 1 : 0)] + 2 * v[std::size_t(i)];
  }
  for (Size i = 0; i < n; ++i)
    if (out(i) != u[std::size_t(n - 1 - i)] + 2 * (start(i) * 3 + 1))
      return require(false, name + ": values");
}

void test_rows(Size steps, Size n) {
  const std::string name = "rows " + std::to_string(steps) + ", " + std::to_string(n);
  Ints in({steps, n}), r({steps, n}), s({steps});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) % 13;
  const Traffic traffic;
  require(rows(steps, n, in, r, s) == 0, name);
  const Size all = steps * n * 4;
  require(traffic.is(all, steps * all), name + ": bytes copied");
  std::int32_t sum = 0;
  for (Size t = 0; t < steps; ++t) {
    for (Size i = 0; i < n; ++i) require(r(t, i) == 2 * in(t, i), name + ": values of r");
    require(s(t) == (sum += 2 * in(t, 0)), name + ": values of s");
  }
}

void test_own_buffers(Size steps, Size n) {
  const std::string name = "own_buffers " + std::to_string(steps) + ", " + std::to_string(n);
  Ints in({steps, n}), out({steps, n});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) % 17;
  const Traffic traffic;
  require(own_buffers(steps, n, in, out) == 0, name);
  require(traffic.is(steps * n * 4, steps * n * 4), name + ": bytes copied");
  for (Size t = 0; t < steps; ++t)
    for (Size i = 0; i < n; ++i)
      if (out(t, i) != 3 * (in(t, n - 1 - i) + 1) + in(t, i) + 1)
        return require(false, name + ": values");
}

void test_odd(Size n) {
  const std::string name = "odd " + std::to_string(n);
  Ints x({2 * n});
  for (Size i = 0; i < 2 * n; ++i) x(i) = std::int32_t(i);
  require(odd(n, x) == 0, name);
  for (Size i = 0; i < 2 * n; ++i)
    if (x(i) != (i % 2 ? 10 * i : i)) return require(false, name + ": values");
}

void test_resident(Size n) {
  std::vector<std::int32_t> values(std::size_t(n), 0), results(values);
  for (Size i = 0; i < n; ++i) values[std::size_t(i)] = std::int32_t(3 * i + 1);
  OnDevice in(strata_int(32), n), out(strata_int(32), n);
  in.fill(values.data());
  out.buffer.flags = host_dirty;  // the caller has filled it on the host
  const Traffic traffic;
  require(doubled(n, in.argument(), out.argument()) == 0, "doubled");
  require(traffic.is(0, 0), "doubled: nothing is copied");
  require(in.buffer.flags == 0, "doubled: the flags of the input");
  require(out.buffer.flags == device_dirty, "doubled: the flags of the output");
  out.read(results.data());
  for (Size i = 0; i < n; ++i)
    if (results[std::size_t(i)] != 2 * values[std::size_t(i)])
      return require(false, "doubled: values");
}

void test_not_resident() {
  const Size n = 5;
  OnDevice in(strata_int(32), n), out(strata_int(32), n);
  Ints on_host({n});
  const std::string on_gpu = "doubled: buffer in is resident on the GPU (OpenCL), but ";
  out.buffer.flags = host_dirty;
  require_failure(doubled(n, on_host, out.argument()), strata_error_not_resident,
                  on_gpu + "has no memory there", "an argument on the host");
  const void* interface = in.buffer.device_interface;
  in.buffer.device_interface = halide_cuda_device_interface();
  require_failure(doubled(n, in.argument(), out.argument()), strata_error_not_resident,
                  on_gpu + "has memory of another interface", "another interface");
  in.buffer.device_interface = interface;
  in.buffer.flags = host_dirty;
  require_failure(doubled(n, in.argument(), out.argument()), strata_error_not_resident,
                  on_gpu + "has its newest contents in host memory", "newer on the host");
  require(in.buffer.flags == host_dirty && out.buffer.flags == host_dirty,
          "flags stay after an error");
  in.buffer.flags = 0;
  require_failure(doubled(n, in.argument(), in.argument()), strata_error_overlap, "overlaps",
                  "one buffer twice");
}

}  // namespace

int main() {
  require(strata_gpu_available("opencl") == 1, "OpenCL is there");
  require(strata_gpu_available("abacus") == 0, "an unknown interface");
  for (const Size steps : {0, 1, 2, 7})
    for (const Size n : {0, 1, 16, 41}) {
      test_march(steps, n);
      if (n > 0) test_rows(steps, n);
      test_own_buffers(steps, n);
      test_odd(n);
    }
  for (const Size n : {1, 8, 1000}) test_resident(n);
  test_not_resident();
  strata_release_device_memory();
  test_march(2, 10);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
