// Shapes, the heap of their numbers, and checks.
#include <algorithm>

#include "graph/vm/arena.h"
#include "graph/vm/builtin_arguments.h"
#include "graph/vm/builtins.h"
#include "graph/vm/machine.h"

namespace strata::graph {

namespace {

// ---- the heap ----

VmValue alloc_shape_heap(const Arguments& a) {
  machine_of(a[0]);
  if (a.integer(1) < 0) a.fail("a heap has 0 slots or more");
  return NDArray(strata_int(64), {a.integer(1)});
}

std::int64_t& slot(const Arguments& a, std::size_t heap, std::int64_t number) {
  const NDArray& slots = a.array(heap);
  if (!is_same_type(slots.type(), strata_int(64)) || number < 0 ||
      number >= std::int64_t(slots.size()))
    a.fail("the heap has no slot " + std::to_string(number));
  return slots.data<std::int64_t>()[number];
}

VmValue store_shape(const Arguments& a) {
  const auto& numbers = a.shape(0);
  if (a.size() != numbers.size() + 2)
    a.fail("a shape of rank " + std::to_string(numbers.size()) + " for " +
           std::to_string(a.size() - 2) + " slots");
  for (std::size_t d = 0; d < numbers.size(); ++d) slot(a, 1, a.integer(d + 2)) = numbers[d];
  return {};
}

VmValue load_shape(const Arguments& a) {
  ShapeNumbers shape;
  for (std::size_t d = 1; d < a.size(); ++d) shape.numbers.push_back(slot(a, 0, a.integer(d)));
  return shape;
}

DimCode code_at(const Arguments& a, std::size_t at) { return DimCode(a.integer(at)); }

// The number that a code and a value mean: a value, or that of a slot.
std::int64_t number(const Arguments& a, std::size_t heap, std::size_t at) {
  const DimCode code = code_at(a, at);
  const std::int64_t value = a.integer(at + 1);
  if (code != DimCode::value && code != DimCode::slot)
    a.fail("there is no code " + std::to_string(a.integer(at)));
  return code == DimCode::value ? value : slot(a, heap, value);
}

VmValue make_shape(const Arguments& a) {
  ShapeNumbers shape;
  for (std::size_t at = 1; at < a.size(); at += 2) shape.numbers.push_back(number(a, 0, at));
  return shape;
}

// ---- numbers that are computed ----

using Numbers = std::vector<std::int64_t>;

__int128 floor_of_quotient(__int128 x, __int128 y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
}

// Operation "k" of vm_operations on the last numbers, which its result replaces.
void apply(const Arguments& a, std::int64_t k, Numbers& stack) {
  constexpr std::int64_t first_unary = 7, count = std::size(vm_operations);
  if (k < 0 || k >= count) a.fail("there is no operation " + std::to_string(k));
  if (stack.size() < (k < first_unary ? 2 : 1)) a.fail("an operation has no operand");
  const __int128 y = stack.back();
  if (k < first_unary) stack.pop_back();
  const __int128 x = stack.back();
  const __int128 quotient = k == 3 || k == 4 ? (y == 0 ? 0 : floor_of_quotient(x, y)) : 0;
  const __int128 results[] = {
      x + y,          x - y,          x * y, quotient,      y == 0 ? 0 : x - quotient * y,
      std::min(x, y), std::max(x, y), -x,    x < 0 ? -x : x};
  const __int128 result = results[k];
  if (result != std::int64_t(result)) a.fail("an extent is beyond 64 bits");
  stack.back() = std::int64_t(result);
}

VmValue compute_shape(const Arguments& a) {
  Numbers stack;
  for (std::size_t at = 1; at + 1 < a.size(); at += 2) {
    const DimCode code = code_at(a, at);
    const std::int64_t value = a.integer(at + 1);
    if (code == DimCode::operation) {
      apply(a, value, stack);
    } else if (code == DimCode::store) {
      if (stack.empty()) a.fail("nothing has been computed for a slot");
      slot(a, 0, value) = stack.back();
      stack.pop_back();
    } else {
      stack.push_back(number(a, 0, at));
    }
  }
  return {};
}

VmValue size_in_bytes(const Arguments& a) {
  std::int64_t bytes = a.integer(1);
  for (const std::int64_t extent : a.shape(0))
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes))
      a.fail("no array has these extents");
  return ShapeNumbers{{bytes}};
}

// A shape of the arena's size and of the arrays' offsets.
VmValue plan_arena(const Arguments& a) {
  const Numbers &sizes = a.shape(0), &lives = a.shape(1);
  if (lives.size() != 2 * sizes.size()) a.fail("an array has a first and a last use");
  std::vector<ArenaArray> arrays;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    arrays.push_back({sizes[k], lives[2 * k], lives[2 * k + 1]});
  Arena arena = arena_of(arrays);
  arena.offsets.insert(arena.offsets.begin(), arena.bytes);
  return ShapeNumbers{std::move(arena.offsets)};
}

// ---- checks ----

std::string counted(std::int64_t count, const char* what) {
  return std::to_string(count) + " " + what;
}

void require_rank(const Arguments& a, const Numbers& numbers, std::int64_t rank) {
  if (rank >= 0 && rank != std::int64_t(numbers.size()))
    a.fail(counted(std::int64_t(numbers.size()), "dimensions are given, and ") +
           std::to_string(rank) + " are expected");
}

