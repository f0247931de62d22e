#include "codegen/halide/entry/device_side.h"

#include <functional>
#include <optional>

#include "codegen/halide/emit/descriptor.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/offload_mark.h"
#include "codegen/halide/refusal.h"
#include "codegen/tree/index_math.h"

namespace strata::halide {

namespace {

namespace hi = Halide::Internal;
using hi::Call;
using hi::LetStmt;
using hi::Variable;

std::string symbol_on_device(const std::string& name) { return "device." + name; }
std::string device_part(const std::string& name, const std::string& what, std::size_t d) {
  return symbol_on_device(name) + "." + what + "." + std::to_string(d);
}
HExpr int64_named(const std::string& name) { return Variable::make(Halide::Int(64), name); }
HExpr int64(std::int64_t value) { return HExpr(value); }

HExpr description(const std::string& name, const char* what = ".buffer") {
  return Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_on_device(name) + what);
}
HExpr description_on_host(const std::string& name) { return description(name, ".host"); }

HStmt done(const HExpr& call) { return hi::Evaluate::make(call); }
HExpr calling(const std::string& function, const std::vector<HExpr>& arguments) {
  return Call::make(Halide::Int(32), function, arguments, Call::Extern);
}

// Calls a function of Halide's runtime; if it fails the kernel returns Strata's code for that.
HStmt tried(const std::string& kernel, const std::string& function,
            const std::vector<HExpr>& arguments, const std::string& buffer) {
  const std::string name = symbol_on_device(buffer) + "." + function;
  const HExpr code = Variable::make(Halide::Int(32), name);
  const HExpr failed = calling("strata_device_failed", {HExpr(kernel), code});
  return LetStmt::make(name, calling(function, arguments), hi::AssertStmt::make(code == 0, failed));
}

// The names of the buffers that a statement touches.
void add_touched(const StmtPtr& s, std::set<std::string>& names) {
  const auto add = [&](const Expr& whole) {
    visit(whole, [&](const Expr& e) {
      if (e.op() == Op::load) names.insert(e.name());
    });
  };
  if (const auto* loop = std::get_if<For>(s.get())) {
    add(loop->lower);
    add(loop->upper);
  }
  if (const auto* branch = std::get_if<If>(s.get())) add(branch->condition);
  if (const auto* execute = std::get_if<Execute>(s.get())) {
    names.insert(execute->buffer);
    for (const Execute::Other& other : execute->others) {
      names.insert(other.buffer);
      add(other.value);
    }
    for (const Expr& index : execute->indices) add(index);
    add(execute->value);
  }
  for_each_inside(*s, [&](const StmtPtr& part) { add_touched(part, names); });
}

void for_each_launch(const StmtPtr& s, const std::function<void(const StmtPtr&)>& visitor) {
  if (std::holds_alternative<Launch>(*s)) return visitor(s);
  if (std::holds_alternative<Execute>(*s) || std::holds_alternative<Allocate>(*s))
    throw cannot_generate(
        "a kernel with launches on a GPU also computes on the host, or has temporary buffers, "
        "which is not supported yet");
  for_each_inside(*s, [&](const StmtPtr& part) { for_each_launch(part, visitor); });
}

// The number of indices that the kernel touches in dimension d, at least 1.
HExpr size_of(const ArgumentBuffer& b, std::size_t d, ExpressionEmitter& bounds) {
  return Halide::max(bounds.index(b.uppers[d]) - bounds.index(b.lowers[d]), int64(1));
}

// Does the kernel touch an element of "b"?
HExpr is_touched(const ArgumentBuffer& b, const Scope& scope) {
  ExpressionEmitter bounds(scope);
  HExpr all = hi::const_true();
  for (std::size_t d = 0; d < b.lowers.size(); ++d)
    all = all && bounds.index(b.lowers[d]) < bounds.index(b.uppers[d]);
  return all;
}

// Larger strides are not needed.
constexpr std::int64_t stride_limit = std::int64_t{1} << 31;

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

class DeviceSide {
 public:
  DeviceSide(const Kernel& kernel, const Scope& scope)
      : kernel_(kernel),
        scope_(scope),
        on_device_(device_views(kernel)),
        touched_(on_device(kernel)) {}

  HStmt around(const HStmt& launches) const {
    std::vector<HStmt> all;
    HExpr any = hi::const_false();
    each([&](const ArgumentBuffer& b) {
      all.push_back(fits(b));
      all.push_back(freed_in_the_end(b));
      all.push_back(copied(b));
      if (b.access != Access::read) any = any || is_touched(b, scope_);
    });
    all.push_back(launches);
    each([&](const ArgumentBuffer& b) {
      if (b.access != Access::read) all.push_back(copied_back(b));
    });
    const HStmt start = done(calling("strata_device_start", {}));
    HStmt out =
        hi::IfThenElse::make(any, hi::Block::make(start, marked_for_offload(hi::Block::make(all))));
    each([&](const ArgumentBuffer& b) { out = described(b, out); });
    return out;
  }

 private:
  void each(const std::function<void(const ArgumentBuffer&)>& visitor) const {
    for (const ArgumentBuffer& b : kernel_.buffers)
      if (touched_.count(b.name)) visitor(b);
  }

  HExpr interface() const { return hi::make_device_interface_call(scope_.abilities.device); }

