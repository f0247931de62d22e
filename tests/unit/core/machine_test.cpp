// CPUs by name, by what /proc/cpuinfo says and as text; sizes derived from them.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/machine/cpu_table.h"
#include "core/machine/host.h"

namespace strata::test::machine_test {

namespace {

const std::string v3_flags = "flags\t\t: fpu sse4_1 avx f16c fma avx2\n";
const std::string v4_flags =
    "flags : sse4_1 avx avx2 f16c fma avx512f avx512cd avx512bw avx512dq avx512vl\n";
const std::string zen4_flags =
    "flags : sse4_1 avx avx2 f16c fma avx512f avx512cd avx512bw avx512dq avx512vl avx512ifma "
    "avx512vbmi\n";

std::string cpu_with(const std::string& vendor, int family, int model, const std::string& flags) {
  std::istringstream cpuinfo("processor\t: 0\nvendor_id\t: " + vendor + "\ncpu family\t: " +
                             std::to_string(family) + "\nmodel\t\t: " + std::to_string(model) +
                             "\nmodel name\t: a CPU\n" + flags + "\nprocessor\t: 1\nmodel : 1\n");
  return cpu_of(read_cpu_id(cpuinfo)).cpu;
}

std::string explanation_of(const std::string& text) {
  try {
    parse_machine(text, "m.txt");
  } catch (const Error& error) {
    CHECK(error.code() == Code::E0108_unreadable_text);
    return error.refusal().explanation;
  }
  return "accepted";
}

}  // namespace

TEST_CASE("CPUs are recognised by vendor, family and model", "[machine]") {
  CHECK(cpu_with("AuthenticAMD", 25, 17, zen4_flags) == "znver4");
  CHECK(cpu_with("AuthenticAMD", 25, 1, v3_flags) == "znver3");
  CHECK(cpu_with("GenuineIntel", 6, 85, v4_flags) == "skylake-avx512");
  CHECK(cpu_with("GenuineIntel", 6, 63, v3_flags) == "haswell");
}

TEST_CASE("a CPU is never more than the features it shows", "[machine]") {
  CHECK(cpu_with("AuthenticAMD", 25, 17, v4_flags) == "x86-64-v4");
  CHECK(cpu_with("AuthenticAMD", 25, 17, v3_flags) == "x86-64-v3");
  CHECK(cpu_with("GenuineIntel", 6, 85, v3_flags) == "x86-64-v3");
  CHECK(cpu_with("GenuineIntel", 6, 85, "flags : fpu sse2\n") == "x86-64");
  CHECK(cpu_with("Unheard", 99, 1, v4_flags) == "x86-64-v4");
  std::istringstream nothing("");
  CHECK(cpu_of(read_cpu_id(nothing)).cpu == "x86-64");
}

TEST_CASE("a machine by the name of a CPU or by a Halide target", "[machine]") {
  CHECK(machine("skylake-avx512").lanes(f32) == 16);
  CHECK(machine("skylake-avx512").lanes(f64) == 8);
  CHECK(machine("haswell").lanes(f32) == 8);
  CHECK(machine("neoverse-v1").lanes(u8) == 16);
  CHECK(machine("x86-64-linux-sse41-avx-avx2-f16c-fma").cpu == "x86-64-v3");
  CHECK(machine("x86-64-linux-avx2-tune_znver3").cpu == "znver3");
  CHECK(machine("arm-64-linux").lanes(f32) == 4);
  CHECK(machine("znver3").target == "x86-64-linux-sse41-avx-f16c-fma-avx2");
}

TEST_CASE("a target with a GPU has its limits", "[machine][gpu]") {
  // CUDA C++ Programming Guide, technical specifications by compute capability.
  const Machine cuda = machine("znver3-cuda");
  CHECK(cuda.cpu == "znver3");
  CHECK(cuda.target == "x86-64-linux-sse41-avx-f16c-fma-avx2-cuda");
  CHECK(cuda.device.threads == 1024);
  CHECK(cuda.device.threads_on_axis == std::array<std::int64_t, 3>{1024, 1024, 64});
  CHECK(cuda.device.blocks_on_axis == std::array<std::int64_t, 3>{2147483647, 65535, 65535});
  CHECK(cuda.device.shared_bytes == 49152);
  CHECK(cuda.device.registers == 255);
  CHECK(machine("znver3-opencl").device.blocks_on_axis[2] == 2147483647);
  CHECK(machine("haswell").device.blocks_on_axis[2] == 65535);
  CHECK(machine("znver3-cuda-sm_75").device.shared_bytes == 65536);
  CHECK(machine("znver3-cuda-sm_80").device.shared_bytes == 166912);
  CHECK(machine("znver3-cuda-sm_86").device.shared_bytes == 101376);
  CHECK(machine("host-cuda-sm_90").device.shared_bytes == 232448);
  CHECK(machine("host-cuda-sm_90").target == "host-cuda-sm_90");
  CHECK(parse_machine(to_text(machine("znver3-cuda-sm_90"))).device.shared_bytes == 232448);
  CHECK_THROWS_AS(machine("znver3-cuda-sm_91"), Error);
  CHECK_THROWS_AS(machine("znver3-opencl-sm_90"), Error);
  ::setenv("STRATA_MACHINE", "znver3-cuda-sm_90", 1);
  CHECK(machine().device.shared_bytes == 232448);
  CHECK(parse_machine(to_text(machine("znver3-opencl"))).device.blocks_on_axis[1] == 2147483647);
  ::setenv("STRATA_MACHINE", "host-cuda-sm_80", 1);
  CHECK(machine().device.shared_bytes == 166912);
  CHECK(machine().target == "host-cuda-sm_80");
  ::setenv("STRATA_MACHINE", "host", 1);
  CHECK_THROWS_AS(machine(), Error);
  ::unsetenv("STRATA_MACHINE");
}

TEST_CASE("the machine of a list is the least one", "[machine]") {
  const Machine m = machine("x86-64-v4, haswell,x86-64-v3");
  CHECK(m.cpu == "haswell");
  CHECK(m.lanes(f32) == 8);
  CHECK(m.target == "x86-64-v4, haswell,x86-64-v3");
  CHECK(targets_in(m.target) == std::vector<std::string>{"x86-64-v4", "haswell", "x86-64-v3"});
  CHECK(targets_in("host") == std::vector<std::string>{"host"});
  ::setenv("STRATA_MACHINE", "znver4,znver3", 1);
  CHECK(machine().cpu == "znver3");
  ::setenv("STRATA_MACHINE", "znver4,host", 1);
  CHECK_THROWS_AS(machine(), Error);
  ::unsetenv("STRATA_MACHINE");
  for (const char* list : {"znver4,", ",", "znver4,,znver3", "znver4,znver4", "znver4,skylack"})
    CHECK_THROWS_AS(machine(list), Error);
}

TEST_CASE("an unknown CPU is refused with the known ones", "[machine]") {
  for (const char* name : {"skylack", "", "wasm-32-wasmrt"}) try {
      machine(name);
      FAIL("accepted " << name);
    } catch (const Error& error) {
      CHECK(error.code() == Code::E0501_unknown_target);
      CHECK(error.refusal().mend.find("skylake-avx512") != std::string::npos);
    }
}

TEST_CASE("a register tile fits the registers and hides the latency", "[machine]") {
  for (const std::string& name : known_cpus()) {
    const Machine m = machine(name);
    for (const Type type : {f32, f64}) {
      const RegisterTile tile = m.product_tile(type);
      const int v = tile.columns / m.lanes(type), sums = tile.rows * v;
      INFO(name << " " << tile.rows << " x " << tile.columns);
      CHECK(tile.columns % m.lanes(type) == 0);
      CHECK(sums + v + 1 <= m.vector_registers);
      CHECK(sums >= m.fma_latency * m.fma_units);
    }
  }
  // By hand: of 32 registers, 6 x 4 sums take 34 instructions, 24 + 4 + 6, or 1.42 for each sum; 9
  // x 3 take 1.44. Of 16, 4 x 3 take 1.58 and 6 x 2 take 1.67.
  CHECK(machine("skylake-avx512").product_tile(f32).rows == 6);
  CHECK(machine("skylake-avx512").product_tile(f32).columns == 64);
  CHECK(machine("haswell").product_tile(f32).rows == 4);
  CHECK(machine("haswell").product_tile(f32).columns == 24);
  CHECK(machine("haswell").product_tile(f64).columns == 12);
  // At most two vectors wide: 14 x 2 take 1.571, 10 x 2 take 1.6 with fewer rows.
  CHECK(machine("skylake-avx512").product_tile(f32, 2).rows == 10);
  CHECK(machine("skylake-avx512").product_tile(f32, 2).columns == 32);
}

TEST_CASE("a filter's tile keeps its rows in registers, and few streams", "[machine]") {
  for (const std::string& name : known_cpus())
    for (int taps = 1; taps < 40; ++taps) {
      const Machine m = machine(name);
      const int rows = m.filter_rows(taps);
      INFO(name << ", " << taps << " taps, " << rows << " rows");
      CHECK(rows >= 1);
      const auto fits = [&](int r) {
        return 2 * r + taps - 1 <= 16 && r + taps + 1 <= m.vector_registers;
      };
      CHECK((rows == 1 || fits(rows)));
      CHECK_FALSE(fits(rows + 1));
    }
  CHECK(machine("znver4").filter_rows(5) == 6);
  CHECK(machine("haswell").filter_rows(3) == 7);
  Machine few = machine("haswell");
  few.vector_registers = 8;
  CHECK(few.filter_rows(3) == 4);  // 6 of the 8 registers
}

TEST_CASE("what fits half a cache", "[machine]") {
  Machine m = machine("haswell");
  m.caches = {{32768, 1}, {262144, 2}};
  CHECK(m.fitting(1, 8) == 2048);
  CHECK(m.fitting(1, 9) == 1024);
  CHECK(m.fitting(2, 1) == 65536);
  CHECK(m.fitting(3, 1) == 65536);
  CHECK(m.fitting(1, 1 << 20) == 1);
  CHECK(m.fitting(1, 0) == 16384);
  CHECK(m.square(1, 4) == 64);  // 64 x 64 x 4 bytes are half of 32 KiB
  CHECK(m.square(1, 8) == 32);  // 2048 elements: 32 x 64 would fit, 64 x 64 not
  CHECK(m.square(2, 4) == 128);
  CHECK(m.square(1, 1 << 20) == 1);
  m.caches.clear();
  CHECK(m.fitting(1, 8) == 1);
  CHECK(m.square(1, 8) == 1);
}

TEST_CASE("a machine's text reads back", "[machine]") {
  for (const std::string& name : known_cpus()) {
    Machine m = machine(name);
    m.cores = 7;
    CHECK(to_text(parse_machine(to_text(m))) == to_text(m));
  }
  const Machine m = parse_machine("# ours\ncpu = znver3\ncores = 12 # of 16\n\n");
  CHECK(m.cores == 12);
  CHECK(m.lanes(f32) == 8);
  CHECK(parse_machine("cpu = znver3\nparallel_start = 90").parallel_start == 90);
}

TEST_CASE("operations for each byte from the first cache", "[machine]") {
  CHECK(machine("haswell").flops_per_byte(f32) == 0.5);  // 2 * 2 * 8 operations, 2 * 32 bytes
  CHECK(machine("haswell").flops_per_byte(f64) == 0.25);
}

TEST_CASE("a broken text of a machine is refused with its line", "[machine]") {
  CHECK(explanation_of("") == "line 1: no line sets cpu");
  CHECK(explanation_of("cpu = znver3\ncores") == "line 2: 'cores' has no '='");
  CHECK(explanation_of("cpu = znver3\ncores = many") ==
        "line 2: cores cannot be 'many': expected a whole number");
  CHECK(explanation_of("cpu = znver3\n\ncores = 0") ==
        "line 3: cores cannot be '0': expected a whole number");
  CHECK(explanation_of("cpu = znver3\nparallel_start = 0") ==
        "line 2: parallel_start cannot be '0': expected a whole number");
  CHECK(explanation_of("cpu = znver3\nmasks = 1") ==
        "line 2: masks cannot be '1': expected yes or no");
  CHECK(explanation_of("cpu = znver3\ncaches = 32K") ==
        "line 2: caches cannot be '32K': expected sizes in bytes, each with the cores that share "
        "it: 32768/1 1048576/1");
  CHECK(explanation_of("cpu = znver3\nspeed = 3") == "line 2: a machine has no 'speed'");
  CHECK(explanation_of("cpu = znver3\ncores = 2\ncores = 3") == "line 3: cores is set twice");
  CHECK(explanation_of("cpu = skylack") == "line 1: 'skylack' is not a CPU that Strata knows");
}

TEST_CASE("a machine's file that cannot be read", "[machine]") {
  try {
    read_machine("/dev/null/none");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.code() == Code::E0106_bad_argument);
    CHECK(error.refusal().explanation == "the file /dev/null/none cannot be read");
  }
}

TEST_CASE("STRATA_MACHINE stands for the host", "[machine]") {
  ::setenv("STRATA_MACHINE", "haswell", 1);
  const Machine named = machine();
  ::setenv("STRATA_MACHINE", "skylack", 1);
  CHECK_THROWS_AS(machine(), Error);
  ::unsetenv("STRATA_MACHINE");
  CHECK(named.cpu == "haswell");
  CHECK(machine().target == "host");
  CHECK(machine().cores >= 1);
}

}  // namespace strata::test::machine_test
