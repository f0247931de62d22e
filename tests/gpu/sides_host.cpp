// sides_host: kernels of sides_generator.cpp on OpenCL: results as plain loops compute them, and
// the bytes copied between host and device, counted. Exit status 1 if anything is wrong.
#include <strata/buffer.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "doubled.h"
#include "doubled_boxes.h"
#include "doubled_rows.h"
#include "least.h"
#include "march.h"
#include "odd.h"
#include "own_buffers.h"
#include "rows.h"
#include "tests/execution/least_copies.h"
#include "tests/gpu/halide_devices.h"
#include "tests/gpu/on_device.h"
#include "tests/gpu/tensor.h"
#include "tests/gpu/wrong.h"
#include "totals.h"

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

void test_least(Size n, Size m) {
  const std::string name = named("least", n, m);
  Ints in({n, m}), out({n});
  for (std::int32_t& x : in) x = std::int32_t(&x - in.data()) * 31 % 17;
  const Traffic traffic;
  require(least(n, m, in, out) == 0, name);
  require(traffic.is(n * m * 4, n * 4), name + ": bytes copied");
  for (Size i = 0; i < n; ++i)
    require(out(i) == *std::min_element(&in(i, 0), &in(i, 0) + m) + 1, name + ": values");
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

// Doubles a part of an array on the device, which begins where the array does. All else stays.
template <std::size_t Rank>
void test_resident_part(
    const std::array<Size, Rank>& part, const std::array<Size, Rank>& whole,
    const std::function<int(halide_buffer_t* in, halide_buffer_t* out)>& doubled_part) {
  std::string name = "a part of";
  Size count = 1;
  for (const Size extent : whole) count *= extent, name += " " + std::to_string(extent);
  std::vector<std::int32_t> values(std::size_t(count), 0), results(values);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::int32_t(3 * i + 1);
  strata_dimension dimensions[2][Rank];
  strata_buffer buffers[2];
  const auto with_extents = [&](strata_dimension* all, const std::array<Size, Rank>& extents) {
    for (std::size_t d = 0; d < Rank; ++d) all[Rank - 1 - d].extent = std::int32_t(extents[d]);
  };
  for (int b = 0; b < 2; ++b) {
    strata_buffer_init(&buffers[b], strata_int(32), (b ? results : values).data(), int(Rank),
                       dimensions[b], whole.data());
    buffers[b].flags = host_dirty;
    require(halide_copy_to_device(nullptr, &buffers[b], tested_interface()) == 0,
            name + ": to the device");
    with_extents(dimensions[b], part);
  }
  require(doubled_part(strata_argument(&buffers[0]), strata_argument(&buffers[1])) == 0, name);
  with_extents(dimensions[1], whole);
  require(halide_copy_to_host(nullptr, &buffers[1]) == 0, name + ": to the host");
  for (Size at = 0; at < count; ++at) {
    bool inside = true;
    for (std::size_t d = Rank, rest = std::size_t(at); d-- > 0; rest /= std::size_t(whole[d]))
      inside = inside && Size(rest % std::size_t(whole[d])) < part[d];
    if (results[std::size_t(at)] != (inside ? 2 * values[std::size_t(at)] : 0))
      return require(false, name + ": values");
  }
  for (strata_buffer& buffer : buffers) halide_device_free(nullptr, &buffer);
}

// Rows that need not be aligned.
void test_resident_rows(Size n, Size m, Size pitch) {
  test_resident_part<2>({n, m}, {n, pitch}, [&](halide_buffer_t* in, halide_buffer_t* out) {
    return doubled_rows(n, m, in, out);
  });
}

// Boxes of 3 x 4 that need not be dense.
void test_resident_boxes(Size n, Size rows, Size columns) {
  test_resident_part<3>(
      {n, 3, 4}, {n, rows, columns},
      [&](halide_buffer_t* in, halide_buffer_t* out) { return doubled_boxes(n, in, out); });
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

Tensor tensor_of(OnDevice& memory, const std::vector<Size>& sizes) {
  return {on_opencl, halide_opencl_get_cl_mem(nullptr, &memory.buffer), sizes};
}

// A cl_mem of another library, read as the transpose of what it holds, and written.
void test_tensor(Size n, Size m) {
  const std::string name = named("totals", n, m);
  std::vector<std::int32_t> values(std::size_t(n * m)), sums(std::size_t(n), -1);
  for (std::size_t p = 0; p < values.size(); ++p) values[p] = std::int32_t(p * p % 101);
  OnDevice in(strata_int(32), n * m), out(strata_int(32), n);
  in.fill(values.data());
  const std::vector<Size> sizes{n, m}, strides{1, n}, rows{n};
  Tensor transposed = tensor_of(in, sizes), results = tensor_of(out, rows);
  transposed.strides = strides.data();
  {
    strata::OnDevice from(&transposed), to(&results);
    require(totals(n, m, from, to) == 0, name);
    require(to.description().flags == device_dirty, name + ": flags");
  }
  out.buffer.flags = device_dirty;
  out.read(sums.data());
  for (Size i = 0; i < n; ++i) {
    std::int32_t sum = 0;
    for (Size k = 0; k < m; ++k) sum += values[std::size_t(k * n + i)];
    if (sums[std::size_t(i)] != sum) return require(false, name + ": values");
  }
}

void test_refused_tensors() {
  OnDevice memory(strata_int(32), 6), other(strata_int(32), 6);
  const std::vector<Size> sizes{6}, none{6, 0};
  Tensor tensor = tensor_of(memory, sizes);
  strata::OnDevice in(&tensor), again(&tensor);
  require_failure(doubled(6, in, again), strata_error_overlap, "overlaps", "one cl_mem twice");
  strata_buffer buffer;
  strata_dimension dimensions[2];
  tensor.byte_offset = 4;
  require_failure(strata_wrap_tensor(&buffer, dimensions, &tensor), strata_error_bad_shape,
                  "begins 4 bytes into an OpenCL buffer", "a tensor inside of a cl_mem");
  tensor.byte_offset = 0;
  tensor.device_type = on_cuda;
  if (!strata_gpu_available("cuda"))
    require_failure(strata_wrap_tensor(&buffer, dimensions, &tensor), strata_error_no_device,
                    "strata_wrap_tensor: no GPU can be used", "a tensor without its driver");
  // No elements to read, but some to write: the sums are 0.
  const Tensor empty(on_opencl, 0, none);
  strata::OnDevice nothing(&empty);
  require(totals(6, 0, nothing, other.argument()) == 0, "totals of nothing");
  strata_buffer_init(&buffer, strata_int(32), nullptr, 2, dimensions, none.data());
  require_failure(totals(6, 0, strata_argument(&buffer), other.argument()),
                  strata_error_not_resident, "has no memory there", "no handle");
}

// What differs between OpenCL and CUDA; recording_host.cpp has the other side.
void test_on_opencl() {
  test_not_resident();
  for (const auto& [n, m] : {std::pair<Size, Size>{1, 1}, {8, 3}, {41, 59}}) test_tensor(n, m);
  test_refused_tensors();
}

}  // namespace

int main() {
  require(strata_gpu_available(runs_on_cuda() ? "cuda" : "opencl") == 1, "the device is there");
  require(strata_gpu_available("abacus") == 0, "an unknown interface");
  for (const Size steps : {0, 1, 2, 7})
    for (const Size n : {0, 1, 16, 41}) {
      test_march(steps, n);
      if (n > 0) test_rows(steps, n);
      test_own_buffers(steps, n);
      test_odd(n);
    }
  for (const auto& [n, m] : {std::pair<Size, Size>{1, 1}, {9, 40}}) test_least(n, m);
  for (const Size n : {1, 8, 1000}) test_resident(n);
  for (const Size pitch : {36, 37, 38, 40}) test_resident_rows(5, 36, pitch);
  for (const Size rows : {3, 4})
    for (const Size columns : {4, 5}) test_resident_boxes(6, rows, columns);
  if (!runs_on_cuda()) test_on_opencl();
  strata_release_device_memory();
  test_march(2, 10);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
