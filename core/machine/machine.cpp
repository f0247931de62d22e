#include "core/machine/machine.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/machine/cpu_table.h"
#include "core/machine/device.h"
#include "core/machine/host.h"
#include "core/machine/trimmed.h"

namespace strata {

namespace {

Error unknown(const std::string& target) {
  std::string known;
  for (const std::string& cpu : known_cpus()) known += (known.empty() ? "" : ", ") + cpu;
  return Request{"machine(\"" + target + "\")", {}}.refused(
      Code::E0501_unknown_target, "'" + target + "' is not a CPU that Strata knows",
      "name one of " + known + "; or \"host\", or a Halide target such as x86-64-linux-avx2-fma");
}

std::vector<std::string> parts_of(const std::string& target) {
  std::vector<std::string> parts;
  std::istringstream text(target);
  for (std::string part; std::getline(text, part, '-');) parts.push_back(part);
  return parts;
}

// The CPU whose row describes a Halide target: the one it is tuned for, or the generic CPU with its
// widest vectors; nullptr if it names neither.
const Machine* cpu_of_features(const std::string& target) {
  const auto parts = parts_of(target);
  const auto has = [&](const char* part) { return std::count(parts.begin(), parts.end(), part); };
  for (const std::string& part : parts)
    if (part.rfind("tune_", 0) == 0)
      if (const Machine* tuned = find_cpu(part.substr(5))) return tuned;
  const std::pair<const char*, const char*> levels[] = {
      {"avx512_zen5", "znver5"}, {"avx512_zen4", "znver4"}, {"avx512_skylake", "x86-64-v4"},
      {"avx2", "x86-64-v3"},     {"sse41", "x86-64-v2"},    {"x86", "x86-64"},
      {"arm", "arm-64"}};
  for (const auto& [feature, cpu] : levels)
    if (has(feature)) return find_cpu(cpu);
  return nullptr;
}

// With the operating system of this process: "x86-64-linux-avx2".
std::string with_system(const std::string& target) {
  const std::size_t width = target.find("-64") + 3;
  return target.substr(0, width) + "-linux" + target.substr(width);
}

// The tiles of r x v vectors among which product_tile chooses.
std::vector<RegisterTile> tiles_in_registers(const Machine& m, int widest) {
  std::vector<RegisterTile> tiles;
  for (int v = 1; v <= widest; ++v)
    for (int r = 1; r * v + v + 1 <= m.vector_registers; ++r)
      if (r * v >= m.sums_in_flight()) tiles.push_back({r, v});
  return tiles;
}

// The machine that STRATA_MACHINE names, or the CPU at hand; "host-cuda" is that with a GPU.
Machine machine_of_environment() {
  const char* const value = std::getenv("STRATA_MACHINE");
  const std::string name = value ? value : "";
  if (name.find('/') != std::string::npos) return read_machine(name);
  const TargetParts parts = target_parts(name);
  if (parts.cpu == "host" && parts.device != Device::none) {
    Machine m = host_machine();
    m.target = name;
    return m;
  }
  for (const std::string& target : targets_in(name))
    if (target_parts(target).cpu == "host") throw unknown(name);
  if (!name.empty()) return machine(name);
  Machine m = host_machine();
  m.target = "host";
  return m;
}

// The machine of a list of targets.
Machine least_of(const std::vector<std::string>& targets, const std::string& list) {
  Machine least = machine(targets.front());
  for (const std::string& target : targets) {
    const Machine other = machine(target);
    if (std::pair(other.vector_bits, other.vector_registers) <
        std::pair(least.vector_bits, least.vector_registers))
      least = other;
  }
  least.target = list;
  return least;
}

Machine machine_of_cpu(const std::string& target) {
  if (target == "host") return machine_of_environment();
  if (const Machine* cpu = find_cpu(target)) {
    Machine m = *cpu;
    m.target = with_system(m.target);
    return m;
  }
  const Machine* generic = cpu_of_features(target);
  if (!generic) throw unknown(target);
  Machine m = *generic;
  m.target = target;
  return m;
}

double instructions_per_sum(const RegisterTile& tile) {
  return 1 + 1.0 / tile.rows + 1.0 / tile.columns;
}

}  // namespace

int Machine::lanes(Type type) const { return std::max(1, vector_bits / (8 * bytes(type))); }

double Machine::flops_per_byte(Type type) const {
  return 2.0 * fma_units / (loads * double(bytes(type)));
}

RegisterTile Machine::product_tile(Type type, int widest) const {
  const auto tiles = tiles_in_registers(*this, widest);
  double fewest = std::numeric_limits<double>::max();
  for (const RegisterTile& tile : tiles) fewest = std::min(fewest, instructions_per_sum(tile));
  RegisterTile best{vector_registers, 1};
  for (const RegisterTile& tile : tiles) {
    const bool near = instructions_per_sum(tile) < 1.02 * fewest;
    if (near && std::pair(tile.rows, -tile.columns) < std::pair(best.rows, -best.columns))
      best = tile;
  }
  return tiles.empty() ? RegisterTile{1, lanes(type)}
                       : RegisterTile{best.rows, best.columns * lanes(type)};
}

std::int64_t Machine::fitting(int level, std::int64_t bytes) const {
  if (caches.empty()) return 1;
  const std::size_t index = std::min(std::size_t(std::max(level, 1)), caches.size()) - 1;
  const std::int64_t room = caches[index].bytes / caches[index].sharing / 2;
  std::int64_t n = 1;
  while (2 * n <= room / std::max<std::int64_t>(bytes, 1)) n *= 2;
  return n;
}

int Machine::filter_rows(int taps) const {
  constexpr int streams = 16;
  return std::max(1, std::min((streams - (taps - 1)) / 2, vector_registers - 2 - (taps - 1)));
}

std::int64_t Machine::square(int level, std::int64_t bytes) const {
  const std::int64_t area = fitting(level, bytes);
  std::int64_t side = 1;
  while (4 * side * side <= area) side *= 2;
  return side;
}

Machine machine(const std::string& name) {
  if (const auto all = targets_in(name); all.size() > 1) return least_of(all, name);
  const TargetParts parts = target_parts(name);
  Machine m = machine_of_cpu(parts.cpu);
  m.target += name.substr(parts.cpu.size());
  const TargetParts whole = target_parts(m.target);  // the machine of "host" may have a device
  m.device = limits_of(whole.device, whole.capability);
  return m;
}

std::vector<std::string> targets_in(const std::string& list) {
  const Request request{"the list of targets \"" + list + "\"", {}};
  std::vector<std::string> targets;
  for (std::size_t from = 0, comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = list.find(',', from);
    const std::string target = trimmed(list.substr(from, comma - from), " ");
    if (target.empty() && list.find(',') != std::string::npos)
      throw request.refused(Code::E0501_unknown_target, "the list has an empty target",
                            "write a target before and after each comma");
    if (std::find(targets.begin(), targets.end(), target) != targets.end())
      throw request.refused(Code::E0501_unknown_target, "the list has " + target + " twice",
                            "name each target once");
    targets.push_back(target);
  }
  return targets;
}

std::vector<std::string> single_targets(const std::string& target) {
  return targets_in(target == "host" ? machine(target).target : target);
}

std::vector<std::string> known_cpus() {
  std::vector<std::string> names;
  for (const Machine& m : cpu_table()) names.push_back(m.cpu);
  return names;
}

}  // namespace strata
