// Executables: what a machine runs.
#pragma once

#include <string>
#include <vector>

#include "graph/vm/error.h"
#include "graph/vm/instruction.h"
#include "graph/vm/value.h"

namespace strata::graph {

struct VmFunction {
  std::string name;
  std::int64_t start = 0;      // its first instruction
  std::int64_t inputs = 0;     // the first registers
  std::int64_t registers = 0;  // including the inputs
};

class Executable {
 public:
  std::vector<VmFunction> functions = {};  // in the order of their instructions
  std::vector<VmValue> constants = {};     // arrays, shapes, integers and strings, each once
  std::vector<std::string> callees = {};   // the names that calls use, each once

  std::int64_t size() const { return std::int64_t(offsets_.size()); }  // in instructions
  VmInstruction at(std::int64_t instruction) const;
  void add(const VmInstruction& instruction);
  // The first instruction after a function's last.
  std::int64_t end_of(std::size_t function) const;
  // Null if there is no function of this name.
  const VmFunction* find(const std::string& name) const;

  // The numbers of constants, functions and callees, and a list of them.
  std::string stats() const;
  // "@func0:" and an instruction a line: call vm.op.add in: %0, %1 dst: %2.
  std::string astext() const;
  // A Python program that makes an executable of the same text, with the same constants.
  std::string aspython() const;

  // The bytes of a file. load reads them; it throws a VmError if they are not an executable, have
  // another version, or are truncated or damaged.
  std::string saved() const;
  static Executable load(const std::string& bytes);
  void save(const std::string& path) const;  // VmError if the file cannot be written
  static Executable load_file(const std::string& path);

 private:
  bool has_whole_instructions() const;

  std::vector<VmWord> words_ = {};
  std::vector<std::int64_t> offsets_ = {};  // of each instruction's first word
};

// Checks that the instructions fit the executable: registers, constants, names and targets of jumps
// exist, functions end only by ret, and no register is read before it is surely written. Throws a
// VmError about the first instruction that does not fit. Returns texts about functions and inputs
// that nobody reads.
std::vector<std::string> verify(const Executable& executable);

// "%3", "void", "%vm"; "i5", "c[0]", "f[name]".
std::string register_text(VmWord reg);
std::string operand_text(const Executable& executable, const VmOperand& operand);

// Equal constants: the same kind, type, extents and bits.
bool is_same_constant(const VmValue& a, const VmValue& b);

}  // namespace strata::graph
