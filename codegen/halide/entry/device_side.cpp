#include "codegen/halide/entry/device_side.h"

#include <functional>

#include "codegen/halide/emit/descriptor.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/offload_mark.h"
#include "codegen/halide/refusal.h"

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

HExpr description(const std::string& name) {
  return Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_on_device(name) + ".buffer");
}

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

// Does the kernel touch an element of "b"?
HExpr is_touched(const ArgumentBuffer& b, const Scope& scope) {
  ExpressionEmitter bounds(scope);
  HExpr all = hi::const_true();
  for (std::size_t d = 0; d < b.lowers.size(); ++d)
    all = all && bounds.index(b.lowers[d]) < bounds.index(b.uppers[d]);
  return all;
}

class DeviceSide {
 public:
  DeviceSide(const Kernel& kernel, const Scope& scope)
      : kernel_(kernel), scope_(scope), touched_(on_device(kernel)) {}

  HStmt around(const HStmt& launches) const {
    std::vector<HStmt> all;
    HExpr any = hi::const_false();
    each([&](const ArgumentBuffer& b) {
      all.push_back(freed_in_the_end(b));
      all.push_back(
          tried(kernel_.name, "halide_copy_to_device", {description(b.name), interface()}, b.name));
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

  HStmt copied_back(const ArgumentBuffer& b) const {
    const HExpr set = Call::make(Halide::Int(32), Call::buffer_set_device_dirty,
                                 {description(b.name), hi::const_true()}, Call::Extern);
    const HStmt copy =
        tried(kernel_.name, "halide_copy_to_host", {description(b.name)}, b.name + ".out");
    return hi::IfThenElse::make(is_touched(b, scope_), hi::Block::make(done(set), copy));
  }

  // let first.d, buffer: out
  HStmt described(const ArgumentBuffer& b, const HStmt& out) const {
    const BufferView& host = scope_.buffers.at(b.name);
    ExpressionEmitter emitter(scope_);
    std::vector<HExpr> first;
    std::vector<Extent> shape;
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      first.push_back(int64_named(device_part(b.name, "first", d)));
      const HExpr size = emitter.index(b.uppers[d]) - emitter.index(b.lowers[d]);
      shape.push_back({int64(0), Halide::max(size, int64(1)), Halide::abs(host.strides[d])});
    }
    HStmt result =
        LetStmt::make(symbol_on_device(b.name) + ".buffer",
                      descriptor(host, host.position(first), shape, is_touched(b, scope_)), out);
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      const HExpr stride = host.strides[d], zero = int64(0);
      const HExpr last = emitter.index(b.uppers[d]) - int64(1);
      result =
          LetStmt::make(device_part(b.name, "first", d),
                        Halide::select(stride < zero, last, emitter.index(b.lowers[d])), result);
    }
    return result;
  }

  const Kernel& kernel_;
  const Scope& scope_;
  std::set<std::string> touched_;
};

}  // namespace

std::set<std::string> on_device(const Kernel& kernel) {
  if (!kernel.may_overlap.empty())
    throw cannot_generate("the arguments " + kernel.may_overlap[0].first + " and " +
                          kernel.may_overlap[0].second +
                          " may overlap, but a GPU has copies of them that do not; give them buffers of "
                          "their own, or run the loop on the CPU");
  std::set<std::string> names;
  for (const StmtPtr& body : bodies(kernel))
    for_each_launch(body, [&](const StmtPtr& launch) { add_touched(launch, names); });
  return names;
}

std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope) {
  std::map<std::string, BufferView> views;
  for (const ArgumentBuffer& b : kernel.buffers) {
    BufferView view{symbol_on_device(b.name), b.type, {}, {}, {}};
    for (std::size_t d = 0; d < b.lowers.size(); ++d)
      view.origins.push_back(int64_named(device_part(b.name, "first", d)));
    view.strides = scope.buffers.at(b.name).strides;
    views[b.name] = view;
  }
  return views;
}

HStmt with_device_side(const Kernel& kernel, const Scope& scope, const HStmt& body) {
  return DeviceSide(kernel, scope).around(body);
}

}  // namespace strata::halide
