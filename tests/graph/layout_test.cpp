// Calls whose tensors are stored by layouts.
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::layout_test {

using namespace strata::graph;

Layout layout(const std::string& text) { return Layout::parsed(text, {"test", Where::here()}); }

Module main_of(const std::string& parameters, const std::string& body) {
  return checked(parse_module("def @main(" + parameters + ") -> Tensor[_, float32] {\n" + body +
                              "\n  %y\n}\n"));
}

TEST_CASE("a call stores its result by a layout", "[graph]") {
  const std::string parameters =
      "%x: Tensor[(1, 32, 5, 5), float32], %w: Tensor[(16, 32, 3, 3), float32]";
  const Module plain = main_of(parameters, "  %y = conv2d(%x, %w)");
  const Module made =
      main_of(parameters, "  %y = conv2d(%x, %w, strides=[1, 1]) layouts () -> (NCHW8c)");
  CHECK(
      text_of(made) ==
      R"(def @main(%x: Tensor[(1, 32, 5, 5), float32], %w: Tensor[(16, 32, 3, 3), float32]) -> Tensor[_, float32] {
  %y = conv2d(%x, %w, strides=[1, 1]) layouts () -> (NCHW8c)
  %y
}
)");
  CHECK(!is_equal(plain, made));
  const Binding& y = made.function("main")->body.blocks[0].bindings[0];
  CHECK(y.value.type().text() == "Tensor[(1, 2, 3, 3, 8), float32]");
  const std::vector<VmValue> arguments{counted({1, 32, 5, 5}, 11), counted({16, 32, 3, 3}, 5)};
  const NDArray wanted = *run(plain, "main", arguments, RunBy::interpreter).array();
  for (const RunBy by : {RunBy::interpreter, RunBy::kernels}) {
    const NDArray packed = *run(made, "main", arguments, by).array();
    REQUIRE(packed.extents() == std::vector<std::int64_t>{1, 2, 3, 3, 8});
    for (std::size_t c = 0; c < 16; ++c)
      for (std::size_t p = 0; p < 9; ++p)
        REQUIRE(packed.data<float>()[(c / 8 * 9 + p) * 8 + c % 8] ==
                wanted.data<float>()[c * 9 + p]);
  }
}

// The operations of what the operator makes of stored tensors.
std::vector<Tensor> applied(const std::string& name, const std::vector<Shape>& shapes,
                            const Layouts& layouts, const std::string& attributes = "") {
  std::vector<Tensor> tensors;
  for (const Shape& shape : shapes)
    tensors.push_back(placeholder("x" + std::to_string(tensors.size()), f32, shape));
  return find_operator(name)(tensors, attributes_in(attributes), layouts);
}

TEST_CASE("an operator with layouts is one computation, composed with the maps", "[graph]") {
  const Layouts all({layout("NCHW4c"), layout("OIHW2i8o")}, {layout("NCHW8c")});
  const Tensor conv = applied("conv2d", {{2, 3, 5, 5, 4}, {2, 6, 3, 3, 2, 8}}, all)[0];
  CHECK(input_tensors(conv.op()).size() == 2);
  for (const Tensor& t : input_tensors(conv.op())) CHECK(t.op().is_placeholder());
  CHECK(text_of(conv.shape()) == "(2, 2, 3, 3, 8)");

  // Elementwise operators are what they are on tensors of any other shape.
  const Layouts same({layout("NCHW4c"), layout("NCHW4c")}, {layout("NCHW4c")});
  const Shape packed{2, 3, 5, 5, 4};
  CHECK(key(applied("add", {packed, packed}, same)) ==
        key(applied("add", {packed, packed}, Layouts())));
  const Param n("n"), m("m");
  const Shape symbolic{n, m, 5, 5, 4};
  const Layouts one({layout("NCHW4c")}, {layout("NCHW4c")});
  CHECK(key(applied("relu", {symbolic}, one)) == key(applied("relu", {symbolic}, Layouts())));
}

// ---- calls beside transforms around the call ----

struct Case {
  std::string name, attributes;
  std::vector<std::vector<std::int64_t>> extents;  // logical
  std::vector<std::string> arguments, results;
};

