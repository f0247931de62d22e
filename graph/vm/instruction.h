// The instructions of the machine (after the virtual machine of Relax).
#pragma once

#include <cstdint>
#include <vector>

namespace strata::graph {

using VmWord = std::int64_t;

// Four instructions, as words:
//     call  1, destination, function, number of arguments, arguments..
//     ret   2, register
//     goto  3, offset                      to this instruction + offset
//     if    4, register, false offset      true: to the next instruction
enum class Opcode : VmWord { call = 1, ret = 2, go = 3, branch = 4 };

// An argument in a word: the kind in the highest 8 bits, the value in the others, with its sign.
struct VmOperand {
  enum class Kind : std::uint8_t { in_register, immediate, constant, function };
  Kind kind = Kind::in_register;
  VmWord value = 0;

  static constexpr VmWord least = -(VmWord{1} << 55), greatest = (VmWord{1} << 55) - 1;
  VmWord word() const {
    return VmWord(std::uint64_t(kind) << 56 | (std::uint64_t(value) & (~std::uint64_t{0} >> 8)));
  }
  static VmOperand of(VmWord word);
  friend bool operator==(const VmOperand&, const VmOperand&) = default;
};

// Instead of a register: no destination, and the machine itself.
constexpr VmWord no_register = 0x00EC66FE0321975A;
constexpr VmWord machine_register = 0x008D14FA4379015C;

// The two special registers have 56 bits without a sign.
inline VmOperand VmOperand::of(VmWord word) {
  const auto kind = Kind(std::uint64_t(word) >> 56);
  const VmWord plain = VmWord(std::uint64_t(word) & (~std::uint64_t{0} >> 8));
  if (kind == Kind::in_register && (plain == no_register || plain == machine_register))
    return {kind, plain};
  return {kind, VmWord(std::uint64_t(word) << 8) >> 8};
}

struct VmInstruction {
  Opcode opcode = Opcode::ret;
  VmWord destination = no_register;       // of a call
  VmWord function = 0;                    // of a call: its number in the executable's callees
  std::vector<VmOperand> arguments = {};  // of a call
  VmWord reads = no_register;             // of ret and if
  VmWord offset = 0;                      // of goto and if

  friend bool operator==(const VmInstruction&, const VmInstruction&) = default;
};

}  // namespace strata::graph
