#include "core/machine/cpu_table.h"

#include <algorithm>

namespace strata {

namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib;

// Halide's features of the levels that the x86-64 psABI defines. Constants, not strings, so that
// the table can be read before main.
constexpr const char* v1 = "x86-64";
constexpr const char* v2 = "x86-64-sse41";
constexpr const char* v3 = "x86-64-sse41-avx-f16c-fma-avx2";
constexpr const char* v4 = "x86-64-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake";
constexpr const char* icelake =
    "x86-64-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake-avx512_cannonlake";
constexpr const char* sapphire =
    "x86-64-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake-avx512_cannonlake-avx512_sapphirerapids";
constexpr const char* zen4 =
    "x86-64-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4";
constexpr const char* zen5 =
    "x86-64-sse41-avx-f16c-fma-avx2-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4"
    "-avx512_zen5";

// The columns of the table, in their order. Sizes of shared caches are those of one instance.
struct Row {
  const char *cpu, *target;
  int bits, registers, issue, units, latency, loads;
  Cache first, second, third;
  bool masks, gathers, streaming;
};

// Instructions per cycle, units and latencies: Agner Fog, The microarchitecture of Intel, AMD and
// VIA CPUs, and Instruction tables; Arm's Software Optimization Guides for Neoverse N1 and V1.
// Units count multiply-adds of whole vectors: Zen 4 needs two passes for 512 bits. Caches: the
// vendors' data sheets. A generic CPU has the smallest values among the common CPUs of its level.
// Gathers pay where a gather of 8 floats takes fewer cycles than 8 loads and their inserts.
// Streaming stores: measured on Zen 4, where they lose; on the others not known to pay.
// clang-format off
constexpr Row rows[] = {
    // cpu, target, bits, registers, issue, units, latency, loads, L1, L2, L3, masks, gathers, nt
    {"x86-64", v1, 128, 16, 4, 1, 5, 2, {32 * kib, 1}, {256 * kib, 1}, {2 * mib, 1}, false, false,
     false},
    {"x86-64-v2", v2, 128, 16, 4, 1, 5, 2, {32 * kib, 1}, {256 * kib, 1}, {2 * mib, 1}, false,
     false, false},
    {"x86-64-v3", v3, 256, 16, 4, 2, 5, 2, {32 * kib, 1}, {256 * kib, 1}, {2 * mib, 1}, false,
     false, false},
    {"x86-64-v4", v4, 512, 32, 4, 2, 4, 2, {32 * kib, 1}, {1 * mib, 1}, {5 * mib / 4, 1}, true,
     true, false},
    {"haswell", v3, 256, 16, 4, 2, 5, 2, {32 * kib, 1}, {256 * kib, 1}, {5 * mib / 2, 1}, false,
     false, false},
    {"broadwell", v3, 256, 16, 4, 2, 5, 2, {32 * kib, 1}, {256 * kib, 1}, {5 * mib / 2, 1}, false,
     true, false},
    {"skylake", v3, 256, 16, 4, 2, 4, 2, {32 * kib, 1}, {256 * kib, 1}, {2 * mib, 1}, false, true,
     false},
    {"skylake-avx512", v4, 512, 32, 4, 2, 4, 2, {32 * kib, 1}, {1 * mib, 1}, {11 * mib / 8, 1},
     true, true, false},
    {"cascadelake", v4, 512, 32, 4, 2, 4, 2, {32 * kib, 1}, {1 * mib, 1}, {11 * mib / 8, 1}, true,
     true, false},
    {"icelake-server", icelake, 512, 32, 5, 2, 4, 2, {48 * kib, 1}, {5 * mib / 4, 1},
     {3 * mib / 2, 1}, true, true, false},
    {"sapphirerapids", sapphire, 512, 32, 6, 2, 4, 2, {48 * kib, 1}, {2 * mib, 1},
     {15 * mib / 8, 1}, true, true, false},
    {"znver2", v3, 256, 16, 5, 2, 5, 2, {32 * kib, 1}, {512 * kib, 1}, {16 * mib, 4}, false, false,
     false},
    {"znver3", v3, 256, 16, 6, 2, 4, 2, {32 * kib, 1}, {512 * kib, 1}, {32 * mib, 8}, false, false,
     false},
    {"znver4", zen4, 512, 32, 6, 1, 4, 1, {32 * kib, 1}, {1 * mib, 1}, {32 * mib, 8}, true, false,
     false},
    {"znver5", zen5, 512, 32, 8, 2, 4, 2, {48 * kib, 1}, {1 * mib, 1}, {32 * mib, 8}, true, false,
     false},
    {"arm-64", "arm-64", 128, 32, 4, 2, 4, 2, {64 * kib, 1}, {512 * kib, 1}, {1 * mib, 1}, false,
     false, false},
    {"neoverse-n1", "arm-64", 128, 32, 4, 2, 4, 2, {64 * kib, 1}, {1 * mib, 1}, {1 * mib, 1},
     false, false, false},
    {"neoverse-v1", "arm-64", 128, 32, 8, 4, 4, 3, {64 * kib, 1}, {1 * mib, 1}, {1 * mib, 1},
     false, false, false},
};
// clang-format on

Machine made(const Row& row) {
  Machine m;
  m.cpu = row.cpu;
  m.target = row.target;
  m.vector_bits = row.bits;
  m.vector_registers = row.registers;
  m.issue_width = row.issue;
  m.fma_units = row.units;
  m.fma_latency = row.latency;
  m.loads = row.loads;
  m.caches = {row.first, row.second, row.third};
  m.masks = row.masks;
  m.gathers = row.gathers;
  m.streaming_stores = row.streaming;
  return m;
}

}  // namespace

const std::vector<Machine>& cpu_table() {
  static const std::vector<Machine> table = [] {
    std::vector<Machine> all;
    for (const Row& row : rows) all.push_back(made(row));
    return all;
  }();
  return table;
}

const Machine* find_cpu(const std::string& name) {
  const auto& table = cpu_table();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Machine& m) { return m.cpu == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace strata
