// What a schedule needs to know about the CPU that will run it.
//
//   const Machine m = machine();                 // the CPU at hand
//   c.vectorize(j, m.lanes(f32));
//   const auto [rows, columns] = m.product_tile(f32);
//
// Sizes that depend on the CPU are derived here, by the rules stated below, so that schedules hold
// no number of one CPU.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/machine/device.h"
#include "core/type.h"

namespace strata {

struct Cache {
  std::int64_t bytes = 0;  // of one instance
  int sharing = 1;         // the number of cores that share it
};

// The sums of a matrix product that stay in registers: "columns" is a multiple of the lanes.
struct RegisterTile {
  int rows = 1, columns = 1;
};

struct Machine {
  std::string cpu;     // LLVM's name: "znver4", "x86-64-v3"
  std::string target;  // for CodegenOptions::target

  int vector_bits = 128;
  int vector_registers = 16;
  int issue_width = 4;  // instructions per cycle
  int fma_units = 2;    // multiply-adds of whole vectors per cycle
  int fma_latency = 4;  // cycles
  int loads = 2;        // loads of whole vectors per cycle

  int line = 64;              // bytes of a cache line
  std::vector<Cache> caches;  // data caches, the first level first
  int cores = 1;              // that this process may use
  // Cycles: a parallel loop of less work takes longer on two threads that are awake than on one.
  int parallel_start = 12000;

  bool masks = false;             // a masked load or store costs as much as a whole one
  bool gathers = false;           // a gather is faster than loads of its lanes one by one
  bool streaming_stores = false;  // stores around the caches pay for arrays that exceed them

  DeviceLimits device;  // of the GPU, if the target has one

  // The number of values in a vector.
  int lanes(Type type) const;

  // The floating-point operations that the machine computes while it loads a byte from its first
  // cache:  2 fma_units / (loads bytes(type)).
  double flops_per_byte(Type type) const;

  // The register tile r x v of a matrix product, v in vectors. Each step of the sum takes r v
  // multiply-adds, v loads of one operand and r broadcasts of the other. Of all tiles with
  //   r v + v + 1 <= registers       the sums, one operand, and a broadcast
  //   r v >= fma_latency fma_units   the units always have independent sums
  //   v <= widest                    wide tiles waste much at the last columns
  // it needs the fewest instructions for each sum, 1 + 1 / r + 1 / v, so that the front end has
  // little to do, whatever its width. Of those within 2 % of the fewest it has the fewest rows: the
  // last rows of a matrix waste less. (The first two conditions: Low et al., Analytical modeling is
  // enough for high-performance BLIS, ACM TOMS 2016, section 4.1.)
  RegisterTile product_tile(Type type, int widest = 4) const;

  // The number of independent sums, each a vector, that keep the multiply-add units busy.
  int sums_in_flight() const { return fma_latency * fma_units; }

  // The rows r of a tile, a vector wide, of a filter that makes each row from "taps" rows of an
  // earlier stage, which the tile computes: r + taps - 1 rows of it stay in registers, beside two
  // vectors. The tile runs along as many rows of memory and along the r rows that it writes:
  // together at most 16, since prefetchers lose track of more (blur, on Zen 4, of pictures that
  // exceed the caches: 12 rows, or 26 streams, take 1.3 times as long as 6). At least 1.
  int filter_rows(int taps) const;

  // The largest power of two n such that n times "bytes" fills at most half of the cache of a
  // level, 1 for the first; at least 1. The other half is for what streams through.
  std::int64_t fitting(int level, std::int64_t bytes) const;

  // The side of a square of elements that fits in this sense: the largest power of two.
  std::int64_t square(int level, std::int64_t bytes) const;
};

// The machine named by "target": "host", the CPU at hand; LLVM's name of a CPU ("skylake-avx512");
// or the text of a Halide target, whose features decide; each with a GPU's suffix, if it has one:
// "host-opencl", "host-cuda", "host-cuda-sm_90". For "host", the environment variable
// STRATA_MACHINE may name another CPU, or a file that read_machine reads.
// For a list, "x86-64-v3,x86-64-v4": the machine with the fewest vector bits (then registers), with
// the list as "target"; so one schedule suits all of them.
// Throws E0501 if the name is unknown; the message lists the known CPUs.
Machine machine(const std::string& target = "host");

// The targets of a list, in its order; a text without a comma is one. E0501 if there is none
// between two commas, or one is there twice.
std::vector<std::string> targets_in(const std::string& list);

// The single targets that a text stands for: the items of a list; those of STRATA_MACHINE if it is
// "host". E0501 as targets_in.
std::vector<std::string> single_targets(const std::string& target);

// The names of CPUs that machine() knows.
std::vector<std::string> known_cpus();

// A machine as text, one "name = value" per line, and the reverse. Lines that are missing keep the
// values of the CPU named by "cpu". Throws E0108, with the line, if the text is broken; and E0106
// if the file cannot be read.
std::string to_text(const Machine& machine);
Machine parse_machine(const std::string& text, const std::string& name = "a machine's text");
Machine read_machine(const std::string& path);

}  // namespace strata
