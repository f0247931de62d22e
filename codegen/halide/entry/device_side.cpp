#include "codegen/halide/entry/device_side.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "codegen/halide/emit/descriptor.h"
#include "codegen/halide/emit/device_buffer.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/emit/index_reports.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/offload_mark.h"
#include "codegen/refusal.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/touched_sides.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;
using hi::LetStmt;
using hi::Variable;

std::string device_part(const std::string& name, const std::string& what, std::size_t d) {
  return symbol_on_device(name) + "." + what + "." + std::to_string(d);
}
HExpr int64_named(const std::string& name) { return Variable::make(Halide::Int(64), name); }
HExpr int64(std::int64_t value) { return HExpr(value); }

HStmt called(const std::string& function, const std::vector<HExpr>& arguments) {
  return hi::Evaluate::make(Call::make(Halide::Int(32), function, arguments, Call::Extern));
}

// The number of indices that the kernel touches in dimension d, at least 1.
HExpr size_of(const ArgumentBuffer& b, std::size_t d, ExpressionEmitter& bounds) {
  return Halide::max(bounds.index(b.uppers[d]) - bounds.index(b.lowers[d]), int64(1));
}

// True if the kernel touches an element of "b".
HExpr is_touched(const ArgumentBuffer& b, const Scope& scope) {
  ExpressionEmitter bounds(scope);
  HExpr all = hi::const_true();
  for (std::size_t d = 0; d < b.lowers.size(); ++d)
    all = all && bounds.index(b.lowers[d]) < bounds.index(b.uppers[d]);
  return all;
}

// The limit of strides: those of descriptors have 32 bits.
constexpr std::int64_t stride_limit = std::int64_t{1} << 31;

// The value of a stride that is a constant within the limits.
std::optional<std::int64_t> as_stride(const HExpr& stride) {
  const auto constant = hi::as_const_int(stride);
  return constant && *constant > 0 && *constant < stride_limit ? constant : std::nullopt;
}

struct Remainder {
  std::string parameter;
  std::int64_t modulus, remainder;
};

// p % c == r
std::optional<Remainder> remainder_of(const Expr& condition) {
  if (condition.op() != Op::eq) return std::nullopt;
  const Expr &left = condition.args()[0], &right = condition.args()[1];
  if (left.op() != Op::mod || left.args()[0].op() != Op::parameter) return std::nullopt;
  const auto modulus = as_constant(left.args()[1]), remainder = as_constant(right);
  if (!modulus || !remainder || *modulus < 2) return std::nullopt;
  return Remainder{left.args()[0].name(), *modulus, *remainder};
}

void add_remainders(const Expr& condition, std::vector<Remainder>& all) {
  if (condition.op() == Op::logical_and)
    for (const Expr& part : condition.args()) add_remainders(part, all);
  else if (const auto remainder = remainder_of(condition))
    all.push_back(*remainder);
}

// The same number, with each parameter p that is assumed to be r modulo c written as (p / c) c + r.
HExpr aligned(HExpr size, const Kernel& kernel, const Scope& scope) {
  std::vector<Remainder> facts;
  for (const Assumption& assumption : kernel.assumptions)
    add_remainders(assumption.condition, facts);
  for (const Remainder& fact : facts) {
    const HExpr p = scope.parameters.at(fact.parameter), c = int64(fact.modulus);
    size = hi::substitute(p.as<Variable>()->name, p / c * c + int64(fact.remainder), size);
  }
  return size;
}

// What code with vectors requires of a resident argument. Consider a dense array of the box that
// the kernel touches. Where its stride is a constant, the argument must have the same stride. Where
// its stride is a multiple of some elements, up to a vector of 16 bytes, the argument's stride
// must be such a multiple, too.
class ResidentAlignment {
 public:
  ResidentAlignment(const ArgumentBuffer& b, const Kernel& kernel, const Scope& scope)
      : buffer_(b), view_(scope.buffers.at(b.name)), of_vector_(vector_bytes / bytes(b.type)) {
    ExpressionEmitter bounds(scope);
    HExpr stride = int64(1);
    moduli_.resize(b.lowers.size(), 1);
    constants_.resize(b.lowers.size());
    for (std::size_t d = b.lowers.size(); d-- > 1;) {
      const HExpr size = bounds.index(b.uppers[d]) - bounds.index(b.lowers[d]);
      stride = hi::simplify(stride * aligned(size, kernel, scope));
      const auto known = hi::modulus_remainder(stride);
      moduli_[d - 1] = std::gcd(std::gcd(known.modulus, known.remainder), of_vector_);
      constants_[d - 1] = as_stride(stride);
    }
    for (std::size_t d = 0; d + 1 < moduli_.size(); ++d)
      of_vector_ = std::min(of_vector_, moduli_[d]);
  }

