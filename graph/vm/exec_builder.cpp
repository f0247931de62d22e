#include "graph/vm/exec_builder.h"

#include <algorithm>
#include <map>

namespace strata::graph {

namespace {

VmOperand numbered(VmOperand::Kind kind, VmWord number, const char* what) {
  if (number < 0)
    throw VmError(std::string("vm: there is no ") + what + " " + std::to_string(number));
  return {kind, number};
}

VmWord register_of(const VmOperand& operand, const char* what) {
  if (operand.kind != VmOperand::Kind::in_register)
    throw VmError(std::string("vm: ") + what + " is a register, made by r(number)");
  return operand.value;
}

bool is_numbered(VmWord reg) { return reg != no_register && reg != machine_register; }

}  // namespace

void ExecBuilder::function(const std::string& name, std::int64_t inputs,
                           const std::function<void()>& body) {
  begin_function(name, inputs);
  try {
    body();
    end_function();
  } catch (...) {
    abandon_function();
    throw;
  }
}

void ExecBuilder::begin_function(const std::string& name, std::int64_t inputs) {
  if (open_) throw VmError("vm: function " + name + " begins inside of " + open_->function.name);
  if (name.empty() || inputs < 0) throw VmError("vm: a function has a name, and 0 inputs or more");
  if (made_.find(name)) throw VmError("vm: there is a function " + name + " already");
  open_ = Open{{name, made_.size(), inputs, inputs}, made_.constants.size(), made_.callees.size()};
}

void ExecBuilder::end_function() {
  rename(open());
  Executable with = made_;
  with.functions.push_back(open_->function);
  for (const VmInstruction& i : open_->instructions) with.add(i);
  warnings_ = verify(with);
  made_ = std::move(with);
  open_.reset();
}

void ExecBuilder::abandon_function() {
  if (!open_) return;
  made_.constants.resize(open_->constants);
  made_.callees.resize(open_->callees);
  open_.reset();
}

// Numbers registers in the order of their first definition. A register that is never defined comes
// last, and verify finds it.
void ExecBuilder::rename(Open& open) const {
  std::map<VmWord, VmWord> names;
  VmWord next = open.function.inputs;
  const auto name = [&](VmWord reg) {
    if (is_numbered(reg) && reg >= open.function.inputs && names.emplace(reg, next).second) ++next;
  };
  for (const VmInstruction& i : open.instructions) name(i.destination);
  for (const VmInstruction& i : open.instructions) {
    name(i.reads);
    for (const VmOperand& operand : i.arguments)
      if (operand.kind == VmOperand::Kind::in_register) name(operand.value);
  }
  const auto renamed = [&](VmWord reg) {
    const auto found = names.find(reg);
    return found == names.end() ? reg : found->second;
  };
  for (VmInstruction& i : open.instructions) {
    i.destination = renamed(i.destination);
    i.reads = renamed(i.reads);
    for (VmOperand& operand : i.arguments)
      if (operand.kind == VmOperand::Kind::in_register) operand.value = renamed(operand.value);
  }
  open.function.registers = next;
}

VmOperand ExecBuilder::r(VmWord number) {
  return numbered(VmOperand::Kind::in_register, number, "register");
}
VmOperand ExecBuilder::c(VmWord number) {
  return numbered(VmOperand::Kind::constant, number, "constant");
}

VmOperand ExecBuilder::imm(VmWord value) {
  if (value < VmOperand::least || value > VmOperand::greatest)
    throw VmError("vm: an immediate has 56 bits, and " + std::to_string(value) +
                  " does not fit; give it as a constant");
  return {VmOperand::Kind::immediate, value};
}

VmOperand ExecBuilder::f(const std::string& name) {
  return {VmOperand::Kind::function, callee(name)};
}

VmOperand ExecBuilder::constant(const VmValue& value) {
  if (!value.array() && !value.shape() && !value.integer() && !value.text())
    throw VmError(std::string("vm: a constant is an array, a shape, an integer or a string, not ") +
                  value.kind());
  auto& pool = made_.constants;
  const auto found = std::find_if(pool.begin(), pool.end(), [&](const VmValue& known) {
    return is_same_constant(known, value);
  });
  if (found != pool.end()) return c(found - pool.begin());
  pool.push_back(value.array() ? VmValue(value.array()->copied()) : value);
  return c(VmWord(pool.size()) - 1);
}

void ExecBuilder::emit_call(const std::string& name, const std::vector<Argument>& arguments,
                            std::optional<VmOperand> destination) {
  VmInstruction call{Opcode::call};
  if (destination) call.destination = register_of(*destination, "a destination");
  for (const Argument& argument : arguments) {
    const auto* operand = std::get_if<VmOperand>(&argument);
    call.arguments.push_back(operand ? *operand : constant(std::get<VmValue>(argument)));
  }
  open();
  call.function = callee(name);
  open().instructions.push_back(std::move(call));
}

void ExecBuilder::emit_ret(const VmOperand& result) {
  VmInstruction ret{Opcode::ret};
  ret.reads = register_of(result, "what is returned");
  open().instructions.push_back(ret);
}

void ExecBuilder::emit_goto(std::int64_t offset) {
  VmInstruction jump{Opcode::go};
  jump.offset = offset;
  open().instructions.push_back(jump);
}

void ExecBuilder::emit_if(const VmOperand& condition, std::int64_t false_offset) {
  VmInstruction branch{Opcode::branch};
  branch.reads = register_of(condition, "a condition");
  branch.offset = false_offset;
  open().instructions.push_back(branch);
}

Executable ExecBuilder::get() const {
  if (open_) throw VmError("vm: function " + open_->function.name + " has not ended");
  return made_;
}

ExecBuilder::Open& ExecBuilder::open() {
  if (!open_) throw VmError("vm: no function has begun");
  return *open_;
}

VmWord ExecBuilder::callee(const std::string& name) {
  if (name.empty()) throw VmError("vm: a function that is called has a name");
  auto& names = made_.callees;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return found - names.begin();
  names.push_back(name);
  return VmWord(names.size()) - 1;
}

}  // namespace strata::graph
