#include "core/machine/host.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "core/machine/cpu_table.h"

namespace strata {

namespace {

// ---- the CPU's name ----

struct Models {
  const char* vendor;
  int family, first, last;  // models
  const char* cpu;
};

// LLVM's names; models as in its lib/TargetParser/Host.cpp.
const Models models[] = {
    {"AuthenticAMD", 23, 0x30, 0xff, "znver2"},
    {"AuthenticAMD", 25, 0x10, 0x1f, "znver4"},
    {"AuthenticAMD", 25, 0x60, 0x7f, "znver4"},
    {"AuthenticAMD", 25, 0xa0, 0xaf, "znver4"},
    {"AuthenticAMD", 25, 0x00, 0xff, "znver3"},
    {"AuthenticAMD", 26, 0x00, 0xff, "znver5"},
    {"GenuineIntel", 6, 0x3c, 0x3c, "haswell"},
    {"GenuineIntel", 6, 0x3f, 0x3f, "haswell"},
    {"GenuineIntel", 6, 0x45, 0x46, "haswell"},
    {"GenuineIntel", 6, 0x3d, 0x3d, "broadwell"},
    {"GenuineIntel", 6, 0x47, 0x47, "broadwell"},
    {"GenuineIntel", 6, 0x4f, 0x4f, "broadwell"},
    {"GenuineIntel", 6, 0x56, 0x56, "broadwell"},
    {"GenuineIntel", 6, 0x4e, 0x4e, "skylake"},
    {"GenuineIntel", 6, 0x5e, 0x5e, "skylake"},
    {"GenuineIntel", 6, 0x8e, 0x8e, "skylake"},
    {"GenuineIntel", 6, 0x9e, 0x9e, "skylake"},
    {"GenuineIntel", 6, 0x55, 0x55, "skylake-avx512"},
    {"GenuineIntel", 6, 0x6a, 0x6a, "icelake-server"},
    {"GenuineIntel", 6, 0x6c, 0x6c, "icelake-server"},
    {"GenuineIntel", 6, 0x8f, 0x8f, "sapphirerapids"},
    {"GenuineIntel", 6, 0xcf, 0xcf, "sapphirerapids"},
    {"0x41", 0, 0xd0c, 0xd0c, "neoverse-n1"},
    {"0x41", 0, 0xd40, 0xd40, "neoverse-v1"},
};

// The flags of Linux that a generic level needs, the highest level first.
struct Level {
  const char* cpu;
  const char* flags;
};
const Level levels[] = {
    {"x86-64-v4", "avx512f avx512cd avx512bw avx512dq avx512vl"},
    {"x86-64-v3", "avx avx2 f16c fma"},
    {"x86-64-v2", "sse4_1"},
};
const char* const icelake_flags = "avx512ifma avx512vbmi";

bool has(const CpuId& id, const std::string& flags) {
  std::istringstream names(flags);
  for (std::string flag; names >> flag;)
    if (id.flags.find(" " + flag + " ") == std::string::npos) return false;
  return true;
}

const char* level_of(const CpuId& id) {
  for (const Level& level : levels)
    if (has(id, level.flags)) return level.cpu;
  return id.vendor.rfind("0x", 0) == 0 ? "arm-64" : "x86-64";
}

// Does a CPU of this row lack only what "id" lacks?
bool runs_on(const Machine& row, const CpuId& id) {
  if (row.target.find("cannonlake") != std::string::npos && !has(id, icelake_flags)) return false;
  return row.vector_bits <= find_cpu(level_of(id))->vector_bits;
}

// ---- caches and cores ----

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "32768K" in bytes; 0 if there is none.
std::int64_t bytes_of(const std::string& size) {
  std::istringstream text(size);
  std::int64_t number = 0;
  char unit = ' ';
  text >> number >> unit;
  return number * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

// The number of processors in a list such as "0-3,8".
int processors_in(const std::string& list) {
  std::istringstream ranges(list);
  int count = 0;
  for (std::string range; std::getline(ranges, range, ',');) {
    std::istringstream bounds(range);
    int first = 0, last = 0;
    char dash = ' ';
    bounds >> first;
    count += bounds >> dash >> last ? last - first + 1 : 1;
  }
  return count;
}

// The data caches of processor 0, as Linux lists them; empty if it does not.
std::vector<Cache> caches_of_host() {
  std::vector<Cache> caches;
  for (int n = 0;; ++n) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(n) + "/";
    const std::string type = first_line(folder + "type");
    if (type.empty()) return caches;
    const std::int64_t bytes = bytes_of(first_line(folder + "size"));
    const int sharing = processors_in(first_line(folder + "shared_cpu_list"));
    if (type != "Instruction" && bytes > 0) caches.push_back({bytes, sharing});
  }
}

int cores_of_process() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

CpuId read_cpu_id(std::istream& cpuinfo) {
  CpuId id;
  for (std::string line; std::getline(cpuinfo, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) {
      if (!id.vendor.empty()) break;  // the end of the first processor
      continue;
    }
    const std::string name = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
    const std::string value = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
    const auto number = [&] { return int(std::strtol(value.c_str(), nullptr, 0)); };
    if (name == "vendor_id" || name == "CPU implementer") id.vendor = value;
    if (name == "cpu family") id.family = number();
    if (name == "model" || name == "CPU part") id.model = number();
    if (name == "stepping") id.stepping = number();
    if (name == "flags" || name == "Features") id.flags = " " + value + " ";
  }
  return id;
}

const Machine& cpu_of(const CpuId& id) {
  const auto found = std::find_if(std::begin(models), std::end(models), [&](const Models& m) {
    return m.vendor == id.vendor && m.family == id.family && m.first <= id.model &&
           id.model <= m.last;
  });
  const bool named = found != std::end(models) && runs_on(*find_cpu(found->cpu), id);
  return *find_cpu(named ? found->cpu : level_of(id));
}

Machine host_machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  Machine m = cpu_of(read_cpu_id(cpuinfo));
  if (const auto caches = caches_of_host(); !caches.empty()) m.caches = caches;
  m.cores = cores_of_process();
  return m;
}

}  // namespace strata
