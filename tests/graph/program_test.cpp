// Programs: what is built, printed, parsed and run. The programs are those of Relax's first
// design.
#include <bit>
#include <cmath>
#include <ctime>

#include "tests/graph/programs.h"

namespace strata::test::program_test {

using namespace strata::graph;

const Param n("n"), k("k"), m("m");

NDArray floats(std::vector<std::int64_t> extents, float first = 0) {
  NDArray array(strata_float(32), extents);
  for (std::size_t at = 0; at < array.size(); ++at) array.data<float>()[at] = first + 0.25f * at;
  return array;
}

float at(const VmValue& value, std::size_t position) {
  REQUIRE(value.array());
  return value.array()->data<float>()[position];
}

// Both ways of running agree, and the machine.
VmValue ran(const Module& module, const std::string& name, const std::vector<VmValue>& arguments) {
  const VmValue by_kernels = run(module, name, arguments);
  const VmValue by_interpreter = run(module, name, arguments, RunBy::interpreter);
  if (by_kernels.array()) {
    REQUIRE(by_kernels.array()->extents() == by_interpreter.array()->extents());
    for (std::size_t p = 0; p < by_kernels.array()->size(); ++p)
      CHECK(at(by_kernels, p) == Approx(at(by_interpreter, p)));
  }
  CHECK(is_close(built(module, name, arguments), by_interpreter));
  return by_kernels;
}

// x (n, k), w of unknown extents: a product, whose elements are changed in place.
Module module_with_a_packed_call() {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, k}));
  const Value w = variable("w", ValueType::tensor(std::nullopt, f32));
  b.function("main", {x, w}, [&] {
    Value exps;
    b.dataflow([&] {
      const Value known = b.match_shape(w, {k, m});
      const Value product = b.emit(call("matmul", {x, known}));
      exps = b.emit_output(call("exp", {call("flatten", {product})}));
    });
    b.emit(call_packed("test.increment", {exps}));
    b.emit_function_output(exps);
  });
  return b.module();
}

TEST_CASE("a program with match_shape and a packed call", "[graph]") {
  const Module module = checked(module_with_a_packed_call());
  CHECK(
      text_of(module) ==
      R"(def @main(%x: Tensor[(n, k), float32], %w: Tensor[_, float32]) -> Tensor[(m * n), float32] {
  dataflow {
    %lv = match_shape(%w, (k, m))
    %lv1 = matmul(%x, %lv)
    %lv2 = flatten(%lv1)
    %gv = exp(%lv2)
    output %gv
  }
  %gv1 = call_packed("test.increment", (%gv))
  %gv
}
)");
  register_packed(
      "test.increment",
      [](const std::vector<VmValue>& arguments) {
        for (std::size_t p = 0; p < arguments[0].array()->size(); ++p)
          arguments[0].array()->data<float>()[p] += 1;
        return VmValue();
      },
      true);
  const VmValue result = ran(module, "main", {floats({2, 3}), floats({3, 2})});
  CHECK(result.array()->extents() == std::vector<std::int64_t>{4});
  // x = (0 .25 .5; .75 1 1.25), w = (0 .25; .5 .75; 1 1.25)
  CHECK(at(result, 0) == Approx(1 + std::exp(0.125 + 0.5)));
  CHECK(at(result, 3) == Approx(1 + std::exp(0.75 * 0.25 + 0.75 + 1.25 * 1.25)));
  CHECK(why([&] { run(module, "main", {floats({2, 3}), floats({4, 2})}); }) ==
        "E0602 extent 0 of %w is 4, and k is 3");
  CHECK(why([&] { run(module, "main", {floats({2, 3}), floats({3})}); }) ==
        "E0602 %w has 1 dimensions, and Tensor[(k, m), _] has 2");
}

TEST_CASE("extents that a match defines follow from it", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", ValueType::tensor(2, f32));
  Value tensor, numbers;
  b.function("relax_func", {x}, [&] {
    Value sum;
    b.dataflow([&] {
      tensor = b.match_shape(x, {n, m});
      const Value twice = b.emit(call("add", {tensor, tensor}));
      sum = b.emit_output(call("multiply", {twice, NDArray::scalar(2.0f)}));
    });
    numbers = b.match_shape(b.emit(shape_of(sum)), {n, m});
    b.emit_function_output(b.emit(call("exp", {sum})));
  });
  const Module module = checked(b.module());
  CHECK(tensor.type().text() == "Tensor[(n, m), float32]");
  CHECK(numbers.type().text() == "Shape[(n, m)]");
  const auto& blocks = module.function("relax_func")->body.blocks;
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].is_dataflow);
  CHECK(blocks[0].bindings.size() == 3);
  CHECK(!blocks[1].is_dataflow);
  CHECK(at(ran(module, "relax_func", {floats({2, 2})}), 3) == Approx(std::exp(4 * 0.75)));
}

