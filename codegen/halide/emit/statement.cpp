#include "codegen/halide/emit/statement.h"

#include <limits>
#include <set>
#include <utility>

#include "codegen/entry/idle_guards.h"
#include "codegen/entry/padding.h"
#include "codegen/halide/arithmetic/asynchronous_copies.h"
#include "codegen/halide/arithmetic/atomic_steps.h"
#include "codegen/halide/emit/allocation.h"
#include "codegen/halide/emit/device_buffer.h"
#include "codegen/halide/emit/exchange.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/emit/index_reports.h"
#include "codegen/halide/emit/lane_mask.h"
#include "codegen/halide/emit/launch.h"
#include "codegen/halide/emit/loop_facts.h"
#include "codegen/halide/emit/matrix_product.h"
#include "codegen/halide/emit/overlap.h"
#include "codegen/halide/emit/prefetch.h"
#include "codegen/halide/emit/work.h"
#include "codegen/halide/work_note.h"
#include "codegen/refusal.h"
#include "codegen/tree/realization.h"
#include "codegen/tree/thread_variable.h"
#include "codegen/tree/touched_sides.h"

namespace strata::halide {

namespace {

using Halide::Internal::const_true;
using Halide::Internal::ForType;
using Halide::Internal::LetStmt;

// The empty statement, also for a block without statements.
HStmt nothing() { return Halide::Internal::Evaluate::make(0); }

// The section of the outermost loop.
const Section* section_in(const StmtPtr& s) {
  if (const auto* loop = std::get_if<For>(s.get())) return loop->section.get();
  const Section* found = nullptr;
  for_each_inside(*s, [&](const StmtPtr& part) {
    if (!found) found = section_in(part);
  });
  return found;
}

class StatementEmitter {
 public:
  StatementEmitter(Scope scope, std::string kernel, Effort effort)
      : scope_(std::move(scope)), kernel_(std::move(kernel)), effort_(effort) {
    if (effort == Effort::scalar) scope_.abilities.machine.vector_bits = 0;
  }

  HStmt kernel(const StmtPtr& s) {
    if (scope_.abilities.device == Halide::DeviceAPI::None) refuse_launches(s);
    const HStmt body = watched([&] { return emit(s); });
    return launch_reports_.around_launches(body, kernel_, scope_.abilities.device);
  }

 private:
  HStmt emit(const StmtPtr& s) {
    return std::visit([&](const auto& statement) { return emit(statement); }, *s);
  }

  HStmt emit(const For& loop);
  HStmt emit(const If& s);
  HStmt emit(const Block& s);
  HStmt emit(const Execute& s) { return masked(s, HExpr()); }
  HStmt emit(const Allocate& s);
  HStmt emit(const Free& s);
  HStmt emit(const PrefetchBox& s);
  HStmt emit(const Launch& launch);
  HStmt emit(const ThreadGuard& s) { return launch_->guarded(s, emit(s.body)); }
  HStmt emit(const Barrier& s);
  HStmt emit(const AwaitCopies& s);
  HStmt emit(const DeviceCopy& s);
  HStmt emit(const Mma& s);
  HStmt emit(const Exchange& s) { return exchanged(s, scope_); }
  HStmt emit(const Agree&) { return agreed(); }
  HStmt on_device(const Allocate& s, const Allocation& allocation);
  HStmt recorded_section(const Section* section, const HStmt& body) const;
  HStmt masked(const Execute& s, const HExpr& mask);
  HStmt checked(const Execute& s, ExpressionEmitter expressions, ExpressionEmitter places,
                const HExpr& mask);
  HStmt stored(const Execute& s, ExpressionEmitter& expressions, ExpressionEmitter& places,
               const HExpr& mask);
  HStmt store(const BufferView& buffer, const std::string& name, const std::vector<Expr>& indices,
              const HExpr& position, HExpr value, const HExpr& mask) const;
  HStmt several_stores(const Execute& s, ExpressionEmitter& expressions, ExpressionEmitter& places,
                       const HExpr& mask);
  HStmt atomic_step(const Execute& s, ExpressionEmitter& expressions, ExpressionEmitter& places,
                    const HExpr& mask) const;
  const BufferView& buffer_for(const std::string& name, Type type) const;
  HExpr stored_value(ExpressionEmitter& expressions, const Expr& value) const;
  HStmt counted(const For& loop, const HExpr& lower, const HExpr& extent, ForType type);
  HStmt body_with(const For& loop, const HExpr& value);
  ForType type_of(const For& loop) const;

