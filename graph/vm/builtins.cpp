#include "graph/vm/builtins.h"

#include <any>
#include <mutex>

#include "graph/vm/element_type.h"
#include "graph/vm/machine.h"

namespace strata::graph {

namespace {

// The arguments of one call.
class Arguments {
 public:
  Arguments(const char* name, const std::vector<VmValue>& given) : name_(name), given_(given) {}

  std::size_t size() const { return given_.size(); }
  [[noreturn]] void fail(const std::string& why) const {
    throw VmError(std::string(name_) + ": " + why);
  }
  void require(std::size_t least, std::size_t greatest) const {
    if (size() < least || size() > greatest)
      fail("it takes " + std::to_string(least) + (greatest > least ? " or more" : "") +
           " arguments, and gets " + std::to_string(size()));
  }
  const VmValue& operator[](std::size_t k) const {
    if (k >= size()) fail("argument " + std::to_string(k) + " is missing");
    return given_[k];
  }
  const NDArray& array(std::size_t k) const {
    const NDArray* array = (*this)[k].array();
    if (!array || !array->defined()) wrong(k, "an array");
    return *array;
  }
  const std::vector<std::int64_t>& shape(std::size_t k) const {
    const ShapeNumbers* shape = (*this)[k].shape();
    if (!shape) wrong(k, "a shape");
    return shape->numbers;
  }
  std::int64_t integer(std::size_t k) const {
    const std::int64_t* integer = (*this)[k].integer();
    if (!integer) wrong(k, "an integer");
    return *integer;
  }
  const std::string& text(std::size_t k) const {
    const std::string* text = (*this)[k].text();
    if (!text) wrong(k, "a string");
    return *text;
  }
  std::vector<VmValue> from(std::size_t k) const {
    return {given_.begin() + std::ptrdiff_t(std::min(k, size())), given_.end()};
  }

 private:
  [[noreturn]] void wrong(std::size_t k, const char* wanted) const {
    fail("argument " + std::to_string(k) + " is " + (*this)[k].kind() + ", and not " + wanted);
  }

