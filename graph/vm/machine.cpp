#include "graph/vm/machine.h"

#include <any>
#include <cstdlib>
#include <cstring>

namespace strata::graph {

namespace {

constexpr std::size_t most_frames = 100'000;
constexpr int most_invocations = 200;

// Is the condition of a branch true?
bool is_true(const VmValue& value) {
  if (value.integer()) return *value.integer() != 0;
  const NDArray* array = value.array();
  if (!array || !array->defined() || array->size() != 1)
    throw VmError(std::string("a condition is an integer or an array of one element, not ") +
                  value.kind());
  const std::byte* raw = array->raw();
  for (std::size_t k = 0; k < array->bytes(); ++k)
    if (raw[k] != std::byte{0}) return true;
  return false;
}

// The content of a register after vm.builtin.kill.
struct Killed {};

// If STRATA_VERIFY is set, the machine fills killed arrays with NaNs.
bool poisons_killed() {
  const char* const value = std::getenv("STRATA_VERIFY");
  return value && *value && std::string(value) != "0";
}

void poison(const VmValue& value) {
  const NDArray* array = value.array();
  if (array && array->defined()) std::memset(array->raw(), 0xFF, array->bytes());
}

// The number of closures being invoked in this thread, each inside the one before.
thread_local int invocations = 0;

}  // namespace

struct VirtualMachine::State {
  // What the name in a call means: a function of the executable, or a packed function.
  struct Callee {
    const VmFunction* function = nullptr;
    PackedFunction packed = {};
    bool kills = false;  // vm.builtin.kill
  };

  struct Frame {
    const VmFunction* function;
    std::vector<VmValue> registers;
    std::int64_t pc;
    VmWord destination;  // in the caller's registers
  };

  Executable executable;
  std::vector<VmInstruction> instructions = {};
  std::vector<Callee> callees = {};
  const bool poisons = poisons_killed();

  // Runs the function until it returns.
  VmValue run(const VirtualMachine& machine, const VmFunction& f,
              std::vector<VmValue> arguments) const;
  VmValue argument(const VirtualMachine& machine, const Frame& frame, const VmOperand& o) const;
  static const VmValue& read(const Frame& frame, VmWord number);
  void kill(Frame& frame, const std::vector<VmOperand>& operands,
            const std::vector<VmValue>& values) const;
  static Frame frame(const VmFunction& f, std::vector<VmValue> arguments, VmWord destination);
};

VirtualMachine::State::Frame VirtualMachine::State::frame(const VmFunction& f,
                                                          std::vector<VmValue> arguments,
                                                          VmWord destination) {
  if (std::int64_t(arguments.size()) != f.inputs)
    throw VmError("vm " + f.name + " takes " + std::to_string(f.inputs) + " arguments, and gets " +
                  std::to_string(arguments.size()));
  arguments.resize(std::size_t(f.registers));
  return {&f, std::move(arguments), f.start, destination};
}

const VmValue& VirtualMachine::State::read(const Frame& frame, VmWord number) {
  const VmValue& value = frame.registers[std::size_t(number)];
  if (value.object() && std::any_cast<Killed>(value.object()))
    throw VmError("vm " + frame.function->name + ": %" + std::to_string(number) +
                  " is read after it was killed");
  return value;
}

void VirtualMachine::State::kill(Frame& frame, const std::vector<VmOperand>& operands,
                                 const std::vector<VmValue>& values) const {
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].kind != VmOperand::Kind::in_register || operands[k].value == machine_register)
      continue;
    if (poisons) poison(values[k]);
    frame.registers[std::size_t(operands[k].value)] = VmValue::object(Killed{});
  }
}

VmValue VirtualMachine::State::argument(const VirtualMachine& machine, const Frame& frame,
                                        const VmOperand& o) const {
  switch (o.kind) {
    case VmOperand::Kind::in_register:
      if (o.value == machine_register) return VmValue::object(&machine);
      return read(frame, o.value);
    case VmOperand::Kind::immediate: return VmValue(o.value);
    case VmOperand::Kind::constant: return executable.constants[std::size_t(o.value)];
    case VmOperand::Kind::function: break;
  }
  return VmValue::object(VmClosure{executable.callees[std::size_t(o.value)]});
}

