#include "codegen/halide/emit/scope.h"

#include <optional>
#include <utility>
#include <vector>

#include "codegen/refusal.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;

// constant + sum of factor * atom, modulo 2^64.
class Terms {
 public:
  void add(const HExpr& e, std::uint64_t factor) {
    const auto* sum = e.as<hi::Add>();
    const auto* difference = e.as<hi::Sub>();
    const auto* product = e.as<hi::Mul>();
    const auto constant = hi::as_const_int(e);
    const auto times = product ? hi::as_const_int(product->b) : std::nullopt;
    const auto by = product && !times ? hi::as_const_int(product->a) : std::nullopt;
    if (constant) {
      constant_ += factor * std::uint64_t(*constant);
    } else if (sum) {
      add(sum->a, factor);
      add(sum->b, factor);
    } else if (difference) {
      add(difference->a, factor);
      add(difference->b, -factor);
    } else if (times || by) {
      add(times ? product->a : product->b, factor * std::uint64_t(times ? *times : *by));
    } else {
      add_atom(e, factor);
    }
  }

  HExpr sum() const {
    HExpr result = HExpr(std::int64_t(constant_));
    for (const auto& [atom, factor] : atoms_)
      if (factor != 0) result = atom * HExpr(std::int64_t(factor)) + result;
    return result;
  }

  bool has_quotient = false;
  bool has_data = false;

 private:
  void add_atom(const HExpr& e, std::uint64_t factor) {
    has_quotient = has_quotient || e.as<hi::Div>();
    const auto* cast = e.as<hi::Cast>();
    const HExpr& inside = cast ? cast->value : e;
    has_data = has_data || !(inside.as<hi::Variable>() || inside.as<hi::Div>());
    for (auto& [atom, known] : atoms_)
      if (hi::equal(atom, e)) {
        known += factor;
        return;
      }
    atoms_.emplace_back(e, factor);
  }

  std::uint64_t constant_ = 0;
  std::vector<std::pair<HExpr, std::uint64_t>> atoms_;
};

class Reads : public hi::IRVisitor {
 public:
  bool found = false;

 private:
  using IRVisitor::visit;
  void visit(const hi::Load*) override { found = true; }
  void visit(const hi::Call*) override { found = true; }
};

bool reads_memory(const HExpr& e) {
  Reads reads;
  e.accept(&reads);
  return reads.found;
}

// index - origin, as a constant if possible: then values on the stack live in registers. Halide's
// simplifier does not find these constants. It turns -((N - 1) / 64) into another quotient and does
// not multiply out sums, so that 16 (4 q + 1) - 64 q with this quotient q stays as it is.
HExpr from_origin(const HExpr& index, const HExpr& origin, bool of_block, bool packed) {
  Terms terms;
  terms.add(index, 1);
  terms.add(origin, ~std::uint64_t{0});
  const bool cancels = of_block ? !reads_memory(index) && !reads_memory(origin)
                                : (terms.has_quotient || packed) && !terms.has_data;
  return cancels ? terms.sum() : index - origin;
}

HExpr without_gaps(const HExpr& index, const Packing& packing) {
  if (packing.period == 1) return index;
  const HExpr period = HExpr(packing.period);
  return index / period * HExpr(packing.width) + index % period;
}

}  // namespace

HExpr BufferView::position(const std::vector<HExpr>& indices) const {
  HExpr sum = offset.defined() ? offset : Halide::Internal::make_zero(Halide::Int(64));
  for (std::size_t d = 0; d < indices.size(); ++d) {
    HExpr index = indices[d];
    if (!origins.empty())
      index = on_stack || of_block ? from_origin(index, origins[d], of_block, !packed.empty())
                                   : index - origins[d];
    if (!packed.empty()) index = without_gaps(index, packed[d]);
    sum = sum + index * strides[d];
  }
  return sum;
}

bool share_memory(const Scope& scope, const std::string& a, const std::string& b) {
  const auto at = scope.buffers.find(a), other = scope.buffers.find(b);
  return a == b || (at != scope.buffers.end() && other != scope.buffers.end() &&
                    at->second.symbol == other->second.symbol);
}

const BufferView& buffer_named(const Scope& scope, const std::string& name) {
  const auto found = scope.buffers.find(name);
  if (found == scope.buffers.end())
    throw cannot_generate("the buffer '" + name + "' is not known here");
  return found->second;
}

}  // namespace strata::halide
