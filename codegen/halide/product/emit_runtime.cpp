// emit_runtime OUTPUT.o: writes the part of Halide's runtime that every emitted object calls
// (memory, threads, error reporting). It is emitted once, into the library strata_runtime, and for
// the architecture without any of this machine's CPU features, so that the library runs on all of
// its kind; the emitted objects themselves are made for the CPU that they name.
#include <Halide.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.o\n", argv[0]);
    return 2;
  }
  try {
    const Halide::Target host = Halide::get_host_target();
    Halide::compile_standalone_runtime(argv[1], Halide::Target(host.os, host.arch, host.bits));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