VmValue VirtualMachine::State::run(const VirtualMachine& machine, const VmFunction& first,
                                   std::vector<VmValue> arguments) const {
  std::vector<Frame> frames;
  frames.push_back(frame(first, std::move(arguments), no_register));
  for (;;) {
    Frame& top = frames.back();
    const VmInstruction& i = instructions[std::size_t(top.pc)];
    switch (i.opcode) {
      case Opcode::go: top.pc += i.offset; continue;
      case Opcode::branch: top.pc += is_true(read(top, i.reads)) ? 1 : i.offset; continue;
      case Opcode::ret: {
        VmValue result = read(top, i.reads);
        const VmWord destination = top.destination;
        frames.pop_back();
        if (frames.empty()) return result;
        if (destination != no_register)
          frames.back().registers[std::size_t(destination)] = std::move(result);
        continue;
      }
      case Opcode::call: break;
    }
    std::vector<VmValue> given;
    for (const VmOperand& o : i.arguments) given.push_back(argument(machine, top, o));
    const Callee& callee = callees[std::size_t(i.function)];
    ++top.pc;
    if (callee.function) {
      if (frames.size() >= most_frames)
        throw VmError("vm " + first.name + ": calls are nested more than " +
                      std::to_string(most_frames) + " deep");
      frames.push_back(frame(*callee.function, std::move(given), i.destination));
      continue;
    }
    VmValue result = callee.packed(given);
    if (i.destination != no_register) top.registers[std::size_t(i.destination)] = std::move(result);
    if (callee.kills) kill(top, i.arguments, given);
  }
}

VirtualMachine::VirtualMachine(Executable executable, const Functions& kernels) {
  verify(executable);
  auto state = std::make_shared<State>();
  state->executable = std::move(executable);
  for (std::int64_t pc = 0; pc < state->executable.size(); ++pc)
    state->instructions.push_back(state->executable.at(pc));
  for (const std::string& name : state->executable.callees) {
    State::Callee callee{state->executable.find(name)};
    if (const auto kernel = kernels.find(name); !callee.function && kernel != kernels.end())
      callee.packed = kernel->second;
    else if (const auto known = find_packed(name); !callee.function && known)
      callee = {nullptr, *known, name == "vm.builtin.kill"};
    if (!callee.function && !callee.packed)
      throw VmError("vm: no function is called \"" + name +
                    "\"; give it among the kernels, or register_packed(\"" + name + "\", f)");
    state->callees.push_back(std::move(callee));
  }
  state_ = std::move(state);
}

VmValue VirtualMachine::operator()(const std::string& name,
                                   const std::vector<VmValue>& arguments) const {
  const VmFunction* f = state_->executable.find(name);
  if (!f) throw VmError("vm: the executable has no function " + name);
  return state_->run(*this, *f, arguments);
}

VmValue VirtualMachine::invoke(const VmValue& closure,
                               const std::vector<VmValue>& arguments) const {
  const auto* object = closure.object();
  const auto* made = object ? std::any_cast<VmClosure>(object) : nullptr;
  if (!made) throw VmError(std::string("vm: a closure is invoked, not ") + closure.kind());
  std::vector<VmValue> all = made->captured;
  all.insert(all.end(), arguments.begin(), arguments.end());
  struct Depth {
    Depth() { ++invocations; }
    ~Depth() { --invocations; }
  } const depth;
  if (invocations > most_invocations)
    throw VmError("vm: closures are invoked more than " + std::to_string(most_invocations) +
                  " deep");
  if (state_->executable.find(made->function)) return (*this)(made->function, all);
  for (std::size_t k = 0; k < state_->callees.size(); ++k)
    if (state_->executable.callees[k] == made->function) return state_->callees[k].packed(all);
  if (const auto known = find_packed(made->function)) return (*known)(all);
  throw VmError("vm: no function is called \"" + made->function + "\"");
}

const Executable& VirtualMachine::executable() const { return state_->executable; }

const VirtualMachine& machine_of(const VmValue& state) {
  const auto* object = state.object();
  const auto* machine = object ? std::any_cast<const VirtualMachine*>(object) : nullptr;
  if (!machine) throw VmError(std::string("vm: the machine is needed, not ") + state.kind());
  return **machine;
}

}  // namespace strata::graph
