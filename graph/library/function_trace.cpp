#include "graph/library/function_trace.h"

#include <algorithm>

#include "codegen/entry/c_literals.h"
#include "graph/build/lowered.h"
#include "graph/ir/module.h"

namespace strata::graph {

namespace {

// What the C of a function uses itself.
std::set<std::string> words_of_bodies() {
  return {"self", "z", "d", "arena", "error", "NULL", "memcpy", "bytes", "beyond"};
}

}  // namespace

bool is_same_dim(const Expr& a, const Expr& b) { return dim_text(a) == dim_text(b); }

FunctionTrace::FunctionTrace(ModelTrace& model, const std::string& name)
    : model_(model),
      executable_(model.model().executable),
      code_(*executable_.find(name)),
      function_(*model.model().lowered.function(name)),
      locals_(words_of_bodies()) {
  made_.name = name;
  const auto number = std::size_t(&code_ - executable_.functions.data());
  end_ = executable_.end_of(number);
  registers_.resize(std::size_t(code_.registers));
  writes_.resize(registers_.size());
  for (std::int64_t pc = code_.start; pc < end_; ++pc) {
    const VmInstruction i = executable_.at(pc);
    if (i.opcode == Opcode::call && i.destination != no_register)
      ++writes_[std::size_t(i.destination)];
    if (i.opcode == Opcode::go || i.opcode == Opcode::branch) targets_.insert(pc + i.offset);
  }
}

CFunction FunctionTrace::operator()() {
  made_.bounds = bounds_of(function_);
  for (std::size_t k = 0; k < function_.parameters.size(); ++k) {
    const Value& p = function_.parameters[k];
    registers_[k] = parameter(p.type(), p.name());
  }
  for (const std::string& symbol : made_.symbols) {
    made_.symbol_names.push_back(authors_name(symbol));
    made_.c(strata::parameter(symbol));
  }
  for (const CParameter& p : made_.parameters)
    for (const Expr& dim : p.array.dims) made_.c(dim);
  for (pc_ = code_.start; pc_ < end_; ++pc_) instruction(pc_);
  place_results();
  return std::move(made_);
}

void FunctionTrace::refuse(const std::string& why, const std::string& mend) const {
  throw model_.refused("@" + made_.name + ", " + why, mend);
}

// ---- parameters and results ----

// Names as r5 and b0 are those of registers and blocks.
std::string FunctionTrace::authors_name(const std::string& wanted) {
  const bool is_ours = wanted.size() > 1 &&
                       std::string("rbvtmdL").find(wanted[0]) != std::string::npos &&
                       wanted.find_first_not_of("0123456789_", 1) == std::string::npos;
  return locals_.unused(is_ours ? wanted + "x" : wanted);
}

void FunctionTrace::note_symbols(const Expr& dim, bool is_extent) {
  for (const std::string& symbol : symbols_of(dim)) {
    const auto found = std::find(made_.symbols.begin(), made_.symbols.end(), symbol);
    const auto place = std::size_t(found - made_.symbols.begin());
    if (found == made_.symbols.end()) {
      made_.symbols.push_back(symbol);
      made_.is_extent.push_back(false);
    }
    if (is_extent && dim.op() == Op::parameter) made_.is_extent[place] = true;
  }
}

CValue FunctionTrace::parameter(const ValueType& type, const std::string& name) {
  CValue value;
  switch (type.kind()) {
    case ValueType::Kind::tensor: return parameter_array(type, name);
    case ValueType::Kind::nothing: return value;
    case ValueType::Kind::shape:
      if (!type.rank()) refuse("%" + name + ": the rank of " + type.text() + " is not known");
      value.kind = CValue::Kind::shape;
      for (int d = 0; d < *type.rank(); ++d)
        value.numbers.push_back(parameter_dim(function_, type, d, name));
      for (const Expr& number : value.numbers) note_symbols(number, false);
      return value;
    case ValueType::Kind::tuple:
      value.kind = CValue::Kind::tuple;
      for (std::size_t k = 0; k < type.fields().size(); ++k)
        value.fields.push_back(parameter(type.fields()[k], name + "_" + std::to_string(k)));
      return value;
    case ValueType::Kind::function:
    case ValueType::Kind::object: break;
  }
  refuse("%" + name + ": a library has no argument of type " + type.text(),
         "state a type that says what it is");
}

// An extent that nothing names is a symbol of its own.
Expr FunctionTrace::parameter_dim(const GraphFunction& function, const ValueType& type, int d,
                                  const std::string& name) {
  if (type.dims()) return (*type.dims())[std::size_t(d)];
  std::set<std::string> stated;
  for (const Value& p : function.parameters)
    for (const Expr& dim : dims_in(p.type()))
      for (const std::string& symbol : symbols_of(dim)) stated.insert(symbol);
  std::string own = name + "_" + std::to_string(d);
  while (stated.contains(own)) own += "_";
  return strata::parameter(own);
}

CValue FunctionTrace::parameter_array(const ValueType& type, const std::string& name) {
  if (!type.rank() || !type.element())
    refuse("%" + name + ": the rank and the elements of " + type.text() + " are not known",
           "state them in the type of the parameter");
  CValue value{CValue::Kind::array};
  for (int d = 0; d < *type.rank(); ++d) {
    value.array.dims.push_back(parameter_dim(function_, type, d, name));
    note_symbols(value.array.dims.back(), true);
  }
  value.array.element = *type.element();
  value.array.address = authors_name(name);
  value.array.memory = value.array.address + "->host";
  made_.parameters.push_back({value.array.address, name + ", " + type.text(), value.array});
  return value;
}

void FunctionTrace::results(const CValue& value, const std::string& name) {
  if (value.kind == CValue::Kind::array) {
    const std::string own = authors_name(name);
    const ValueType type = ValueType::tensor(value.array.dims, value.array.element);
    made_.results.push_back({own, own + ", " + type.text(), value.array});
    for (const Expr& dim : value.array.dims) made_.c(dim);
    made_.c(bytes_of(value.array));
  }
  for (std::size_t k = 0; k < value.fields.size(); ++k)
    results(value.fields[k], name + std::to_string(k));
}

// An array that is returned, and has a block of its own, lies in the caller's memory.
void FunctionTrace::place_results() {
  if (!has_returned_) refuse("nothing is returned");
  for (std::size_t k = 0; k < made_.results.size(); ++k) {
    const CArray& array = made_.results[k].array;
    if (array.blocks.size() != 1) continue;
    CBlock& block = made_.blocks[*array.blocks.begin()];
    if (block.call < 0 && block.result < 0 &&
        array.memory == "b" + std::to_string(*array.blocks.begin()) &&
        is_same_dim(block.bytes, bytes_of(array)))
      block.result = int(k);
  }
  for (const CBlock& block : made_.blocks)
    if (block.call < 0) made_.c(block.bytes);
}

// ---- instructions ----

void FunctionTrace::instruction(std::int64_t pc) {
  if (targets_.contains(pc))
    made_.lines.push_back({CLine::Kind::label, "L" + std::to_string(pc - code_.start)});
  made_.lines.push_back({CLine::Kind::comment, model_.text_of(pc)});
  const VmInstruction i = executable_.at(pc);
  switch (i.opcode) {
    case Opcode::call: return call(i);
    case Opcode::go: return jump(pc + i.offset, "");
    case Opcode::branch: return jump(pc + i.offset, condition(registers_[std::size_t(i.reads)]));
    case Opcode::ret: break;
  }
  if (has_returned_ || pc + 1 != end_) refuse("there are several ret");
  has_returned_ = true;
  made_.result = registers_[std::size_t(i.reads)];
  use(made_.result);
  results(made_.result, "y");
  made_.lines.push_back({CLine::Kind::results});
}

void FunctionTrace::jump(std::int64_t to, const std::string& condition) {
  if (to <= pc_) refuse("there is a jump back");
  statement((condition.empty() ? "" : "if (!" + condition + ") ") + "goto L" +
            std::to_string(to - code_.start) + ";");
}

std::string FunctionTrace::condition(const CValue& value) {
  use(value);
  if (value.kind == CValue::Kind::array) return "strata_is_true(" + value.array.address + ")";
  if (value.kind != CValue::Kind::integer) refuse("a condition is neither an array nor an integer");
  return "(" + made_.c(value.numbers[0]) + " != 0)";
}

void FunctionTrace::call(const VmInstruction& i) {
  const std::string& callee = executable_.callees.at(std::size_t(i.function));
  Values arguments;
  for (const VmOperand& operand : i.arguments) arguments.push_back(argument(operand));
  if (callee != graph::builtin::kill)
    for (const CValue& value : arguments) use(value);
  const auto kernel = model_.kernels().find(callee);
  CValue result;
  if (executable_.find(callee)) {
    const CFunction& f = model_.function(callee);
    result = call_function(f, arguments);
  } else if (kernel != model_.kernels().end()) {
    result = call_kernel(callee, kernel->second, arguments);
  } else if (is_builtin(callee)) {
    result = builtin(callee, arguments);
  } else if (const GraphFunction* f = model_.model().lowered.function(callee)) {
    result = call_dispatched(*f, arguments);
  } else {
    refuse(model_.text_of(pc_) + ": a library has no function \"" + callee + "\"",
           "a VirtualMachine can call it");
  }
  if (i.destination != no_register) write(i.destination, std::move(result));
}

CValue FunctionTrace::argument(const VmOperand& operand) {
  CValue value;
  const auto numbers = [&](CValue::Kind kind, const std::vector<std::int64_t>& all) {
    value.kind = kind;
    for (const std::int64_t number : all) value.numbers.push_back(strata::constant(i64, number));
  };
  switch (operand.kind) {
    case VmOperand::Kind::in_register:
      if (operand.value == machine_register) return {CValue::Kind::other};
      return registers_[std::size_t(operand.value)];
    case VmOperand::Kind::immediate: numbers(CValue::Kind::integer, {operand.value}); return value;
    case VmOperand::Kind::function: return {CValue::Kind::other};
    case VmOperand::Kind::constant: break;
  }
  const VmValue& constant = executable_.constants.at(std::size_t(operand.value));
  if (constant.shape()) numbers(CValue::Kind::shape, constant.shape()->numbers);
  if (constant.integer()) numbers(CValue::Kind::integer, {*constant.integer()});
  if (constant.text()) value = {CValue::Kind::text, {}, {}, *constant.text()};
  if (constant.array()) value = {CValue::Kind::array, constant_array(*constant.array())};
  return value;
}

CArray FunctionTrace::constant_array(const NDArray& array) {
  const std::string name = model_.constant(array);
  CArray made{"&" + name, name + ".host", element_of(array.type()).value()};
  for (const std::int64_t extent : array.extents())
    made.dims.push_back(strata::constant(i64, extent));
  return made;
}

// A register that is written in two places has the arrays of both.
void FunctionTrace::write(VmWord destination, CValue value) {
  const auto place = std::size_t(destination);
  CValue& now = registers_[place];
  if (writes_[place] > 1)
    value = merged("r" + std::to_string(place), value,
                   now.kind == CValue::Kind::nothing ? nullptr : &now);
  now = std::move(value);
}

CValue FunctionTrace::merged(const std::string& name, const CValue& value, const CValue* before) {
  CValue made = value;
  const auto differ = [&](const char* what) {
    refuse(model_.text_of(pc_) + ": the two sides of a branch give other " + what);
  };
  if (before && (before->kind != value.kind || before->fields.size() != value.fields.size() ||
                 before->text != value.text))
    differ("kinds of values");
  const auto require_same = [&](const Shape& a, const Shape& b, const char* what) {
    if (a.size() != b.size()) differ(what);
    for (std::size_t d = 0; d < a.size(); ++d)
      if (!is_same_dim(a[d], b[d])) differ(what);
  };
  if (before) require_same(before->numbers, value.numbers, "numbers");
  if (value.kind == CValue::Kind::array) {
    if (before && before->array.element != value.array.element) differ("elements");
    if (before) require_same(before->array.dims, value.array.dims, "extents");
    made.array = view(name, value.array, value.array.dims);
    made.array.memory = name + ".host";
    if (before) made.array.blocks.insert(before->array.blocks.begin(), before->array.blocks.end());
  }
  for (std::size_t k = 0; k < value.fields.size(); ++k)
    made.fields[k] = merged(name + "_" + std::to_string(k), value.fields[k],
                            before ? &before->fields[k] : nullptr);
  return made;
}

void FunctionTrace::use(const CValue& value) {
  for_each_array(value, [this](const CArray& array) {
    for (const std::size_t block : array.blocks)
      made_.blocks[block].last = std::max(made_.blocks[block].last, pc_);
  });
}

// ---- what is put out ----

Expr FunctionTrace::bytes_of(const CArray& array) const {
  Expr bytes = constant(i64, graph::bytes_of(array.element));
  for (const Expr& dim : array.dims) bytes = bytes * dim;
  return normal(bytes);
}

CArray FunctionTrace::described(const std::string& name, const std::string& memory, Type element,
                                const Shape& dims) {
  const auto known = std::find_if(made_.locals.begin(), made_.locals.end(),
                                  [&](const auto& local) { return local.first == name; });
  if (known == made_.locals.end()) made_.locals.emplace_back(name, dims.size());
  const strata_type type = element_type_of(element);
  statement("strata_buffer_init(&" + name + ", strata_type_of(" + std::to_string(type.code) + ", " +
            std::to_string(type.bits) + "), " + memory + ", " + std::to_string(dims.size()) + ", " +
            (dims.empty() ? "NULL" : name + "_d") + ", " + made_.extents_in_c(dims) + ");");
  return {"&" + name, memory, element, dims};
}

CArray FunctionTrace::new_array(const std::string& name, Type element, const Shape& dims) {
  const std::size_t block = made_.blocks.size();
  made_.blocks.push_back({{}, pc_, pc_, -1, -1, ValueType::tensor(dims, element).text()});
  CArray array = described(name, "b" + std::to_string(block), element, dims);
  made_.blocks.back().bytes = bytes_of(array);
  array.blocks = {block};
  return array;
}

CArray FunctionTrace::view(const std::string& name, const CArray& of, const Shape& dims) {
  CArray made = described(name, of.memory, of.element, dims);
  made.blocks = of.blocks;
  return made;
}

void FunctionTrace::require_extent(const Expr& found, const Expr& expected, std::size_t d,
                                   const std::string& what) {
  if (is_same_dim(found, expected)) return;
  checked("strata_check_extent(" + made_.c(found) + ", " + made_.c(expected) + ", " +
          std::to_string(d) + ", " + in_quotes(what) + ")");
}

}  // namespace strata::graph