  static HStmt freed_in_the_end(const ArgumentBuffer& b) {
    return done(
        Call::make(Halide::Handle(), Call::register_destructor,
                   {hi::StringImm::make("halide_device_free_as_destructor"), description(b.name)},
                   Call::Intrinsic));
  }

  // Strides of descriptors have 32 bits.
  HStmt fits(const ArgumentBuffer& b) const {
    constexpr int out_of_memory = -16;  // halide_error_code_device_malloc_failed
    const HExpr failed = calling("strata_device_failed", {HExpr(kernel_.name), out_of_memory});
    const std::vector<HExpr>& strides = on_device_.at(b.name).strides;
    const HExpr fits = strides.empty() ? hi::const_true() : strides[0] < int64(stride_limit);
    return hi::AssertStmt::make(fits, failed);
  }

  // Device memory, filled if there is anything to fill it with.
  HStmt copied(const ArgumentBuffer& b) const {
    const HStmt copy = tried(kernel_.name, "halide_buffer_copy",
                             {description_on_host(b.name), interface(), description(b.name)},
                             b.name);
    const HStmt none = tried(kernel_.name, "halide_device_malloc",
                             {description(b.name), interface()}, b.name);
    return hi::IfThenElse::make(is_touched(b, scope_), copy, none);
  }

  HStmt copied_back(const ArgumentBuffer& b) const {
    const HExpr no_device = hi::make_zero(Halide::Handle());
    return hi::IfThenElse::make(
        is_touched(b, scope_),
        tried(kernel_.name, "halide_buffer_copy",
              {description(b.name), no_device, description_on_host(b.name)}, b.name + ".out"));
  }

  // let first.d, stride.d, host, buffer: out
  HStmt described(const ArgumentBuffer& b, const HStmt& out) const {
    const BufferView &host = scope_.buffers.at(b.name), device = on_device_.at(b.name);
    ExpressionEmitter bounds(scope_);
    std::vector<Extent> shape, dense;
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      const HExpr size = size_of(b, d, bounds);
      shape.push_back({int64(0), size, host.strides[d]});
      dense.push_back({int64(0), size, device.strides[d]});
    }
    HStmt result = LetStmt::make(
        symbol_on_device(b.name) + ".host",
        descriptor(host, host.position(device.origins), shape, is_touched(b, scope_)),
        LetStmt::make(symbol_on_device(b.name) + ".buffer", descriptor_of_nothing(b.type, dense),
                      out));
    HExpr stride = int64(1);
    std::vector<HExpr> strides(b.lowers.size());
    for (std::size_t d = b.lowers.size(); d-- > 0;) {
      strides[d] = stride;
      const HExpr longer = device.strides[d] * aligned(size_of(b, d, bounds));
      stride = Halide::min(longer, int64(stride_limit));
    }
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      if (d + 1 < b.lowers.size())
        result = LetStmt::make(device_part(b.name, "stride", d), strides[d], result);
      result = LetStmt::make(device_part(b.name, "first", d), bounds.index(b.lowers[d]), result);
    }
    return result;
  }

  // The same number, where a parameter p that is assumed to be r modulo c is written (p / c) c + r.
  HExpr aligned(HExpr size) const {
    for (const Assumption& assumption : kernel_.assumptions)
      if (const auto fact = remainder_of(assumption.condition)) {
        const HExpr p = scope_.parameters.at(fact->parameter), c = int64(fact->modulus);
        const std::string name = p.as<Variable>()->name;
        size = hi::substitute(name, p / c * c + int64(fact->remainder), size);
      }
    return size;
  }

  const Kernel& kernel_;
  const Scope& scope_;
  std::map<std::string, BufferView> on_device_;
  std::set<std::string> touched_;
};

}  // namespace

std::set<std::string> on_device(const Kernel& kernel) {
  if (!kernel.may_overlap.empty())
    throw cannot_generate("the arguments " + kernel.may_overlap[0].first + " and " +
                          kernel.may_overlap[0].second +
                          " may overlap, but a GPU has copies of them that do not; give them buffers "
                          "of their own, or run the loop on the CPU");
  constexpr std::size_t most_dimensions = 16;  // of a copy by Halide's runtime
  for (const ArgumentBuffer& b : kernel.buffers)
    if (b.lowers.size() > most_dimensions)
      throw cannot_generate("the argument " + b.name + " has " + std::to_string(b.lowers.size()) +
                            " dimensions, but a GPU's copy at most " +
                            std::to_string(most_dimensions));
  std::set<std::string> names;
  for (const StmtPtr& body : bodies(kernel))
    for_each_launch(body, [&](const StmtPtr& launch) { add_touched(launch, names); });
  return names;
}

std::map<std::string, BufferView> device_views(const Kernel& kernel) {
  std::map<std::string, BufferView> views;
  for (const ArgumentBuffer& b : kernel.buffers) {
    BufferView view{symbol_on_device(b.name), b.type, {}, {}, {}};
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      view.origins.push_back(int64_named(device_part(b.name, "first", d)));
      view.strides.push_back(d + 1 == b.lowers.size()
                                 ? int64(1)
                                 : int64_named(device_part(b.name, "stride", d)));
    }
    views[b.name] = view;
  }
  return views;
}

HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body) {
  return DeviceSide(kernel, scope).around(body);
}

}  // namespace strata::halide
