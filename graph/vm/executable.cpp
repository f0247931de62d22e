#include "graph/vm/executable.h"

#include <cstring>
#include <sstream>

#include "graph/vm/element_type.h"

namespace strata::graph {

namespace {

template <typename Items, typename Text>
std::string listed(const Items& items, const Text& text) {
  std::string all;
  for (const auto& item : items) all += (all.empty() ? "" : ", ") + text(item);
  return "[" + all + "]";
}

std::string numbers_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
  return "(" + text + (numbers.size() == 1 ? ",)" : ")");
}

std::string constant_text(const VmValue& value) {
  if (const auto* shape = value.shape()) return "shape" + numbers_text(shape->numbers);
  if (value.integer()) return std::to_string(*value.integer());
  if (value.text()) return "\"" + *value.text() + "\"";
  const NDArray& array = *value.array();
  return name_of(array.type()) + numbers_text(array.extents());
}

std::string instruction_text(const Executable& e, const VmInstruction& i) {
  switch (i.opcode) {
    case Opcode::ret: return "ret ret " + register_text(i.reads);
    case Opcode::go: return "goto " + std::to_string(i.offset);
    case Opcode::branch: return "if " + register_text(i.reads) + " " + std::to_string(i.offset);
    case Opcode::call: break;
  }
  std::string text = "call " + e.callees.at(std::size_t(i.function)) + " in: ";
  for (std::size_t k = 0; k < i.arguments.size(); ++k)
    text += (k ? ", " : "") + operand_text(e, i.arguments[k]);
  return text + " dst: " + register_text(i.destination);
}

}  // namespace

VmInstruction Executable::at(std::int64_t instruction) const {
  const VmWord* w = &words_[std::size_t(offsets_[std::size_t(instruction)])];
  VmInstruction made{Opcode(w[0])};
  switch (made.opcode) {
    case Opcode::call:
      made.destination = w[1];
      made.function = w[2];
      for (VmWord k = 0; k < w[3]; ++k) made.arguments.push_back(VmOperand::of(w[4 + k]));
      break;
    case Opcode::ret: made.reads = w[1]; break;
    case Opcode::go: made.offset = w[1]; break;
    case Opcode::branch:
      made.reads = w[1];
      made.offset = w[2];
      break;
  }
  return made;
}

void Executable::add(const VmInstruction& i) {
  offsets_.push_back(std::int64_t(words_.size()));
  words_.push_back(VmWord(i.opcode));
  switch (i.opcode) {
    case Opcode::call:
      words_.insert(words_.end(), {i.destination, i.function, VmWord(i.arguments.size())});
      for (const VmOperand& operand : i.arguments) words_.push_back(operand.word());
      break;
    case Opcode::ret: words_.push_back(i.reads); break;
    case Opcode::go: words_.push_back(i.offset); break;
    case Opcode::branch: words_.insert(words_.end(), {i.reads, i.offset}); break;
  }
}

std::int64_t Executable::end_of(std::size_t function) const {
  return function + 1 < functions.size() ? functions[function + 1].start : size();
}

const VmFunction* Executable::find(const std::string& name) const {
  for (const VmFunction& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

std::string Executable::stats() const {
  std::vector<VmValue> shapes;
  for (const VmValue& constant : constants)
    if (constant.shape()) shapes.push_back(constant);
  std::ostringstream text;
  text << "Relax VM executable statistics:\n"
       << "Constant shapes (# " << shapes.size() << "): " << listed(shapes, constant_text) << "\n";
  if (!constants.empty())
    text << "Constant pool (# " << constants.size() << "): " << listed(constants, constant_text)
         << "\n";
  text << "Globals (#" << functions.size()
       << "): " << listed(functions, [](const VmFunction& f) { return f.name; }) << "\n"
       << "Packed functions (#" << callees.size()
       << "): " << listed(callees, [](const std::string& name) { return name; }) << "\n";
  return text.str();
}

std::string Executable::astext() const {
  std::string text;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    text += "@" + functions[f].name + ":\n";
    for (std::int64_t pc = functions[f].start; pc < end_of(f); ++pc)
      text += "  " + instruction_text(*this, at(pc)) + "\n";
    text += "\n";
  }
  return text;
}

std::string register_text(VmWord reg) {
  if (reg == no_register) return "void";
  if (reg == machine_register) return "%vm";
  return "%" + std::to_string(reg);
}

std::string operand_text(const Executable& executable, const VmOperand& operand) {
  switch (operand.kind) {
    case VmOperand::Kind::in_register: return register_text(operand.value);
    case VmOperand::Kind::immediate: return "i" + std::to_string(operand.value);
    case VmOperand::Kind::constant: return "c[" + std::to_string(operand.value) + "]";
    case VmOperand::Kind::function: break;
  }
  return "f[" + executable.callees.at(std::size_t(operand.value)) + "]";
}

bool is_same_constant(const VmValue& a, const VmValue& b) {
  if (a.shape() && b.shape()) return *a.shape() == *b.shape();
  if (a.integer() && b.integer()) return *a.integer() == *b.integer();
  if (a.text() && b.text()) return *a.text() == *b.text();
  if (!a.array() || !b.array()) return false;
  const NDArray &x = *a.array(), &y = *b.array();
  return is_same_type(x.type(), y.type()) && x.extents() == y.extents() &&
         std::memcmp(x.raw(), y.raw(), x.bytes()) == 0;
}

}  // namespace strata::graph