TEST_CASE("names, blocks and equal kernels of emit_te", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, m})), y = variable("y", f32_tensor({n, m}));
  const auto sum_of = [](const Tensor& a, const Tensor& b) {
    return compute(a.shape(), [&](const Indices& i) { return a(i) + b(i); });
  };
  Value lv, lv1, gv, gv1;
  b.function("func", {x, y}, [&] {
    b.dataflow([&] {
      lv = b.emit(call("add", {x, y}));
      lv1 = b.emit(call("multiply", {lv, y}));
      gv = b.emit_output(lv1);
    });
    gv1 = b.emit_te("te_func", sum_of, gv, y);
    const Value same = b.emit_te("te_func", sum_of, gv1, y);
    const Value other = b.emit_te(
        "te_func",
        [](const Tensor& a) {
          return compute(a.shape(), [&](const Indices& i) { return a(i) * 2.0f; });
        },
        same);
    b.emit_function_output(other);
  });
  CHECK(lv.name() == "lv");
  CHECK(lv1.name() == "lv1");
  CHECK(gv.name() == "gv");
  CHECK(gv1.name() == "gv1");
  const Module module = checked(b.module());
  CHECK(text_of(module) ==
        R"(kernel @te_func(gv: Tensor[(n, m), float32], y: Tensor[(n, m), float32]) {
  compute(i0, i1): Tensor[(n, m), float32] = gv[i0, i1] + y[i0, i1]
  return compute
}
kernel @te_func1(gv2: Tensor[(n, m), float32]) {
  compute(i0, i1): Tensor[(n, m), float32] = gv2[i0, i1] * 2.0f32
  return compute
}
def @func(%x: Tensor[(n, m), float32], %y: Tensor[(n, m), float32]) -> Tensor[(n, m), float32] {
  dataflow {
    %lv = add(%x, %y)
    %lv1 = multiply(%lv, %y)
    %gv = %lv1
    output %gv
  }
  %gv1 = call_kernel((n, m), @te_func, (%gv, %y))
  %gv2 = call_kernel((n, m), @te_func, (%gv1, %y))
  %gv3 = call_kernel((n, m), @te_func1, (%gv2))
  %gv3
}
)");
  const auto definition = b.lookup(lv);
  REQUIRE(definition);
  CHECK(std::get<OperatorCall>(*definition).callee == "add");
  CHECK(at(ran(module, "func", {floats({1, 2}, 1), floats({1, 2}, 3)}), 1) ==
        Approx(2 * ((1.25 + 3.25) * 3.25 + 2 * 3.25)));
}

TEST_CASE("kernels of what is abandoned go with it", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  const auto times = [](float factor) {
    return [factor](const Tensor& a) {
      return compute(a.shape(), [&](const Indices& i) { return a(i) * factor; });
    };
  };
  const auto abandoned = [&](const auto& act) { CHECK_THROWS_AS(act(), std::runtime_error); };
  b.function("main", {x}, [&] {
    const Value kept = b.emit_te("k", times(2), x);
    abandoned([&] {
      b.dataflow([&] {
        b.emit_te("k", times(3), b.emit_te("k", times(2), x));
        throw std::runtime_error("in a block");
      });
    });
    const auto side = [&]() -> Value {
      b.emit_te("k", times(4), x);
      b.begin_dataflow();
      b.emit_te("k", times(5), x);
      throw std::runtime_error("in a branch");
    };
    abandoned([&] { b.emit_branch(NDArray::scalar(true), side, side); });
    b.emit_function_output(b.emit_te("k", times(6), kept));
  });
  const Module module = checked(b.module());
  CHECK(module.globals().size() == 3);
  REQUIRE(module.kernel("k1"));
  CHECK(text_of(module).find("* 6.0f32") != std::string::npos);
}

TEST_CASE("a kernel of many operations of one name prints in linear time", "[graph]") {
  Tensor last = placeholder("x", f32, {n});
  const std::vector<Tensor> inputs{last};
  for (int k = 0; k < 5000; ++k)
    last = compute(last.shape(), [&](const Indices& i) { return last(i) + 1.0f; }, "y");
  Module module;
  module.set(tensor_kernel("k", inputs, {last}));
  const std::clock_t start = std::clock();
  const std::string text = text_of(module);
  CHECK(double(std::clock() - start) / CLOCKS_PER_SEC < 1);
  CHECK(text.find("  y_4999(i0): Tensor[(n), float32] = y_4998[i0] + 1.0f32\n") != text.npos);
}

