// One thread of a launch: its registers, and what it waits for.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

#include "tests/gpu/emulator/kernel.h"

namespace strata::emulator {

// What a kernel must not do.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The memory of the device: what may be touched.
class DeviceMemory {
 public:
  void add(std::uint64_t start, std::size_t bytes) { all_[start] = bytes; }
  void remove(std::uint64_t start);
  bool holds(std::uint64_t address, std::size_t bytes) const;

 private:
  std::map<std::uint64_t, std::size_t> all_;
  mutable std::uint64_t last_ = 0, last_end_ = 0;  // the allocation that was touched last
};

// What the threads of a block share.
struct BlockState {
  const Kernel* kernel;
  const DeviceMemory* memory;
  const std::vector<std::uint8_t>* parameters;
  std::vector<std::uint8_t> shared;
};

class Thread {
 public:
  // Local memory has the byte "garbage" everywhere.
  Thread(BlockState& block, std::uint8_t garbage);

  // Runs to a barrier, a product, an exchange or the end; that instruction.
  const Instruction& run();

  template <typename T>
  T get(std::uint32_t slot) const {
    T value;
    std::memcpy(&value, &registers[slot], sizeof value);
    return value;
  }
  template <typename T>
  void set(std::uint32_t slot, T value) {
    registers[slot] = 0;
    std::memcpy(&registers[slot], &value, sizeof value);
  }
  // The bytes at the place of an access; Fault if they are not all there, or not aligned.
  std::uint8_t* place(Space space, std::uint64_t address, std::size_t bytes);

  void copy_later(const Instruction& copy);
  void wait_for_copies();

  std::vector<std::uint64_t> registers;
  std::size_t next = 0;  // the next instruction

 private:
  struct Copy {
    std::uint8_t* to;
    const std::uint8_t* from;
    std::size_t bytes;
  };

  BlockState& block_;
  std::vector<std::uint8_t> local_;
  std::vector<Copy> copies_;  // on their way
};

}  // namespace strata::emulator
