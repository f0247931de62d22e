// Each rule of programs, broken.
#include "tests/graph/programs.h"

namespace strata::test::verify_test {

using namespace strata::graph;

const Param n("n"), m("m");

Value local(const std::string& name, const ValueType& type) {
  return Value(std::make_shared<const ValueNode>(ValueNode{Variable{name, true}, type}));
}

Binding bind(const Value& value, Definition definition) {
  return {value, std::make_shared<const Definition>(std::move(definition)), Where::here()};
}

const Value x = variable("x", f32_tensor({n}));

// def @main(%x: Tensor[(n), float32]) with these blocks and this result.
Module module_of(const std::vector<Block>& blocks, const Value& result) {
  Module module;
  module.set(GraphFunction{"main", {x}, {blocks, result}, result.type()});
  return module;
}

std::string why_not(const std::vector<Block>& blocks, const Value& result) {
  return why([&] { verify(module_of(blocks, result)); });
}

OperatorCall exp_of(const Value& value) { return {"exp", {value}}; }

TEST_CASE("a program that keeps all rules", "[graph]") {
  const Value y = local("y", f32_tensor({n})), z = variable("z", f32_tensor({n}));
  CHECK(why_not({{true, {bind(y, exp_of(x)), bind(z, exp_of(y))}}}, z) == "nothing was refused");
}

TEST_CASE("W1: bound once, before its uses, in scope", "[graph]") {
  const Value y = variable("y", f32_tensor({n})), z = variable("z", f32_tensor({n}));
  CHECK(why_not({{false, {bind(y, exp_of(x)), bind(y, exp_of(x))}}}, y) ==
        "E0601 W1, at %y: %y is bound twice");
  CHECK(why_not({{false, {bind(z, exp_of(y)), bind(y, exp_of(x))}}}, z) ==
        "E0601 W1, at %z: %y is not bound before");
  CHECK(why_not({}, y) == "E0601 W1, at the result: %y is not bound before");
  CHECK(why_not({{false, {bind(x, exp_of(x))}}}, x) == "E0601 W1, at %x: %x is bound twice");
  const Value c = NDArray::scalar(true);
  const auto side = [](const Value& v) {
    return std::make_shared<const Body>(Body{{{false, {bind(v, exp_of(x))}}}, v});
  };
  const Value inside = variable("inside", f32_tensor({n}));
  const auto keep = std::make_shared<const Body>(Body{{}, x});
  CHECK(why_not({{false, {bind(y, Branch{c, side(inside), keep}), bind(z, exp_of(inside))}}}, z) ==
        "E0601 W1, at %z: %inside is out of scope");
  CHECK(why_not({{false, {bind(y, Branch{c, side(inside), side(inside)})}}}, y) ==
        "E0601 W1, at %inside: %inside is bound twice");
  Module two = module_of({{false, {bind(y, exp_of(x))}}}, y);
  const Value other = variable("other", f32_tensor({n}));
  two.set(GraphFunction{"other", {other}, {{{false, {bind(y, exp_of(other))}}}, y}, y.type()});
  CHECK(why([&] { verify(two); }) == "E0601 W1, at %y: %y is bound twice");
  const Value named_x = variable("x", f32_tensor({n}));
  CHECK(why_not({{false, {bind(named_x, exp_of(x))}}}, x) ==
        "E0601 W1, at %x: there is another variable %x");
}

TEST_CASE("W1: extents of a parameter are held by one before it", "[graph]") {
  const Value s = variable("s", ValueType::shape(1));
  const Value y = variable("y", ValueType::tensor(s, 1, f32));
  Module module;
  module.set(GraphFunction{"main", {s, y}, {{}, y}, y.type()});
  checked(module);
  module.set(GraphFunction{"main", {y, s}, {{}, y}, y.type()});
  CHECK(why([&] { verify(module); }) == "E0601 W1, at its parameters: %s is not bound before");
}

TEST_CASE("W2: local variables stay in their blocks", "[graph]") {
  const Value y = local("y", f32_tensor({n})), z = variable("z", f32_tensor({n}));
  CHECK(why_not({{true, {bind(y, exp_of(x))}}, {false, {bind(z, exp_of(y))}}}, z) ==
        "E0601 W2, at %z: %y is local to another block");
  CHECK(why_not({{true, {bind(y, exp_of(x))}}}, y) ==
        "E0601 W2, at the result: %y is local to another block");
  CHECK(why_not({{false, {bind(y, exp_of(x))}}}, x) ==
        "E0601 W2, at %y: a local variable is bound outside of dataflow");
}

TEST_CASE("W3: operands are leaves", "[graph]") {
  const Value y = variable("y", f32_tensor({n}));
  CHECK(why_not({{false, {bind(y, exp_of(call("exp", {x})))}}}, y) ==
        "E0601 W3, at %y: an operand is a call that has no variable");
  CHECK(why_not({{false, {bind(y, exp_of(Value()))}}}, y) ==
        "E0601 W3, at %y: an operand is undefined");
}

TEST_CASE("W4: dataflow blocks are pure", "[graph]") {
  const Value y = local("y", ValueType());
  CHECK(why_not({{true, {bind(y, PackedCall{"f", {x}})}}}, x) ==
        "E0601 W4, at %y: \"f\" is not marked as pure");
  CHECK(why_not({{true, {bind(y, PackedCall{"f", {x}, true})}}}, x) == "nothing was refused");
  const auto keep = std::make_shared<const Body>(Body{{}, x});
  const Value z = local("z", f32_tensor({n}));
  CHECK(why_not({{true, {bind(z, Branch{NDArray::scalar(true), keep, keep})}}}, x) ==
        "E0601 W4, at %z: a branch stands in a dataflow block");
  // main calls inner, which calls deeper, which is not pure.
  const auto calls = [](const std::string& name, Definition definition) {
    const Value p = variable("p", f32_tensor({n})), v = variable("v", ValueType());
    return GraphFunction{name, {p}, {{{false, {bind(v, std::move(definition))}}}, p}, p.type()};
  };
  Module module = module_of({{true, {bind(z, FunctionCall{"inner", {x}})}}}, x);
  module.set(calls("inner", FunctionCall{"deeper", {x}}));
  module.set(calls("deeper", PackedCall{"f", {}}));
  CHECK(why([&] { verify(module); }) == "E0601 W1, at %v: %x is not bound before");
  const Value q = variable("q", f32_tensor({n})), v = variable("v", f32_tensor({n}));
  module.set(GraphFunction{
      "inner", {q}, {{{false, {bind(v, FunctionCall{"deeper", {q}})}}}, v}, v.type()});
  CHECK(why([&] { verify(module); }) == "E0601 W4, at %z: @inner is not pure");
}

TEST_CASE("W5: what is called is in the module", "[graph]") {
  const Value y = variable("y", f32_tensor({n}));
  CHECK(why_not({{false, {bind(y, FunctionCall{"none", {x}})}}}, y) ==
        "E0601 W5, at %y: there is no function @none in the module");
  CHECK(why_not({{false, {bind(y, KernelCall{"none", false, {shape_value({n})}, {x}})}}}, y) ==
        "E0601 W5, at %y: there is no kernel @none in the module");
  CHECK(why_not({{false, {bind(y, PackedCall{"f", {global_value("none")}})}}}, x) ==
        "E0601 W5, at %y: there is no @none in the module");
}

TEST_CASE("W6: symbols are defined before", "[graph]") {
  const Value y = variable("y", f32_tensor({m})), s = variable("s", ValueType::shape(Shape{m}));
  CHECK(why_not({{false, {bind(y, MatchShape{x, {m}})}}}, y) == "nothing was refused");
  CHECK(why_not({{false, {bind(s, Alias{shape_value({m})})}}}, s) ==
        "E0601 W6, at %s: nothing before it defines the symbol m");
  const Value twice = variable("twice", f32_tensor({2 * m}));
  CHECK(why_not({{false, {bind(twice, MatchShape{x, {2 * m}})}}}, twice) ==
        "E0601 W6, at %twice: nothing before it defines the symbol m");
  // What a branch defines ends with it.
  const auto match =
      std::make_shared<const Body>(Body{{{false, {bind(y, MatchShape{x, {m}})}}}, x});
  const auto keep = std::make_shared<const Body>(Body{{}, x});
  const Value z = variable("z", f32_tensor({n}));
  CHECK(why_not({{false,
                  {bind(z, Branch{NDArray::scalar(true), match, keep}),
                   bind(s, Alias{shape_value({m})})}}},
                s) == "E0601 W6, at %s: nothing before it defines the symbol m");
}

TEST_CASE("W7: dims are integers", "[graph]") {
  const Value s = variable("s", ValueType::shape(1));
  const Value halves = Value(
      std::make_shared<const ValueNode>(ValueNode{ShapeLiteral{{Expr(1.5)}}, ValueType::shape(1)}));
  CHECK(why_not({{false, {bind(s, Alias{halves})}}}, s).starts_with("E0601 W7, at %s: a dim "));
}

TEST_CASE("W8: results are leaves", "[graph]") {
  CHECK(why_not({}, call("exp", {x})) == "E0601 W8, at the result: it has no variable");
}

TEST_CASE("W9: the name in the module is that of the function", "[graph]") {
  const auto global = std::make_shared<const Global>(GraphFunction{"main", {x}, {{}, x}, x.type()});
  CHECK(why([&] { verify(Module({{"other", global}})); }) ==
        "E0601 W9: the module has @main as @other");
}

TEST_CASE("W10: types follow from definitions", "[graph]") {
  const Value wrong = variable("y", f32_tensor({n + 1}));
  CHECK(
      why_not({{false, {bind(wrong, exp_of(x))}}}, wrong) ==
      "E0601 W10, at %y: it is Tensor[(n + 1), float32], and Tensor[(n), float32] follows from its "
      "definition");
  const Value less = variable("y", ValueType::tensor(1, std::nullopt));
  CHECK(why_not({{false, {bind(less, exp_of(x))}}}, less).starts_with("E0601 W10, at %y: it is "));
  const Value more = variable("y", f32_tensor({n}));
  CHECK(why_not({{false, {bind(more, PackedCall{"f", {}})}}}, more) == "nothing was refused");
  Module module;
  module.set(GraphFunction{"main", {x}, {{}, x}, f32_tensor({n + 1})});
  CHECK(why([&] { verify(module); }).starts_with("E0601 W10, at its result: "));
  const Value computed = variable("s", ValueType::shape(1));
  module.set(GraphFunction{
      "main",
      {x},
      {{{false, {bind(computed, PackedCall{"f", {}}), bind(more, PackedCall{"f", {}})}}}, more},
      ValueType::tensor(computed, 1, f32)});
  CHECK(why([&] { verify(module); }) == "E0601 W10, at its result: %s is not a parameter");
  module.set(GraphFunction{
      "main", {x}, {{{false, {bind(more, PackedCall{"f", {}})}}}, more}, f32_tensor({m})});
  CHECK(why([&] { verify(module); }) ==
        "E0601 W6, at its result: nothing before it defines the symbol m");
}

TEST_CASE("the builder tells what is wrong, and stays usable", "[graph]") {
  GraphBuilder b;
  const auto keep = [&] { b.emit_function_output(x); };
  CHECK(why([&] { b.emit(call("exp", {x})); }) == "E0601 no function is being built");
  CHECK(why([&] { b.function("f", {x}, [&] { b.function("g", {x}, keep); }); }) ==
        "E0601 @g begins inside");
  CHECK(why([&] { b.function("f", {x}, [] {}); }) == "E0601 it has no output");
  CHECK(why([&] {
          b.function("f", {x}, [&] {
            keep();
            keep();
          });
        }) == "E0601 its output is given twice");
  CHECK(why([&] { b.function("f", {x}, [&] { b.emit_function_output(x, Values{x}); }); }) ==
        "E0601 its parameters are given twice");
  b.begin_function("f", std::nullopt);
  b.emit_function_output(x);
  CHECK(why([&] { b.end_function(); }) == "E0601 it has no parameters");
  b.abandon_function();
  CHECK(why([&] { b.function("f", {x}, [&] { b.emit_output(x); }); }) ==
        "E0601 emit_output stands outside of a dataflow block");
  CHECK(why([&] { b.function("f", {x}, [&] { b.emit(call("exp", {Value()})); }); }) ==
        "E0601 a value is undefined");
  CHECK(why([&] { b.function("f", {x}, [&] { b.emit(call("epx", {x})); }); }) ==
        "E0603 there is no operator epx");
  CHECK(why([&] { b.function("f", {shape_value({})}, keep); }) ==
        "E0601 a parameter is not a variable");
  CHECK(why([&] {
          b.function("f", {x}, [&] {
            b.emit_te("kernel", [](const Tensor& t) { return t; }, variable("y", ValueType()));
          });
        }) == "E0602 y is Object, and its extents or elements are unknown");
  // An author's exception leaves a function, and a block inside of one.
  CHECK_THROWS_AS(b.function("f", {x}, [&] { throw std::runtime_error("no"); }),
                  std::runtime_error);
  b.function("f", {x}, [&] {
    CHECK_THROWS_AS(b.dataflow([&] {
      b.emit(call("exp", {x}));
      throw std::runtime_error("no");
    }),
                    std::runtime_error);
    keep();
  });
  CHECK(why([&] { b.function("f", {x}, keep); }) == "E0601 there is a global @f");
  const Module module = checked(b.module());
  CHECK(module.globals().size() == 1);
  CHECK(module.function("f")->body.blocks.empty());
  Value nested = x;
  CHECK(why([&] {
          for (int k = 0; k < 2000; ++k) nested = call("exp", {nested});
        }) == "E0601 calls are nested more than 1000 deep");
  nested = x;
  CHECK(why([&] {
          for (int k = 0; k < 2000; ++k) nested = call_packed("f", {tuple_value({nested})});
        }) == "E0601 calls are nested more than 1000 deep");
  nested = x;
  CHECK(why([&] {
          for (int k = 0; k < 200; ++k) nested = tuple_value({nested});
        }) == "E0601 tuples are nested more than 100 deep");
  nested = x;
  CHECK(why([&] {
          for (int k = 0; k < 90; ++k) nested = tuple_value({nested, nested});
        }) == "E0601 nested tuples have more than 1000000 fields");
}

TEST_CASE("scopes that end in another order are refused", "[graph]") {
  GraphBuilder b;
  CHECK(why([&] { b.end_dataflow(); }) == "E0601 no function is being built");
  CHECK(why([&] { b.end_branch(x); }) == "E0601 no function is being built");
  b.begin_function("f", Values{x});
  CHECK(why([&] { b.end_dataflow(); }) == "E0601 no dataflow block is open");
  CHECK(why([&] { b.end_branch(x); }) == "E0601 no side of a branch ends here");
  b.emit_function_output(x);
  b.begin_branch();
  b.begin_dataflow();
  CHECK(why([&] { b.end_branch(x); }) == "E0601 no side of a branch ends here");
  CHECK(why([&] { b.end_function(); }) == "E0601 it ends inside of a block");
  b.abandon_branch();
  b.abandon_dataflow();
  b.end_function();
  CHECK(checked(b.module()).function("f")->body.blocks.empty());
}

TEST_CASE("a call that occurs twice is bound once", "[graph]") {
  GraphBuilder b;
  Value nested = x;
  for (int k = 0; k < 100; ++k) nested = call("add", {nested, nested});
  b.function("f", {x}, [&] { b.emit_function_output(b.emit(nested)); });
  CHECK(checked(b.module()).function("f")->body.blocks[0].bindings.size() == 100);
  CHECK(text_of(nested) == "add(.., ..)");
  CHECK(text_of(call("exp", {x})) == "exp(%x)");
}

}  // namespace strata::test::verify_test
