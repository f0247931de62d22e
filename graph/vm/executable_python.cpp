#include <cstdio>

#include "graph/vm/element_type.h"
#include "graph/vm/executable.h"

namespace strata::graph {

namespace {

std::string python_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 32 || c == 127) {
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned char>(c));
      quoted += escaped;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string numbers(const std::vector<std::int64_t>& all) {
  std::string text;
  for (const std::int64_t n : all) text += std::to_string(n) + ", ";
  return "(" + text + ")";
}

std::string array_text(const NDArray& array) {
  const std::string name = name_of(array.type());
  if (is_same_type(array.type(), strata_bfloat16()))
    throw VmError("vm: numpy has no " + name + ", so the program cannot be written");
  std::string hex;
  for (std::size_t k = 0; k < array.bytes(); ++k) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", unsigned(array.raw()[k]));
    hex += digits;
  }
  return "np.frombuffer(bytes.fromhex(\"" + hex + "\"), \"" + name + "\").reshape(" +
         numbers(array.extents()) + ")";
}

std::string constant_program(const VmValue& value) {
  if (value.array()) return array_text(*value.array());
  if (value.shape()) return "vm.Shape(" + numbers(value.shape()->numbers) + ")";
  if (value.integer()) return std::to_string(*value.integer());
  return python_string(*value.text());
}

std::string register_program(VmWord reg) {
  if (reg == machine_register) return "b.vm_state()";
  if (reg == no_register) return "b.void_register()";
  return "b.r(" + std::to_string(reg) + ")";
}

std::string operand_program(const Executable& e, const VmOperand& o) {
  const std::string value = std::to_string(o.value);
  switch (o.kind) {
    case VmOperand::Kind::in_register: return register_program(o.value);
    case VmOperand::Kind::immediate: return "b.imm(" + value + ")";
    case VmOperand::Kind::constant: return "b.c(" + value + ")";
    case VmOperand::Kind::function: break;
  }
  return "b.f(" + python_string(e.callees[std::size_t(o.value)]) + ")";
}

std::string instruction_program(const Executable& e, const VmInstruction& i) {
  switch (i.opcode) {
    case Opcode::ret: return "b.emit_ret(" + register_program(i.reads) + ")";
    case Opcode::go: return "b.emit_goto(" + std::to_string(i.offset) + ")";
    case Opcode::branch:
      return "b.emit_if(" + register_program(i.reads) + ", " + std::to_string(i.offset) + ")";
    case Opcode::call: break;
  }
  std::string text =
      "b.emit_call(" + python_string(e.callees[std::size_t(i.function)]) + ", args=[";
  for (std::size_t k = 0; k < i.arguments.size(); ++k)
    text += (k ? ", " : "") + operand_program(e, i.arguments[k]);
  text += "]";
  if (i.destination != no_register) text += ", dst=" + register_program(i.destination);
  return text + ")";
}

}  // namespace

std::string Executable::aspython() const {
  std::string text = "import numpy as np\nfrom strata import vm\n\nb = vm.ExecBuilder()\n";
  for (const VmValue& value : constants) text += "b.constant(" + constant_program(value) + ")\n";
  for (std::size_t f = 0; f < functions.size(); ++f) {
    text += "with b.function(" + python_string(functions[f].name) +
            ", num_inputs=" + std::to_string(functions[f].inputs) + "):\n";
    for (std::int64_t pc = functions[f].start; pc < end_of(f); ++pc)
      text += "    " + instruction_program(*this, at(pc)) + "\n";
  }
  return text + "executable = b.get()\n";
}

}  // namespace strata::graph
