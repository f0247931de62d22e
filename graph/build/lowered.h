// What lowered programs are made of.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "graph/ir/module.h"

namespace strata::graph {

namespace builtin {
constexpr const char* alloc_tensor = "builtin.alloc_tensor";  // (shape, type), without a storage
// As in vm/builtins.h, without the machine among the arguments; integers and codes are shapes.
constexpr const char *storage = "vm.builtin.alloc_storage", *tensor = "vm.builtin.alloc_tensor",
                     *kill = "vm.builtin.kill", *reshape = "vm.builtin.reshape",
                     *tuple_field = "vm.builtin.tuple_field",
                     *size_in_bytes = "vm.builtin.size_in_bytes",
                     *shape_heap = "vm.builtin.alloc_shape_heap",
                     *make_shape = "vm.builtin.make_shape",
                     *compute_shape = "vm.builtin.compute_shape",
                     *match_shape = "vm.builtin.match_shape",
                     *check_tensor = "vm.builtin.check_tensor",
                     *check_shape = "vm.builtin.check_shape",
                     *check_tuple = "vm.builtin.check_tuple",
                     *check_nothing = "vm.builtin.check_nothing",
                     *check_extents = "vm.builtin.check_extents",
                     *check_bound = "vm.builtin.check_bound", *plan_arena = "vm.builtin.plan_arena";
}  // namespace builtin

// The call, if the definition is one of this packed function; else null.
const PackedCall* packed_call(const Definition& definition, std::string_view name);
// A call of a built-in function. Its type is right by construction.
bool is_builtin_call(const Definition& definition);
// A call that writes to some of its arguments, and remembers none: a pure one that gives nothing.
bool writes_results(const Binding& b);

// A function with the attribute dispatched=true, whose body is one operator: a kernel for the types
// and extents of its arguments is made when it runs.
bool is_dispatched(const GraphFunction& function);
// Is it called by its name as a packed function, primitive or dispatched?
bool is_kernel(const GraphFunction& function);

// Upper bounds of symbols, which the function states by attributes: bound.n=20. E0601 if one is no
// integer of 0 or more, or no extent of a parameter is the symbol by itself.
SymbolValues bounds_of(const GraphFunction& function);

// The packed functions that a module calls.
std::set<std::string> packed_callees(const Module& module);

// An integer, and a list of them.
Value integer_value(std::int64_t value);
Value integers_value(const std::vector<std::int64_t>& values);
// The name of an element type, for the machine.
std::string element_name(Type type);
std::int64_t bytes_of(Type type);

// with_functions (builder/rewriter.h) for those that are not kernels.
Module with_lowered(const Module& module,
                    const std::function<std::optional<GraphFunction>(const GraphFunction&)>& f);

}  // namespace strata::graph