// The array stored by another layout, by the interpreter.
NDArray stored(const NDArray& array, const std::string& from, const std::string& to) {
  if (to == "_" || from == "_") return array;
  std::vector<Expr> extents(array.extents().begin(), array.extents().end());
  const Tensor x = placeholder("x", *element_of(array.type()), Shape(extents));
  return evaluate({layout_transform(x, {from, to})}, {{x, array}})[0];
}

TEST_CASE("a call with layouts is the call between transforms", "[graph]") {
  const std::vector<Case> cases{
      {"conv2d",
       "padding=[1, 1]",
       {{1, 4, 5, 6}, {6, 4, 3, 3}},
       {"NCHW2c", "OIHW4i3o"},
       {"NCHW6c"}},
      {"conv2d",
       "strides=[2, 1], groups=2",
       {{2, 4, 5, 6}, {6, 2, 3, 3}},
       {"NHWC", "HWIO"},
       {"NHWC"}},
      {"conv2d", "", {{1, 4, 5, 6}, {6, 4, 2, 2}}, {"NCHW3w", "OIHW2h"}, {"NCHW5w"}},
      {"softmax", "axis=1", {{2, 4, 3, 3}}, {"NCHW2c"}, {"NCHW4c"}},
      {"max_pool2d", "window=[3, 3], padding=[1, 1]", {{1, 4, 5, 6}}, {"NCHW2c"}, {"NHWC"}},
      {"avg_pool2d", "window=[2, 2]", {{1, 4, 5, 6}}, {"CHWN2c"}, {"_"}},
      {"bias_add", "axis=1", {{2, 6, 3}, {6}}, {"NCW3c", "C2c"}, {"NCW2c"}},
      {"ewise_fma", "", {{2, 6, 1}, {6, 3}, {2, 1, 3}}, {"NCW3c", "CW2c", "NCW1c"}, {"NCW2c"}},
      {"flatten", "", {{2, 6, 3}}, {"NCW3c"}, {"_"}},
      {"reshape", "shape=(6, 6)", {{2, 6, 3}}, {"NCW3c"}, {"NC2n"}},
      {"expand_dims", "axis=1", {{6, 3}}, {"NC3n"}, {"NCW3n"}},
      {"transpose", "axes=[2, 0, 1]", {{2, 6, 3}}, {"WNC"}, {"NCW3w"}},
      {"layer_norm", "", {{4, 6}, {6}, {6}}, {"NC3c", "C2c"}, {"NC2n"}},
      {"concatenate", "axis=1", {{2, 4, 3}, {2, 2, 3}}, {"NCW2c", "CWN"}, {"NCW3c"}},
      {"take", "axis=0", {{6, 2}, {4}}, {"NC3n", "N2n"}, {"NC2n"}},
      {"cumsum", "axis=0", {{6, 4}}, {"NC3n"}, {"NC2n"}},
      {"argmax", "axis=1", {{6, 4}}, {"NC3n"}, {"N2n"}},
      {"sort", "axis=0", {{6, 4}}, {"NC3n"}, {"NC2n"}},
      {"dense", "", {{4, 6}, {8, 6}}, {"NC2c", "OI4o"}, {"NC8c"}},
      {"split", "sections=2, axis=0", {{4, 6}}, {"NC2c"}, {"NC3c", "CN"}},
  };
  for (const Case& c : cases) {
    INFO(c.name << "(" << c.attributes << ")");
    std::string parameters;
    std::vector<NDArray> logical, packed;
    std::vector<Tensor> tensors;
    std::vector<Layout> arguments, results;
    for (const std::string& text : c.arguments) arguments.push_back(layout(text));
    for (const std::string& text : c.results) results.push_back(layout(text));
    const Layouts layouts(arguments, results);
    for (std::size_t k = 0; k < c.extents.size(); ++k) {
      const bool is_index = c.name == "take" && k == 1;
      logical.push_back(counted(c.extents[k], 7));
      const Layout l = layouts.argument(k);
      packed.push_back(stored(logical[k], l.plain().text(), l.text()));
      if (is_index)
        for (NDArray* a : {&logical[k], &packed[k]}) {
          NDArray integers(strata_int(64), a->extents());
          for (std::size_t p = 0; p < a->size(); ++p)
            integers.data<std::int64_t>()[p] = std::abs(int(a->data<float>()[p]));
          *a = integers;
        }
    }
    const auto run_on = [&](const std::vector<NDArray>& arrays, const Layouts& by, bool compiled) {
      std::vector<Tensor> inputs;
      std::vector<Argument> given;
      for (const NDArray& array : arrays) {
        std::vector<Expr> extents(array.extents().begin(), array.extents().end());
        inputs.push_back(placeholder("x" + std::to_string(inputs.size()), *element_of(array.type()),
                                     Shape(extents)));
        given.push_back({inputs.back(), array});
      }
      const std::vector<Tensor> made =
          find_operator(c.name)(inputs, attributes_in(c.attributes), by);
      if (!compiled) return evaluate(made, given);
      const CompiledTensors f = compile(made);
      std::vector<NDArray> read;
      for (const Tensor& t : f.arguments())
        for (const Argument& a : given)
          if (a.tensor == t) read.push_back(a.array);
      return f(read);
    };
    const std::vector<NDArray> wanted = run_on(logical, Layouts(), false);
    for (const bool compiled : {false, true}) {
      const std::vector<NDArray> made = run_on(packed, layouts, compiled);
      REQUIRE(made.size() == wanted.size());
      for (std::size_t k = 0; k < made.size(); ++k) {
        const Layout l = layouts.result(k);
        const NDArray back = stored(made[k], l.text(), l.plain().text());
        REQUIRE(back.extents() == wanted[k].extents());
        if (element_of(back.type()) != f32)
          CHECK(std::equal(back.raw(), back.raw() + back.bytes(), wanted[k].raw()));
        else
          for (std::size_t p = 0; p < back.size(); ++p)
            REQUIRE(back.data<float>()[p] == Approx(wanted[k].data<float>()[p]).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("which texts are layouts", "[graph]") {
  CHECK(layout("NCHW").is_identity());
  CHECK(layout("_").is_identity());
  CHECK(!layout("NCHW1c").is_identity());
  CHECK(layout("HWIO").axes() == "OIHW");
  CHECK(layout("NHWC16c").axes() == "NCHW");
  CHECK(layout("ABN").axes() == "NAB");
  CHECK(Layouts({layout("NCHW"), Layout()}, {layout("NC")}).empty());
  for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
           {"", "an axis is missing at the end"},
           {"NCHW16", "an axis is missing at the end"},
           {"NCHWc", "'c' is not expected there"},
           {"NC16HW", "'H' is not expected there"},
           {"NCHW 16c", "' ' is not expected there"},
           {"NHW16c", "C has no outer part"},
           {"NCHWC", "'C' occurs twice"},
           {"NCHW4c4c", "'c' occurs twice"},
           {"NCHW99999999c", "'9' is not expected there"}}) {
    INFO(text);
    CHECK(why([&, text = text] { layout(text); }) ==
          "E0602 \"" + text + "\" is not a layout: " + reason);
  }
}

TEST_CASE("layouts that do not fit", "[graph]") {
  const Layouts c4({layout("NC4c")}, {});
  CHECK(why([&] { applied("relu", {{2, 8}}, c4); }) ==
        "E0602 NC4c needs 3 dimensions, and the shape is (2, 8)");
  CHECK(why([&] { applied("relu", {{2, 2, 8}}, c4); }) ==
        "E0602 the inner part of C is 4 in NC4c, and the shape is (2, 2, 8)");
  CHECK(why([&] { applied("relu", {{2, 6}}, Layouts({}, {layout("NC4c")})); }) ==
        "E0602 4 does not provably divide the extent 6 of C");
  CHECK(why([&] { applied("relu", {{2, 8}}, Layouts({Layout(), layout("CN")}, {})); }) ==
        "E0602 2 layouts are given for 1 arguments");
  CHECK(why([&] { applied("relu", {{2, 8}}, Layouts({}, {Layout(), layout("CN")})); }) ==
        "E0602 2 layouts are given for 1 results");
  const auto module = [](const std::string& text) {
    return parse_module("def @main(%x: Tensor[(2, 8), float32]) -> Tensor[_, float32] {\n" + text +
                        "\n  %y\n}\n");
  };
  CHECK(why([&] { module("  %y = relu(%x) layouts (NC4) -> ()"); }) ==
        "E0604 line 2, column 26: \"NC4\" is not a layout: an axis is missing at the end");
  CHECK(why([&] { module("  %y = relu(%x) layouts (NC4c)"); }) ==
        "E0604 line 3, column 3: expected '->', found '%'");

  Module planted = module("  %y = relu(%x) layouts () -> (NC4c)");
  GraphFunction f = *planted.function("main");
  OperatorCall call = *f.body.blocks[0].bindings[0].as<OperatorCall>();
  call.layouts = Layouts({}, {layout("NC2c")});
  f.body.blocks[0].bindings[0].definition = std::make_shared<const graph::Definition>(call);
  planted.set(f);
  CHECK(why([&] { verify(planted); }) ==
        "E0601 W10, at %y: it is Tensor[(2, 2, 4), float32], and Tensor[(2, 4, 2), float32] "
        "follows from its definition");
}

TEST_CASE("extents that nobody knows, and layouts", "[graph]") {
  const Module module =
      main_of("%x: Tensor[(_, _, _), float32]", "  %y = relu(%x) layouts (NC4c) -> (NC2c)");
  const NDArray x = counted({3, 2, 4}, 5);
  for (const RunBy by : {RunBy::interpreter, RunBy::kernels}) {
    const NDArray y = *run(module, "main", {x}, by).array();
    CHECK(y.extents() == std::vector<std::int64_t>{3, 4, 2});
  }
  CHECK(why([&] { run(module, "main", {counted({3, 2, 5}, 5)}); }) ==
        "E0602 the inner part of C is 4 in NC4c, and the shape is (3, 2, 5)");
}

TEST_CASE("equal calls by other layouts are not shared, and products keep theirs", "[graph]") {
  const Module module = main_of("%x: Tensor[(2, 8), float32]", R"(  dataflow {
    %a = relu(%x) layouts () -> (NC4c)
    %b = relu(%x) layouts () -> (NC2c)
    %c = relu(%x) layouts () -> (NC4c)
    %p = multiply(%a, %c) layouts (NC4c, NC4c) -> (NC2c)
    %y = add(%p, %b) layouts (NC2c, NC2c) -> ()
    output %y
  })");
  const auto body = [](const Module& m) {
    const std::string text = text_of(checked(m));
    return text.substr(text.find("dataflow"));
  };
  CHECK(body(eliminate_common_subexpr()(module)).find("%p = multiply(%a, %a)") !=
        std::string::npos);
  const Module fused = main_of("%x: Tensor[(2, 8), float32]", R"(  dataflow {
    %a = relu(%x) layouts () -> (NC4c)
    %b = relu(%x) layouts () -> (NC2c)
    %p = multiply(%a, %a) layouts (NC4c, NC4c) -> (NC2c)
    %q = multiply(%a, %a) layouts (NC4c, NC4c) -> (NC2c)
    %s = add(%p, %b) layouts (NC2c, NC2c) -> (NC8c)
    %t = add(%b, %q) layouts (NC2c, NC2c) -> ()
    %z = layout_transform(%s, from="NC8c", to="NC")
    %y = add(%z, %t)
    output %y
  })");
  const Module made = fma_rewrite()(fused);
  CHECK(body(made).find("%s = ewise_fma(%a, %a, %b) layouts (NC4c, NC4c, NC2c) -> (NC8c)") !=
        std::string::npos);
  const NDArray x = counted({2, 8}, 5);
  const NDArray y = *run(fused, "main", {x}, RunBy::interpreter).array();
  const NDArray z = *run(made, "main", {x}, RunBy::interpreter).array();
  CHECK(std::equal(y.data<float>(), y.data<float>() + y.size(), z.data<float>()));
}

}  // namespace strata::test::layout_test
