// emit_runtime OUTPUT.o [TARGET]: writes the part of Halide's runtime that every emitted object
// calls (memory, threads, error reporting, and GPUs, whose drivers it opens when they are first
// used). It is emitted once, into the library strata_runtime, for the architecture of TARGET, which
// is a text as in CodegenOptions::target. It uses no CPU features, so that the library runs on
// every CPU of the architecture; the emitted objects themselves are for the CPU of their target.
// Without TARGET it is for the architecture of this machine.
#include <Halide.h>

#include <cstdio>
#include <exception>

#include "core/machine/machine.h"

namespace {

// The first target of a list stands for all of them: they have one architecture.
Halide::Target target_named(const std::string& name) {
  const std::string whole = strata::machine(strata::targets_in(name).front()).target;
  const std::string text = strata::target_parts(whole).cpu;
  return text == "host" ? Halide::get_host_target() : Halide::Target(text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: %s OUTPUT.o [TARGET]\n", argv[0]);
    return 2;
  }
  try {
    const Halide::Target target = argc == 3 ? target_named(argv[2]) : Halide::get_host_target();
    const Halide::Target cpu(target.os, target.arch, target.bits);
    Halide::compile_standalone_runtime(
        argv[1], cpu.with_feature(Halide::Target::OpenCL).with_feature(Halide::Target::CUDA));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
