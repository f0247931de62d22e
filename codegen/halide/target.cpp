#include "codegen/halide/module.h"
#include "codegen/halide/refusal.h"

namespace strata::halide {

namespace {

const char* const examples =
    "write \"host\" for the CPU that this runs on, or an architecture, a width, a system and "
    "features, as x86-64-linux-sse41-avx-avx2-f16c-fma or arm-64-linux";

}  // namespace

// StrictFloat keeps the code generator from marking any float operation as free to change;
// NoAsserts would drop the tests of results that report errors.
Halide::Target target_named(const std::string& name) {
  Halide::Target target;
  if (name == "host") {
    target = Halide::get_host_target();
  } else {
    if (name.empty() || !Halide::Target::validate_target_string(name))
      throw refused(Code::E0501_unknown_target, "'" + name + "' names no target", examples);
    target = Halide::Target(name);
  }
  if (target.has_gpu_feature() || target.has_feature(Halide::Target::NoAsserts) ||
      target.arch == Halide::Target::ArchUnknown || target.os == Halide::Target::NoOS)
    throw refused(Code::E0501_unknown_target, "kernels are not made for target '" + name + "'",
                  examples);
  return target.with_feature(Halide::Target::StrictFloat).with_feature(Halide::Target::NoRuntime);
}

}  // namespace strata::halide