  BufferView view() const {
    BufferView view = view_;
    for (std::size_t d = 0; d + 1 < moduli_.size(); ++d)
      view.strides[d] =
          constants_[d] ? int64(*constants_[d]) : multiple(view.strides[d], moduli_[d]);
    view.offset = multiple(view.offset, of_vector_);
    return view;
  }

  HExpr holds(Halide::DeviceAPI api) const {
    HExpr all = view_.offset % int64(of_vector_) == int64(0);
    for (std::size_t d = 0; d + 1 < moduli_.size(); ++d)
      all = all && (constants_[d] ? view_.strides[d] == int64(*constants_[d])
                                  : view_.strides[d] % int64(moduli_[d]) == int64(0));
    // In OpenCL the field is a handle, and the memory behind it is aligned.
    if (api != Halide::DeviceAPI::CUDA) return all;
    const HExpr address = Call::make(Halide::UInt(64), Call::buffer_get_device,
                                     {Variable::make(Halide::type_of<halide_buffer_t*>(),
                                                     symbol_of_buffer(buffer_.name) + ".buffer")},
                                     Call::Extern);
    const HExpr aligned_to = hi::make_const(Halide::UInt(64), of_vector_ * bytes(buffer_.type));
    return all && address % aligned_to == hi::make_zero(Halide::UInt(64));
  }

 private:
  static constexpr std::int64_t vector_bytes = 16;
  static HExpr multiple(const HExpr& x, std::int64_t of) {
    return of == 1 ? x : x / int64(of) * int64(of);
  }

  const ArgumentBuffer& buffer_;
  const BufferView& view_;
  std::int64_t of_vector_;            // elements
  std::vector<std::int64_t> moduli_;  // of the strides
  std::vector<std::optional<std::int64_t>> constants_;
};

// The dense array that launches see instead of an argument.
BufferView view_of_copy(const ArgumentBuffer& b, const Scope& scope) {
  ExpressionEmitter bounds(scope);
  BufferView view{symbol_on_device(b.name), b.type, {}, {}, {}};
  view.origins.resize(b.lowers.size());
  view.strides.resize(b.lowers.size());
  HExpr stride = int64(1);
  for (std::size_t d = b.lowers.size(); d-- > 0;) {
    const auto constant = as_stride(stride);
    view.origins[d] = int64_named(device_part(b.name, "first", d));
    view.strides[d] = constant ? int64(*constant) : int64_named(device_part(b.name, "stride", d));
    stride = hi::simplify(stride * size_of(b, d, bounds));
  }
  return view;
}

class DeviceSide {
 public:
  DeviceSide(const Kernel& kernel, const Scope& scope)
      : kernel_(kernel),
        scope_(scope),
        on_device_(device_views(kernel, scope, false)),
        touched_(on_device(kernel)) {}

  HStmt around(const HStmt& body) const {
    std::vector<HStmt> all;
    HExpr any = hi::const_false(), some = hi::const_false();
    each([&](const ArgumentBuffer& b) {
      all.push_back(fits(b));
      all.push_back(memory_on_device(kernel_.name, b.name, scope_.abilities.device));
    });
    all.push_back(body);
    for (const ArgumentBuffer& b : kernel_.buffers) {
      some = some || is_touched(b, scope_);
      if (b.access == Access::read) continue;
      any = any || is_touched(b, scope_);
      if (b.resident)
        all.push_back(hi::IfThenElse::make(
            is_touched(b, scope_), called("strata_written_on_device",
                                          {Variable::make(Halide::type_of<halide_buffer_t*>(),
                                                          symbol_of_buffer(b.name) + ".buffer")})));
    }
    // No index into an empty array is in range. The launches report this, so they must run.
    any = any || (some && !have_elements(kernel_, scope_));
    const HStmt start = called("strata_device_start", {});
    HStmt out =
        hi::IfThenElse::make(any, hi::Block::make(start, marked_for_offload(hi::Block::make(all))));
    each([&](const ArgumentBuffer& b) { out = described(b, out); });
    return out;
  }