  // The code of one thread, with its reports.
  template <typename Emit>
  HStmt watched(const Emit& emit) {
    reports_.emplace_back("outside." + std::to_string(threads_++));
    HStmt body = emit();
    const HStmt out = reports_.back().around(body, kernel_);
    reports_.pop_back();
    return out;
  }
  HStmt noted(const ExpressionEmitter& expressions, const HStmt& s) {
    const std::vector<IndexCheck>& checks = expressions.checks();
    if (!lane_.empty() && (expressions.has_branches() || (launch_ && !checks.empty())))
      needs_lane_after_lane_ = true;
    if (checks.empty()) return s;
    return launch_ ? launch_reports_.noted_in_launch(checks, s)
                   : reports_.back().noted(checks, lanes_, s);
  }

  Scope scope_;
  std::string kernel_;
  Effort effort_;
  Padding padding_;
  // True if the vector loop of a launch does something in only some lanes: devices have no
  // predicates.
  bool needs_lane_after_lane_ = false;
  std::string lane_;                   // the variable of the vector loop around, or empty
  LanePosition lanes_;                 // the position in that loop
  std::vector<Expr> known_;            // the conditions around
  bool all_lanes_on_ = false;          // the conditions around imply it
  int scalars_ = 0;                    // names given to scalars of tuples
  int prefetches_ = 0;                 // names given to loops that prefetch
  int products_ = 0;                   // names given to results of products of warps
  std::optional<LaunchLoops> launch_;  // the launch around
  std::set<const If*> idle_guards_;    // in it, left out
  std::vector<IndexReports> reports_;  // of the threads around, outermost first
  int threads_ = 0;
  IndexReports launch_reports_{"outside.launches"};
};

// In launches loops are unrolled even in code without vectors: registers have only constant
// indices.
ForType StatementEmitter::type_of(const For& loop) const {
  const bool constant = loop.extent && *loop.extent >= 2;
  const bool vectors = constant && effort_ == Effort::full && is_vector(loop);
  switch (loop.processor) {
    case Processor::sequential:
    case Processor::node:  // the iterations of this rank
      return ForType::Serial;
    case Processor::parallel: return ForType::Parallel;
    case Processor::unrolled:
      return constant && (launch_ || effort_ == Effort::full) ? ForType::Unrolled : ForType::Serial;
    case Processor::vector:
      if (vectors && (!launch_ || is_device_vector(*loop.extent))) return ForType::Vectorized;
      return lane_after_lane(loop, launch_.has_value());
    case Processor::block:
    case Processor::thread:
      throw cannot_generate("the " + to_string(loop.processor) + " loop " + loop.name +
                            " is in no launch");
  }
  throw cannot_generate("the loop " + loop.name + " has no processor");
}

HStmt StatementEmitter::body_with(const For& loop, const HExpr& value) {
  scope_.variables[loop.variable] = value;
  padding_.enter(loop);
  HStmt body = emit(loop.body);
  padding_.leave();
  scope_.variables.erase(loop.variable);
  return body;
}

HStmt StatementEmitter::counted(const For& loop, const HExpr& lower, const HExpr& extent,
                                ForType type) {
  const std::string step = "step." + loop.variable;
  const HExpr count = Halide::Internal::Variable::make(Halide::Int(32), step);
  const HExpr value = lower + Halide::cast(Halide::Int(64), count);
  const bool vectorized = type == ForType::Vectorized;
  if (vectorized) {
    lane_ = loop.variable;
    lanes_ = {Halide::cast(Halide::Int(64), count), static_cast<int>(*loop.extent)};
  }
  const bool threads = type == ForType::Parallel;
  const HStmt body =
      threads ? watched([&] { return body_with(loop, value); }) : body_with(loop, value);
  if (vectorized) {
    lane_.clear();
    lanes_ = LanePosition();
    if (std::exchange(needs_lane_after_lane_, false))
      return counted(loop, lower, extent, lane_after_lane(loop, launch_.has_value()));
  }
  const HStmt out = Halide::Internal::For::make(step, 0, extent, type, Halide::Partition::Never,
                                                Halide::DeviceAPI::None, body);
  return threads ? with_work_noted(emitted_work(loop, scope_, scope_.abilities.machine), out) : out;
}

HStmt StatementEmitter::emit(const For& loop) {
  if (loop.extent && *loop.extent <= 0) return nothing();
  if (loop.extent && *loop.extent > std::numeric_limits<std::int32_t>::max())
    throw cannot_generate("the loop " + loop.name + " has " + std::to_string(*loop.extent) +
                          " iterations, but the maximum is 2^31 - 1; split it");
  if (const auto parts =
          lacks_masks(scope_) && !all_lanes_on_ ? full_and_rest(loop, known_) : std::nullopt) {
    all_lanes_on_ = true;
    const HStmt full = emit(parts->full);
    all_lanes_on_ = false;
    return Halide::Internal::Block::make(full, emit(parts->rest));
  }
  ExpressionEmitter expressions(scope_);
  const HExpr lower = expressions.index(loop.lower);
  const std::string start = "lower." + loop.variable;
  const HExpr named =
      is_simple(loop.lower) ? lower : Halide::Internal::Variable::make(Halide::Int(64), start);
  HStmt out;
  if (is_of_launch(loop.processor) && launch_) {
    out = body_with(loop, named + launch_->step(loop));
  } else if (loop.extent && *loop.extent == 1 && !is_concurrent(loop.processor)) {
    out = body_with(loop, named);
  } else if (loop.extent) {
    out = counted(loop, named, static_cast<std::int32_t>(*loop.extent), type_of(loop));
  } else {
    const HExpr steps = Halide::max(expressions.index(loop.upper) - named, HExpr(std::int64_t{0}));
    out = counted(loop, named, Halide::cast(Halide::Int(32), steps), type_of(loop));
  }
  out = noted(expressions, is_simple(loop.lower) ? out : LetStmt::make(start, lower, out));
  return launch_ ? out : recorded_section(loop.section.get(), out);
}

HStmt StatementEmitter::recorded_section(const Section* section, const HStmt& body) const {
  if (!section) return body;
  const Expr& bytes = section->bytes;
  return recorded(body, kernel_, section->name,
                  bytes.defined() ? ExpressionEmitter(scope_).index(bytes) : HExpr());
}

HStmt StatementEmitter::emit(const If& s) {
  if (idle_guards_.count(&s)) return emit(s.then);
  if (s.masks && !lane_.empty())
    return masked(std::get<Execute>(*s.then),
                  all_lanes_on_ ? HExpr() : lane_mask(s.condition, lane_, lanes_, scope_));
  known_.push_back(s.condition);
  const HStmt then = emit(s.then);
  known_.pop_back();
  const HStmt otherwise = s.otherwise ? emit(s.otherwise) : HStmt();
  ExpressionEmitter expressions(scope_);
  const HExpr condition = expressions.index(s.condition);
  return noted(expressions, Halide::Internal::IfThenElse::make(condition, then, otherwise));
}

HStmt StatementEmitter::emit(const Block& s) {
  std::vector<HStmt> statements;
  const auto shared = [this](const auto& a, const auto& b) { return share_memory(scope_, a, b); };
  const bool overlap = lacks_masks(scope_) && effort_ == Effort::full;
  for (const StmtPtr& part : overlap ? with_overlaps(s.body, shared) : s.body)
    statements.push_back(emit(part));
  return statements.empty() ? nothing() : Halide::Internal::Block::make(statements);
}

const BufferView& StatementEmitter::buffer_for(const std::string& name, Type type) const {
  const BufferView& buffer = buffer_named(scope_, name);
  if (buffer.type != type)
    throw cannot_generate("a value of type " + to_string(type) + " is stored to " + name +
                          ", a buffer of " + to_string(buffer.type));
  return buffer;
}

// A copy of a 16-bit float copies its bits.
HExpr StatementEmitter::stored_value(ExpressionEmitter& expressions, const Expr& value) const {
  if (is_half(value.type()) && value.op() == Op::load) return expressions.stored(value);
  return to_memory(value.type(), expressions.value(value), scope_.abilities.halves);
}

// If there is padding for all lanes, lanes that are off store the old value, or any value where
// nothing depends on it (Padding).
HStmt StatementEmitter::store(const BufferView& buffer, const std::string& name,
                              const std::vector<Expr>& indices, const HExpr& position, HExpr value,
                              const HExpr& mask) const {
  const bool all_lanes = mask.defined() && buffer.on_stack && padding_.has(name, indices) &&
                         padding_.differs(indices, lane_);
  if (all_lanes && !(lacks_masks(scope_) && padding_.is_idle_elsewhere(name)))
    value = Halide::select(
        mask, value,
        Halide::Internal::Load::make(value.type(), buffer.symbol, position, Halide::Buffer<>(),
                                     Halide::Parameter(), const_true(),
                                     Halide::Internal::ModulusRemainder()));
  return Halide::Internal::Store::make(
      buffer.symbol, Halide::Internal::common_subexpression_elimination(value), position,
      Halide::Parameter(), mask.defined() && !all_lanes ? mask : const_true(),
      Halide::Internal::ModulusRemainder());
}

// Common parts of the values get names first, then the values: scalar.0, scalar.1, .. Then come the
// stores.
HStmt StatementEmitter::several_stores(const Execute& s, ExpressionEmitter& expressions,
                                       ExpressionEmitter& places, const HExpr& mask) {
  using Halide::Internal::Call;
  std::vector<Execute::Other> all{{s.buffer, s.value}};
  all.insert(all.end(), s.others.begin(), s.others.end());
  std::vector<HExpr> made;
  for (const Execute::Other& one : all) made.push_back(stored_value(expressions, one.value));
  HExpr rest = Halide::Internal::common_subexpression_elimination(
      Call::make(Halide::Int(32), Call::bundle, made, Call::PureIntrinsic));
  std::vector<std::pair<std::string, HExpr>> names;
  for (; const auto* let = rest.as<Halide::Internal::Let>(); rest = let->body)
    names.emplace_back(let->name, let->value);
  std::vector<HStmt> stores;
  const std::vector<HExpr>& values = rest.as<Call>()->args;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const BufferView& buffer = buffer_for(all[n].buffer, all[n].value.type());
    names.emplace_back("scalar." + std::to_string(scalars_++), values[n]);
    const HExpr named = Halide::Internal::Variable::make(values[n].type(), names.back().first);
    stores.push_back(store(buffer, all[n].buffer, s.indices,
                           buffer.position(places.indices(s.indices)), named, mask));
  }
  HStmt result = Halide::Internal::Block::make(stores);
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    result = LetStmt::make(name->first, name->second, result);
  return result;
}

// A call of runtime/atomic.c. (Halide's own Atomic reads the place again in its
// compare-and-exchange loop, and so combines with a value that it does not compare with.)
HStmt StatementEmitter::atomic_step(const Execute& s, ExpressionEmitter& expressions,
                                    ExpressionEmitter& places, const HExpr& mask) const {
  const BufferView& buffer = buffer_for(s.buffer, s.value.type());
  const HExpr base = Halide::Internal::Variable::make(Halide::Handle(), buffer.symbol);
  const HExpr value = expressions.value(s.value.args()[1]);
  if (launch_)
    return halide::atomic_step(*s.atomic, buffer.type, buffer.symbol, s.buffer,
                               buffer.position(places.indices(s.indices)), value,
                               scope_.abilities.device);
  const bool narrow = !value.type().is_float() && value.type().bits() < 32;
  const std::string name = "strata_atomic_" + to_string(*s.atomic) + "_" + to_string(buffer.type);
  const HStmt step = Halide::Internal::Evaluate::make(
      Halide::Internal::Call::make(Halide::Int(32), name,
                                   {base, buffer.position(places.indices(s.indices)),
                                    narrow ? Halide::cast(Halide::Int(32), value) : value},
                                   Halide::Internal::Call::Extern));
  return mask.defined() ? Halide::Internal::IfThenElse::make(mask, step) : step;
}

HStmt StatementEmitter::stored(const Execute& s, ExpressionEmitter& expressions,
                               ExpressionEmitter& places, const HExpr& mask) {
  if (s.atomic) return atomic_step(s, expressions, places, mask);
  if (!s.others.empty()) return several_stores(s, expressions, places, mask);
  const BufferView& buffer = buffer_for(s.buffer, s.value.type());
  const HExpr position = buffer.position(places.indices(s.indices));
  HExpr value = stored_value(expressions, s.value);
  if (s.asynchronous && scope_.abilities.asynchronous_copies) value = copied_asynchronously(value);
  return store(buffer, s.buffer, s.indices, position, value, mask);
}

// Stores nothing if an index of the place is out of bounds.
HStmt StatementEmitter::checked(const Execute& s, ExpressionEmitter expressions,
                                ExpressionEmitter places, const HExpr& mask) {
  HStmt out = stored(s, expressions, places, mask);
  for (const IndexCheck& check : places.checks())
    out = Halide::Internal::IfThenElse::make(!check.bad, out);
  return noted(expressions, noted(places, out));
}

HStmt StatementEmitter::masked(const Execute& s, const HExpr& mask) {
  if (launch_ && (mask.defined() || s.atomic) && !lane_.empty()) {
    needs_lane_after_lane_ = true;
    return nothing();
  }
  const ExpressionEmitter expressions(scope_, padding_, mask, lane_);
  return checked(s, expressions, expressions, mask);
}

HStmt StatementEmitter::emit(const Allocate& s) {
  Allocation allocation(s, ExpressionEmitter(scope_).indices(s.lowers),
                        ExpressionEmitter(scope_).indices(s.extents));
  if (!launch_ && touched_sides(s.body).device.count(s.buffer)) return on_device(s, allocation);
  const auto shadowed = scope_.buffers;
  const bool shared = launch_ && s.memory == Memory::shared;
  scope_.buffers[s.buffer] =
      shared ? launch_->in_shared_memory(s.buffer, allocation.view()) : allocation.view();
  padding_.enter(s);
  const HStmt body = emit(s.body);
  padding_.leave(s);
  scope_.buffers = shadowed;
  if (shared) return body;
  return launch_ ? allocation.in_registers(body) : allocation.around(body, kernel_);
}

// The stack is freed at the end of the iteration, and a block's memory at the end of the block.
HStmt StatementEmitter::emit(const Free& s) {
  const bool on_device = !launch_ && scope_.on_device.count(s.buffer);
  if (on_device && !scope_.buffers.count(s.buffer)) return free_on_device(s.buffer);
  const BufferView& buffer = buffer_named(scope_, s.buffer);
  if (launch_ || buffer.on_stack) return nothing();
  const HStmt freed = freed_early(buffer.symbol);
  return on_device ? Halide::Internal::Block::make(free_on_device(s.buffer), freed) : freed;
}

// Nothing is prefetched from the stack. It is near, and its buffers may live in registers, as their
// address is not taken.
HStmt StatementEmitter::emit(const PrefetchBox& s) {
  const BufferView& buffer = buffer_named(scope_, s.buffer);
  if (buffer.on_stack || !lane_.empty()) return nothing();
  return prefetch(buffer, ExpressionEmitter(scope_).indices(s.lowers),
                  ExpressionEmitter(scope_).indices(s.extents),
                  "prefetch." + std::to_string(prefetches_++));
}

HStmt StatementEmitter::emit(const Barrier& s) { return barrier(s.fence); }

HStmt StatementEmitter::emit(const AwaitCopies&) {
  return scope_.abilities.asynchronous_copies ? await_copies() : nothing();
}

HStmt StatementEmitter::emit(const Mma& s) {
  if (!scope_.abilities.tensor_cores) return emit(s.loops);
  ExpressionEmitter expressions(scope_);
  const HStmt product =
      matrix_product(s, buffer_for(s.buffer, Type::float32), expressions,
                     "product." + std::to_string(products_++), effort_ == Effort::full);
  return noted(expressions, product);
}

HStmt StatementEmitter::emit(const DeviceCopy& s) {
  if (!scope_.on_device.count(s.buffer))
    throw cannot_generate("the copy of " + s.buffer +
                          " between host and device stands where it has no memory");
  return copy_between(s, kernel_, scope_.abilities.device);
}

// The buffer is on the device, and also on the host if code of the host touches it.
HStmt StatementEmitter::on_device(const Allocate& s, const Allocation& allocation) {
  if (s.memory == Memory::stack)
    throw cannot_generate("the buffer " + s.buffer +
                          " is on the stack, but a launch touches it; leave out set_memory");
  const Scope around = scope_;
  const bool on_host = touched_sides(s.body).host.count(s.buffer) > 0;
  if (on_host) scope_.buffers[s.buffer] = allocation.view();
  scope_.on_device[s.buffer] = view_on_device(allocation, s.buffer);
  const HStmt body = emit(s.body);
  scope_ = around;
  return with_temporary_on_device(allocation, s.buffer, kernel_, scope_.abilities.device, on_host,
                                  body);
}

HStmt StatementEmitter::emit(const Launch& launch) {
  const Scope host = scope_;
  std::vector<HExpr> grid;
  for (const Expr& blocks : launch.grid) grid.push_back(ExpressionEmitter(scope_).index(blocks));
  scope_.buffers = scope_.on_device;
  scope_.in_launch = true;
  scope_.abilities.fused = !scope_.abilities.exact;
  scope_.abilities.halves = HalfFloats::converted_by_bits;
  launch_.emplace(launch, scope_.abilities.device);
  idle_guards_ = idle_guards(launch);
  for (std::size_t axis = 0; axis < thread_axes; ++axis)
    scope_.variables[thread_variable(axis)] = launch_->index(axis);
  const HStmt body = emit(launch.body);
  require_device_functions(launch.name, body);
  const HStmt out = launch_->around(body, grid);
  launch_.reset();
  idle_guards_.clear();
  scope_ = host;
  return recorded_section(section_in(launch.body), out);
}

}  // namespace

HStmt recorded(const HStmt& body, const std::string& kernel, const std::string& name,
               const HExpr& bytes) {
  using Halide::Internal::Call;
  const std::string start = "profile." + name;
  const HExpr end = Call::make(
      Halide::Int(32), "strata_profile_end",
      {HExpr(kernel), HExpr(name), Halide::Internal::Variable::make(Halide::Int(64), start),
       bytes.defined() ? bytes : HExpr(std::int64_t{0})},
      Call::Extern);
  return LetStmt::make(start, Call::make(Halide::Int(64), "strata_profile_begin", {}, Call::Extern),
                       Halide::Internal::Block::make(body, Halide::Internal::Evaluate::make(end)));
}

HStmt emit(const StmtPtr& statement, const Scope& scope, const std::string& kernel, Effort effort) {
  return StatementEmitter(scope, kernel, effort).kernel(statement);
}

}  // namespace strata::halide
