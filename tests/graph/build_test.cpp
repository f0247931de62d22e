// Modules built for the machine: what they compute, and what they refuse.
#include <algorithm>

#include "tests/graph/programs.h"

namespace strata::test::build_test {

using namespace strata::graph;

using Extents = std::vector<std::int64_t>;

// The machine's refusal.
std::string refusal(const CompiledModule& model, const std::vector<VmValue>& given) {
  const VirtualMachine vm(model.executable, model.kernels);
  try {
    vm("main", given);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST_CASE("a chain of operators is built for all extents", "[graph][build]") {
  const Module module = parsed(R"(
def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m * n), float32] {
  dataflow {
    %lv = exp(%x)
    %lv1 = flatten(%lv)
    %lv2 = softmax(%lv1)
    %gv = add(%lv2, 1.0f32)
    output %gv
  }
  %gv
})");
  for (const Extents& extents : {Extents{3, 5}, {1, 1}, {0, 4}})
    built(module, "main", {counted(extents, 5)});
}

TEST_CASE("functions, recursion and branches are built", "[graph][build]") {
  const Module module = parsed(R"(
def @power(%x: Tensor[(n), float32], %c: Tensor[(), float32]) -> Tensor[(n), float32] {
  %stop = less(%c, 1.0f32)
  %r = if (%stop) {
    %one = divide(%x, %x)
    %one
  } else {
    %less = subtract(%c, 1.0f32)
    %rest: Tensor[(n), float32] = @power(%x, %less)
    %p = multiply(%x, %rest)
    %p
  }
  %r
}
def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y = @power(%x, 3.0f32)
  %z = add(%y, %x)
  %z
})");
  const VmValue cubes = built(module, "main", {NDArray::of<float>({2}, {2, 3})});
  CHECK(cubes.array()->data<float>()[1] == 30);
}

TEST_CASE("tuples, constants and shapes go in and out", "[graph][build]") {
  const Module module = parsed(R"(
def @main(%t: (Tensor[(n), float32], (Tensor[(n, 4), float32], Shape[(k)]))) -> Object {
  dataflow {
    %x = %t[0]
    %rest = %t[1]
    %y = %rest[0]
    %gv = add(%y, const[0])
    %t1 = split(%gv, sections=2, axis=1)
    %a = %t1[0]
    %s = shape_of(%gv)
    output %x, %a, %s
  }
  %all = (%a, tuple(tuple(%x, 2.5f32), %s, shape(k + 1, 3)), const[0], "text")
  %all
}
const[0]: Tensor[(1), float32] = [0.5f32]
)");
  const NDArray x = counted({4}, 3), y = counted({4, 4}, 5);
  const VmValue given = VmValue::tuple({x, VmValue::tuple({y, VmValue(ShapeNumbers{{7}})})});
  const VmValue result = built(module, "main", {given});
  const auto& inner = *(*result.fields())[1].fields();
  CHECK(inner[2].shape()->numbers == Extents{8, 3});
  CHECK((*result.fields())[3].text()[0] == "text");
}

TEST_CASE("a program's constants do not change by what is done with a result", "[graph][build]") {
  const Module module = parsed(R"(
def @main(%x: Tensor[(2), float32]) -> Object {
  %a = const[0]
  %all = (%a, const[0])
  %all
}
const[0]: Tensor[(2), float32] = [1.0f32, 2.0f32]
)");
  const CompiledModule model = build(module);
  const VirtualMachine vm(model.executable, model.kernels);
  for (int call = 0; call < 2; ++call) {
    const VmValue result = vm("main", {counted({2}, 3)});
    for (const VmValue& field : *result.fields()) {
      CHECK(field.array()->data<float>()[0] == 1);
      field.array()->data<float>()[0] = 9;
    }
  }
}

TEST_CASE("views share the memory of what they are views of", "[graph][build]") {
  register_packed(
      "test.add_one",
      [](const std::vector<VmValue>& given) {
        for (std::size_t p = 0; p < given[0].array()->size(); ++p)
          given[0].array()->data<float>()[p] += 1;
        return VmValue();
      },
      true);
  const Module module = parsed(R"(
def @main(%x: Tensor[(n, m), float32]) -> Tensor[(n, m), float32] {
  dataflow {
    %flat = flatten(%x)
    output %flat
  }
  %nothing = call_packed("test.add_one", (%flat))
  %y = exp(%x)
  %y
})");
  const CompiledModule model = build(module);
  const NDArray x(strata_float(32), {2, 2});
  const VmValue y = VirtualMachine(model.executable, model.kernels)("main", {x});
  CHECK(x.data<float>()[3] == 1);
  CHECK(y.array()->data<float>()[3] == Approx(std::exp(1.0)));
}

