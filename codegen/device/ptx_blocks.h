// A kernel in PTX as basic blocks.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace strata::device {

struct PtxInstruction {
  std::size_t line = 0;
  std::string operation;              // "ld.param.b32"
  std::vector<std::string> operands;  // vectors, and places in memory, are one each
  std::string predicate;              // "%p1" of "@%p1" and "@!%p1"; empty: it always runs
};

// Is it a branch, or the end of the thread?
bool leaves_block(const PtxInstruction& instruction);

// Instructions that run one after the other, and the blocks that may follow.
struct PtxBlock {
  std::vector<PtxInstruction> instructions;
  std::vector<std::size_t> next;
};

// The first block is the entry, the last one, without instructions, the end of the thread.
std::vector<PtxBlock> blocks_of(const std::vector<std::string>& lines);

// "{%r1, %tid.x}" ~> both
std::set<std::string> registers_in(const std::string& operand);

}  // namespace strata::device
