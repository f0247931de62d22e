#include "codegen/halide/entry/team_side.h"

#include <algorithm>
#include <utility>

#include "codegen/halide/emit/exchange.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/entry.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;
using hi::Variable;

HExpr list_of(const std::vector<HExpr>& parts) {
  return Call::make(Halide::Handle(), Call::make_struct, parts, Call::PureIntrinsic);
}

HExpr number(std::size_t value) { return HExpr(static_cast<std::int64_t>(value)); }

// The kinds of further numbers, as in runtime/team.h.
enum Kind : std::size_t { read_from_input, signed_scalar, unsigned_scalar, float_scalar };

// The kind of a scalar, and its value as an int64.
std::pair<Kind, HExpr> further(const ScalarArgument& s) {
  const HExpr value = Variable::make(type_in_call(s.type), symbol_of_buffer(s.name));
  const HType whole = Halide::Int(64);
  if (!is_float(s.type))
    return {value.type().is_uint() ? unsigned_scalar : signed_scalar, Halide::cast(whole, value)};
  return {float_scalar, Halide::reinterpret(whole, Halide::cast(Halide::Float(64), value))};
}

// Adds the scalars, and the parameters that are read from inputs, to "facts" and "names".
void add_further(const Kernel& kernel, std::string& names, std::vector<HExpr>& facts) {
  facts.push_back(number(kernel.scalars.size() + kernel.sizes.size()));
  for (const ScalarArgument& s : kernel.scalars) {
    const auto [kind, value] = further(s);
    names += s.name + "\n";
    facts.push_back(number(kind));
    facts.push_back(value);
  }
  for (const SizeRead& size : kernel.sizes) {
    names += size.parameter + "\n";
    facts.push_back(number(read_from_input));
    facts.push_back(number(std::size_t{0}));
  }
}

// The names and numbers that strata_team_enter reads, in its order (runtime/team.h).
HExpr enter(const Kernel& kernel) {
  Scope scope;
  std::string names = kernel.name + "\n";
  std::vector<HExpr> facts{number(kernel.parameters.size())}, cuts;
  for (const std::string& name : kernel.parameters) {
    names += name + "\n";
    scope.parameters[name] = Variable::make(Halide::Int(64), symbol_of_parameter(name));
    facts.push_back(scope.parameters[name]);
  }
  facts.push_back(number(kernel.partitions.size()));
  for (const KernelPartition& p : kernel.partitions) {
    names += p.name + "\n";
    facts.push_back(ExpressionEmitter(scope).value(p.size));
    facts.push_back(number(std::size_t{1}));  // all ranks share it: a grid of one axis
    facts.push_back(number(std::size_t{0}));
    cuts.push_back(Variable::make(Halide::Handle(), symbol_of_partition(p.name)));
  }
  facts.push_back(number(std::size_t(kernel.messages)));
  add_further(kernel, names, facts);
  return team_call("strata_team_enter", {team(), names, list_of(facts), list_of(cuts)});
}

HExpr bound(const KernelPartition& p, const HExpr& part) {
  return hi::Load::make(Halide::Int(64), symbol_of_cuts(p.name), part, Halide::Buffer<>(),
                        Halide::Parameter(), hi::const_true(), hi::ModulusRemainder());
}

}  // namespace

HStmt with_size_told(const Kernel& kernel, const SizeRead& size, const HStmt& body) {
  const auto at = std::find_if(kernel.sizes.begin(), kernel.sizes.end(), [&](const SizeRead& one) {
    return one.parameter == size.parameter;
  });
  const auto which = int(kernel.scalars.size()) + int(at - kernel.sizes.begin());
  const HExpr value = Variable::make(Halide::Int(64), symbol_of_parameter(size.parameter));
  const HExpr told = team_call("strata_team_number", {team(), which, value});
  return hi::Block::make(hi::Evaluate::make(told), body);
}

std::string symbol_of_partition(const std::string& name) { return "partition." + name; }

HStmt with_block_bounds(const Kernel& kernel, const HStmt& body) {
  HStmt out = body;
  const HExpr rank = team_call("strata_team_rank", {team()});
  for (std::size_t n = 0; n < kernel.partitions.size(); ++n) {
    const KernelPartition& p = kernel.partitions[n];
    out = hi::LetStmt::make(symbol_of_parameter(p.last), bound(p, rank + 1), out);
    out = hi::LetStmt::make(symbol_of_parameter(p.first), bound(p, rank), out);
    out = hi::LetStmt::make(symbol_of_cuts(p.name),
                            Call::make(Halide::Handle(), "strata_team_cuts",
                                       {team(), static_cast<int>(n)}, Call::Extern),
                            out);
  }
  return out;
}

HStmt entering_body(const Kernel& kernel, const HExpr& inner) {
  const auto left = [](const HExpr& code) {
    return returned("team.left", team_call("strata_team_leave", {team(), code}));
  };
  const HExpr entered = Variable::make(Halide::Int(32), "team.entered");
  const HExpr code = Variable::make(Halide::Int(32), "team.code");
  return hi::LetStmt::make(
      "team.entered", enter(kernel),
      hi::IfThenElse::make(entered == 0, hi::LetStmt::make("team.code", inner, left(code)),
                           left(entered)));
}

}  // namespace strata::halide
