// recording_host: kernels of sides_generator.cpp, reports_generator.cpp and large_generator.cpp for
// CUDA, on a driver that records (recording_cuda.h): what they ask for, in which order, and all
// failures of the driver. Exit status 1 if anything is wrong.
#include <dlfcn.h>
#include <strata/buffer.h>

#include <algorithm>

#include "doubled.h"
#include "doubled_rows.h"
#include "lookup.h"
#include "march.h"
#include "own_buffers.h"
#include "tests/execution/least_copies.h"
#include "tests/gpu/halide_devices.h"
#include "tests/gpu/recording_driver.h"
#include "tests/gpu/tensor.h"
#include "tests/gpu/wrong.h"

namespace {

struct March {
  Size steps = 3, n = 24;
  Ints start{n}, source{n}, out{n};
  March() {
    for (std::int32_t& x : out) x = -1;
    driver->calls.clear();
    driver->streams.clear();
  }
  int call() { return march(steps, n, start, source, out); }
  void require_untouched(const std::string& what) {
    for (const std::int32_t x : out)
      if (x != -1) return require(false, what + ": an output is written");
  }
};

void test_success(const std::string& when) {
  March m;
  const strata_device_traffic before = strata_device_traffic_so_far();
  require(m.call() == 0, "march " + when);
  require(count("launch ") == std::size_t(2 * m.steps + 1), "march: launches");
  Size to_device = 0, to_host = 0;
  for (const auto& [buffer, least] :
       strata::test::least_copies_of_march(int(m.steps), {false, true, true, true, false})) {
    to_device += Size(least.to_device);
    to_host += Size(least.to_host);
  }
  require(count("to_device 96") == std::size_t(to_device) &&
              count("to_device") == count("to_device 96"),
          "march: copies to the device");
  require(count("to_host 96") == std::size_t(to_host), "march: copies to the host");
  for (auto call = driver->calls.begin(); call != driver->calls.end(); ++call)
    if (*call == "to_host 96")
      require(call + 1 != driver->calls.end() && (call + 1)->rfind("stream synchronize ", 0) == 0,
              "march: a copy to the host is waited for");
  const strata_device_traffic after = strata_device_traffic_so_far();
  require(after.to_device - before.to_device == to_device * 96 &&
              after.to_host - before.to_host == to_host * 96,
          "march: the bytes counted");
  strata_release_device_memory();
  require(driver->memory.empty(), "march: memory is given back");
}

// A failure, and the call after it is as if there had been none.
void test_failure(int& counter, int at, int code, const std::string& text,
                  const std::string& what) {
  March m;
  const int usual = counter;
  counter = at;
  require_failure(m.call(), code, "march: " + text, what);
  require(counter == 0, what + ": it happened");
  m.require_untouched(what);
  counter = usual;
  strata_release_device_memory();
  require(driver->memory.empty(), what + ": memory is given back");
  test_success("after: " + what);
}

void test_no_device() {
  March m;
  driver->devices = 0;
  require(strata_gpu_available("cuda") == 0, "no CUDA device is there");
  require_failure(m.call(), strata_error_no_device, "march: no GPU can be used: ", "no device");
  m.require_untouched("no device");
  driver->devices = 2;
}

void test_choice_of_device() {
  halide_set_gpu_device(1);
  require(strata_gpu_available("cuda") == 1, "a CUDA device is there");
  require(driver->devices_used == std::vector<int>{1}, "the second device is used");
}

void test_failures() {
  const std::string driver_fails = "the GPU's driver fails with code ";
  // The first kernel's text is loaded once: before all else.
  test_failure(driver->failing_load, 1, strata_error_device, driver_fails, "a text is refused");
  for (int n = 0; n < 4; ++n)
    test_failure(driver->allocations_left, n, strata_error_device_memory,
                 "out of memory on the GPU: ", "allocations left: " + std::to_string(n));
  for (int n = 1; n <= 2; ++n)
    test_failure(driver->failing_copy_to_device, n, strata_error_device, driver_fails,
                 "copy to the device " + std::to_string(n));
  for (int n = 1; n <= 7; ++n)
    test_failure(driver->failing_launch, n, strata_error_device, driver_fails,
                 "launch " + std::to_string(n));
  test_failure(driver->failing_copy_to_host, 1, strata_error_device, driver_fails,
               "copy to the host");
}

// Buffers of each step of a loop are given back in the step.
void test_own_buffers() {
  const Size steps = 4, n = 10;
  Ints in({steps, n}), out({steps, n});
  driver->calls.clear();
  require(own_buffers(steps, n, in, out) == 0, "own_buffers");
  require(count("allocate") == 2, "own_buffers: memory is used again");
  driver->failing_launch = 3;
  require_failure(own_buffers(steps, n, in, out), strata_error_device,
                  "own_buffers: ", "own_buffers: the third launch");
  strata_release_device_memory();
  require(driver->memory.empty(), "own_buffers: memory is given back");
}

// A stream and a context of the host program.
int own_context = 0, own_stream = 0, acquired = 0, released = 0;
int acquire(void*, void** context, bool) {
  *context = &own_context;
  ++acquired;
  return 0;
}
int release(void*) {
  ++released;
  return 0;
}
int stream_of(void*, void* context, void** stream) {
  require(context == &own_context, "the stream is asked for in the host's context");
  *stream = &own_stream;
  return 0;
}

// Memory of another context than the one that kernels run in.
void test_memory_of_context(void* context) {
  std::int32_t memory[4] = {};
  const std::vector<Size> four{4};
  const Tensor tensor(on_cuda, reinterpret_cast<std::uintptr_t>(memory), four);
  strata_buffer buffer;
  strata_dimension dimension;
  driver->owner = context;
  require(strata_wrap_tensor(&buffer, &dimension, &tensor) == 0, "memory of the host's context");
  strata_unwrap(&buffer);
  driver->owner = &driver->owner;
  require_failure(strata_wrap_tensor(&buffer, &dimension, &tensor), strata_error_not_resident,
                  "belongs to another CUDA context than the one that kernels run in",
                  "memory of another context");
  driver->owner = nullptr;
}

void test_own_context() {
  const auto acquire_before = halide_set_cuda_acquire_context(acquire);
  const auto release_before = halide_set_cuda_release_context(release);
  const auto stream_before = halide_set_cuda_get_stream(stream_of);
  driver->devices_used.clear();
  March m;
  require(m.call() == 0, "a context of the host's");
  require(driver->devices_used.empty(), "no other context is made");
  require(acquired > 0 && acquired == released, "the context is released as often as acquired");
  require(!driver->streams.empty(), "launches in the host's context");
  test_memory_of_context(&own_context);
  for (void* stream : driver->streams)
    require(stream == &own_stream, "launches on the host's stream");
  strata_release_device_memory();
  halide_set_cuda_acquire_context(acquire_before);
  halide_set_cuda_release_context(release_before);
  halide_set_cuda_get_stream(stream_before);
}

std::uint64_t address(const void* memory) { return reinterpret_cast<std::uint64_t>(memory); }

std::size_t times_passed(const void* memory) {
  return std::size_t(
      std::count(driver->last_arguments.begin(), driver->last_arguments.end(), address(memory)));
}

// Pointers of another library.
void test_wrapped_pointers() {
  const Size n = 12;
  std::int32_t memory[2][12] = {};
  strata_dimension dimensions[2];
  strata_buffer buffers[2];
  for (int b = 0; b < 2; ++b)
    require(strata_wrap_memory(&buffers[b], strata_int(32), "cuda", address(memory[b]), 1,
                               &dimensions[b], &n, nullptr) == 0,
            "wrapping a pointer");
  driver->calls.clear();
  require(doubled(n, strata_argument(&buffers[0]), strata_argument(&buffers[1])) == 0, "doubled");
  require(count("launch ") == 1 && count("to_") == 0 && count("allocate") == 0,
          "doubled: one launch, and nothing else");
  for (const auto& each : memory)
    require(times_passed(each) == 1, "doubled: the launch gets the pointer");
  require(buffers[0].flags == 0 && buffers[1].flags == device_dirty, "doubled: flags");
  driver->failing_launch = 1;
  buffers[1].flags = host_dirty;
  require_failure(doubled(n, strata_argument(&buffers[0]), strata_argument(&buffers[1])),
                  strata_error_device, "doubled: ", "doubled: the launch fails");
  require(buffers[1].flags == host_dirty, "doubled: flags stay after an error");
  require_failure(doubled(n, strata_argument(&buffers[0]), strata_argument(&buffers[0])),
                  strata_error_overlap, "overlaps", "doubled: one buffer twice");
  for (strata_buffer& buffer : buffers) {
    strata_unwrap(&buffer);
    require(!buffer.device && !buffer.device_interface && !buffer.flags, "unwrapped");
    strata_unwrap(&buffer);
  }
}

// Tensors of another library: a part of one, a matrix without strides, and nothing at all.
void test_tensors() {
  std::int32_t memory[2][12] = {};
  const std::vector<Size> five{5}, matrix{3, 4}, none{0}, two{2};
  Tensor part(on_cuda, address(memory[0]), five), whole(on_cuda_managed, address(memory[1]), five);
  part.byte_offset = 8;
  strata::OnDevice in(&part), out(&whole);
  require(doubled(5, in, out) == 0, "doubled: tensors");
  require(times_passed(&memory[0][2]) == 1 && times_passed(memory[1]) == 1,
          "doubled: the launch gets the tensors' memory");
  require(out.description().flags == device_dirty, "doubled: the flags of a tensor");
  Tensor rows(on_cuda, address(memory), matrix);
  strata::OnDevice dense(&rows);
  require(dense.description().dim[0].stride == 1 && dense.description().dim[1].stride == 4,
          "a tensor without strides is dense");
  Tensor boolean(on_cuda, address(memory), two);
  boolean.type_code = of_bool, boolean.type_bits = 8;
  require(strata::OnDevice(&boolean).description().type.bits == 1, "a tensor of booleans");
  Tensor empty(on_cuda, 0, none);
  strata::OnDevice nothing(&empty), nothing_else(&empty);
  require(doubled(0, nothing, nothing_else) == 0, "doubled: tensors without elements");
  Tensor floats(on_cuda, address(memory), five);
  floats.type_code = of_float;
  strata::OnDevice other(&floats);
  require_failure(doubled(5, other, out), strata_error_wrong_type,
                  "elements of type float32, but the program's are int32", "another type");
}

void require_refused(const Tensor& tensor, int code, const std::string& text) {
  strata_buffer buffer;
  strata_dimension dimensions[STRATA_MAX_RANK];
  require_failure(strata_wrap_tensor(&buffer, dimensions, &tensor), code,
                  "strata_wrap_tensor: " + text, text);
  require(!buffer.device && !buffer.device_interface, text + ": the buffer has no memory");
  strata_unwrap(&buffer);
}

void test_refused_tensors() {
  std::int32_t memory[12] = {};
  const std::vector<Size> sizes{3, 4}, down{-4, 1}, far{Size{1} << 31, 1},
      long_one{3, Size{1} << 31}, negative{3, -1};
  const Tensor good(on_cuda, address(memory), sizes);
  const auto changed = [&](const auto& change) {
    Tensor tensor = good;
    change(tensor);
    return tensor;
  };
  for (const std::int32_t device : {on_cpu, on_rocm, 0})
    require_refused(changed([&](Tensor& t) { t.device_type = device; }), strata_error_not_resident,
                    "the tensor is on a device of DLPack's type " + std::to_string(device));
  require_refused(changed([](Tensor& t) { t.type_code = of_complex, t.type_bits = 64; }),
                  strata_error_wrong_type, "no array has elements of DLPack's type code 5");
  require_refused(changed([](Tensor& t) { t.type_lanes = 4; }), strata_error_wrong_type,
                  "no array has elements of DLPack's type code 0 with 32 bits and 4 lanes");
  require_refused(changed([](Tensor& t) { t.type_code = of_float, t.type_bits = 8; }),
                  strata_error_wrong_type, "no array has elements of DLPack's type code 2 with 8");
  require_refused(changed([&](Tensor& t) { t.strides = down.data(); }), strata_error_bad_shape,
                  "the stride of index 0 is -4, not from 0");
  require_refused(changed([&](Tensor& t) { t.strides = far.data(); }), strata_error_bad_shape,
                  "the stride of index 0 is 2147483648");
  require_refused(changed([&](Tensor& t) { t.shape = long_one.data(); }), strata_error_bad_shape,
                  "the extent of index 1 is 2147483648");
  require_refused(changed([&](Tensor& t) { t.shape = negative.data(); }), strata_error_bad_shape,
                  "the extent of index 1 is -1");
  require_refused(changed([](Tensor& t) { t.rank = 33; }), strata_error_bad_shape, "33 dimensions");
  require_refused(changed([](Tensor& t) { t.shape = nullptr; }), strata_error_bad_shape,
                  "2 dimensions, or no list");
  require_refused(changed([](Tensor& t) { t.data = nullptr; }), strata_error_not_resident,
                  "the memory is null");
  require_refused(changed([](Tensor& t) { t.byte_offset = 2; }), strata_error_misaligned,
                  "the address ");
  strata_buffer buffer;
  require_failure(strata_wrap_tensor(&buffer, nullptr, nullptr), strata_error_null_buffer,
                  "strata_wrap_tensor: the tensor is null", "a null tensor");
  strata_unwrap(&buffer);
  require_failure(
      strata_wrap_memory(&buffer, strata_int(32), "abacus", 4, 0, nullptr, nullptr, nullptr),
      strata_error_no_device, "the interface is neither", "another interface");
  require_failure(
      strata_wrap_memory(&buffer, strata_type{}, "cuda", 4, 0, nullptr, nullptr, nullptr),
      strata_error_wrong_type, "elements of 0 bits", "no type");
}

// Vectors of 16 bytes only where they are aligned: the first launch has them, the second has none.
void test_alignment(std::size_t offset, Size pitch, Size first, const std::string& launch) {
  alignas(16) static std::int32_t memory[2][256];
  strata_dimension dimensions[2][2];
  strata_buffer buffers[2];
  const Size extents[2] = {4, 8};
  for (int b = 0; b < 2; ++b) {
    require(strata_wrap_memory(&buffers[b], strata_int(32), "cuda", address(memory[b] + offset), 2,
                               dimensions[b], extents, nullptr) == 0,
            "wrapping a pointer");
    dimensions[b][1].stride = std::int32_t(pitch);
    dimensions[b][0].min = std::int32_t(first);
    dimensions[b][0].extent = std::int32_t(8 - first);
  }
  driver->calls.clear();
  require(doubled_rows(4, 8, strata_argument(&buffers[0]), strata_argument(&buffers[1])) == 0,
          "doubled_rows");
  require(count("launch doubled_rows_" + launch) == 1 && count("launch ") == 1,
          "doubled_rows: offset " + std::to_string(offset) + ", pitch " + std::to_string(pitch) +
              ", first " + std::to_string(first) + " takes " + launch);
  for (strata_buffer& buffer : buffers) strata_unwrap(&buffer);
}

// What a launch reports is 8 bytes, which are copied there and back.
void test_reports() {
  const Size n = 25, m = 5;
  strata::Array<Size> at({n});
  Ints table({m}), out({n});
  driver->calls.clear();
  const strata_device_traffic before = strata_device_traffic_so_far();
  require(lookup(n, m, at, table, out) == 0, "lookup");
  require(count("launch ") == 1 && count("to_device 8") == 1 && count("to_host 8") == 1,
          "lookup: the report is copied");
  const strata_device_traffic after = strata_device_traffic_so_far();
  require(after.to_device - before.to_device == n * 8 + m * 4 + 8 &&
              after.to_host - before.to_host == n * 4 + 8,
          "lookup: the bytes counted");
  for (const Size index : {Size{77}, Size{-1}}) {
    driver->written = index;
    require_failure(lookup(n, m, at, table, out), strata_error_index_out_of_range,
                    "lookup: index 0 of table was " + std::to_string(index) +
                        " in some iteration, but the elements range from 0 to 4",
                    "lookup: a launch reports an index");
  }
  driver->written = 0;
  for (int copy = 1; copy <= 2; ++copy) {
    driver->failing_copy_to_host = copy;
    require_failure(lookup(n, m, at, table, out), strata_error_device, "lookup: the GPU's driver",
                    "lookup: a copy to the host fails");
  }
  strata_release_device_memory();
  require(driver->memory.empty(), "lookup: memory is given back");
}

struct DoubledThere {
  std::int32_t memory[2][4] = {};
  std::vector<Size> four{4};
  Tensor from{on_cuda, address(memory[0]), four}, to{on_cuda, address(memory[1]), four};
  strata::OnDevice in{&from}, out{&to};
  int call() { return doubled(4, in, out); }
};

// The last test: from the first call of strata_use_cuda on all kernels use primary contexts.
void test_primary_contexts() {
  driver->devices_used.clear();
  strata_use_cuda(0, &own_stream);
  driver->calls.clear();
  DoubledThere there;
  require(there.call() == 0, "doubled in a primary context");
  require(driver->primary.back() == 0 && driver->streams.back() == &own_stream,
          "doubled runs in the primary context and the stream");
  require(count("stream synchronize") == 0, "doubled does not wait");
  require(strata_wait_for_device(there.out) == 0 &&
              count("stream synchronize " + std::to_string(address(&own_stream))) == 1,
          "waiting for the stream");
  driver->failing_synchronize = 1;
  require_failure(strata_wait_for_device(there.out), strata_error_device,
                  "strata_wait_for_device: the GPU's driver fails", "a failure while waiting");
  strata_use_cuda(-1, nullptr);
  require(DoubledThere().call() == 0 && driver->primary.back() == 1 && !driver->streams.back(),
          "the device of halide_set_gpu_device");
  require(driver->devices_used == std::vector<int>{0, 1}, "each context is retained once");
  for (const int device : {2, 100}) {
    strata_use_cuda(device, nullptr);
    require_failure(
        March().call(), strata_error_no_device,
        "CUDA's device " + std::to_string(device) + " cannot be used: the number of devices is 2",
        "a device that is not there");
  }
  strata_use_cuda(0, nullptr);
}

// Memory that this program takes there itself.
void test_own_memory() {
  const Size n = 6;
  Ints host({n});
  for (Size i = 0; i < n; ++i) host(i) = std::int32_t(i);
  strata_dimension dimension;
  strata_buffer there;
  strata_buffer_init(&there, strata_int(32), nullptr, 1, &dimension, &n);
  require(strata_allocate_on_device(&there, "cuda") == 0, "memory");
  require(driver->memory.count(strata_device_memory(&there)) == 1, "its address");
  halide_buffer_t* const argument = strata_argument(&there);
  require(strata_copy_array(host, argument) == 0, "a copy there");
  for (std::int32_t& x : host) x = -1;
  require(strata_copy_array(argument, host) == 0 && host(0) == 0 && host(n - 1) == n - 1,
          "a copy back");
  require(there.flags == 0, "flags after copies");
  driver->failing_copy_to_host = 1;
  require_failure(strata_copy_array(argument, host), strata_error_device,
                  "strata_copy_array: the GPU's driver fails", "a copy that fails");
  strata_buffer nothing = there;
  nothing.device = 0, nothing.device_interface = nullptr;
  require_failure(strata_copy_array(strata_argument(&nothing), host), strata_error_null_host,
                  "strata_copy_array: an array has no memory", "an array without memory");
  dimension.extent = 5;
  require_failure(strata_copy_array(argument, host), strata_error_bad_shape, "differ",
                  "other shapes");
  dimension.extent = 6;
  strata_free_on_device(&there);
  strata_free_on_device(&there);
  strata_release_device_memory();
  require(driver->memory.empty(), "memory is given back");
  driver->allocations_left = 0;
  require_failure(strata_allocate_on_device(&there, "cuda"), strata_error_device_memory,
                  "strata_allocate_on_device: out of memory on the GPU", "no memory");
  driver->allocations_left = -1;
  require_failure(strata_allocate_on_device(&there, "abacus"), strata_error_no_device, "abacus",
                  "another interface");
  dimension.extent = 0;
  require_failure(strata_allocate_on_device(&there, "cuda"), strata_error_bad_shape, "no elements",
                  "an empty buffer");
}

}  // namespace

int main() {
  void* library = dlopen("libcuda.so", RTLD_NOW);
  void* found = library ? dlsym(library, "recording_of_driver") : nullptr;
  driver = found ? reinterpret_cast<decltype(&recording_of_driver)>(found)() : nullptr;
  if (!driver) {
    std::printf("the recording driver is not there: %s\n", dlerror());
    return 1;
  }
  test_no_device();
  test_choice_of_device();
  test_failures();
  test_own_buffers();
  test_wrapped_pointers();
  test_tensors();
  test_refused_tensors();
  test_own_context();
  test_alignment(0, 8, 0, "launch_0");
  test_alignment(4, 12, 0, "launch_0");
  test_alignment(0, 12, -4, "launch_0");
  test_alignment(1, 8, 0, "launch_1");
  test_alignment(0, 9, 0, "launch_1");
  test_alignment(0, 12, -3, "launch_1");
  test_reports();
  test_shared_memory();
  test_primary_contexts();
  test_own_memory();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