[[noreturn]] void wrong_kind(const Arguments& a, const char* wanted) {
  a.fail(std::string("it is ") + a[0].kind() + ", and " + wanted + " is expected");
}

VmValue check_tensor(const Arguments& given) {
  const Arguments a = given.about(3);
  if (!a[0].array() || !a[0].array()->defined()) wrong_kind(a, "an array");
  require_rank(a, a.array(0).extents(), a.integer(1));
  if (!a.text(2).empty() && !is_same_type(type_named(a, a.text(2)), a.array(0).type()))
    a.fail("its elements are " + name_of(a.array(0).type()) + ", and " + a.text(2) +
           " is expected");
  return {};
}

VmValue check_shape(const Arguments& given) {
  const Arguments a = given.about(2);
  if (!a[0].shape()) wrong_kind(a, "a shape");
  require_rank(a, a.shape(0), a.integer(1));
  return {};
}

VmValue check_tuple(const Arguments& given) {
  const Arguments a = given.about(2);
  if (!a[0].fields()) wrong_kind(a, "a tuple");
  if (std::int64_t(a[0].fields()->size()) != a.integer(1))
    a.fail(counted(std::int64_t(a[0].fields()->size()), "fields are given, and ") +
           std::to_string(a.integer(1)) + " are expected");
  return {};
}

VmValue check_nothing(const Arguments& given) {
  const Arguments a = given.about(1);
  if (!a[0].is_nothing()) wrong_kind(a, "nothing");
  return {};
}

void require_extent(const Arguments& a, std::size_t d, std::int64_t given, std::int64_t wanted) {
  if (given != wanted)
    a.fail("dimension " + std::to_string(d) + " is " + std::to_string(given) + ", and " +
           std::to_string(wanted) + " is expected");
}

VmValue check_extents(const Arguments& given) {
  const Arguments a = given.about(2);
  const Numbers &numbers = a.numbers(0), &wanted = a.shape(1);
  require_rank(a, numbers, std::int64_t(wanted.size()));
  for (std::size_t d = 0; d < numbers.size(); ++d) require_extent(a, d, numbers[d], wanted[d]);
  return {};
}

VmValue check_bound(const Arguments& given) {
  const Arguments a = given.about(2);
  if (a.integer(0) > a.integer(1))
    a.fail("it is " + std::to_string(a.integer(0)) + ", and its bound is " +
           std::to_string(a.integer(1)));
  return {};
}

VmValue match_shape(const Arguments& given) {
  const std::size_t end = given.size() - given.size() % 2;  // of the codes and values
  const Arguments a = given.about(end);
  const Numbers& numbers = a.numbers(0);
  require_rank(a, numbers, std::int64_t(end / 2 - 1));
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    const DimCode code = code_at(a, 2 * d + 2);
    const std::int64_t value = a.integer(2 * d + 3);
    if (code == DimCode::store)
      slot(a, 1, value) = numbers[d];
    else if (code != DimCode::nothing)
      require_extent(a, d, numbers[d], number(a, 1, 2 * d + 2));
  }
  return {};
}

// ---- shapes of values ----

VmValue shape_of(const Arguments& a) { return ShapeNumbers{a.array(0).extents()}; }

VmValue broadcast_shapes(const Arguments& a) {
  const auto &x = a.shape(0), &y = a.shape(1);
  Numbers made(std::max(x.size(), y.size()));
  for (std::size_t d = 0; d < made.size(); ++d) {
    const std::int64_t m = d < x.size() ? x[x.size() - 1 - d] : 1;
    const std::int64_t n = d < y.size() ? y[y.size() - 1 - d] : 1;
    if (m != n && m != 1 && n != 1)
      a.fail("extents " + std::to_string(m) + " and " + std::to_string(n) +
             " differ, and none is 1");
    made[made.size() - 1 - d] = m == 1 ? n : m;
  }
  return ShapeNumbers{made};
}

constexpr BuiltinRow rows_of_shapes[] = {
    {"vm.builtin.shape_of", shape_of, 1, 1},
    {"vm.builtin.alloc_shape_heap", alloc_shape_heap, 2, 2},
    {"vm.builtin.store_shape", store_shape, 2, any_number},
    {"vm.builtin.load_shape", load_shape, 1, any_number},
    {"vm.builtin.make_shape", make_shape, 1, any_number},
    {"vm.builtin.compute_shape", compute_shape, 1, any_number},
    {"vm.builtin.size_in_bytes", size_in_bytes, 2, 2},
    {"vm.builtin.match_shape", match_shape, 2, any_number},
    {"vm.builtin.check_tensor", check_tensor, 3, 4},
    {"vm.builtin.check_shape", check_shape, 2, 3},
    {"vm.builtin.check_tuple", check_tuple, 2, 3},
    {"vm.builtin.check_nothing", check_nothing, 1, 2},
    {"vm.builtin.check_extents", check_extents, 2, 3},
    {"vm.builtin.check_bound", check_bound, 2, 3},
    {"vm.builtin.plan_arena", plan_arena, 2, 2},
    {"vm.binary_broadcast_shape_infer", broadcast_shapes, 2, 2},
};

}  // namespace

std::span<const BuiltinRow> shape_builtins() { return rows_of_shapes; }

}  // namespace strata::graph