TEST_CASE("a kernel gets symbols that are not extents of its arguments", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, m / 2 * 2}));
  const Value s = variable("s", ValueType::shape(Shape{m}));
  b.function("main", {x, s}, [&] {
    b.emit_function_output(b.emit_te(
        "rx_func",
        [](const Tensor& a) {
          return compute(a.shape(), [&](const Indices& i) { return a(i) + 1.0f; });
        },
        x));
  });
  const Module module = checked(b.module());
  CHECK(module.kernel("rx_func")->integers == std::vector<std::string>{"m"});
  const VmValue result = ran(module, "main", {floats({3, 4}), ShapeNumbers{{5}}});
  CHECK(result.array()->extents() == std::vector<std::int64_t>{3, 4});
  CHECK(at(result, 11) == 3.75f);
  CHECK(why([&] { run(module, "main", {floats({3, 4}), ShapeNumbers{{3}}}); }) ==
        "E0602 extent 1 of %x is 4, and 2 * (m / 2) is 2");
}

TEST_CASE("a note on a call is kept, and no operator sees it", "[graph]") {
  const char* const text = R"(def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
  %y = relu(%x, it.said="so", it.counts=[1, 2])
  %z = softmax(%y, axis=-1, it.said="more")
  %z
}
)";
  const Module module = checked(parse_module(text));
  CHECK(text_of(module) == text);
  CHECK(at(ran(module, "main", {NDArray::of<float>({2}, {-1, -2})}), 0) == 0.5f);
  const std::string said =
      why([] { parse_module("def @f(%x: Object) -> Object { %y = relu(%x, said=1) %y }"); });
  CHECK(said.starts_with("E0603 "));
  CHECK(said.ends_with("there is no attribute said"));
}

TEST_CASE("shapes are values", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, 2, 2}));
  b.function("shapes", {x}, [&] {
    Value flat, numbers;
    b.dataflow([&] {
      Attributes shape;
      shape.set("shape", Shape{n, 4});
      const Value rows = b.emit(call("reshape", {x}, shape));
      flat = b.emit_output(call("flatten", {rows}));
      numbers = b.emit_output(shape_value({n * 4}));
    });
    const Value doubled = b.emit(call_packed("test.shape", {numbers}, ValueType::shape(1)));
    const Value copied =
        b.emit(call_packed_kernel({doubled}, "test.spread", {flat}, {Type::float32}));
    CHECK(copied.type().text() == "Tensor[%gv2, float32]");
    const Value distinct = b.emit(call("unique", {copied}));
    CHECK(distinct.type().text() == "Tensor[(_), float32]");
    b.emit_function_output(b.emit(call("exp", {b.match_shape(distinct, {m})})));
  });
  const Module module = checked(b.module());
  register_packed(
      "test.shape",
      [](const std::vector<VmValue>& arguments) {
        return VmValue(ShapeNumbers{{arguments[0].shape()->numbers[0] * 2}});
      },
      true);
  // Each element twice.
  register_packed(
      "test.spread",
      [](const std::vector<VmValue>& arguments) {
        const NDArray &from = *arguments[0].array(), &to = *arguments[1].array();
        for (std::size_t p = 0; p < to.size(); ++p) to.data<float>()[p] = from.data<float>()[p / 2];
        return VmValue();
      },
      true);
  const VmValue result = ran(module, "shapes", {floats({1, 2, 2})});
  CHECK(result.array()->extents() == std::vector<std::int64_t>{4});
  CHECK(at(result, 3) == Approx(std::exp(0.75)));
}

TEST_CASE("arrays of any rank", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", ValueType::tensor(std::nullopt, std::nullopt));
  b.function("main", {x}, [&] {
    const Value logs = b.emit(call("log", {x}));
    CHECK(logs.type().text() == "Tensor[_, _]");
    const Value flat = b.match_shape(b.emit(call("flatten", {logs})), {m});
    b.emit_function_output(b.emit(call("exp", {flat})));
  });
  const Module module = checked(b.module());
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3}, {2, 0, 3}}) {
    const VmValue result = ran(module, "main", {floats(extents, 1)});
    CHECK(result.array()->size() == NDArray(strata_float(32), extents).size());
    for (std::size_t p = 0; p < result.array()->size(); ++p)
      CHECK(at(result, p) == Approx(1 + 0.25 * p));
  }
}

