// gpu_examples_generator FOLDER TARGET: writes NAME_cpu and NAME_gpu of each example as .o, .h and
// .txt, the commands and loops. TARGET has the GPU: "host-opencl", "host-cuda".
#include "examples/gpu/all.h"

namespace {

using namespace gpu_examples;

int generated(Make make, On on, const std::string& folder, const std::string& target) try {
  strata::CodegenOptions options;
  if (on == On::gpu) options.target = target;
  examples::write_kernel(make(on), folder, options);
  return 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER TARGET\n", argv[0]);
    return 2;
  }
  int failed = 0;
  for (const Make make : all())
    for (const On on : {On::cpu, On::gpu}) failed += generated(make, on, argv[1], argv[2]);
  return failed ? 1 : 0;
}
