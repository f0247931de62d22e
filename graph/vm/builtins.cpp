#include "graph/vm/builtins.h"

#include <any>

#include "graph/vm/builtin_arguments.h"
#include "graph/vm/machine.h"

namespace strata::graph {

namespace {

// ---- values ----

VmValue move(const Arguments& a) { return a[0]; }

VmValue copy(const Arguments& a) { return a[0].array() ? VmValue(a.array(0).copied()) : a[0]; }

VmValue kill(const Arguments&) { return {}; }

VmValue make_tuple(const Arguments& a) { return VmValue::tuple(a.from(0)); }

// Of a shape it is an integer.
VmValue tuple_field(const Arguments& a) {
  const VmValue::Fields* fields = a[0].fields();
  const std::int64_t k = a.integer(1);
  if (a[0].shape() && k >= 0 && k < std::int64_t(a.shape(0).size()))
    return a.shape(0)[std::size_t(k)];
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

// ---- arrays ----

VmValue alloc_storage(const Arguments& a) {
  machine_of(a[0]);
  const std::int64_t bytes = a.integer(1);
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

constexpr BuiltinRow rows[] = {
    {"vm.builtin.move", move, 1, 1},
    {"vm.builtin.copy", copy, 1, 1},
    {"vm.builtin.kill", kill, 1, 1},
    {"vm.builtin.make_tuple", make_tuple, 0, any_number},
    {"vm.builtin.tuple_field", tuple_field, 2, 2},
    {"vm.builtin.reshape", reshape, 2, 2},
    {"vm.builtin.make_closure", make_closure, 1, any_number},
    {"vm.builtin.invoke_closure", invoke_closure, 2, any_number},
    {"vm.builtin.alloc_storage", alloc_storage, 4, 4},
    {"vm.builtin.alloc_tensor", alloc_tensor, 4, 4},
};

}  // namespace

std::vector<std::pair<std::string, PackedFunction>> builtins() {
  std::vector<std::pair<std::string, PackedFunction>> all;
  for (const auto& table : {std::span<const BuiltinRow>(rows), shape_builtins()})
    for (const BuiltinRow& row : table)
      all.emplace_back(row.name, [row](const std::vector<VmValue>& given) {
        const Arguments arguments(row.name, given);
        arguments.require(row.least, row.greatest);
        return row.function(arguments);
      });
  return all;
}

}  // namespace strata::graph
