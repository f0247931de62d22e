#include <set>

#include "graph/vm/executable.h"

namespace strata::graph {

namespace {

// Checks one function: which registers each instruction may read.
class FunctionCheck {
 public:
  FunctionCheck(const Executable& e, std::size_t number)
      : e_(e), f_(e.functions[number]), end_(e.end_of(number)) {}

  void operator()() {
    if (f_.inputs < 0 || f_.registers < f_.inputs) fail("has fewer registers than inputs");
    if (end_ <= f_.start) fail("has no instruction");
    for (std::int64_t pc = f_.start; pc < end_; ++pc) check(pc);
    flow();
  }

  // The inputs that no instruction reads.
  std::vector<std::string> unread() const {
    std::vector<std::string> all;
    for (VmWord input = 0; input < f_.inputs; ++input)
      if (!read_.contains(input))
        all.push_back("vm " + f_.name + ": input " + register_text(input) + " is never read");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw VmError("vm " + f_.name + " " + why);
  }
  [[noreturn]] void fail(std::int64_t pc, const std::string& why) const {
    throw VmError("vm " + f_.name + ", instruction " + std::to_string(pc - f_.start) + ": " + why);
  }

  void check(std::int64_t pc) {
    const VmInstruction i = e_.at(pc);
    if (i.opcode == Opcode::go || i.opcode == Opcode::branch) {
      const std::int64_t to = pc + i.offset;
      if (i.offset == 0 || to < f_.start || to >= end_)
        fail(pc, "the offset " + std::to_string(i.offset) +
                     (i.offset ? " leads out of the function" : " leads to itself"));
    }
    if (i.opcode == Opcode::call) {
      if (i.function < 0 || i.function >= VmWord(e_.callees.size()))
        fail(pc, "there is no function " + std::to_string(i.function));
      for (const VmOperand& operand : i.arguments) check(pc, operand);
    }
    for (const VmWord reg : {i.destination, i.reads})
      if (reg != no_register && reg != machine_register && (reg < 0 || reg >= f_.registers))
        fail(pc, "there is no register " + std::to_string(reg));
    if (i.destination == machine_register) fail(pc, "the machine is not a destination");
    if ((i.opcode == Opcode::ret || i.opcode == Opcode::branch) &&
        (i.reads == no_register || i.reads == machine_register))
      fail(pc, "it reads no register");
    if (pc + 1 == end_ && i.opcode != Opcode::ret && i.opcode != Opcode::go)
      fail(pc, "the function ends without ret");
  }

  void check(std::int64_t pc, const VmOperand& operand) const {
    const auto within = [&](std::size_t count, const char* what) {
      if (operand.value < 0 || operand.value >= VmWord(count))
        fail(pc, std::string("there is no ") + what + " " + std::to_string(operand.value));
    };
    switch (operand.kind) {
      case VmOperand::Kind::in_register:
        if (operand.value != machine_register) within(std::size_t(f_.registers), "register");
        return;
      case VmOperand::Kind::immediate: return;
      case VmOperand::Kind::constant: return within(e_.constants.size(), "constant");
      case VmOperand::Kind::function: return within(e_.callees.size(), "function");
    }
    fail(pc, "an argument has no kind");
  }

  // A register may be read if it has been written on all ways there. Propagates the sets of written
  // registers from the beginning on, until nothing changes.
  void flow() {
    const auto count = std::size_t(end_ - f_.start);
    std::vector<std::vector<bool>> written(count);  // empty: not reached
    std::vector<bool> inputs(std::size_t(f_.registers));
    for (std::int64_t k = 0; k < f_.inputs; ++k) inputs[std::size_t(k)] = true;
    written[0] = inputs;
    std::vector<std::size_t> open{0};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      std::vector<bool> after = written[at];
      const VmInstruction i = e_.at(f_.start + std::int64_t(at));
      if (i.opcode == Opcode::call && i.destination != no_register)
        after[std::size_t(i.destination)] = true;
      for (const std::int64_t step : steps(i))
        if (meet(written[std::size_t(std::int64_t(at) + step)], after))
          open.push_back(std::size_t(std::int64_t(at) + step));
    }
    for (std::size_t at = 0; at < count; ++at)
      if (!written[at].empty()) check_reads(f_.start + std::int64_t(at), written[at]);
  }

  static std::vector<std::int64_t> steps(const VmInstruction& i) {
    switch (i.opcode) {
      case Opcode::ret: return {};
      case Opcode::go: return {i.offset};
      case Opcode::branch: return {1, i.offset};
      case Opcode::call: break;
    }
    return {1};
  }

  // Intersects "there" with "other". True if this changes "there".
  static bool meet(std::vector<bool>& there, const std::vector<bool>& other) {
    if (there.empty()) {
      there = other;
      return true;
    }
    bool changes = false;
    for (std::size_t r = 0; r < there.size(); ++r)
      if (there[r] && !other[r]) {
        there[r] = false;
        changes = true;
      }
    return changes;
  }

  void check_reads(std::int64_t pc, const std::vector<bool>& written) {
    const VmInstruction i = e_.at(pc);
    const auto check = [&](VmWord reg) {
      if (reg == no_register || reg == machine_register) return;
      if (!written[std::size_t(reg)])
        fail(pc, register_text(reg) + " is read before it is written");
      read_.insert(reg);
    };
    check(i.reads);
    for (const VmOperand& operand : i.arguments)
      if (operand.kind == VmOperand::Kind::in_register) check(operand.value);
  }

  const Executable& e_;
  const VmFunction& f_;
  std::int64_t end_;
  std::set<VmWord> read_ = {};
};

}  // namespace

std::vector<std::string> verify(const Executable& executable) {
  std::vector<std::string> warnings;
  std::set<std::string> names;
  std::int64_t start = 0;
  for (std::size_t f = 0; f < executable.functions.size(); ++f) {
    const VmFunction& function = executable.functions[f];
    if (!names.insert(function.name).second)
      throw VmError("vm: two functions are called " + function.name);
    if (f == 0 ? function.start != 0 : function.start <= start)
      throw VmError("vm " + function.name + " begins in another function");
    if (function.start >= executable.size())
      throw VmError("vm " + function.name + " has no instruction");
    start = function.start;
  }
  for (std::size_t f = 0; f < executable.functions.size(); ++f) {
    FunctionCheck check(executable, f);
    check();
    for (const std::string& text : check.unread()) warnings.push_back(text);
  }
  return warnings;
}

}  // namespace strata::graph