TEST_CASE("shapes that a function computes", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", ValueType::tensor(2, f32));
  b.function("foo", {x}, [&] {
    b.match_shape(x, {n, m});
    b.emit_function_output(shape_value({n * 2, m * 3}));
  });
  const Module module = checked(b.module());
  const VmValue result = ran(module, "foo", {floats({32, 16})});
  REQUIRE(result.shape());
  CHECK(result.shape()->numbers == std::vector<std::int64_t>{64, 48});
}

TEST_CASE("broadcasts of extents that may differ", "[graph]") {
  const auto type_of_sum = [](const Shape& a, const Shape& b) {
    const Value sum = call("add", {variable("x", f32_tensor(a)), variable("y", f32_tensor(b))});
    return derived(*sum.node()->as<Unbound>()->definition, Module(), {"test", {}}).text();
  };
  CHECK(type_of_sum({n, m}, {m}) == "Tensor[(n, m), float32]");
  CHECK(type_of_sum({n, 1, m}, {2, m}) == "Tensor[(n, 2, m), float32]");
  CHECK(type_of_sum({5}, {k}) == "Tensor[(_), float32]");
  CHECK(type_of_sum({n}, {k}) == "Tensor[(_), float32]");
  CHECK(why([&] { type_of_sum({4}, {5}); }) ==
        "E0602 (4) and (5) cannot be broadcast: extent -1 is 4 and 5");
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n})), y = variable("y", f32_tensor({k}));
  b.function("main", {x, y}, [&] { b.emit_function_output(b.emit(call("add", {x, y}))); });
  const Module module = checked(b.module());
  CHECK(at(ran(module, "main", {floats({3}), floats({1}, 5)}), 2) == 5.5f);
  CHECK(at(ran(module, "main", {floats({3}), floats({3}, 5)}), 2) == 6.0f);
  CHECK_THROWS_AS(run(module, "main", {floats({3}), floats({2})}), Error);
}

TEST_CASE("branches, recursion, tuples", "[graph]") {
  // pow(x, c) = c < 1 ? (1, c)[0] : x * pow(x, c - 1)
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n})), c = variable("c", f32_tensor({}));
  b.declare("power", {x, c}, f32_tensor({n}));
  b.function("power", {x, c}, [&] {
    const Value one = NDArray::scalar(1.0f);
    const Value result = b.emit_branch(
        call("less", {c, one}),
        [&] {
          const Value pair = b.emit(tuple_value({call("divide", {x, x}), c}));
          return b.emit(field(pair, 0));
        },
        [&] {
          const Value rest = b.emit(call_function("power", {x, call("subtract", {c, one})}));
          return b.emit(call("multiply", {x, rest}));
        });
    b.emit_function_output(result);
  });
  const Module module = checked(b.module());
  CHECK(at(ran(module, "power", {floats({2}, 3), NDArray::scalar(4.0f)}), 0) == 81);
  CHECK(why([&] { run(module, "power", {floats({2}), NDArray::scalar(5000.0f)}); }) ==
        "E0901 calls are nested more than 1000 deep");
}

TEST_CASE("a call of a function has the extents of its arguments", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, m}));
  b.function("flat", {x}, [&] { b.emit_function_output(b.emit(call("flatten", {x}))); });
  const Value y = variable("y", f32_tensor({k, 3}));
  Value called;
  b.function("main", {y}, [&] {
    called = b.emit(call_function("flat", {y}));
    b.emit_function_output(called);
  });
  CHECK(called.type().text() == "Tensor[(3 * k), float32]");
  const Module module = checked(b.module());
  CHECK(at(ran(module, "main", {floats({2, 3})}), 5) == 1.25f);
}

TEST_CASE("constants of every kind parse back", "[graph]") {
  GraphBuilder b;
  NDArray large(strata_int(32), {5, 7});
  for (int p = 0; p < 35; ++p) large.data<std::int32_t>()[p] = p * p;
  const float infinity = std::numeric_limits<float>::infinity();
  b.function("main", {}, [&] {
    const Value list = b.emit(tuple_value(
        {NDArray::scalar(-2.5f), NDArray::scalar(std::int64_t{-3}), NDArray::scalar(infinity),
         NDArray::scalar(-0.0), NDArray::scalar(true), shape_value({2, 3}), shape_value({}),
         tuple_value({}), tuple_value({NDArray::scalar(std::uint8_t{7})}), large,
         NDArray::of<double>({2}, {0.1, -1e300}), NDArray(strata_float(16), {0, 3})}));
    b.emit_function_output(list);
  });
  const Module module = checked(b.module());
  const VmValue result = run(module, "main", {});
  CHECK((*result.fields())[9].array()->data<std::int32_t>()[34] == 34 * 34);
  const std::string text = text_of(module);
  CHECK(why([&] { parse_module(text); }).starts_with("E0604 line "));
  large.data<std::int32_t>()[3] = 4;  // another array than the one that was printed
  CHECK(why([&] { parse_module(text, constants_of(module)); }).starts_with("E0604 line "));
}

