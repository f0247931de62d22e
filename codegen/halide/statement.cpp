#include "codegen/halide/statement.h"

#include "codegen/halide/allocation.h"
#include "codegen/halide/expression.h"
#include "codegen/halide/refusal.h"

namespace strata::halide {

namespace {

using Halide::Internal::const_true;
using Halide::Internal::ForType;
using Halide::Internal::LetStmt;

// Without parallel loops there is nothing to wait for, and nothing is the block of no statements.
HStmt nothing() { return Halide::Internal::Evaluate::make(0); }

class StatementEmitter {
 public:
  StatementEmitter(Scope scope, std::string kernel, Effort effort)
      : scope_(std::move(scope)), kernel_(std::move(kernel)), effort_(effort) {}

  HStmt emit(const StmtPtr& s) {
    return std::visit([&](const auto& statement) { return emit(statement); }, *s);
  }

 private:
  HStmt emit(const For& loop);
  HStmt emit(const If& s);
  HStmt emit(const Block& s);
  HStmt emit(const Execute& s);
  HStmt emit(const Allocate& s);
  const BufferView& buffer_for(const std::string& name, Type type) const;
  HExpr stored_value(const Expr& value) const;
  HStmt store(const BufferView& buffer, const Execute& s, const HExpr& value) const;
  HStmt several_stores(const Execute& s);
  HStmt atomic_step(const Execute& s, const BufferView& buffer, const HExpr& position);
  HStmt counted(const For& loop, const HExpr& lower, const HExpr& extent, ForType type);
  HStmt body_with(const For& loop, const HExpr& value);
  ForType type_of(const For& loop) const;
  HExpr index(const Expr& e) const { return ExpressionEmitter(scope_).index(e); }

