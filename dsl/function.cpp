// Function: declarations of parameters, inputs and computations; groups of commands.
#include "strata/strata.h"

#include "dsl/author.h"
#include "dsl/scopes.h"
#include "layers/define/build.h"
#include "layers/define/notes.h"
#include "schedule/edit/verified.h"
#include "schedule/table/command_source.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

// Definitions inside f.loop must share the loop as it was opened, unchanged by commands.
void require_untouched_loop(const FunctionState& state, const Request& request) {
  if (state.existing_loops > 0 && state.command_in_loop)
    throw request.refused(Code::E0106_bad_argument,
                          "a command was given inside f.loop before its last definition",
                          "give commands after the loop is closed");
}

// Adds notes, where needed, for definitions that are new or have a new predicate.
void note_wrapping(FunctionState& state, const Request& request) {
  const Definitions& all = state.program.algorithm->definitions;
  for (const std::size_t n : all.missing_in(state.definitions_checked)) {
    const Definition& d = all[n];
    if (!d.value.defined() || state.checked_for_wrapping.count({d.name, true})) continue;
    if (!state.checked_for_wrapping.emplace(d.name, d.predicate.defined()).second) continue;
    const std::string text = note_on_wrapping(d);
    if (text.empty()) continue;
    state.checked_for_wrapping.emplace(d.name, true);
    state.notes.push_back("note: in " + request.text + " at " + request.where.file + ":" +
                          std::to_string(request.where.line) + "\n  " + text);
  }
  state.definitions_checked = all;
}

// Replaces the function's program by build()'s; E0901 if that exceeds the budget.
template <typename Build>
void become(FunctionState& state, const Request& request, Build build) {
  Program result;
  const CpuTimer timer;
  const bool answered = guarded(request.text, request.where, [&] {
    return state.program.session->within_budget([&] { result = build(); });
  });
  if (!answered)
    throw request.refused(
        Code::E0901_out_of_budget, "its reads and writes are too hard to analyze within the budget",
        "raise the budget with set_budget, or simplify the domain or the indices");
  state.places.note_definitions(state.program, result, request.where);
  state.take(std::move(result));
  note_wrapping(state, request);
  timer.report(state.program.name, request.text);
}

// "after", which has one more definition than "before", if it is legal with the commands given so
// far. A definition is not a command, so the history does not list it.
Program judged_anew(const Program& before, Program after, const FunctionState& state,
                    const Request& request) {
  if (!before.scheduled) return after;
  const Check check = state.together ? Check::deferred : Check::now;
  const auto open = request.text.find('(');  // "computation(x)"
  const std::string operand = request.text.substr(open + 1, request.text.size() - open - 2);
  return verified(before, std::move(after),
                  {request.text.substr(0, open), {operand}, {request.where, check}});
}

void add(FunctionState& state, NewDefinition definition, const Request& request) {
  require_untouched_loop(state, request);
  definition.open_loops = state.open_loops;
  definition.existing_loops = state.existing_loops;
  become(state, request, [&] {
    return judged_anew(state.program, with_definition(state.program, definition, request), state,
                       request);
  });
  state.existing_loops = int(state.open_loops.size());
}

NewDefinition over(const std::string& name, const std::vector<Var>& iterators) {
  NewDefinition definition;
  definition.array = name;
  definition.iterators = iterators;
  return definition;
}

NewDefinition over(const std::string& name, const Domain& domain) {
  NewDefinition definition;
  definition.array = name;
  definition.domain = domain.text;
  return definition;
}

Type type_of(const FunctionState& state, const std::string& name) {
  return state.program.algorithm->find(name)->type;
}

}  // namespace

Function::Function(const std::string& name, const Where& where)
    : state_(std::make_shared<FunctionState>()) {
  state_->take(
      new_program(std::make_shared<Session>(), name, {"Function(\"" + name + "\")", where}));
}

const std::string& Function::name() const { return state_->program.name; }
const Program& Function::program() const { return state_->program; }
const std::vector<std::string>& Function::notes() const { return state_->notes; }
const std::vector<std::string>& Function::history() const { return state_->program.history; }
std::string Function::history_source() const { return source_of_history(state_->program); }
const Program& Function::unscheduled() const {
  return state_->program.scheduled ? *state_->unscheduled : state_->program;
}

void Function::replay(const std::string& commands, const Where& where) {
  const Given given{where, state_->together ? Check::deferred : Check::now};
  const CpuTimer timer;
  const Program before = program();
  state_->take_command(guarded("replay", where, [&] { return replayed(before, commands, given); }));
  state_->places.note_definitions(before, program(), where);
  timer.report(state_->program.name, "replay");
}

Param Function::param(const std::string& name, const Where& where) {
  state_->take(with_parameter(state_->program, name, {"param(" + name + ")", where}));
  return Param(name, program().algorithm->owner);
}

Param Function::param(const std::string& name, const Expr& element, const Where& where) {
  const Request request{"param(" + name + ")", where};
  become(*state_, request, [&] { return with_size(state_->program, name, element, request); });
  return Param(name, program().algorithm->owner);
}

Scalar Function::scalar(const std::string& name, Type type, const Where& where) {
  const Request request{"scalar(" + name + ")", where};
  become(*state_, request, [&] { return with_scalar(state_->program, name, type, request); });
  return Scalar(name, type, program().algorithm->owner);
}

Input Function::input(const std::string& name, Type type, const std::vector<Expr>& extents,
                      const Where& where) {
  const Request request{"input(" + name + ")", where};
  become(*state_, request,
         [&] { return with_input(state_->program, name, type, extents, request); });
  state_->input_extents[name] = extents;
  return Input(name, type, program().algorithm->owner, state_);
}

