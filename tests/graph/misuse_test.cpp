// What nobody should give to builders, passes and runs is refused.
#include <chrono>

#include "tests/graph/programs.h"

namespace strata::test::misuse_test {

using namespace strata::graph;

const Param n("n"), m("m");

Value f32_variable(const std::string& name, const Shape& dims) {
  return variable(name, f32_tensor(dims));
}
Value condition() { return variable("c", ValueType::tensor(Shape(), boolean)); }

// exp(x)
Module one_binding() {
  GraphBuilder b;
  const Value x = f32_variable("x", {n});
  b.function("main", {x}, [&] { b.emit_function_output(b.emit(call("exp", {x}))); });
  return b.module();
}

TEST_CASE("a call that is an operand twice is bound once", "[graph]") {
  GraphBuilder b;
  const Value x = f32_variable("x", {n});
  // y = y + y, 100 times: 2^100 paths
  const auto doubled = [](Value y) {
    for (int k = 0; k < 100; ++k) y = call("add", {y, y});
    return y;
  };
  const auto bindings = [](const Module& module) {
    int count = 0;
    for_each_binding(module.function("main")->body, [&](const Binding&) { ++count; });
    return count;
  };
  b.function("main", {x}, [&] { b.emit_function_output(b.emit(doubled(x))); });
  CHECK(bindings(checked(b.module())) == 100);
  const Module made = rewritten(one_binding(), [&](Rewriter& r, const Binding& binding) {
    r.replace(binding.value, r.emit(doubled(binding.as<OperatorCall>()->arguments[0])));
  });
  CHECK(bindings(checked(made)) == 100);
}

TEST_CASE("values that are too deep, too large or undefined", "[graph]") {
  const Value x = f32_variable("x", {n});
  CHECK(why([&] {
          Value t = x;
          for (int k = 0; k < 60; ++k) t = tuple_value({t, t});
        }) == "E0601 nested tuples have more than 1000000 fields");
  CHECK(why([&] {
          Value t = x;
          for (int k = 0; k < 10000; ++k) t = call("concatenate", {tuple_value({t, x})});
        }) == "E0601 calls are nested more than 1000 deep");
  CHECK(why([] { tuple_value({Value()}); }) == "E0601 a field is undefined");
  CHECK(why([] { ValueType::tensor(shape_value({n}), 1, f32); }) ==
        "E0601 what holds the extents is not a variable");
  CHECK(why([] {
          GraphBuilder b;
          b.function("main", {}, [&] { b.emit(NDArray()); });
        }) == "E0601 a constant is not an array");
  CHECK(why([&] {
          GraphBuilder b;
          b.function("main", {x},
                     [&] { b.emit_te("f", [](const Tensor&) { return Tensor(); }, x); });
        }) == "E0602 a tensor is undefined");
}

TEST_CASE("parts of a builder in a wrong order", "[graph]") {
  const Value x = f32_variable("x", {n});
  GraphBuilder b;
  CHECK(why([&] { b.end_dataflow(); }) == "E0601 no function is being built");
  b.begin_function("main", Values{x});
  CHECK(why([&] { b.end_dataflow(); }) == "E0601 no dataflow block is open");
  CHECK(why([&] { b.end_branch(x); }) == "E0601 no side of a branch ends here");
  b.begin_dataflow();
  CHECK(why([&] { b.end_function(); }) == "E0601 it ends inside of a block");
  b.end_dataflow();
  CHECK(why([&] { b.emit(unbound(OperatorCall{"exp", {x}}, ValueType::tensor(1, f32))); }) ==
        "E0601 it is Tensor[(n), float32], and Tensor[(_), float32] is stated");
  b.emit_function_output(x);
  b.end_function();
  checked(b.module());
}

// "depth" branches, each in the one before, around "inner".
Module nested_branches(int depth, const Value& inner) {
  GraphBuilder b;
  const Value x = f32_variable("x", {n}), c = condition();
  b.declare("main", {x, c}, ValueType());
  b.begin_function("main", Values{x, c});
  for (int k = 0; k < depth; ++k) b.begin_branch();
  Value result = b.emit(inner.defined() ? inner : call_function("main", {x, c}));
  for (int k = 0; k < depth; ++k) {
    auto then = std::make_shared<const Body>(b.end_branch(result));
    b.begin_branch();
    auto otherwise = std::make_shared<const Body>(b.end_branch(x));
    result = b.emit(unbound(Branch{c, std::move(then), std::move(otherwise)}));
  }
  b.emit_function_output(result);
  b.end_function();
  return b.module();
}

TEST_CASE("branches in branches, and recursion in them", "[graph]") {
  const Value one = NDArray::scalar(1.0f);
  checked(nested_branches(99, one));
  CHECK(why([&] { nested_branches(100, one); }) == "E0601 branches are nested more than 99 deep");
  const auto body = [&](const Module& module) {
    return std::make_shared<const Body>(module.function("main")->body);
  };
  const auto inner = body(nested_branches(99, one));
  GraphFunction deep{"main", {condition()}, {}, ValueType()};
  const Value y = variable("y", ValueType());
  deep.body.blocks.push_back(
      {false, {{y, std::make_shared<const Definition>(Branch{deep.parameters[0], inner, inner})}}});
  deep.body.result = y;
  Module module;
  module.set(deep);
  CHECK_THROWS_AS(verify(module), Error);
  const Module recursive = checked(nested_branches(95, Value()));
  CHECK(why([&] {
          run(recursive, "main", {NDArray(strata_float(32), {3}), NDArray::scalar(true)});
        }) == "E0901 calls and branches are nested more than 2500 deep");
}

TEST_CASE("rewriters and passes that do not keep their word", "[graph]") {
  const auto rewriting = [](const Rewriter::Rewrite& f) {
    return why([&] { rewritten(one_binding(), f); });
  };
  CHECK(rewriting([](Rewriter& r, const Binding& b) { r.replace(b.value, Value()); }) ==
        "E0605 only a variable can be replaced, and by a value that is not a call");
  CHECK(rewriting([](Rewriter& r, const Binding&) { r.emit(Value()); }) ==
        "E0605 an undefined value is bound");
  CHECK(rewriting([](Rewriter& r, const Binding&) { r.keep({}); }) ==
        "E0605 a binding has no variable, or no definition");
  const Value other = f32_variable("other", {n});
  CHECK(rewriting([&](Rewriter& r, const Binding& b) { r.replace(b.value, other); }) ==
        "E0605 %gv is replaced by what is not seen there");
  const Module module = one_binding();
  CHECK(why([&] {
          function_pass({"renames", 0, {}}, [](GraphFunction f, const Module&, const PassContext&) {
            f.name = "g";
            return f;
          })(module);
        }) == "E0605 @main has become @g");
  CHECK(why([&] { Pass({"none", 0, {}}, nullptr)(module); }) == "E0605 it has no function");
  CHECK(why([&] { function_pass({"none", 0, {}}, nullptr)(module); }) ==
        "E0605 it has no function");
  CHECK(why([] { within({.instruments = {nullptr}}, [] {}); }) ==
        "E0606 an instrument is undefined");
}

TEST_CASE("variables that replace each other", "[graph]") {
  Value first;
  const Module made = rewritten(one_binding(), [&](Rewriter& r, const Binding& b) {
    first = r.emit(call("log", {b.as<OperatorCall>()->arguments[0]}));
    r.keep(b);
    r.replace(first, b.value);
    r.replace(b.value, first);
  });
  checked(made);
}

TEST_CASE("passes leave functions that are only declared", "[graph]") {
  GraphBuilder b;
  b.declare("main", {}, f32_tensor({4}));
  for (const Pass& pass : all_passes())
    if (pass.info().name != "InferType" && pass.info().name != "PrintIR")
      CHECK(text_of(pass(b.module())) == text_of(b.module()));
}

TEST_CASE("a context that is entered twice is left once at a time", "[graph]") {
  PassContext context{.opt_level = 3};
  enter_context(context);
  enter_context(context);
  leave_context(context);
  CHECK(PassContext::current().opt_level == 3);
  leave_context(context);
  CHECK(PassContext::current().opt_level == 2);
}

TEST_CASE("arrays that are undefined, and shapes for tensors, when a program runs", "[graph]") {
  GraphBuilder b;
  const Value c = variable("c", ValueType()), x = f32_variable("x", {n});
  b.function("main", {c, x}, [&] {
    b.emit_function_output(b.emit_branch(c, [&] { return x; }, [&] { return x; }));
  });
  const Value y = variable("y", ValueType()), z = variable("z", ValueType());
  b.function("shape", {y}, [&] { b.emit_function_output(b.emit(shape_of(y))); });
  b.function("match", {z}, [&] { b.emit_function_output(b.match_shape(z, {n})); });
  const Module module = checked(b.module());
  CHECK_THROWS_AS(run(module, "shape", {NDArray()}), Error);
  CHECK_THROWS_AS(run(module, "main", {NDArray(), NDArray(strata_float(32), {3})}), Error);
  CHECK(why([&] { run(module, "match", {ShapeNumbers{{3}}}); }) ==
        "E0602 %z is a shape, and Tensor[(n), _] is needed");
}

TEST_CASE("a kernel does not take the name of the function that is being built", "[graph]") {
  GraphBuilder b;
  const Value x = f32_variable("x", {n});
  b.function("main", {x}, [&] {
    b.emit_function_output(b.emit_te("main", [](const Tensor& t) { return graph::exp(t); }, x));
  });
  CHECK(checked(b.module()).kernel("main1") != nullptr);
}

TEST_CASE("10,000 functions parse in linear time", "[graph]") {
  const auto seconds = [](int count) {
    GraphBuilder b;
    for (int k = 0; k < count; ++k) {
      const Value x = f32_variable("x", {n});
      b.function("f" + std::to_string(k), {x}, [&] { b.emit_function_output(x); });
    }
    const std::string text = text_of(b.module());
    const auto start = std::chrono::steady_clock::now();
    parse_module(text);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double base = seconds(1000);
  CHECK(seconds(10000) < 40 * base + 0.5);
}

}  // namespace strata::test::misuse_test