  const char* name_;
  const std::vector<VmValue>& given_;
};

constexpr std::size_t any_number = std::size_t(-1);

// ---- values ----

VmValue move(const Arguments& a) { return a[0]; }

VmValue copy(const Arguments& a) { return a[0].array() ? VmValue(a.array(0).copied()) : a[0]; }

VmValue kill(const Arguments&) { return {}; }

VmValue make_tuple(const Arguments& a) { return VmValue::tuple(a.from(0)); }

VmValue tuple_field(const Arguments& a) {
  const VmValue::Fields* fields = a[0].fields();
  const std::int64_t k = a.integer(1);
  if (!fields || k < 0 || k >= std::int64_t(fields->size()))
    a.fail(std::string(a[0].kind()) + " has no field " + std::to_string(k));
  return (*fields)[std::size_t(k)];
}

VmValue make_closure(const Arguments& a) {
  const auto* object = a[0].object();
  const auto* f = object ? std::any_cast<VmClosure>(object) : nullptr;
  if (!f) a.fail(std::string("argument 0 is ") + a[0].kind() + ", and not a function");
  VmClosure made = *f;
  for (const VmValue& value : a.from(1)) made.captured.push_back(value);
  return VmValue::object(std::move(made));
}

VmValue invoke_closure(const Arguments& a) { return machine_of(a[0]).invoke(a[1], a.from(2)); }

VmValue reshape(const Arguments& a) {
  try {
    return a.array(0).viewed(a.shape(1));
  } catch (const std::invalid_argument&) {
    a.fail("the shape has another number of elements than the array, " +
           std::to_string(a.array(0).size()));
  }
}

// ---- shapes ----

VmValue shape_of(const Arguments& a) { return ShapeNumbers{a.array(0).extents()}; }

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

VmValue match_shape(const Arguments& a) {
  const std::vector<std::int64_t>& numbers = a[0].shape() ? a.shape(0) : a.array(0).extents();
  if (a.size() != 2 * numbers.size() + 2)
    a.fail("rank " + std::to_string(numbers.size()) + " is given, and " +
           std::to_string((a.size() - 2) / 2) + " is expected");
  for (std::size_t d = 0; d < numbers.size(); ++d) {
    const std::int64_t code = a.integer(2 * d + 2), value = a.integer(2 * d + 3);
    const std::int64_t wanted = code == 0 ? value : code == 2 ? slot(a, 1, value) : numbers[d];
    if (code == 1) slot(a, 1, value) = numbers[d];
    if (code < 0 || code > 3) a.fail("there is no code " + std::to_string(code));
    if (wanted != numbers[d])
      a.fail("dimension " + std::to_string(d) + " is " + std::to_string(numbers[d]) + ", and " +
             std::to_string(wanted) + " is expected");
  }
  return {};
}

VmValue broadcast_shapes(const Arguments& a) {
  const auto &x = a.shape(0), &y = a.shape(1);
  std::vector<std::int64_t> made(std::max(x.size(), y.size()));
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

// ---- arrays ----

strata_type type_named(const Arguments& a, const std::string& name) {
  const auto found = find_element_type(name);
  if (!found) a.fail("there is no element type \"" + name + "\"");
  return *found;
}

VmValue check_tensor(const Arguments& a) {
  const NDArray& array = a.array(0);
  if (const std::int64_t rank = a.integer(1); rank >= 0 && rank != array.rank())
    a.fail("rank " + std::to_string(array.rank()) + " is given, and " + std::to_string(rank) +
           " is expected");
  if (!a.text(2).empty() && !is_same_type(type_named(a, a.text(2)), array.type()))
    a.fail("elements of another type are given than " + a.text(2));
  return {};
}

VmValue alloc_storage(const Arguments& a) {
  machine_of(a[0]);
  const std::int64_t bytes = a[1].shape() && a.shape(1).size() == 1 ? a.shape(1)[0] : a.integer(1);
  if (bytes < 0) a.fail("a storage has 0 bytes or more");
  if (a.text(2) != "cpu") a.fail("there is no device \"" + a.text(2) + "\"");
  type_named(a, a.text(3));
  return NDArray(strata_uint(8), {bytes});
}

VmValue alloc_tensor(const Arguments& a) {
  const NDArray& storage = a.array(0);
  const std::int64_t offset = a.integer(1);
  const strata_type type = type_named(a, a.text(3));
  if (offset < 0 || std::size_t(offset) > storage.bytes())
    a.fail("offset " + std::to_string(offset) + " is not in a storage of " +
           std::to_string(storage.bytes()) + " bytes");
  try {
    const NDArray array =
        NDArray::around(type, a.shape(2), storage.raw() + offset, storage.memory());
    if (array.bytes() > storage.bytes() - std::size_t(offset))
      a.fail(std::to_string(array.bytes()) + " bytes at " + std::to_string(offset) +
             " are not in a storage of " + std::to_string(storage.bytes()));
    return array;
  } catch (const std::length_error&) {
    a.fail("no array has these extents");
  }
}

struct Row {
  const char* name;
  VmValue (*function)(const Arguments&);
  std::size_t least, greatest;
};

constexpr Row rows[] = {
    {"vm.builtin.move", move, 1, 1},
    {"vm.builtin.copy", copy, 1, 1},
    {"vm.builtin.kill", kill, 1, 1},
    {"vm.builtin.make_tuple", make_tuple, 0, any_number},
    {"vm.builtin.tuple_field", tuple_field, 2, 2},
    {"vm.builtin.reshape", reshape, 2, 2},
    {"vm.builtin.make_closure", make_closure, 1, any_number},
    {"vm.builtin.invoke_closure", invoke_closure, 2, any_number},
    {"vm.builtin.shape_of", shape_of, 1, 1},
    {"vm.builtin.alloc_shape_heap", alloc_shape_heap, 2, 2},
    {"vm.builtin.store_shape", store_shape, 2, any_number},
    {"vm.builtin.load_shape", load_shape, 1, any_number},
    {"vm.builtin.match_shape", match_shape, 2, any_number},
    {"vm.builtin.check_tensor", check_tensor, 3, 3},
    {"vm.builtin.alloc_storage", alloc_storage, 4, 4},
    {"vm.builtin.alloc_tensor", alloc_tensor, 4, 4},
    {"vm.binary_broadcast_shape_infer", broadcast_shapes, 2, 2},
};

}  // namespace

void register_builtins() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const Row& row : rows)
      register_packed(row.name, [row](const std::vector<VmValue>& given) {
        const Arguments arguments(row.name, given);
        arguments.require(row.least, row.greatest);
        return row.function(arguments);
      });
  });
}

}  // namespace strata::graph
