#include "tests/gpu/emulator/thread.h"

namespace strata::emulator {

namespace {

// More instructions than any kernel of the tests has in a thread.
constexpr std::uint64_t most_steps = 1'000'000'000;

}  // namespace

void DeviceMemory::remove(std::uint64_t start) {
  all_.erase(start);
  last_ = last_end_ = 0;
}

bool DeviceMemory::holds(std::uint64_t address, std::size_t bytes) const {
  const auto is_inside = [&] { return last_ <= address && address + bytes <= last_end_; };
  if (is_inside()) return true;
  auto next = all_.upper_bound(address);
  if (next == all_.begin()) return false;
  --next;
  last_ = next->first, last_end_ = next->first + next->second;
  return is_inside();
}

Thread::Thread(BlockState& block, std::uint8_t garbage)
    : registers(block.kernel->registers), block_(block) {
  local_.assign(block.kernel->local_bytes, garbage);
}

const Instruction& Thread::run() {
  const std::vector<Instruction>& code = block_.kernel->code;
  for (std::uint64_t steps = 0; steps < most_steps; ++steps) {
    const Instruction& now = code[next++];
    if (now.guard != 0 && ((registers[now.guard] & 1) == 0) != now.unless) continue;
    if (now.way == Way::on)
      now.step(*this, now);
    else if (now.way == Way::branch)
      next = now.target;
    else
      return now;
  }
  throw Fault("a thread does not end");
}

std::uint8_t* Thread::place(Space space, std::uint64_t address, std::size_t bytes) {
  if (space == Space::parameter)
    return const_cast<std::uint8_t*>(block_.parameters->data()) + address;
  if (address % bytes != 0)
    throw Fault("an access of " + std::to_string(bytes) + " bytes at " + std::to_string(address) +
                " is not aligned");
  if (space == Space::global) {
    if (!block_.memory->holds(address, bytes)) throw Fault("there is no memory at this address");
    return reinterpret_cast<std::uint8_t*>(address);
  }
  std::vector<std::uint8_t>& memory = space == Space::shared ? block_.shared : local_;
  if (address + bytes > memory.size() || address + bytes < address)
    throw Fault("an access to byte " + std::to_string(std::int64_t(address)) + " of " +
                std::to_string(memory.size()) +
                (space == Space::shared ? " of shared memory" : " of local memory"));
  return memory.data() + address;
}

void Thread::copy_later(const Instruction& copy) {
  const auto bytes = std::size_t(copy.bytes);
  const std::uint64_t to = std::uint32_t(registers[copy.base] + std::uint64_t(copy.offset));
  const std::uint64_t from = registers[copy.source] + std::uint64_t(copy.source_offset);
  copies_.push_back({place(Space::shared, to, bytes), place(Space::global, from, bytes), bytes});
}

void Thread::wait_for_copies() {
  for (const Copy& copy : copies_) std::memcpy(copy.to, copy.from, copy.bytes);
  copies_.clear();
}

}  // namespace strata::emulator
