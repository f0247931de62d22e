// emit_runtime OUTPUT.o: writes the part of Halide's runtime that every emitted object calls
// (memory, threads, error reporting). It is emitted once, into the library strata_runtime, for the
// architecture without any of this machine's CPU features, so that the library runs on every CPU of
// the architecture; the emitted objects themselves are for the CPU of their target.
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
