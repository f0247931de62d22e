#include "tests/gpu/recording_cuda.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "tests/gpu/emulator/launch.h"

namespace {

using strata::emulator::Kernel;

// Never destroyed: the runtime calls the driver until the process ends.
Recording& recording = *new Recording;
const bool executes = std::getenv("STRATA_TEST_CUDA") != nullptr;
strata::emulator::DeviceMemory& memory = *new strata::emulator::DeviceMemory;

struct Module {
  std::map<std::string, Kernel> kernels;  // if launches are executed
};
struct LoadedFunction {
  std::string name;
  const Kernel* kernel;
};
std::map<std::pair<void*, std::string>, LoadedFunction>& functions =
    *new std::map<std::pair<void*, std::string>, LoadedFunction>;

constexpr int invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_ptx = 218,
              not_found = 500, illegal_address = 700, launch_failed = 719;

// Counts down to the call that fails.
bool fails(int& counter) { return counter > 0 && --counter == 0; }

int note(const std::string& call) {
  recording.calls.push_back(call);
  return 0;
}

int copied(const char* what, void* to, const void* from, std::size_t bytes, int& counter,
           std::uint64_t on_device) {
  if (fails(counter) || (executes && !memory.holds(on_device, bytes))) return invalid_value;
  std::memcpy(to, from, bytes);
  return note(what + (" " + std::to_string(bytes)));
}

// Contexts are addresses in these, at the number of their device.
int own_contexts[8], primary_contexts[8];
// Never destroyed, as the runtime calls the driver until its thread has ended.
thread_local std::vector<void*>& current = *new std::vector<void*>;

int primary_device() {
  const auto is_current = [](const int& c) { return !current.empty() && &c == current.back(); };
  const auto found =
      std::find_if(std::begin(primary_contexts), std::end(primary_contexts), is_current);
  return found == std::end(primary_contexts) ? -1 : int(found - primary_contexts);
}

// Kernels' parameters that a launch of this driver can show.
constexpr std::size_t most_arguments = 3;

std::string launch_text(const std::string& name) {
  const auto stream = reinterpret_cast<std::uintptr_t>(recording.streams.back());
  std::string text = "launch " + name + " device " + std::to_string(recording.primary.back()) +
                     " stream " + std::to_string(stream) + " arguments";
  for (const std::uint64_t argument : recording.last_arguments)
    text += " " + std::to_string(argument);
  return text;
}

// False, with the reason on stderr, if the launch does what it must not.
bool executed(const Kernel& kernel, const std::array<unsigned, 3>& grid, unsigned shared,
              void** arguments) {
  static std::mt19937_64 random;
  std::vector<std::uint8_t> parameters;
  for (std::size_t n = 0; n < kernel.parameter_bytes.size(); ++n) {
    const auto offset = std::size_t(kernel.parameter_offsets[n]),
               bytes = std::size_t(kernel.parameter_bytes[n]);
    parameters.resize(offset + bytes);
    std::memcpy(parameters.data() + offset, arguments[n], bytes);
  }
  try {
    strata::emulator::run(kernel, grid, shared, parameters, memory, random);
  } catch (const strata::emulator::Fault& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return false;
  }
  return true;
}

}  // namespace

