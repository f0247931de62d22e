// The choice of a version by what a CPU has, and what this CPU has.
#include <catch2/catch.hpp>

#include <strata/runtime.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/cpu.h"

namespace strata::test::cpu_test {

namespace {

template <typename... Features>
std::int64_t set_of(Features... features) {
  return (std::int64_t{0} | ... | (std::int64_t{1} << features));
}

const std::int64_t v2 =
    set_of(strata_cpu_sse3, strata_cpu_ssse3, strata_cpu_cx16, strata_cpu_sse4_1);
const std::int64_t avx2 = set_of(strata_cpu_avx, strata_cpu_avx2);
const std::int64_t avx512 = avx2 | set_of(strata_cpu_avx512f);

// The flags of the first processor; empty if there are none.
std::string flags_of_host() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.rfind("flags", 0) == 0 || line.rfind("Features", 0) == 0)
      return line.substr(line.find(':') + 1) + " ";
  return "";
}

}  // namespace

TEST_CASE("the first version that the CPU can execute is chosen", "[cpu]") {
  const std::int64_t needs[] = {avx512, avx2, 0};
  const char* const names = "k\nbest\nmiddle\nleast\n";
  CHECK(strata_choose_version_for(avx512, names, needs, 3) == 0);
  CHECK(strata_choose_version_for(avx512 | v2, names, needs, 3) == 0);
  CHECK(strata_choose_version_for(avx2, names, needs, 3) == 1);
  CHECK(strata_choose_version_for(set_of(strata_cpu_avx512f), names, needs, 3) == 2);
  CHECK(strata_choose_version_for(0, names, needs, 3) == 2);
}

TEST_CASE("a CPU that can execute no version is told what each needs", "[cpu]") {
  const std::int64_t needs[] = {avx512, avx2};
  const char* const names = "k\nbest\nmiddle\n";
  CHECK(strata_choose_version_for(v2, names, needs, 2) == strata_error_wrong_cpu);
#ifdef __x86_64__
  CHECK(std::string(strata_last_error()) ==
        "k: compiled for other CPUs than this one; add x86-64-v2 to its targets, which are "
        "best (it lacks avx, avx2, avx512f), middle (it lacks avx, avx2)");
  CHECK(strata_choose_version_for(0, names, needs, 1) == strata_error_wrong_cpu);
  CHECK(std::string(strata_last_error()) ==
        "k: compiled for other CPUs than this one; add x86-64 to its targets, which are "
        "best (it lacks avx, avx2, avx512f)");
#endif
}

TEST_CASE("a long list of targets is cut off in the message", "[cpu]") {
  std::string names = "k\n";
  for (int n = 0; n < 60; ++n) names += std::string(50, 't') + "\n";
  const std::vector<std::int64_t> needs(60, avx512);
  CHECK(strata_choose_version_for(0, names.c_str(), needs.data(), 60) == strata_error_wrong_cpu);
  CHECK(std::string(strata_last_error()).size() < 1024);
}

TEST_CASE("this CPU has what the operating system says", "[cpu]") {
  const std::string flags = flags_of_host();
  if (flags.empty()) return;
  const std::map<std::string, std::string> other_names{{"sse3", "pni"}};
  const auto check = [&](const std::string& name, int feature) {
    const auto other = other_names.find(name);
    const std::string flag = " " + (other == other_names.end() ? name : other->second) + " ";
    INFO(name);
    CHECK((strata_cpu_features() >> feature & 1) == (flags.find(flag) != std::string::npos));
  };
#define STRATA_CPUID(name, leaf, subleaf, where, bit, state) check(#name, strata_cpu_##name);
#define STRATA_HWCAP(name, bit) check(#name, strata_cpu_##name);
#include "runtime/cpu_features.inc"
#undef STRATA_CPUID
#undef STRATA_HWCAP
}

}  // namespace strata::test::cpu_test