Buffer Function::buffer(const std::string& name, Type type, const std::vector<Expr>& extents,
                        const Where& where) {
  const Request request{"buffer(" + name + ")", where};
  LayoutBuffer buffer{name, type, int(extents.size())};
  buffer.extents = extents;
  become(*state_, request, [&] { return with_buffer(state_->program, buffer, request); });
  return Author::buffer(name, state_);
}

Buffer Function::buffer(const std::string& name) const { return Author::buffer(name, state_); }

Computation Function::computation(const std::string& name, const Iterators& iterators,
                                  const Expr& value, const Where& where) {
  NewDefinition definition = over(name, iterators);
  definition.value = value;
  add(*state_, definition, {"computation(" + name + ")", where});
  return Computation(state_, name, name, type_of(*state_, name));
}

Computation Function::computation(const std::string& name, const Domain& domain, const Expr& value,
                                  const Where& where) {
  NewDefinition definition = over(name, domain);
  definition.value = value;
  add(*state_, definition, {"computation(" + name + ")", where});
  return Computation(state_, name, name, type_of(*state_, name));
}

namespace {

// "frame" with a tuple value and the names of its further scalars.
NewDefinition with_tuple(NewDefinition frame, const std::vector<std::string>& names,
                         const Tuple& values) {
  if (!names.empty()) frame.components.assign(names.begin() + 1, names.end());
  frame.tuple = values;
  return frame;
}

}  // namespace

Computation Function::computation(const std::vector<std::string>& names, const Iterators& iterators,
                                  const Tuple& values, const Where& where) {
  const std::string name = names.empty() ? "" : names[0];
  add(*state_, with_tuple(over(name, iterators), names, values),
      {"computation(" + name + ")", where});
  return Computation(state_, name, name, type_of(*state_, name));
}

Computation Function::computation(const std::vector<std::string>& names, const Domain& domain,
                                  const Tuple& values, const Where& where) {
  const std::string name = names.empty() ? "" : names[0];
  add(*state_, with_tuple(over(name, domain), names, values), {"computation(" + name + ")", where});
  return Computation(state_, name, name, type_of(*state_, name));
}

Computation Computation::component(std::size_t number, const Where& where) const {
  if (number == 0) return *this;
  const Request request{"component(" + name_ + ", " + std::to_string(number) + ")", where};
  const Definition* definition = state_->program.algorithm->find(name_);
  if (!definition)
    throw request.refused(Code::E0101_unknown_computation,
                          "the program has no computation " + name_ + " any more");
  const auto& others = definition->others;
  if (number > others.size())
    throw request.refused(
        Code::E0106_bad_argument,
        "the values of " + name_ + " have " + std::to_string(others.size() + 1) + " scalars",
        "count from 0");
  const Component& c = others[number - 1];
  return Computation(state_, name_, c.name, c.type);
}

Computation Computation::piece(const std::string& name) const {
  Computation handle = *this;
  handle.piece_ = name;
  return handle;
}

const Owner& Computation::owner() const { return state_->program.algorithm->owner; }

Computation Function::declare(const std::string& name, const Iterators& iterators, Type type,
                              const Where& where) {
  NewDefinition definition = over(name, iterators);
  definition.type = type;
  add(*state_, definition, {"declare(" + name + ")", where});
  return Computation(state_, name, name, type);
}

Computation Function::declare(const std::string& name, const Domain& domain, Type type,
                              const Where& where) {
  NewDefinition definition = over(name, domain);
  definition.type = type;
  add(*state_, definition, {"declare(" + name + ")", where});
  return Computation(state_, name, name, type);
}

Computation& Computation::define(const Expr& value, const Where& where) {
  const Request request{"define(" + name_ + ")", where};
  become(*state_, request, [&] { return with_value(state_->program, name_, value, request); });
  return *this;
}

Computation Computation::update(const Iterators& iterators, const std::vector<Expr>& element,
                                const Expr& value, const Where& where) {
  NewDefinition definition = over(array_, iterators);
  definition.element = element;
  definition.value = value;
  const std::string name = next_update_name(*state_->program.algorithm, array_);
  add(*state_, definition, {"update(" + array_ + ")", where});
  return Computation(state_, name, array_, type_);
}

Computation& Computation::where(const Expr& condition, const Where& where) {
  const Request request{"where(" + name_ + ")", where};
  become(*state_, request,
         [&] { return with_predicate(state_->program, name_, condition, request); });
  return *this;
}

Computation Computation::unchecked() const {
  Computation handle = *this;
  handle.unchecked_ = true;
  return handle;
}

void Function::loop(const Var& k, const std::function<void()>& body) {
  const OpenLoop open(state_, k.name());
  body();
}

void Function::together(const std::function<void()>& body, const Where& where) {
  Group group(state_, where);
  body();
  group.end();
}

void Function::set_budget(std::int64_t work, const Where& where) {
  if (work < 1)
    throw Request{"set_budget", where}.refused(Code::E0106_bad_argument,
                                               "the budget is " + std::to_string(work),
                                               "give 1 operation or more");
  state_->program.session->set_budget(static_cast<unsigned long>(work));
}

void Function::set_code_limit(std::int64_t size, const Where& where) {
  if (size < 1)
    throw Request{"set_code_limit", where}.refused(
        Code::E0106_bad_argument, "the limit is " + std::to_string(size), "give 1 or more");
  state_->code_limit = double(size);
  state_->last.reset();
}

void Function::assume(const Expr& condition, const Where& where) {
  const Request request{"assume", where};
  become(*state_, request, [&] { return with_assumption(state_->program, condition, request); });
}

}  // namespace strata
