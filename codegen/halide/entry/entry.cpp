#include "codegen/halide/entry/entry.h"

#include "codegen/entry/facts.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/team_side.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::LetStmt;
using Halide::Internal::make_zero;
using Halide::Internal::Variable;

const char* const check_result = "strata.check";

HExpr check_call(const Kernel& kernel, const Abilities& abilities) {
  const int number = abilities.device == Halide::DeviceAPI::CUDA ? 2 : 1;
  const EntryFacts facts = entry_facts(kernel, {abilities.machine.device, number});
  Scope scope;
  for (const std::string& name : parameters_of(kernel))
    scope.parameters[name] = Variable::make(Halide::Int(64), symbol_of_parameter(name));
  // The bounds are computed before the ranges are checked, so their arithmetic wraps.
  std::vector<HExpr> numbers, buffers;
  for (const Expr& e : facts.numbers)
    numbers.push_back(Halide::cast(Halide::Int(64), ExpressionEmitter(scope).value(e)));
  for (const ArgumentBuffer& b : kernel.buffers)
    buffers.push_back(
        Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_of_buffer(b.name) + ".buffer"));
  if (buffers.empty()) buffers.push_back(make_zero(Halide::Handle()));
  const auto list = [](const std::vector<HExpr>& parts) {
    return Call::make(Halide::Handle(), Call::make_struct, parts, Call::PureIntrinsic);
  };
  return Call::make(Halide::Int(32), "strata_check_arguments",
                    {facts.names, list(numbers), list(buffers)}, Call::Extern);
}

// Before "body": calls the checks, and returns their code if it is not 0.
HStmt with_arguments_checked(const Kernel& kernel, const Abilities& abilities,
                             const std::string& name, const HStmt& body) {
  const HExpr result = Variable::make(Halide::Int(32), name);
  const HStmt tested =
      Halide::Internal::Block::make(Halide::Internal::AssertStmt::make(result == 0, result), body);
  return LetStmt::make(name, check_call(kernel, abilities), tested);
}

}  // namespace

std::string symbol_of_parameter(const std::string& name) { return "parameter." + name; }
std::string symbol_of_buffer(const std::string& name) { return "argument." + name; }

HType type_in_call(Type type) {
  return is_float(type) ? type_in_flight(type) : type_in_memory(type);
}

// Each size is read after the checks of its argument, and before the checks of the whole kernel.
HStmt with_checks(const Kernel& kernel, const Abilities& abilities, const HStmt& body) {
  HStmt out = with_arguments_checked(kernel, abilities, check_result, body);
  for (auto size = kernel.sizes.rbegin(); size != kernel.sizes.rend(); ++size) {
    const Kernel reader = reader_of(kernel, *size);
    const std::string symbol = symbol_of_parameter(size->parameter);
    if (is_on_ranks(kernel)) out = with_size_told(kernel, *size, out);
    out = with_element(reader.buffers.at(0), symbol + ".at", [&](const Scope& buffer) {
      Scope scope = buffer;
      for (const std::string& name : parameters_of(kernel))
        scope.parameters[name] = Variable::make(Halide::Int(64), symbol_of_parameter(name));
      return LetStmt::make(symbol, ExpressionEmitter(scope).value(size->value), out);
    });
    out = with_arguments_checked(reader, abilities, symbol + ".check", out);
  }
  return out;
}

}  // namespace strata::halide
