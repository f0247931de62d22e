// Makes executables, instruction by instruction.
//
//   ExecBuilder b;
//   b.function("func0", 2, [&] {
//     b.emit_call("vm.op.add", {b.r(0), b.r(1)}, b.r(2));
//     b.emit_ret(b.r(2));
//   });
//   const Executable e = b.get();
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/vm/executable.h"

namespace strata::graph {

// All errors are VmErrors, with the function and the instruction.
class ExecBuilder {
 public:
  // A value among the arguments becomes a constant. Equal values share one constant.
  using Argument = std::variant<VmOperand, VmValue>;

  // The first registers are the inputs. After "body", the builder checks the function (verify), and
  // numbers its other registers after the inputs, in the order of their first definition. If "body"
  // or the check throws, the builder drops the function.
  void function(const std::string& name, std::int64_t inputs, const std::function<void()>& body);
  // The parts of function(), for languages with scopes of their own.
  void begin_function(const std::string& name, std::int64_t inputs);
  void end_function();
  void abandon_function();

  static VmOperand r(VmWord number);  // a register
  static VmOperand c(VmWord number);  // a constant of the pool
  static VmOperand imm(VmWord value);
  static VmOperand vm_state() { return {VmOperand::Kind::in_register, machine_register}; }
  static VmOperand void_register() { return {VmOperand::Kind::in_register, no_register}; }
  VmOperand f(const std::string& name);  // a function, as a value
  VmOperand constant(const VmValue& value);

  void emit_call(const std::string& name, const std::vector<Argument>& arguments = {},
                 std::optional<VmOperand> destination = {});
  void emit_ret(const VmOperand& result);
  void emit_goto(std::int64_t offset);
  void emit_if(const VmOperand& condition, std::int64_t false_offset);

  // The executable built so far.
  Executable get() const;
  // Inputs that nobody reads.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Open {
    VmFunction function;
    std::size_t constants, callees;  // how many there were before
    std::vector<VmInstruction> instructions = {};
  };
  Open& open();
  VmWord callee(const std::string& name);
  void rename(Open& open) const;

  Executable made_ = {};
  std::optional<Open> open_ = {};
  std::vector<std::string> warnings_ = {};
};

}  // namespace strata::graph
