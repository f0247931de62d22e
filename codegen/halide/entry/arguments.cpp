// The buffers of a kernel inside its body.
#include <map>

#include "codegen/entry/facts.h"
#include "codegen/halide/entry/entry.h"

namespace strata::halide {

namespace {

using Halide::Internal::Call;
using Halide::Internal::LetStmt;
using Halide::Internal::Variable;

HExpr description(const ArgumentBuffer& b) {
  return Variable::make(Halide::type_of<halide_buffer_t*>(), symbol_of_buffer(b.name) + ".buffer");
}

// Dimension 0 of a halide_buffer_t is the last index.
HExpr field(const ArgumentBuffer& b, const char* getter, std::size_t index) {
  const int dimension = static_cast<int>(b.lowers.size() - 1 - index);
  const HExpr found =
      Call::make(Halide::Int(32), getter, {description(b), dimension}, Call::Extern);
  return Halide::cast(Halide::Int(64), found);
}

std::string part(const ArgumentBuffer& b, const std::string& what, std::size_t index) {
  return symbol_of_buffer(b.name) + "." + what + "." + std::to_string(index);
}

HExpr named(const std::string& name) { return Variable::make(Halide::Int(64), name); }
std::string offset_name(const ArgumentBuffer& b) { return symbol_of_buffer(b.name) + ".offset"; }

std::string rounded_name(const ScalarArgument& s) { return symbol_of_buffer(s.name) + ".rounded"; }

// The scalar in flight. A 16-bit float is rounded once, at the entry.
HExpr scalar_named(const ScalarArgument& s) {
  if (is_half(s.type)) return Variable::make(Halide::Float(32), rounded_name(s));
  const HExpr passed = Variable::make(type_in_call(s.type), symbol_of_buffer(s.name));
  return from_memory(s.type, passed, HalfFloats::converted_by_bits);
}

HExpr rounded(const ScalarArgument& s) {
  const HExpr passed = Variable::make(Halide::Float(32), symbol_of_buffer(s.name));
  return rounded(s.type, passed, HalfFloats::converted_by_bits);
}

using Bases = std::map<std::string, const ArgumentBuffer*>;

// The base of each argument: kernels address the argument from the pointer of its base. Arguments
// that may overlap, directly or through others, have the one with the widest elements as their
// base. Any other argument is its own base. So the distance from the base is a whole number of
// elements of both.
Bases find_bases(const Kernel& kernel) {
  Bases base;
  for (const ArgumentBuffer& b : kernel.buffers) base[b.name] = &b;
  for (const auto& [a, b] : kernel.may_overlap) {
    const ArgumentBuffer *left = base.at(a), *right = base.at(b);
    const bool keep_left = bytes(left->type) >= bytes(right->type);
    const ArgumentBuffer *kept = keep_left ? left : right, *dropped = keep_left ? right : left;
    for (auto& [name, of] : base)
      if (of == dropped) of = kept;
  }
  return base;
}

HExpr host(const ArgumentBuffer& b) {
  return Call::make(Halide::Handle(), Call::buffer_get_host, {description(b)}, Call::Extern);
}

HExpr address(const HExpr& pointer) {
  return Halide::cast(Halide::Int(64), Halide::reinterpret(Halide::UInt(64), pointer));
}

// A dimension of one element is dense whatever its stride is: the kernel never steps in it.
HExpr stride_of(const ArgumentBuffer& b, std::size_t d) {
  const HExpr stride = field(b, Call::buffer_get_stride, d);
  if (d + 1 < b.lowers.size()) return stride;
  const HExpr one = HExpr(std::int64_t{1});
  return Halide::select(field(b, Call::buffer_get_extent, d) == one, one, stride);
}

// The number of elements from the base to the first element.
HExpr distance(const ArgumentBuffer& b, const ArgumentBuffer& base) {
  return (address(host(b)) - address(host(base))) / HExpr(std::int64_t{bytes(b.type)});
}

// The number of elements from the base to the element with all indices zero.
HExpr offset_of(const ArgumentBuffer& b, const ArgumentBuffer& base) {
  HExpr sum = Halide::Internal::make_zero(Halide::Int(64));
  if (&b != &base) sum = distance(b, base);
  for (std::size_t d = 0; d < b.lowers.size(); ++d)
    sum = sum - field(b, Call::buffer_get_min, d) * named(part(b, "stride", d));
  return sum;
}

// A number that is hidden from LLVM by a call that leaves no instruction. LLVM adds up the
// addresses in a loop from parts. If it sees that an offset is made of strides, it finds no parts
// that the rows of a tile share. Then it takes a register for each row, and there are not enough.
HExpr hidden(const HExpr& number) {
  if (Halide::Internal::is_const(number)) return number;
  const HExpr pointer = Halide::reinterpret(Halide::Handle(), number);
  const HExpr same =
      Call::make(Halide::Handle(), "llvm.strip.invariant.group.p0", {pointer}, Call::PureExtern);
  return Halide::reinterpret(Halide::Int(64), same);
}

}  // namespace

Scope scope_of_arguments(const Kernel& kernel, const Abilities& abilities, bool dense) {
  Scope scope;
  scope.abilities = abilities;
  for (const std::string& name : parameters_of(kernel))
    scope.parameters[name] = named(symbol_of_parameter(name));
  for (const ScalarArgument& s : kernel.scalars) scope.scalars[s.name] = scalar_named(s);
  const auto bases = find_bases(kernel);
  for (const ArgumentBuffer& b : kernel.buffers) {
    BufferView view{symbol_of_buffer(bases.at(b.name)->name), b.type, {}, {}, {}};
    view.offset = named(offset_name(b));
    for (std::size_t d = 0; d < b.lowers.size(); ++d)
      view.strides.push_back(dense && d + 1 == b.lowers.size() ? HExpr(std::int64_t{1})
                                                               : named(part(b, "stride", d)));
    scope.buffers[b.name] = view;
  }
  return scope;
}

HExpr is_dense(const Kernel& kernel) {
  HExpr all = Halide::Internal::const_true();
  for (const ArgumentBuffer& b : kernel.buffers) {
    if (b.lowers.empty()) continue;
    all = all && named(part(b, "stride", b.lowers.size() - 1)) == HExpr(std::int64_t{1});
  }
  return Halide::Internal::simplify(all);
}

// The position of the first element and all strides must not be negative. Then the last position is
//   distance of the arguments + sum_d (extent_d - 1) stride_d
// where terms that are too large alone are limited, so that the sum does not overflow.
HExpr are_small(const Kernel& kernel, const std::set<std::string>& buffers) {
  const HExpr end = HExpr(std::int64_t{1} << 31), half = HExpr(std::int64_t{1} << 30);
  const HExpr zero = HExpr(std::int64_t{0}), one = HExpr(std::int64_t{1});
  const auto bases = find_bases(kernel);
  HExpr all = Halide::Internal::const_true();
  for (const ArgumentBuffer& b : kernel.buffers) {
    if (!buffers.count(b.name)) continue;
    const ArgumentBuffer& base = *bases.at(b.name);
    HExpr last = zero;
    if (&b != &base) {
      all = all && distance(b, base) >= zero;
      last = Halide::min(distance(b, base), end);
    }
    for (std::size_t d = 0; d < b.lowers.size(); ++d) {
      const HExpr lowest = field(b, Call::buffer_get_min, d), stride = named(part(b, "stride", d));
      const HExpr steps = field(b, Call::buffer_get_extent, d) - one;
      last = last + Halide::min(steps * stride, end);
      all = all && stride >= zero && lowest >= -half && lowest + steps < half;
    }
    all = all && last < end;
  }
  return all;
}

HStmt with_element(const ArgumentBuffer& argument, const std::string& symbol,
                   const std::function<HStmt(const Scope&)>& body) {
  Scope scope;
  BufferView view{symbol, argument.type, {}, {}, {}};
  for (std::size_t d = 0; d < argument.lowers.size(); ++d) {
    view.origins.push_back(field(argument, Call::buffer_get_min, d));
    view.strides.push_back(field(argument, Call::buffer_get_stride, d));
  }
  scope.buffers[argument.name] = view;
  return LetStmt::make(symbol, host(argument), body(scope));
}

HStmt with_arguments(const Kernel& kernel, const HStmt& body) {
  const auto bases = find_bases(kernel);
  HStmt out = body;
  for (const ScalarArgument& s : kernel.scalars)
    if (is_half(s.type)) out = LetStmt::make(rounded_name(s), rounded(s), out);
  for (const ArgumentBuffer& b : kernel.buffers) {
    if (bases.at(b.name) == &b) out = LetStmt::make(symbol_of_buffer(b.name), host(b), out);
    out = LetStmt::make(offset_name(b), hidden(offset_of(b, *bases.at(b.name))), out);
    for (std::size_t d = 0; d < b.lowers.size(); ++d)
      out = LetStmt::make(part(b, "stride", d), stride_of(b, d), out);
  }
  return out;
}

}  // namespace strata::halide