  Scope scope_;
  std::string kernel_;
  Effort effort_;
  int scalars_ = 0;  // names given to scalars of tuples
};

ForType StatementEmitter::type_of(const For& loop) const {
  if (loop.processor == Processor::parallel) return ForType::Parallel;
  if (!loop.extent || *loop.extent < 2 || effort_ == Effort::scalar) return ForType::Serial;
  if (loop.processor == Processor::unrolled) return ForType::Unrolled;
  if (loop.processor == Processor::vector && loop.lockstep && can_be_lanes(loop.body))
    return ForType::Vectorized;
  return ForType::Serial;
}

HStmt StatementEmitter::body_with(const For& loop, const HExpr& value) {
  scope_.variables[loop.variable] = value;
  HStmt body = emit(loop.body);
  scope_.variables.erase(loop.variable);
  return body;
}

HStmt StatementEmitter::counted(const For& loop, const HExpr& lower, const HExpr& extent,
                                ForType type) {
  const std::string step = "step." + loop.variable;
  const HExpr count = Halide::Internal::Variable::make(Halide::Int(32), step);
  const HStmt body = body_with(loop, lower + Halide::cast(Halide::Int(64), count));
  return Halide::Internal::For::make(step, 0, extent, type, Halide::Partition::Never,
                                     Halide::DeviceAPI::None, body);
}

// A simple lower bound is written out in the indices, where it can cancel against the origin of a
// temporary buffer; any other gets a name, so that the expressions do not grow with the nesting.
bool is_simple(const Expr& e) {
  const bool leaf = e.op() == Op::constant || e.op() == Op::variable || e.op() == Op::parameter;
  if (leaf) return true;
  if (e.op() != Op::add && e.op() != Op::sub && e.op() != Op::mul) return false;
  return is_simple(e.args()[0]) && is_simple(e.args()[1]);
}

HStmt StatementEmitter::emit(const For& loop) {
  if (loop.extent && *loop.extent <= 0) return nothing();
  const HExpr lower = index(loop.lower);
  const std::string start = "lower." + loop.variable;
  const HExpr named =
      is_simple(loop.lower) ? lower : Halide::Internal::Variable::make(Halide::Int(64), start);
  HStmt out;
  if (loop.extent && *loop.extent == 1 && loop.processor != Processor::parallel) {
    out = body_with(loop, named);
  } else if (loop.extent) {
    out = counted(loop, named, static_cast<std::int32_t>(*loop.extent), type_of(loop));
  } else {
    const HExpr steps = Halide::max(index(loop.upper) - named, HExpr(std::int64_t{0}));
    out = counted(loop, named, Halide::cast(Halide::Int(32), steps), type_of(loop));
  }
  return is_simple(loop.lower) ? out : LetStmt::make(start, lower, out);
}

HStmt StatementEmitter::emit(const If& s) {
  const HStmt then = emit(s.then);
  const HStmt otherwise = s.otherwise ? emit(s.otherwise) : HStmt();
  return Halide::Internal::IfThenElse::make(index(s.condition), then, otherwise);
}

HStmt StatementEmitter::emit(const Block& s) {
  std::vector<HStmt> statements;
  for (const StmtPtr& part : s.body) statements.push_back(emit(part));
  return statements.empty() ? nothing() : Halide::Internal::Block::make(statements);
}

const BufferView& StatementEmitter::buffer_for(const std::string& name, Type type) const {
  const auto found = scope_.buffers.find(name);
  if (found == scope_.buffers.end())
    throw cannot_generate("the buffer '" + name + "' is not known here");
  if (found->second.type != type)
    throw cannot_generate("a value of type " + to_string(type) + " goes to " + name +
                          ", a buffer of " + to_string(found->second.type));
  return found->second;
}

HExpr StatementEmitter::stored_value(const Expr& value) const {
  return Halide::Internal::common_subexpression_elimination(
      to_memory(value.type(), ExpressionEmitter(scope_).value(value), scope_.abilities.halves));
}

HStmt StatementEmitter::store(const BufferView& buffer, const Execute& s,
                              const HExpr& value) const {
  return Halide::Internal::Store::make(
      buffer.symbol, value, buffer.position(ExpressionEmitter(scope_).indices(s.indices)),
      Halide::Parameter(), const_true(), Halide::Internal::ModulusRemainder());
}

HStmt StatementEmitter::emit(const Execute& s) {
  const BufferView& buffer = buffer_for(s.buffer, s.value.type());
  if (s.atomic)
    return atomic_step(s, buffer, buffer.position(ExpressionEmitter(scope_).indices(s.indices)));
  return s.others.empty() ? store(buffer, s, stored_value(s.value)) : several_stores(s);
}

// let scalar.0 = ..: let scalar.1 = ..: the stores
HStmt StatementEmitter::several_stores(const Execute& s) {
  std::vector<Execute::Other> all{{s.buffer, s.value}};
  all.insert(all.end(), s.others.begin(), s.others.end());
  std::vector<std::pair<std::string, HExpr>> values;
  std::vector<HStmt> stores;
  for (const Execute::Other& one : all) {
    const HExpr value = stored_value(one.value);
    values.emplace_back("scalar." + std::to_string(scalars_++), value);
    stores.push_back(store(buffer_for(one.buffer, one.value.type()), s,
                           Halide::Internal::Variable::make(value.type(), values.back().first)));
  }
  HStmt result = Halide::Internal::Block::make(stores);
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    result = LetStmt::make(value->first, value->second, result);
  return result;
}

// A call of runtime/atomic.c.  (Halide's own Atomic reads the place again in its loop of
// compare-and-exchange, and so combines with a value that it does not compare with.)
HStmt StatementEmitter::atomic_step(const Execute& s, const BufferView& buffer,
                                    const HExpr& position) {
  const HExpr base = Halide::Internal::Variable::make(Halide::Handle(), buffer.symbol);
  const HExpr value = ExpressionEmitter(scope_).value(s.value.args()[1]);
  const bool narrow = !value.type().is_float() && value.type().bits() < 32;
  const std::string name = "strata_atomic_" + to_string(*s.atomic) + "_" + to_string(buffer.type);
  return Halide::Internal::Evaluate::make(Halide::Internal::Call::make(
      Halide::Int(32), name,
      {base, position, narrow ? Halide::cast(Halide::Int(32), value) : value},
      Halide::Internal::Call::Extern));
}

HStmt StatementEmitter::emit(const Allocate& s) {
  Allocation allocation(s, ExpressionEmitter(scope_).indices(s.lowers),
                        ExpressionEmitter(scope_).indices(s.extents));
  const auto shadowed = scope_.buffers;
  scope_.buffers[s.buffer] = allocation.view();
  const HStmt body = emit(s.body);
  scope_.buffers = shadowed;
  return allocation.around(body, kernel_);
}

}  // namespace

HStmt emit(const StmtPtr& statement, const Scope& scope, const std::string& kernel, Effort effort) {
  return StatementEmitter(scope, kernel, effort).emit(statement);
}

}  // namespace strata::halide
