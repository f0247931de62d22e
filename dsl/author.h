// Turns the author's handles into commands on programs.
#pragma once

#include <optional>

#include "core/stage.h"
#include "driver/guard.h"
#include "dsl/state.h"
#include "schedule/table/command_table.h"
#include "strata/strata.h"

namespace strata {

struct Author {
  // Replaces the function's program by the result of the command, or throws and changes nothing. An
  // unchecked handle waives one command.
  static Computation& command(Computation& c, const Where& where, const std::string& name,
                              std::vector<CommandOperand> operands) {
    const Check check = c.state_->together ? Check::deferred
                        : c.unchecked_     ? Check::waived
                                           : Check::now;
    c.unchecked_ = false;
    const Command command{name, std::move(operands), Given{where, check}};
    const CpuTimer timer;
    const Program before = c.state_->program;
    c.state_->take_command(
        guarded("a command on " + c.name_, where, [&] { return applied(before, command); }));
    c.state_->places.note_definitions(before, c.state_->program, where);
    c.state_->places.commands.push_back({c.name_, command.text(), where});
    timer.report(c.state_->program.name, command.text());
    return c;
  }

  // A command of the function's, or of a buffer's.
  static void give(FunctionState& state, const Request& request, const std::string& name,
                   std::vector<CommandOperand> operands) {
    const Given given{request.where, state.together ? Check::deferred : Check::now};
    const Command command{name, std::move(operands), given};
    const CpuTimer timer;
    const Program before = state.program;
    state.take_command(
        guarded(request.text, request.where, [&] { return applied(before, command); }));
    state.places.note_definitions(before, state.program, request.where);
    timer.report(state.program.name, command.text());
  }

  // A command that makes a computation.
  static Computation added(Computation& c, const Where& where, const std::string& name, Type type,
                           const std::string& command, std::vector<CommandOperand> operands) {
    return c.added(name, type, command, std::move(operands), Memory::automatic, where);
  }
  static const std::string& array(const Computation& c) { return c.array_; }
  static Type type(const Computation& c) { return c.type_; }

  // E0101 if "other", which a command on "c" names, belongs to another function.
  static void require_same_function(const Computation& c, const Computation& other,
                                    const Where& where) {
    if (c.state_ == other.state_) return;
    throw Request{"a command on " + c.name_, where}.refused(
        Code::E0101_unknown_computation,
        other.name_ + " is a computation of another function, " + other.state_->program.name,
        "name a computation of " + c.state_->program.name);
  }
  static void require_same_function(const Computation& c, const Input& input, const Where& where) {
    if (input.owner() == c.owner()) return;
    throw Request{"a command on " + c.name_, where}.refused(
        Code::E0101_unknown_computation,
        input.name() + " is an input of another function, " + input.owner()->name,
        "name an input of " + c.state_->program.name);
  }

  static Buffer buffer(const std::string& name, const std::shared_ptr<FunctionState>& state) {
    Buffer made(name, state->program.algorithm->owner);
    made.state_ = state;
    return made;
  }
  // The name of a buffer that has no owner or belongs to the program's function; else E0115.
  static const std::string& name_of(const Buffer& buffer, const Program& program,
                                    const Request& request) {
    if (!buffer.owner() || buffer.owner() == program.algorithm->owner) return buffer.name();
    throw request.refused(
        Code::E0115_unknown_buffer,
        buffer.name() + " is a buffer of another function, " + buffer.owner()->name,
        "name a buffer of " + program.name);
  }

  static CommandOperand::Names names(const std::vector<Var>& iterators) {
    CommandOperand::Names names;
    for (const Var& v : iterators) names.push_back(v.name());
    return names;
  }
  static LoopRef loop(const Computation& c, const Var& v) { return {c.name_, v.name(), c.piece_}; }
  static BranchRef branch(const Computation& c) { return {c.name_, c.piece_}; }
  static const Program& program(const Computation& c) { return c.state_->program; }
  static FunctionState& state(const Function& f) { return *f.state_; }
  static const std::shared_ptr<FunctionState>& shared_state(const Function& f) { return f.state_; }
};

}  // namespace strata