TEST_CASE("the bits of a NaN survive the text", "[graph]") {
  const auto float_of = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
  GraphBuilder b;
  b.function("main", {}, [&] {
    b.emit_function_output(b.emit(
        tuple_value({NDArray::scalar(float_of(0x7fc00000)), NDArray::scalar(float_of(0xffc12345)),
                     NDArray::of<float>({2}, {1, float_of(0x7fc00001)}),
                     NDArray::of<float>({2}, {1, float_of(0x7fc00000)})})));
  });
  const Module module = checked(b.module());
  const std::string text = text_of(module);
  CHECK(text.find("(float32(nan_f32), const[0], const[1], const[2])") != text.npos);
  CHECK(text.find("const[2]: Tensor[(2), float32] = [1.0f32, nan_f32]") != text.npos);
  const Module parsed = parse_module(text, constants_of(module));
  const VmValue result = run(parsed, "main", {});
  CHECK(std::bit_cast<std::uint32_t>(result.fields()->at(1).array()->data<float>()[0]) ==
        0xffc12345);
  CHECK(std::bit_cast<std::uint32_t>(result.fields()->at(2).array()->data<float>()[1]) ==
        0x7fc00001);
}

TEST_CASE("types that follow where little is known", "[graph]") {
  const auto type_of_call = [](const std::string& name, const Values& arguments) {
    return derived(OperatorCall{name, arguments}, Module(), {"test", {}}).text();
  };
  const Value any = variable("any", ValueType::tensor(2, std::nullopt));
  const Value matrix = variable("matrix", ValueType::tensor(2, f32));
  const Value integers = variable("integers", ValueType::tensor({n, m}, i32));
  CHECK(type_of_call("add", {integers, any}) == "Tensor[(_, _), int32]");
  CHECK(type_of_call("bitwise_not", {any}) == "Tensor[(_, _), _]");
  CHECK(type_of_call("squeeze", {matrix}) == "Tensor[_, float32]");  // an extent may be 1
  CHECK(type_of_call("exp", {matrix}) == "Tensor[(_, _), float32]");
}

// Takes equal extents only.
Tensor ewise_add(const Tensor& x, const Tensor& y, const Where& where) {
  const Request request{"ewise_add", where};
  if (x.rank() != y.rank()) throw request.refused(Code::E0602_does_not_fit, "ranks differ");
  for (int d = 0; d < x.rank(); ++d)
    if (graph::equal(x.shape(d), y.shape(d)) != Answer::yes)
      throw request.refused(Code::E0602_does_not_fit, "extents differ");
  return compute(x.shape(), [&](const Indices& i) { return x(i) + y(i); });
}
const Registered ewise_add_row{"test_ewise_add", {"x", "y"}, ewise_add};

TEST_CASE("extents of parameters follow from their uses", "[graph]") {
  const auto deduced = [](const char* sum, const ValueType& x_type) {
    GraphBuilder b;
    const Value x = variable("x", x_type), y = variable("y", f32_tensor({m, n}));
    b.function("before", {x, y},
               [&] { b.emit_function_output(b.emit(call(sum, {call("log", {x}), y}))); });
    const GraphFunction f = with_deduced_parameters(*b.module().function("before"), b.module());
    Module module;
    module.set(f);
    checked(module);
    return f.parameters[0].type().text() + " -> " + f.result.text();
  };
  const ValueType any = ValueType::tensor(std::nullopt, f32), matrix = ValueType::tensor(2, f32);
  CHECK(deduced("test_ewise_add", any) == "Tensor[(m, n), float32] -> Tensor[(m, n), float32]");
  CHECK(deduced("test_ewise_add", matrix) == "Tensor[(m, n), float32] -> Tensor[(m, n), float32]");
  CHECK(deduced("add", matrix) == "Tensor[(_, _), float32] -> Tensor[(_, _), float32]");
}

}  // namespace strata::test::program_test
