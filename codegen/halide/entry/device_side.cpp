#include "codegen/halide/entry/device_side.h"

#include <functional>

#include "codegen/halide/emit/descriptor.h"
#include "codegen/halide/emit/device_buffer.h"
#include "codegen/halide/emit/expression.h"
#include "codegen/halide/entry/entry.h"
#include "codegen/halide/offload_mark.h"
#include "codegen/halide/refusal.h"
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

  HStmt around(const HStmt& body) const {
    std::vector<HStmt> all;
    HExpr any = hi::const_false();
    each([&](const ArgumentBuffer& b) {
      all.push_back(memory_on_device(kernel_.name, b.name, scope_.abilities.device));
    });
    all.push_back(body);
    for (const ArgumentBuffer& b : kernel_.buffers) {
      if (b.access == Access::read) continue;
      any = any || is_touched(b, scope_);
      if (b.resident)
        all.push_back(hi::IfThenElse::make(
            is_touched(b, scope_),
            called("strata_written_on_device",
                   {Variable::make(Halide::type_of<halide_buffer_t*>(),
                                   symbol_of_buffer(b.name) + ".buffer")})));
    }
    const HStmt start = called("strata_device_start", {});
    HStmt out =
        hi::IfThenElse::make(any, hi::Block::make(start, marked_for_offload(hi::Block::make(all))));
    each([&](const ArgumentBuffer& b) { out = described(b, out); });
    return out;
  }

 private:
  // Those that launches touch, except for residents.
  void each(const std::function<void(const ArgumentBuffer&)>& visitor) const {
    for (const ArgumentBuffer& b : kernel_.buffers)
      if (touched_.count(b.name) && !b.resident) visitor(b);
  }

  // let first.d, touched, buffer: out
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
                      descriptor(host, host.position(first), shape), out);
    result = LetStmt::make(touched_on_device(b.name), is_touched(b, scope_), result);
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
                          " may overlap, but a GPU has copies of them that do not");
  std::set<std::string> names;
  for (const StmtPtr& body : bodies(kernel)) names.merge(touched_sides(body).device);
  return names;
}

std::map<std::string, BufferView> device_views(const Kernel& kernel, const Scope& scope) {
  std::map<std::string, BufferView> views;
  for (const ArgumentBuffer& b : kernel.buffers) {
    if (b.resident) {
      views[b.name] = scope.buffers.at(b.name);
      continue;
    }
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
