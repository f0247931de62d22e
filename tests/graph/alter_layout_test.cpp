// AlterOpLayout: which tensors it stores by which layouts, and that programs compute the same then.
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::alter_layout_test {

using namespace strata::graph;

Alteration wants(const std::string& callee, const WantedLayouts& layouts, int level = 10) {
  return {callee, [layouts](const OperatorCall&, const ValueType&) { return layouts; }, level};
}
Alteration conv_to(const std::string& data, const std::string& weights = "") {
  return wants("conv2d", {{data, weights}, {data}});
}

// A function of one dataflow block, whose last binding is %y.
Module module_of(const std::string& parameters, const std::string& bindings) {
  return checked(parse_module("def @main(" + parameters +
                              ") -> Tensor[_, float32] {\n  dataflow {\n" + bindings +
                              "    output %y\n  }\n  %y\n}\n"));
}

std::string body_of(const Module& module) {
  std::string text = text_of(*module.function("main"));
  text.erase(0, text.find("dataflow {\n") + 11);
  return text.substr(0, text.find("    output"));
}

std::vector<VmValue> arguments_of(const Module& module) {
  std::vector<VmValue> arguments;
  for (const graph::Value& parameter : module.function("main")->parameters) {
    std::vector<std::int64_t> extents;
    for (const Expr& dim : *parameter.type().dims()) extents.push_back(*value_of(dim, {{"n", 2}}));
    arguments.emplace_back(counted(extents, 5 + int(arguments.size())));
  }
  return arguments;
}

void require_same(const Module& a, const Module& b, RunBy by, RunBy expected = RunBy::interpreter) {
  const NDArray x = *run(a, "main", arguments_of(a), expected).array();
  const NDArray y = *run(b, "main", arguments_of(a), by).array();
  REQUIRE(x.extents() == y.extents());
  for (std::size_t p = 0; p < x.size(); ++p)
    REQUIRE(x.data<float>()[p] == Approx(y.data<float>()[p]).epsilon(1e-5));
}

// The result of the pass, which verifies, is the same when it runs again, and computes the same.
Module altered(const Module& module, const std::vector<Alteration>& alterations,
               RunBy by = RunBy::interpreter) {
  const Pass pass = alter_op_layout(alterations);
  const std::string before = text_of(module);
  const Module made = checked(pass(module));
  CHECK(text_of(module) == before);
  CHECK(text_of(pass(made)) == text_of(made));
  require_same(module, made, by);
  return made;
}

const std::string conv_parameters =
    "%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(8, 8, 3, 3), float32]";

TEST_CASE("example E: eleven statements, four of them transforms", "[graph]") {
  GraphBuilder b;
  const graph::Value x = variable("x", f32_tensor({1, 64, 56, 56}));
  const graph::Value weight = variable("weight", f32_tensor({64, 64, 3, 3}));
  const graph::Value c = counted({1, 64, 54, 54}, 5);
  b.function("main", {x, weight}, [&] {
    graph::Value result;
    b.dataflow([&] {
      const graph::Value conv = b.emit(call("conv2d", {x, weight}));
      graph::Value y = b.emit(call("add", {c, c}));
      y = b.emit(call("multiply", {y, NDArray::scalar(2.0f)}));
      y = b.emit(call("add", {conv, y}));
      const graph::Value z = b.emit(call("add", {y, c})), z1 = b.emit(call("add", {y, c}));
      result = b.emit_output(call("add", {z, z1}));
    });
    b.emit_function_output(result);
  });
  const Module module = checked(b.module());
  Module made;
  within({.opt_level = 3},
         [&] { made = sequential({alter_op_layout({conv_to("NCHW16c")})})(module); });
  CHECK(body_of(checked(made)) == R"(    %lv0 = layout_transform(%x, from="NCHW", to="NCHW16c")
    %lv6 = conv2d(%lv0, %weight) layouts (NCHW16c, _) -> (NCHW16c)
    %lv1 = add(const[0], const[0])
    %lv2 = multiply(%lv1, 2.0f32)
    %lv7 = layout_transform(%lv2, from="NCHW", to="NCHW16c")
    %lv8 = add(%lv6, %lv7) layouts (NCHW16c, NCHW16c) -> (NCHW16c)
    %lv9 = layout_transform(const[0], from="NCHW", to="NCHW16c")
    %lv10 = add(%lv8, %lv9) layouts (NCHW16c, NCHW16c) -> (NCHW16c)
    %lv11 = add(%lv8, %lv9) layouts (NCHW16c, NCHW16c) -> (NCHW16c)
    %lv12 = add(%lv10, %lv11) layouts (NCHW16c, NCHW16c) -> (NCHW16c)
    %gv = layout_transform(%lv12, from="NCHW16c", to="NCHW")
)");
  CHECK(text_of(alter_op_layout({conv_to("NCHW16c")})(made)) == text_of(made));
  require_same(module, made, RunBy::kernels, RunBy::kernels);
}

TEST_CASE("a bias, a pool, and back before flatten", "[graph]") {
  const Module module = module_of(
      "%x: Tensor[(1, 64, 8, 8), float32], %b: Tensor[(64), float32], "
      "%w: Tensor[(64, 64, 3, 3), float32]",
      R"(    %c = conv2d(%x, %w, padding=[1, 1])
    %d = bias_add(%c, %b, axis=1)
    %e = relu(%d)
    %f = max_pool2d(%e, window=[2, 2], strides=[2, 2])
    %y = batch_flatten(%f)
)");
  CHECK(body_of(altered(module, {conv_to("NCHW16c", "OIHW16i16o")}, RunBy::kernels)) ==
        R"(    %lv0 = layout_transform(%x, from="NCHW", to="NCHW16c")
    %lv1 = layout_transform(%w, from="OIHW", to="OIHW16i16o")
    %lv2 = conv2d(%lv0, %lv1, padding=[1, 1]) layouts (NCHW16c, OIHW16i16o) -> (NCHW16c)
    %lv3 = expand_dims(%b, axis=0, count=1)
    %lv4 = expand_dims(%lv3, axis=2, count=2)
    %lv5 = layout_transform(%lv4, from="NCHW", to="NCHW16c")
    %lv6 = add(%lv2, %lv5) layouts (NCHW16c, NCHW16c) -> (NCHW16c)
    %lv7 = relu(%lv6) layouts (NCHW16c) -> (NCHW16c)
    %lv8 = max_pool2d(%lv7, window=[2, 2], strides=[2, 2]) layouts (NCHW16c) -> (NCHW16c)
    %f = layout_transform(%lv8, from="NCHW16c", to="NCHW")
    %y = batch_flatten(%f)
)");
}

TEST_CASE("alterations that want nothing, and levels", "[graph]") {
  const Module module = module_of(conv_parameters, "    %c = conv2d(%x, %w)\n    %y = relu(%c)\n");
  const Alteration nothing{
      "conv2d",
      [](const OperatorCall&, const ValueType&) { return std::optional<WantedLayouts>(); }, 30};
  CHECK(text_of(altered(module, {})) == text_of(module));
  CHECK(text_of(altered(module, {nothing})) == text_of(module));
  CHECK(text_of(altered(module, {wants("conv2d", {{"NCHW", "_"}, {""}})})) == text_of(module));
  CHECK(text_of(altered(module, {wants("conv2d", {})})) == text_of(module));
  const Alteration low = wants("conv2d", {{"NCHW2c"}, {}}, 5), high = conv_to("NCHW4c");
  const std::string wanted = body_of(altered(module, {high}));
  CHECK(wanted.find("NCHW4c") != std::string::npos);
  CHECK(body_of(altered(module, {low, nothing, high})) == wanted);
  CHECK(body_of(altered(module, {high, low})) == wanted);
}

// How many bindings are layout_transforms.
int transforms(const Module& module) {
  int count = 0;
  const std::string text = text_of(module);
  for (auto at = text.find("layout_transform("); at != text.npos;
       at = text.find("layout_transform(", at + 1))
    ++count;
  return count;
}

TEST_CASE("what bears a layout, and what does not", "[graph]") {
  // Transforms: of x, back, and of other operands.
  const auto count = [](const std::string& rest, const std::string& data = "NCHW4c") {
    const Module module =
        module_of(conv_parameters +
                      ", %p: Tensor[(4, 1, 1), float32], %q: Tensor[(1, 1, 4, 4), float32], "
                      "%r: Tensor[(2, 8, 4, 4), float32], %s: Tensor[(2, 1, 8, 4, 4), float32], "
                      "%t: Tensor[(8), float32], %u: Tensor[(8, 1, 1), float32], %v: Tensor[(1, 6, "
                      "4, 4), float32]",
                  "    %c = conv2d(%x, %w)\n" + rest);
    return transforms(altered(module, {conv_to(data)}));
  };
  CHECK(count("    %y = relu(%c)\n") == 2);
  CHECK(count("    %y = add(%c, 2.0f32)\n") == 2);
  CHECK(count("    %y = add(%u, %c)\n") == 3);
  CHECK(count("    %y = subtract(%q, %c)\n") == 3);  // NCHW1c
  CHECK(count("    %y = add(%r, %c)\n") == 3);       // of a smaller extent of n
  CHECK(count("    %y = add(%s, %c)\n") == 2);       // of another rank: back before
  CHECK(count("    %y = softmax(%c, axis=3)\n") == 2);
  CHECK(count("    %a = softmax(%c, axis=1)\n    %y = relu(%a)\n") == 2);
  CHECK(count("    %a = exp(%c)\n    %y = add(%a, %a)\n") == 2);
  CHECK(count("    %a = global_avg_pool2d(%c)\n    %y = add(%a, %u)\n") == 3);
  CHECK(count("    %a = flatten(%c)\n    %b = relu(%c)\n    %e = flatten(%b)\n"
              "    %y = add(%a, %e)\n") == 3);
  CHECK(count("    %a = flatten(%c)\n    %b = flatten(%c)\n    %y = add(%a, %b)\n") == 2);
  CHECK(count("    %a = conv2d(%c, %w)\n    %y = relu(%a)\n") == 2);  // no transform between
  CHECK(count("    %a = concatenate((%c, %c), axis=1)\n    %y = relu(%a)\n") == 2);
  CHECK(count("    %a = concatenate((%v, %c), axis=1)\n    %y = relu(%a)\n") == 2);  // 6: no block
  CHECK(count("    %a = strided_slice(%c, begin=[0, 4], end=[1, 8])\n    %y = relu(%a)\n") == 2);
  CHECK(count("    %a = transpose(%c, axes=[0, 1, 3, 2])\n    %y = relu(%a)\n") == 2);
  // NHWC: what is decided by one index each is borne, too.
  CHECK(count("    %a = max_pool2d(%c, window=[2, 2])\n    %y = relu(%a)\n", "NHWC") == 2);
  CHECK(count("    %y = bias_add(%c, %t, axis=1)\n", "NHWC") == 3);
  CHECK(count("    %y = softmax(%c, axis=1)\n", "NHWC") == 2);
}

TEST_CASE("what a packed function may write to stays where it is", "[graph]") {
  const Module module = checked(parse_module(R"(
def @main(%x: Tensor[(2, 4), float32]) -> Tensor[_, float32] {
  dataflow {
    %a = squeeze(%x)
    output %a
  }
  %b = call_packed("fill", (%a))
  %x
})"));
  const Module made = alter_op_layout({wants("squeeze", {{"NC4c"}, {"NC2c"}})})(module);
  CHECK(text_of(made) == text_of(module));
}

// ---- random programs ----

// Convolutions and what may stand between them.
class RandomNet {
 public:
  explicit RandomNet(unsigned seed) : random_(seed) {}

  Module module() {
    GraphBuilder b;
    const graph::Value x = variable("x", f32_tensor({Param("n"), 4, 4, 4}));
    const graph::Value bias = variable("b", f32_tensor({4}));
    const graph::Value weights = variable("w", f32_tensor({4, 4, 3, 3}));
    b.function("main", {x, bias, weights}, [&] {
      Values seen{x};
      for (int blocks = 1 + below(2); blocks > 0; --blocks) {
        Values outputs;
        b.dataflow([&] {
          Values inside = seen;
          for (int bindings = 2 + below(7); bindings > 0; --bindings) {
            const graph::Value value = drawn(inside, bias, weights);
            const bool is_output = bindings == 1 || below(4) == 0;
            inside.push_back(is_output ? b.emit_output(value) : b.emit(value));
            if (is_output) outputs.push_back(inside.back());
          }
        });
        seen.insert(seen.end(), outputs.begin(), outputs.end());
      }
      b.emit_function_output(seen.back());
    });
    return b.module();
  }

  std::vector<Alteration> alterations() {
    const std::vector<std::string> data{"NCHW2c", "NCHW4c", "NCHW2h", "NHWC", "CHWN2c", "NCHW8c"};
    const std::vector<std::string> kernels{"OIHW2i4o", "HWIO", "", "OIHW8o"};
    const auto any = [&](const auto& list) { return list[std::size_t(below(int(list.size())))]; };
    return {wants("conv2d", {{any(data), any(kernels)}, {any(data)}}),
            wants("max_pool2d", {{any(data)}, {any(data)}}),
            wants("multiply", {{any(data), any(data)}, {any(data)}})};
  }

 private:
  int below(int bound) { return int(random_() % unsigned(bound)); }

  // A call of type (n, 4, 4, 4).
  graph::Value drawn(const Values& seen, const graph::Value& bias, const graph::Value& weights) {
    const auto any = [&] { return seen[std::size_t(below(int(seen.size())))]; };
    const graph::Value last = below(2) ? seen.back() : any();
    const Attributes same = attributes_in("padding=[1, 1]");
    switch (below(13)) {
      case 0:
      case 1:
        return call("conv2d", {last, below(3) ? weights : graph::Value(counted({4, 4, 3, 3}, 3))},
                    same);
      case 2: return call("bias_add", {last, bias}, attributes_in("axis=1"));
      case 3: return call("relu", {last});
      case 4: return call("max_pool2d", {last}, attributes_in("window=[3, 3], padding=[1, 1]"));
      case 5: return call("softmax", {last}, attributes_in(below(2) ? "axis=1" : "axis=3"));
      case 6: return call("multiply", {last, counted({1, 4, 4, 4}, 3)});
      case 7: return call("subtract", {counted({below(2) ? 4 : 1, 1, 1}, 5), last});
      case 8: return call("add", {last, call("global_avg_pool2d", {any()})});
      case 9: return call("where", {call("less", {last, any()}), any(), NDArray::scalar(1.0f)});
      case 10:
        return call(
            "concatenate",
            {tuple_value(
                {call("strided_slice", {last}, attributes_in("begin=[0], end=[2], axes=[1]")),
                 call("strided_slice", {any()}, attributes_in("begin=[2], end=[4], axes=[1]"))})},
            attributes_in("axis=1"));
      case 11: return call("transpose", {last}, attributes_in("axes=[0, 1, 3, 2]"));
      default: return call("add", {last, any()});
    }
  }

  std::mt19937 random_;
};

TEST_CASE("1000 random programs compute the same when their layouts are altered", "[graph]") {
  int packed = 0, changed = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    RandomNet net(seed);
    const Module module = checked(net.module());
    INFO("seed " << seed << "\n" << text_of(module));
    const Module made = altered(module, net.alterations());
    changed += text_of(made) != text_of(module);
    packed += transforms(made);
    require_same(module, fold_constant()(made), RunBy::interpreter);
  }
  CHECK(changed > 700);
  CHECK(packed > 2000);
}

TEST_CASE("weights are packed once, when the program is compiled", "[graph]") {
  GraphBuilder b;
  const graph::Value x = variable("x", f32_tensor({1, 4, 6, 6}));
  const graph::Value weights = counted({8, 4, 3, 3}, 7);
  b.function("main", {x}, [&] {
    graph::Value y;
    b.dataflow([&] { y = b.emit_output(call("conv2d", {x, weights})); });
    b.emit_function_output(y);
  });
  const Module module = b.module();
  const Module made = altered(module, {conv_to("NCHW4c", "OIHW4i8o")});
  CHECK(transforms(made) == 3);
  const Module folded = checked(fold_constant()(made));
  CHECK(transforms(folded) == 2);
  const NDArray kernel = constants_of(folded)[0];
  REQUIRE(kernel.extents() == std::vector<std::int64_t>{1, 1, 3, 3, 4, 8});
  const NDArray given = counted({8, 4, 3, 3}, 7);
  for (std::size_t o = 0; o < 8; ++o)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t p = 0; p < 9; ++p)
        REQUIRE(kernel.data<float>()[(p * 4 + i) * 8 + o] ==
                given.data<float>()[(o * 4 + i) * 9 + p]);
  require_same(module, folded, RunBy::kernels);
}

TEST_CASE("layouts are altered in linear time", "[graph]") {
  GraphBuilder b;
  const graph::Value x = variable("x", f32_tensor({Param("n"), 4}));
  b.function("main", {x}, [&] {
    graph::Value last = x;
    b.dataflow([&] {
      for (int k = 0; k < 50000; ++k) {
        last = b.emit(call("relu", {last}));
        last = b.emit(call("add", {last, x}));
      }
      last = b.emit_output(call("exp", {last}));
    });
    b.emit_function_output(last);
  });
  const Module made = alter_op_layout({wants("relu", {{"NC4c"}, {"NC4c"}})})(b.module());
  CHECK(made.function("main")->body.blocks[0].bindings.size() == 100003);
  verify(made);
}

}  // namespace strata::test::alter_layout_test
