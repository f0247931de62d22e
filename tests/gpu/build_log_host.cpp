// gpu_build_log_host: what the error says when the driver's compiler refuses the text of a kernel.
#include <string>

#include "tests/gpu/wrong.h"

extern "C" {
#include "runtime/device.h"
int halide_opencl_initialize_kernels(void* context, void** state, const char* text, int size);
}

namespace {

// Builds a text with a name that nothing declares, behind some lines with a warning each.
void test_build(int warnings) {
  std::string text = "__kernel void f(__global int* x) {\n";
  for (int n = 0; n < warnings; ++n) text += "  float v" + std::to_string(n) + " = 1.0 / 0;\n";
  text += "  x[0] = missing_name;\n}\n";
  void* state = nullptr;
  strata_device_start();
  const int code =
      halide_opencl_initialize_kernels(nullptr, &state, text.c_str(), int(text.size()) + 1);
  require(code != 0, "a wrong text is built");
  const std::string name = "the log of a build with " + std::to_string(warnings) + " warnings";
  require_failure(strata_device_failed("f", code), strata_error_device, "missing_name", name);
  require_failure(strata_error_device, strata_error_device, "clBuildProgram failed", name);
}

}  // namespace

int main() {
  for (const int warnings : {0, 1, 100}) test_build(warnings);
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
