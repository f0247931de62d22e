// Kernels in PTX, as the emulator runs them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace strata::emulator {

class Thread;
struct Instruction;
using Step = void (*)(Thread& thread, const Instruction& instruction);

enum class Space { global, shared, local, parameter };

// What a thread does beside setting registers and memory.
enum class Way { on, branch, barrier, product, exchange, end };

struct Instruction {
  Way way = Way::on;
  Step step = nullptr;  // if it goes on
  // Slots of registers; constants have slots, too. Results come first.
  std::array<std::uint32_t, 14> at{};
  std::uint32_t guard = 0;  // the slot of its predicate; 0: it always runs
  bool unless = false;      // it runs where the predicate is false
  std::size_t target = 0;   // of a branch
  // An access to memory, at the address in slot "base".
  Space space = Space::global;
  std::uint32_t base = 0;
  std::int64_t offset = 0;
  int bytes = 0, count = 1;  // of an element; of elements, also of the parts of a register
  bool is_signed = false;    // it is extended by its sign
  std::uint32_t source = 0;  // of an asynchronous copy: the slot of its global address
  std::int64_t source_offset = 0;
  std::string text;  // for messages, and the kind of a product or exchange
};

struct Kernel {
  std::string name;
  std::vector<Instruction> code;
  std::vector<std::uint64_t> registers;  // in the beginning: constants, and others with garbage
  std::vector<int> parameter_bytes;
  std::vector<int> parameter_offsets;
  std::array<unsigned, 3> threads{1, 1, 1};
  std::size_t shared_bytes = 0, local_bytes = 0;
  // Slots of %tid, %ctaid, %ntid and %nctaid, three each; 0: the kernel does not read it.
  std::array<std::uint32_t, 12> places{};
};

// The kernels of a text by their names.  std::runtime_error for what the emulator does not know.
std::map<std::string, Kernel> kernels_of(const std::string& text);

}  // namespace strata::emulator