extern "C" {

Recording* recording_of_driver() { return &recording; }

using Pointer = std::uint64_t;

int cuInit(unsigned) { return recording.devices > 0 ? 0 : no_device; }
int cuDeviceGetCount(int* count) {
  *count = recording.devices;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal < recording.devices ? 0 : no_device;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  constexpr int major = 75, minor = 76, shared = 97;
  *value = attribute == major    ? 9
           : attribute == minor  ? 0
           : attribute == shared ? recording.most_shared
                                 : 1024;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  std::strncpy(name, "recording", std::size_t(length));
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{1} << 30;
  return 0;
}
int cuCtxCreate_v2(void** context, unsigned, int device) {
  *context = &own_contexts[device];
  recording.devices_used.push_back(device);
  return note("context");
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = &primary_contexts[device];
  recording.devices_used.push_back(device);
  return note("primary context");
}
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxDestroy_v2(void*) { return note("context destroyed"); }
int cuProfilerStop() { return 0; }
int cuCtxGetApiVersion(void*, unsigned* version) {
  *version = 3020;
  return 0;
}
int cuCtxGetDevice(int* device) {
  *device = 0;
  return 0;
}
int cuCtxPushCurrent_v2(void* context) {
  current.push_back(context);
  return 0;
}
int cuCtxPopCurrent_v2(void** context) {
  *context = nullptr;
  if (!current.empty()) current.pop_back();
  return 0;
}
int cuCtxSynchronize() { return note("synchronize"); }

int cuModuleLoadData(void**, const void*) { return invalid_value; }
int cuModuleLoadDataEx(void** module, const void* text, unsigned, int*, void**) {
  if (fails(recording.failing_load)) return invalid_ptx;
  recording.last_text = static_cast<const char*>(text);
  auto loaded = std::make_unique<Module>();
  try {
    if (executes) loaded->kernels = strata::emulator::kernels_of(recording.last_text);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return invalid_ptx;
  }
  *module = loaded.release();
  return note("load");
}
int cuModuleUnload(void* module) {
  std::erase_if(functions, [&](const auto& one) { return one.first.first == module; });
  delete static_cast<Module*>(module);
  return note("unload");
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
  const auto& kernels = static_cast<Module*>(module)->kernels;
  const auto found = kernels.find(name);
  if (executes && found == kernels.end()) return not_found;
  const Kernel* kernel = found == kernels.end() ? nullptr : &found->second;
  *function = &functions.try_emplace({module, name}, LoadedFunction{name, kernel}).first->second;
  return 0;
}

int cuMemAlloc_v2(Pointer* pointer, std::size_t bytes) {
  if (recording.allocations_left == 0) return out_of_memory;
  if (recording.allocations_left > 0) --recording.allocations_left;
  constexpr std::size_t alignment = 256;
  void* made = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  std::memset(made, 0x11, bytes);
  *pointer = reinterpret_cast<Pointer>(made);
  recording.memory.insert(*pointer);
  memory.add(*pointer, bytes);
  return note("allocate " + std::to_string(bytes));
}
int cuMemFree_v2(Pointer pointer) {
  if (!recording.memory.erase(pointer)) return invalid_value;
  memory.remove(pointer);
  std::free(reinterpret_cast<void*>(pointer));
  return note("free");
}
int cuMemcpyHtoD_v2(Pointer to, const void* from, std::size_t bytes) {
  return copied("to_device", reinterpret_cast<void*>(to), from, bytes,
                recording.failing_copy_to_device, to);
}
int cuMemcpyDtoH_v2(void* to, Pointer from, std::size_t bytes) {
  return copied("to_host", to, reinterpret_cast<void*>(from), bytes, recording.failing_copy_to_host,
                from);
}
int cuMemcpyHtoDAsync_v2(Pointer to, const void* from, std::size_t bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void* to, Pointer from, std::size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
int cuMemcpyDtoD_v2(Pointer to, Pointer from, std::size_t bytes) {
  if (!executes) return note("device copy");
  if (!memory.holds(to, bytes) || !memory.holds(from, bytes)) return invalid_value;
  std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return note("device copy");
}
int cuMemcpyDtoDAsync_v2(Pointer to, Pointer from, std::size_t bytes, void*) {
  return cuMemcpyDtoD_v2(to, from, bytes);
}
int cuMemcpy3D_v2(const void*) { return executes ? invalid_value : note("copy 3d"); }

int cuLaunchKernel(void* function, unsigned x, unsigned y, unsigned z, unsigned threads_x,
                   unsigned threads_y, unsigned threads_z, unsigned shared, void* stream,
                   void** arguments, void**) {
  if (x * y * z == 0) return invalid_value;
  const auto& [name, kernel] = *static_cast<LoadedFunction*>(function);
  if (kernel && kernel->threads != std::array{threads_x, threads_y, threads_z})
    return invalid_value;
  if (int(shared) > std::max(48 * 1024, recording.shared[name])) return invalid_value;
  if (fails(recording.failing_launch)) return launch_failed;
  recording.streams.push_back(stream);
  recording.primary.push_back(primary_device());
  recording.last_arguments.clear();
  for (std::size_t n = 0; n < most_arguments && arguments[n]; ++n) {
    std::uint64_t value = 0;
    std::memcpy(&value, arguments[n], sizeof value);
    recording.last_arguments.push_back(value);
  }
  if (recording.written)
    std::memcpy(reinterpret_cast<void*>(recording.last_arguments.at(1)), &recording.written,
                sizeof recording.written);
  if (kernel && !executed(*kernel, {x, y, z}, shared, arguments)) return launch_failed;
  return note(launch_text(name));
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  constexpr int shared = 8;
  if (fails(recording.failing_question)) return illegal_address;
  if (attribute != shared || value > recording.most_shared) return invalid_value;
  const std::string& name = static_cast<LoadedFunction*>(function)->name;
  recording.shared[name] = value;
  return note("shared " + std::to_string(value) + " " + name);
}
int cuFuncGetAttribute(int* value, int, void*) {
  *value = 32;
  return 0;
}
// An event is the number of calls before it, and each launch takes a millisecond.
int cuEventCreate(void** event, unsigned) {
  *event = new std::size_t(0);
  return 0;
}
int cuEventRecord(void* event, void*) {
  *static_cast<std::size_t*>(event) = recording.calls.size();
  return 0;
}
int cuEventSynchronize(void*) { return 0; }
int cuEventElapsedTime(float* milliseconds, void* before, void* after) {
  const auto at = [&](void* event) {
    return recording.calls.begin() + std::ptrdiff_t(*static_cast<std::size_t*>(event));
  };
  *milliseconds = float(std::count_if(at(before), at(after), [](const std::string& call) {
    return call.rfind("launch ", 0) == 0;
  }));
  return 0;
}
int cuStreamSynchronize(void* stream) {
  if (fails(recording.failing_synchronize)) return launch_failed;
  return note("stream synchronize " + std::to_string(reinterpret_cast<std::uintptr_t>(stream)));
}
int cuPointerGetAttribute(void* result, int attribute, Pointer) {
  constexpr int context = 1;
  if (attribute != context || !recording.owner) return invalid_value;
  std::memcpy(result, &recording.owner, sizeof recording.owner);
  return 0;
}

const char* recorded_calls() {
  static std::string text;
  text.clear();
  for (const std::string& call : recording.calls) text += call + "\n";
  recording.calls.clear();
  return text.c_str();
}
void fail_at(const char* what, int call) {
  const bool is_launch = std::strcmp(what, "launch") == 0;
  (is_launch ? recording.failing_launch : recording.failing_synchronize) = call;
}
void set_devices(int count) { recording.devices = count; }
void set_owner(int device) { recording.owner = device < 0 ? nullptr : &primary_contexts[device]; }
}
