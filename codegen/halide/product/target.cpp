#include <set>
#include <sstream>

#include "codegen/halide/product/module.h"
#include "codegen/refusal.h"
#include "core/machine/cpu_table.h"
#include "core/machine/device.h"
#include "core/machine/host.h"

namespace strata::halide {

namespace {

const char* const examples =
    "targets are CPUs: \"host\", this machine, a name such as znver3 (known_cpus()), or an "
    "architecture, a width, a system and features, such as "
    "x86-64-linux-sse41-avx-avx2-f16c-fma or arm-64-linux; with a GPU, \"host-opencl\", "
    "\"host-cuda\" or \"host-cuda-sm_90\"";

// True if a part of a target's name means a GPU. Halide does not know "cuda" alone.
bool names_gpu(const std::string& name) {
  const std::set<std::string> gpus{"cuda",  "d3d12compute", "gpu",  "hip",    "metal",
                                   "nvptx", "opencl",       "rocm", "vulkan", "webgpu"};
  std::istringstream parts(name);
  for (std::string part; std::getline(parts, part, '-');)
    if (gpus.count(part)) return true;
  return false;
}

Error no_gpu(const std::string& name) {
  return refused(Code::E0501_unknown_target,
                 "'" + name + "' names a GPU in a way that is not supported", examples);
}

Error no_capability(const std::string& name) {
  return refused(Code::E0501_unknown_target,
                 "'" + name + "' names a compute capability that is not supported",
                 "the compute capabilities are " + known_capabilities() +
                     "; \"host-cuda\" runs on all from sm_86 on");
}

// The text of a Halide target. For "host" that is STRATA_MACHINE's, if it is set.
std::string target_text(const std::string& name) {
  return name == "host" || find_cpu(name) ? machine(name).target : name;
}

// StrictFloat keeps the code generator from marking float operations as free to change.
Halide::Target with_our_features(const Halide::Target& target) {
  return target.with_feature(Halide::Target::StrictFloat).with_feature(Halide::Target::NoRuntime);
}

}  // namespace

Halide::Target host_target() { return with_our_features(Halide::get_host_target()); }

Halide::Target with_device(const Halide::Target& target, const TargetParts& parts) {
  using Halide::Target;
  switch (parts.device) {
    case Device::opencl: return target.with_feature(Target::OpenCL).with_feature(Target::CLDoubles);
    case Device::cuda:
      return target.with_feature(Target::CUDA)
          .with_feature(parts.capability == 75   ? Target::CUDACapability75
                        : parts.capability == 80 ? Target::CUDACapability80
                                                 : Target::CUDACapability86);
    case Device::none: break;
  }
  return target;
}

int capability_named(const std::string& name) {
  const TargetParts parts = target_parts(name);
  return parts.device == Device::none ? target_parts(target_text(parts.cpu)).capability
                                      : parts.capability;
}

Halide::Target target_named(const std::string& name) {
  const TargetParts parts = target_parts(name);
  const TargetParts of_host = target_parts(target_text(parts.cpu));
  const std::string& text = of_host.cpu;
  const bool known = !text.empty() && Halide::Target::validate_target_string(text);
  if (!known && names_capability(name)) throw no_capability(name);
  if (!known && names_gpu(name)) throw no_gpu(name);
  if (!known) throw refused(Code::E0501_unknown_target, "'" + name + "' is not a target", examples);
  const Halide::Target target(text);
  if (target.has_gpu_feature()) throw no_gpu(name);
  // NoAsserts would drop the tests of results that report errors.
  if (target.has_feature(Halide::Target::NoAsserts) || target.arch == Halide::Target::ArchUnknown ||
      target.os == Halide::Target::NoOS)
    throw refused(Code::E0501_unknown_target, "target '" + name + "' is not supported", examples);
  return with_our_features(with_device(target, parts.device == Device::none ? of_host : parts));
}

namespace {

Halide::Target without_device(Halide::Target target) {
  for (const auto feature : {Halide::Target::OpenCL, Halide::Target::CLDoubles,
                             Halide::Target::CUDA, Halide::Target::CUDACapability75,
                             Halide::Target::CUDACapability80, Halide::Target::CUDACapability86})
    target.set_feature(feature, false);
  return target;
}

Machine machine_of_host(const Halide::Target& target) {
  const bool here = target == host_target();
  try {
    if (target == without_device(target_named("host"))) return machine();
    return here ? host_machine() : machine(target.to_string());
  } catch (const Error&) {
    return here ? host_machine() : Machine{};
  }
}

}  // namespace

Halide::DeviceAPI device_of(const Halide::Target& target) {
  if (target.has_feature(Halide::Target::OpenCL)) return Halide::DeviceAPI::OpenCL;
  if (target.has_feature(Halide::Target::CUDA)) return Halide::DeviceAPI::CUDA;
  return Halide::DeviceAPI::None;
}

Machine machine_of(const Halide::Target& target) {
  Machine m = machine_of_host(without_device(target));
  m.device = limits_of(target.has_feature(Halide::Target::OpenCL) ? Device::opencl
                       : target.has_feature(Halide::Target::CUDA) ? Device::cuda
                                                                  : Device::none);
  return m;
}

}  // namespace strata::halide
