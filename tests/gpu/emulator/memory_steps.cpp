#include <algorithm>
#include <type_traits>

#include "tests/gpu/emulator/steps.h"
#include "tests/gpu/emulator/thread.h"
#include "tests/gpu/emulator/typed.h"

namespace strata::emulator {

namespace {

std::uint8_t* place_of(Thread& t, const Instruction& i) {
  std::uint64_t address = t.registers[i.base] + std::uint64_t(i.offset);
  // Addresses of shared memory may be in registers of 32 bits.
  if (i.space != Space::global) address = std::uint32_t(address);
  return t.place(i.space, address, std::size_t(i.bytes * i.count));
}

void loaded(Thread& t, const Instruction& i) {
  const std::uint8_t* from = place_of(t, i);
  for (int n = 0; n < i.count; ++n, from += i.bytes) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, std::size_t(i.bytes));
    const int rest = 64 - 8 * i.bytes;
    if (i.is_signed) bits = std::uint64_t(std::int64_t(bits << rest) >> rest);
    t.registers[i.at[std::size_t(n)]] = bits;
  }
}

void stored(Thread& t, const Instruction& i) {
  std::uint8_t* to = place_of(t, i);
  for (int n = 0; n < i.count; ++n, to += i.bytes)
    std::memcpy(to, &t.registers[i.at[std::size_t(n)]], std::size_t(i.bytes));
}

// d = place; place = f(place, a, b)
template <typename T, auto f>
void atomically(Thread& t, const Instruction& i) {
  std::uint8_t* place = place_of(t, i);
  T old;
  std::memcpy(&old, place, sizeof old);
  const T now = T(f(old, t.get<T>(i.at[1]), t.get<T>(i.at[2])));
  std::memcpy(place, &now, sizeof now);
  t.set<T>(i.at[0], old);
}

constexpr auto increased = [](auto old, auto a, auto) { return old + a; };
constexpr auto lowered = [](auto old, auto a, auto) { return std::min(old, a); };
constexpr auto raised = [](auto old, auto a, auto) { return std::max(old, a); };
constexpr auto masked = [](auto old, auto a, auto) { return old & a; };
constexpr auto joined = [](auto old, auto a, auto) { return old | a; };
constexpr auto toggled = [](auto old, auto a, auto) { return old ^ a; };
constexpr auto exchanged = [](auto, auto a, auto) { return a; };
constexpr auto swapped = [](auto old, auto a, auto b) { return old == a ? b : old; };

template <auto f>
Step integers_atomically(const std::string& type) {
  return for_integer(type, []<typename T>() -> Step {
    if constexpr (sizeof(T) >= 4)
      return &atomically<T, f>;
    else
      return nullptr;
  });
}

Step atomic_step(const Parts& parts) {
  const std::string &name = parts[parts.size() - 2], &type = parts.back();
  if (name == "add") {
    const Step real =
        for_float(type, []<typename T>() -> Step { return &atomically<T, increased>; });
    return real ? real : integers_atomically<increased>(type);
  }
  if (name == "min") return integers_atomically<lowered>(type);
  if (name == "max") return integers_atomically<raised>(type);
  if (name == "and") return integers_atomically<masked>(type);
  if (name == "or") return integers_atomically<joined>(type);
  if (name == "xor") return integers_atomically<toggled>(type);
  if (name == "exch") return integers_atomically<exchanged>(type);
  if (name == "cas") return integers_atomically<swapped>(type);
  return nullptr;
}

void copied(Thread& t, const Instruction& i) { t.copy_later(i); }
void waited(Thread& t, const Instruction&) { t.wait_for_copies(); }

}  // namespace

Step memory_step(const Parts& parts) {
  if (parts[0] == "ld") return &loaded;
  if (parts[0] == "st") return &stored;
  if (parts[0] == "atom") return atomic_step(parts);
  if (parts == Parts{"cp", "async", "wait_all"}) return &waited;
  if (parts[0] == "cp" && parts[1] == "async" && parts.back() == "global") return &copied;
  return nullptr;
}

}  // namespace strata::emulator
