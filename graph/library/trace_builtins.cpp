// What the built-in functions of the machine make (vm/builtins.h).
#include "codegen/entry/c_literals.h"
#include "graph/build/lowered.h"
#include "graph/library/function_trace.h"
#include "graph/vm/builtins.h"
#include "graph/vm/element_type.h"

namespace strata::graph {

namespace {

const Expr& integer_of(const CValue& value) { return value.numbers.at(0); }
std::int64_t number_of(const CValue& value) { return constant_dim(integer_of(value)).value(); }

CValue shape_of(Shape numbers) { return {CValue::Kind::shape, {}, std::move(numbers)}; }

// The extents of an array, or the numbers of a shape.
const Shape& numbers_of(const CValue& value) {
  return value.kind == CValue::Kind::array ? value.array.dims : value.numbers;
}

// The text that a check has at the end, if it has one.
std::string what_of(const std::vector<CValue>& a, const std::string& otherwise) {
  return !a.empty() && a.back().kind == CValue::Kind::text ? a.back().text : otherwise;
}

// Operation "k" of vm_operations.
Expr applied(std::int64_t k, const Expr& x, const Expr& y) {
  switch (k) {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return x * y;
    case 3: return x / y;
    case 4: return x % y;
    case 5: return min(x, y);
    case 6: return max(x, y);
    case 7: return -x;
    default: return abs(x);
  }
}
constexpr std::int64_t first_unary_operation = 7;

}  // namespace

bool FunctionTrace::is_builtin(const std::string& callee) const {
  static const std::set<std::string> known = {"vm.builtin.move",
                                              "vm.builtin.copy",
                                              "vm.builtin.make_tuple",
                                              "vm.builtin.shape_of",
                                              graph::builtin::kill,
                                              graph::builtin::tuple_field,
                                              graph::builtin::reshape,
                                              graph::builtin::storage,
                                              graph::builtin::tensor,
                                              graph::builtin::plan_arena,
                                              graph::builtin::shape_heap,
                                              graph::builtin::make_shape,
                                              graph::builtin::compute_shape,
                                              graph::builtin::match_shape,
                                              graph::builtin::size_in_bytes,
                                              graph::builtin::check_tensor,
                                              graph::builtin::check_shape,
                                              graph::builtin::check_tuple,
                                              graph::builtin::check_nothing,
                                              graph::builtin::check_extents,
                                              graph::builtin::check_bound};
  return known.contains(callee);
}

CValue FunctionTrace::builtin(const std::string& callee, const Values& a) {
  if (callee == "vm.builtin.move" || callee == "vm.builtin.copy") return a.at(0);
  if (callee == "vm.builtin.make_tuple") return {CValue::Kind::tuple, {}, {}, {}, a};
  if (callee == "vm.builtin.shape_of") return shape_of(numbers_of(a.at(0)));
  if (callee == graph::builtin::tuple_field) return tuple_field(a);
  if (callee == graph::builtin::reshape) return reshape(a);
  if (callee == graph::builtin::tensor) return alloc_tensor(a);
  if (callee == graph::builtin::make_shape) return make_shape(a);
  if (callee == graph::builtin::size_in_bytes) {
    Expr bytes = integer_of(a.at(1));
    for (const Expr& dim : a.at(0).numbers) bytes = bytes * dim;
    return shape_of({normal(bytes)});
  }
  if (callee == graph::builtin::storage || callee == graph::builtin::plan_arena ||
      callee == graph::builtin::shape_heap)
    return {CValue::Kind::other};
  if (callee == graph::builtin::compute_shape) compute_shape(a);
  if (callee == graph::builtin::match_shape) match_shape(a);
  if (callee == graph::builtin::check_tensor) check_tensor(a);
  if (callee == graph::builtin::check_extents)
    for (std::size_t d = 0; d < a.at(1).numbers.size(); ++d)
      require_extent(numbers_of(a[0]).at(int(d)), a[1].numbers[d], d, what_of(a, callee));
  if (callee == graph::builtin::check_bound)
    checked("strata_check_symbol(" + made_.c(integer_of(a.at(0))) + ", " +
            made_.c(integer_of(a.at(1))) + ", " + in_quotes(what_of(a, callee)) + ")");
  return {};
}

// Arrays are placed by themselves, so their storage and their offset in it do not matter.
CValue FunctionTrace::alloc_tensor(const Values& a) {
  const auto type = find_element_type(a.at(3).text);
  const auto element = type ? element_of(*type) : std::nullopt;
  if (!element) refuse(model_.text_of(pc_) + ": there is no element type \"" + a[3].text + "\"");
  const VmInstruction i = executable_.at(pc_);
  CValue value{CValue::Kind::array};
  value.array = new_array("r" + std::to_string(i.destination), *element, a.at(2).numbers);
  return value;
}

CValue FunctionTrace::reshape(const Values& a) {
  const CArray& of = a.at(0).array;
  const Shape& dims = a.at(1).numbers;
  CArray other = of;
  other.dims = dims;
  if (!is_same_dim(bytes_of(of), bytes_of(other)))
    checked("strata_check_extent(" + made_.c(bytes_of(other)) + ", " + made_.c(bytes_of(of)) +
            ", 0, \"reshape: bytes\")");
  const VmInstruction i = executable_.at(pc_);
  CValue value{CValue::Kind::array};
  value.array = view("r" + std::to_string(i.destination), of, dims);
  return value;
}

CValue FunctionTrace::tuple_field(const Values& a) {
  if (a.at(0).kind == CValue::Kind::other) return a[0];  // of a plan of the arena
  const auto k = std::size_t(number_of(a.at(1)));
  if (a[0].kind == CValue::Kind::tuple && k < a[0].fields.size()) return a[0].fields[k];
  if (a[0].kind == CValue::Kind::shape && k < a[0].numbers.size())
    return {CValue::Kind::integer, {}, {a[0].numbers[k]}};
  refuse(model_.text_of(pc_) + ": there is no field " + std::to_string(k));
}

// ---- shapes ----

Expr FunctionTrace::number(const CValue& code, const CValue& value) {
  const auto found = DimCode(number_of(code));
  return found == DimCode::slot ? slots_.at(number_of(value)) : integer_of(value);
}

CValue FunctionTrace::make_shape(const Values& a) {
  Shape numbers;
  for (std::size_t at = 1; at + 1 < a.size(); at += 2) numbers.push_back(number(a[at], a[at + 1]));
  return shape_of(numbers);
}

void FunctionTrace::compute_shape(const Values& a) {
  std::vector<Expr> stack;
  const auto pop = [&] {
    const Expr top = stack.back();
    stack.pop_back();
    return top;
  };
  for (std::size_t at = 1; at + 1 < a.size(); at += 2) {
    const auto code = DimCode(number_of(a[at]));
    if (code == DimCode::operation) {
      const std::int64_t k = number_of(a[at + 1]);
      const Expr y = pop(), x = k < first_unary_operation ? pop() : y;
      stack.push_back(applied(k, x, y));
    } else if (code == DimCode::store) {
      slots_[number_of(a[at + 1])] = normal(pop());
    } else {
      stack.push_back(number(a[at], a[at + 1]));
    }
  }
}

void FunctionTrace::match_shape(const Values& a) {
  const Shape& found = numbers_of(a.at(0));
  for (std::size_t d = 0; d < found.size(); ++d) {
    const CValue &code = a.at(2 * d + 2), &value = a.at(2 * d + 3);
    const auto kind = DimCode(number_of(code));
    if (kind == DimCode::store)
      slots_[number_of(value)] = found[d];
    else if (kind != DimCode::nothing)
      require_extent(found[d], number(code, value), d, what_of(a, "match_shape"));
  }
}

void FunctionTrace::check_tensor(const Values& a) {
  const CValue& value = a.at(0);
  const std::int64_t rank = number_of(a.at(1));
  const std::string& element = a.at(2).text;
  const bool fits = value.kind == CValue::Kind::array &&
                    (rank < 0 || rank == std::int64_t(value.array.dims.size())) &&
                    (element.empty() || element == element_name(value.array.element));
  if (!fits) refuse(what_of(a, "check_tensor") + ": it is always another array");
}

}  // namespace strata::graph