 private:
  // Visits the arguments that launches touch, except for residents.
  void each(const std::function<void(const ArgumentBuffer&)>& visitor) const {
    for (const ArgumentBuffer& b : kernel_.buffers)
      if (touched_.count(b.name) && !b.resident) visitor(b);
  }

  // Strides of descriptors have 32 bits.
  HStmt fits(const ArgumentBuffer& b) const {
    constexpr int out_of_memory = -16;  // halide_error_code_device_malloc_failed
    const HExpr failed = Call::make(Halide::Int(32), "strata_device_failed",
                                    {HExpr(kernel_.name), out_of_memory}, Call::Extern);
    const std::vector<HExpr>& strides = on_device_.at(b.name).strides;
    const HExpr fits = strides.empty() ? hi::const_true() : strides[0] < int64(stride_limit);
    return hi::AssertStmt::make(fits, failed);
  }

  // let first.d, stride.d, touched, host, buffer: out
  HStmt described(const ArgumentBuffer& b, const HStmt& out) const {
    const BufferView &host = scope_.buffers.at(b.name), device = on_device_.at(b.name);
    ExpressionEmitter bounds(scope_);
    std::vector<Extent> shape, dense;
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      const HExpr size = size_of(b, d, bounds);
      shape.push_back({int64(0), size, host.strides[d]});
      dense.push_back({int64(0), size, device.strides[d]});
    }
    HStmt result = LetStmt::make(symbol_on_device(b.name) + ".host",
                                 descriptor(host, host.position(device.origins), shape),
                                 LetStmt::make(symbol_on_device(b.name) + ".buffer",
                                               descriptor_of_nothing(b.type, dense), out));
    HExpr stride = int64(1);
    std::vector<HExpr> strides(b.lowers.size());
    for (std::size_t d = b.lowers.size(); d-- > 0;) {
      strides[d] = stride;
      const HExpr longer = device.strides[d] * aligned(size_of(b, d, bounds), kernel_, scope_);
      stride = Halide::min(longer, int64(stride_limit));
    }
    result = LetStmt::make(touched_on_device(b.name), is_touched(b, scope_), result);
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      if (d + 1 < b.lowers.size())
        result = LetStmt::make(device_part(b.name, "stride", d), strides[d], result);
      result = LetStmt::make(device_part(b.name, "first", d), bounds.index(b.lowers[d]), result);
    }
    return result;
  }

  const Kernel& kernel_;
  const Scope& scope_;
  std::map<std::string, BufferView> on_device_;
  std::set<std::string> touched_;
};

}  // namespace

std::set<std::string> on_device(const Kernel& kernel) {
  if (!kernel.may_overlap.empty())
    throw refused(Code::E0502_code_generation_failed,
                  "the arguments " + kernel.may_overlap[0].first + " and " +
                      kernel.may_overlap[0].second +
                      " may overlap, but a GPU has copies of them that do not",
                  "give them buffers of their own, or run the loop on the CPU");
  constexpr std::size_t most_dimensions = 16;  // of a copy by Halide's runtime
  for (const ArgumentBuffer& b : kernel.buffers)
    if (b.lowers.size() > most_dimensions)
      throw refused(Code::E0502_code_generation_failed,
                    "the argument " + b.name + " has " + std::to_string(b.lowers.size()) +
                        " dimensions, but a copy to a GPU at most " +
                        std::to_string(most_dimensions),
                    "join some of its dimensions, or run its loops on the CPU");
  std::set<std::string> names;
  for (const StmtPtr& body : bodies(kernel)) names.merge(touched_sides(body).device);
  return names;
}

std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope,
                                               bool in_vectors) {
  std::map<std::string, BufferView> views;
  for (const ArgumentBuffer& b : kernel.buffers) {
    if (b.resident) {
      views[b.name] =
          in_vectors ? ResidentAlignment(b, kernel, scope).view() : scope.buffers.at(b.name);
      continue;
    }
    views[b.name] = view_of_copy(b, scope);
  }
  return views;
}

HExpr residents_are_aligned(const Kernel& kernel, const Scope& scope) {
  HExpr all = hi::const_true();
  for (const ArgumentBuffer& b : kernel.buffers)
    if (b.resident) all = all && ResidentAlignment(b, kernel, scope).holds(scope.abilities.device);
  return hi::simplify(all);
}

HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body) {
  return DeviceSide(kernel, scope).around(body);
}

}  // namespace strata::halide
