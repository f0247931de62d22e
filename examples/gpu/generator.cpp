// gpu_examples_generator FOLDER: writes NAME_cpu and NAME_gpu of each example as .o, .h and .txt,
// the commands and loops.  The GPU's are for OpenCL.
#include "examples/gpu/all.h"

namespace {

using namespace gpu_examples;

int generated(Make make, On on, const std::string& folder) try {
  strata::CodegenOptions options;
  if (on == On::gpu) options.target = "host-opencl";
  return examples::generate({make(on)}, folder, options);
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  int failed = 0;
  for (const Make make : all())
    for (const On on : {On::cpu, On::gpu}) failed += generated(make, on, argv[1]);
  return failed ? 1 : 0;
}
