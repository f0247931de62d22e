#include "codegen/halide/arithmetic/asynchronous_copies.h"

#include <set>

#include "codegen/device/marker_calls.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

const char* const asynchronous = "strata.asynchronous";
const char* const await = "strata.await_copies";

class Written : public hi::IRVisitor {
 public:
  std::set<std::string> names;

 private:
  using IRVisitor::visit;
  void visit(const hi::Store* op) override {
    names.insert(op->name);
    IRVisitor::visit(op);
  }
};

// The index of the first element of a scalar or dense access; undefined for other accesses.
HExpr first_of(const HExpr& index) {
  if (index.type().is_scalar()) return index;
  const auto* ramp = index.as<hi::Ramp>();
  return ramp && ramp->base.type().is_scalar() && hi::is_const_one(ramp->stride) ? ramp->base
                                                                                 : HExpr();
}

bool is_aligned(const hi::ModulusRemainder& place, int lanes) {
  return place.modulus % lanes == 0 && place.remainder % lanes == 0;
}

// The expression inside all lets around it.
const HExpr& without_lets(const HExpr& e) {
  const auto* let = e.as<hi::Let>();
  return let ? without_lets(let->body) : e;
}

// "inside", within the lets that are around "e".
HExpr in_lets_of(const HExpr& e, const HExpr& inside) {
  const auto* let = e.as<hi::Let>();
  return let ? hi::Let::make(let->name, let->value, in_lets_of(let->body, inside)) : inside;
}

class Copies : public hi::IRMutator {
 private:
  using IRMutator::visit;

  HStmt visit(const hi::For* op) override {
    if (op->for_type != hi::ForType::GPUBlock || !written_.empty()) return IRMutator::visit(op);
    Written written;
    op->body.accept(&written);
    written_ = written.names;
    const HStmt result = IRMutator::visit(op);
    written_.clear();
    return result;
  }

  HStmt visit(const hi::Store* op) override {
    const auto* marked = without_lets(op->value).as<hi::Call>();
    if (!marked || marked->name != asynchronous) return IRMutator::visit(op);
    const auto* load = without_lets(marked->args[0]).as<hi::Load>();
    const HType type = marked->type;
    const int size = type.bytes() * type.lanes();
    const bool fits = load && (size == 4 || size == 8 || size == 16) &&
                      !written_.count(load->name) && hi::is_const_one(op->predicate) &&
                      hi::is_const_one(load->predicate) && first_of(op->index).defined() &&
                      first_of(load->index).defined() && is_aligned(op->alignment, type.lanes()) &&
                      is_aligned(load->alignment, type.lanes());
    if (!fits) return IRMutator::visit(op);
    const HExpr word = in_lets_of(op->value, in_lets_of(marked->args[0], first_word(*load)));
    const HExpr place = Halide::cast(Halide::Int(32), first_of(op->index) * type.bytes());
    return hi::Evaluate::make(hi::Call::make(Halide::Int(32),
                                             device::copy_marker + std::to_string(size),
                                             {place, word}, hi::Call::Extern));
  }

  // The first 4 bytes that the load reads.
  static HExpr first_word(const hi::Load& from) {
    const int bytes = from.type.bytes();
    const HExpr first = first_of(from.index);
    const HExpr word = bytes >= 4 ? first * (bytes / 4) : first / (4 / bytes);
    return hi::Load::make(Halide::UInt(32), from.name, word, from.image, from.param,
                          hi::const_true(), hi::ModulusRemainder());
  }

  HExpr visit(const hi::Call* op) override {
    if (op->name == asynchronous) return mutate(op->args[0]);
    if (op->name != await) return IRMutator::visit(op);
    return hi::Call::make(op->type, std::string(device::copy_marker) + "wait_all", {},
                          hi::Call::Extern);
  }

  std::set<std::string> written_;  // the buffers that the launch around writes
};

}  // namespace

bool has_asynchronous_copies(const Halide::Target& target) {
  return target.has_feature(Halide::Target::CUDA) && target.get_cuda_capability_lower_bound() >= 80;
}

HExpr copied_asynchronously(const HExpr& value) {
  return hi::Call::make(value.type(), asynchronous, {value}, hi::Call::PureExtern);
}

HStmt await_copies() {
  return hi::Evaluate::make(hi::Call::make(Halide::Int(32), await, {}, hi::Call::Extern));
}

HStmt with_asynchronous_copies(const HStmt& statement) { return Copies().mutate(statement); }

}  // namespace strata::halide
