#include "python/call_device.h"

#include <strata/runtime.h>

#include <algorithm>
#include <vector>

#include "python/failures.h"
#include "python/module.h"

// The number in HL_GPU_DEVICE, or -1.
// A function of Halide's runtime, if this build has that.
extern "C" __attribute__((weak)) int halide_get_gpu_device(void* user);

namespace strata::python {

using namespace nb::literals;

namespace {

// DLPack's numbers of streams: 1 is the default stream, 2 the stream of the thread; others are
// CUstreams.
constexpr std::int64_t default_stream = 1;
// The streams of this thread's "with cuda_stream(..)", the innermost last.
thread_local std::vector<std::int64_t> streams_given;

std::optional<std::int64_t> stream_given() {
  return streams_given.empty() ? std::nullopt : std::optional(streams_given.back());
}

thread_local int device_used = -1;

void use_cuda(int device) {
  const std::int64_t stream = stream_given().value_or(default_stream);
  device_used = device;
  strata_use_cuda(device, stream == default_stream ? nullptr : reinterpret_cast<void*>(stream));
}

// The scope that cuda_stream returns. It may be entered again, in this thread and in others.
class StreamScope {
 public:
  explicit StreamScope(std::int64_t stream) : stream_(stream == 0 ? default_stream : stream) {}
  void enter() const { streams_given.push_back(stream_); }
  void exit() const {
    if (!streams_given.empty()) streams_given.pop_back();
  }

 private:
  std::int64_t stream_;
};

}  // namespace

CallDevice::CallDevice(Device kind) : kind_(kind), device_before_(device_used) {
  if (kind_ == Device::cuda) use_cuda(-1);
}

CallDevice::~CallDevice() {
  if (kind_ == Device::cuda) use_cuda(device_before_);
}

std::string CallDevice::name_of(dlpack::Device device) {
  const std::string number = std::to_string(device.number);
  if (device.type == dlpack::cpu || device.type == dlpack::cuda_host) return "in host memory";
  if (device.type == dlpack::cuda || device.type == dlpack::cuda_managed)
    return "on CUDA's device " + number;
  if (device.type == dlpack::opencl) return "on OpenCL's device " + number;
  return "on a device of DLPack's type " + std::to_string(device.type);
}

void CallDevice::choose(dlpack::Device device, const std::string& what) {
  const bool is_cuda = device.type == dlpack::cuda || device.type == dlpack::cuda_managed;
  if (kind_ == Device::cuda ? !is_cuda : device.type != dlpack::opencl)
    throw KernelFailure(strata_error_not_resident,
                        what + " is " + name_of(device) + ", and the kernel has it resident on " +
                            (kind_ == Device::cuda ? "a CUDA" : "an OpenCL") + " device");
  if (chosen_ && chosen_->number != device.number)
    throw KernelFailure(strata_error_not_resident, what + " is " + name_of(device) + ", and " +
                                                       chosen_by_ + " is " + name_of(*chosen_));
  if (chosen_) return;
  chosen_ = device;
  chosen_by_ = what;
  if (is_cuda) use_cuda(device.number);
}

dlpack::Device CallDevice::chosen() const {
  if (chosen_) return *chosen_;
  if (kind_ != Device::cuda) return {dlpack::opencl, 0};
  const int device = halide_get_gpu_device ? halide_get_gpu_device(nullptr) : 0;
  return {dlpack::cuda, std::max(device, 0)};
}

std::optional<std::int64_t> CallDevice::stream() const {
  if (kind_ != Device::cuda) return std::nullopt;
  return stream_given().value_or(default_stream);
}

bool CallDevice::waits() const { return chosen_ && !(kind_ == Device::cuda && stream_given()); }

void add_streams(nb::module_& m) {
  strata_use_cuda(-1, nullptr);
  nb::class_<StreamScope>(m, "StreamScope", "What cuda_stream returns: use it in a with statement.")
      .def("__enter__", &StreamScope::enter)
      .def(
          "__exit__", [](const StreamScope& self, const nb::args&) { self.exit(); },
          nb::sig("def __exit__(self, *failure: object) -> None"));
  m.def(
      "cuda_stream",
      [](const Integer& stream) {
        if (stream.value < 0) throw nb::value_error("a stream of CUDA is not a negative number");
        return StreamScope(stream.value);
      },
      "stream"_a,
      "In `with cuda_stream(torch.cuda.current_stream().cuda_stream):`, kernels that this thread\n"
      "calls run in that stream of CUDA, after what is in it, and calls whose arrays are all on "
      "the\n"
      "device return before they have run. The caller keeps the arrays until then. 0 and 1 are "
      "the\n"
      "default stream, 2 is that of the thread.");
}

}  // namespace strata::python