TEST_CASE("what a program is given must fit", "[graph][build]") {
  const CompiledModule model = build(parsed(R"(
def @main(%x: Tensor[(n, k), float32], %w: Tensor[_, float32], %t: (Tensor[(k), int32], Shape)) -> Tensor[(n, 3), float32] {
  %known = match_shape(%w, (k, m))
  %y = matmul(%x, %known)
  %y
})"));
  const NDArray x = counted({2, 4}, 5), w = counted({4, 3}, 7), v(strata_int(32), {4});
  const VmValue t = VmValue::tuple({v, VmValue(ShapeNumbers{{1}})});
  CHECK(refusal(model, {x, w, t}) == "nothing was refused");
  CHECK(refusal(model, {x, counted({5, 3}, 2), t}) ==
        "@main: %w, Tensor[(k, m), float32]: dimension 0 is 5, and 4 is expected");
  CHECK(refusal(model, {x, counted({4, 2}, 2), t}) ==
        "@main: return, Tensor[(n, 3), float32]: dimension 1 is 2, and 3 is expected");
  CHECK(refusal(model, {counted({8}, 2), w, t}) ==
        "@main: %x, Tensor[(n, k), float32]: 1 dimensions are given, and 2 are expected");
  CHECK(refusal(model, {x, v, t}) ==
        "@main: %w, Tensor[_, float32]: its elements are int32, and float32 is expected");
  CHECK(refusal(model, {x, w, x}) ==
        "@main: %t, (Tensor[(k), int32], Shape): it is an array, and a tuple is expected");
  CHECK(refusal(model, {x, w, VmValue::tuple({v})}) ==
        "@main: %t, (Tensor[(k), int32], Shape): 1 fields are given, and 2 are expected");
  CHECK(refusal(model, {x, w, VmValue::tuple({NDArray(strata_int(32), {3}), ShapeNumbers{{1}}})}) ==
        "@main: field 0 of %t, Tensor[(k), int32]: dimension 0 is 3, and 4 is expected");
  CHECK(refusal(model, {x}) == "vm main takes 3 arguments, and gets 1");
}

TEST_CASE("a compound dim before its symbol is checked when the symbol is known",
          "[graph][build]") {
  const CompiledModule model = build(parsed(R"(
def @main(%x: Tensor[(2 * n + 1), float32], %y: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %z = exp(%y)
  %z
})"));
  CHECK(refusal(model, {counted({7}, 2), counted({3}, 2)}) == "nothing was refused");
  CHECK(refusal(model, {counted({8}, 2), counted({3}, 2)}) ==
        "@main: %x, Tensor[(2 * n + 1), float32]: dimension 0 is 8, and 7 is expected");
}

TEST_CASE("what an author states of a result is checked", "[graph][build]") {
  register_packed("test.same", [](const std::vector<VmValue>& given) { return given[0]; }, true);
  const CompiledModule model = build(parsed(R"(
def @main(%x: Tensor[_, float32]) -> Object {
  %y: Tensor[(_, _), float32] = call_packed("test.same", (%x))
  %y
})"));
  CHECK(refusal(model, {counted({3, 2}, 2)}) == "nothing was refused");
  CHECK(refusal(model, {counted({3}, 2)}).starts_with("@main: %y, Tensor["));
}

TEST_CASE("names that the machine would confuse are refused", "[graph][build]") {
  CHECK(why([] {
          build(parsed(R"(
def @main(%x: Object) -> Object {
  %y = call_packed("main", (%x))
  %y
})"));
        }) == "E0601 the packed function \"main\" has the name of a global of the module");
}

TEST_CASE("functions are values", "[graph][build]") {
  const Module module = parsed(R"(
def @scaled(%factor: Tensor[(), float32], %x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y = multiply(%factor, %x)
  %y
}
def @main(%x: Tensor[(n), float32]) -> Object {
  %f = call_packed("vm.builtin.make_closure", (@scaled, 3.0f32))
  %y = call_packed("vm.builtin.invoke_closure", (%f, %x))
  %y
})");
  const CompiledModule model = build(module);
  const VmValue y =
      VirtualMachine(model.executable, model.kernels)("main", {NDArray::of<float>({2}, {1, 2})});
  CHECK(y.array()->data<float>()[1] == 6);
}

}  // namespace strata::test::build_test
