// Groups of operators as primitive functions.
#include <random>
#include <sstream>

#include "tests/graph/programs.h"

namespace strata::test::fuse_ops_test {

using namespace strata::graph;

const Param n("n"), m("m");

// The text of the module after the pass, which verifies, changes nothing when it runs again, and
// leaves its argument.
Module fused(const Module& module, int level = 2) {
  const std::string before = text_of(module);
  const Module made = checked(fuse_ops(level)(module));
  CHECK(text_of(module) == before);
  CHECK(text_of(fuse_ops(level)(made)) == text_of(made));
  return made;
}

// A function main of these parameters with one dataflow block, whose results are returned.
Module program(const Values& parameters, const std::function<Values(GraphBuilder&)>& body) {
  GraphBuilder b;
  b.function("main", parameters, [&] {
    Values results;
    b.dataflow([&] {
      for (const Value& value : body(b)) results.push_back(b.emit_output(value));
    });
    b.emit_function_output(results.size() == 1 ? results[0] : tuple_value(results));
  });
  return checked(b.module());
}

// The names of the functions that main calls, in order.
std::string called(const Module& module) {
  std::string names;
  for (const Block& block : module.function("main")->body.blocks)
    for (const Binding& b : block.bindings) {
      if (const auto* call = b.as<FunctionCall>()) names += call->callee + " ";
      if (const auto* call = b.as<OperatorCall>()) names += "(" + call->callee + ") ";
    }
  return names;
}

Value x2() { return variable("x", f32_tensor({n, m})); }

TEST_CASE("a chain becomes one primitive function", "[graph]") {
  const Value x = variable("data", f32_tensor({10}));
  const Module module = program({x}, [&](GraphBuilder& b) -> Values {
    const Value divided = b.emit(call("divide", {x, counted({10}, 7)}));
    const Value doubled = b.emit(call("multiply", {divided, NDArray::scalar(2.0f)}));
    return {call("relu", {doubled})};
  });
  const Module made = fused(module);
  CHECK(
      text_of(*made.function("fused_divide_multiply_relu")) ==
      R"(def @fused_divide_multiply_relu(%p0: Tensor[(10), float32], %p1: Tensor[(10), float32]) -> Tensor[(10), float32] with (primitive=true) {
  dataflow {
    %lv = divide(%p0, %p1)
    %lv1 = multiply(%lv, 2.0f32)
    %gv = relu(%lv1)
    output %gv
  }
  %gv
}
)");
}

TEST_CASE("groups end where relations say", "[graph]") {
  const Value x = x2();
  const auto groups = [&](const std::function<Values(GraphBuilder&)>& body) {
    return called(fused(program({x}, body)));
  };
  CHECK(groups([&](GraphBuilder& b) -> Values {
          return {call("sum", {b.emit(call("exp", {x}))}, attributes_in("axes=[1]"))};
        }) == "fused_exp_sum ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          return {call("exp", {b.emit(call("sum", {x}))})};
        }) == "fused_sum fused_exp ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          const Value sum = b.emit(call("sum", {x}, attributes_in("axes=[1], keepdims=true")));
          return {call("exp", {sum})};
        }) == "fused_sum fused_exp ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          const Value sorted = b.emit(call("sort", {b.emit(call("exp", {x}))}));
          return {call("relu", {sorted})};
        }) == "fused_exp (sort) fused_relu ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          const Value kept = b.emit(call("stop_fusion", {b.emit(call("exp", {x}))}));
          return {call("relu", {kept})};
        }) == "fused_exp fused_relu ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          const Value e = b.emit_output(call("exp", {x}));
          return {call("relu", {e})};
        }) == "fused_exp fused_relu ");
  CHECK(groups([&](GraphBuilder& b) -> Values {
          const Value t = b.emit(call("transpose", {b.emit(call("softmax", {x}))}));
          return {call("relu", {t})};
        }) == "fused_softmax fused_transpose_relu ");
}

TEST_CASE("a product takes what is elementwise after it, at any extents", "[graph]") {
  const Param k("k");
  const Value x = x2(), weight = variable("w", f32_tensor({k, m})),
              bias = variable("b", f32_tensor({k}));
  const Module made = fused(program({x, weight, bias}, [&](GraphBuilder& b) -> Values {
    const Value product = b.emit(call("dense", {x, weight}));
    const Value sum = b.emit(call("bias_add", {product, bias}));
    return {call("gelu", {sum})};
  }));
  CHECK(called(made) == "fused_dense_bias_add_gelu ");
  for (const auto& [rows, columns, inner] : {std::tuple{1, 1, 1}, {3, 5, 7}, {0, 4, 2}}) {
    const std::vector<VmValue> arguments{counted({rows, inner}, 5), counted({columns, inner}, 7),
                                         counted({columns}, 3)};
    const NDArray by_kernel = *run(made, "main", arguments).array();
    const NDArray plain = *run(made, "main", arguments, RunBy::interpreter).array();
    REQUIRE(by_kernel.extents() == plain.extents());
    for (std::size_t p = 0; p < plain.size(); ++p)
      CHECK(by_kernel.data<float>()[p] ==
            Approx(plain.data<float>()[p]).epsilon(1e-5).margin(2e-6));
  }
}

TEST_CASE("equal groups are one function, also of other symbols", "[graph]") {
  const Param k("k");
  const Value x = variable("x", f32_tensor({n})), y = variable("y", f32_tensor({k}));
  const Module made = fused(program({x, y}, [&](GraphBuilder& b) -> Values {
    const Value e = b.emit(call("exp", {x})), f = b.emit(call("exp", {y}));
    return {call("relu", {e}), call("relu", {f})};
  }));
  CHECK(called(made) == "fused_exp_relu fused_exp_relu ");
}

TEST_CASE("level 0 fuses nothing, and max_depth bounds a group", "[graph]") {
  const Value x = x2();
  const Module module = program({x}, [&](GraphBuilder& b) -> Values {
    Value value = x;
    for (int step = 0; step < 19; ++step) value = b.emit(call("exp", {value}));
    return {call("exp", {value})};
  });
  std::string alone;
  for (int step = 0; step < 20; ++step) alone += "fused_exp ";
  CHECK(called(fused(module, 0)) == alone);
  for (const std::string name : {"FuseOps.max_depth", "relay.FuseOps.max_depth"})
    within({.config = {{name, std::int64_t{10}}}}, [&] {
      CHECK(called(fuse_ops()(module)) ==
            "fused_exp_exp_exp_exp_exp_exp_exp_exp_exp_exp "
            "fused_exp_exp_exp_exp_exp_exp_exp_exp_exp_exp ");
    });
}

TEST_CASE("a text shows the group of each binding, and parses back", "[graph]") {
  const Value data = variable("data", f32_tensor({1, 3, 4, 4}));
  const Module module = program({data}, [&](GraphBuilder& b) -> Values {
    const Value scaled = b.emit(call("divide", {data, counted({1, 3, 4, 4}, 7)}));
    const Value first = b.emit(call("relu", {scaled}));
    b.emit(call("exp", {first}));
    const Value pooled =
        b.emit(call("max_pool2d", {first}, attributes_in("window=[2, 2], strides=[2, 2]")));
    const Value sorted = b.emit(call("sort", {b.emit(call("relu", {pooled}))}));
    return {call("tanh", {sorted})};
  });
  const std::string text = text_of_groups(module);
  std::string notes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find('#'); at != line.npos) notes += line.substr(at) + "\n";
  CHECK(notes == R"(# group 0, elementwise
# group 0, elementwise, root
# used by nobody
# group 1, out_elementwise_fusable
# group 1, elementwise, root
# group 2, opaque, root
# group 3, elementwise, root
)");
  CHECK(is_equal(parse_module(text, constants_of(module)), module));
  const std::string alone = text_of_groups(module, {.level = 0});
  CHECK(alone.find("%lv1 = relu(%lv)  # group 1, elementwise, root") != alone.npos);
}

TEST_CASE("a symbol that no extent gives is an argument of its own", "[graph]") {
  const Value x = variable("x", f32_tensor({4 * n})), y = variable("y", f32_tensor({n}));
  const Module made = fused(program({y, x}, [&](GraphBuilder& b) -> Values {
    const Value flat = b.emit(call("reshape", {x}, attributes_in("shape=(n, 4)")));
    return {call("relu", {flat})};
  }));
  CHECK(called(made) == "fused_reshape_relu ");
  CHECK(made.function("fused_reshape_relu")->parameters.back().type().text() == "Shape[(n)]");
  const std::vector<VmValue> arguments{counted({3}, 5), counted({12}, 5)};
  const NDArray by_kernel = *run(made, "main", arguments).array();
  CHECK(by_kernel.extents() == std::vector<std::int64_t>{3, 4});
  for (int p = 0; p < 12; ++p)
    CHECK(by_kernel.data<float>()[p] == std::max(0.0f, counted({12}, 5).data<float>()[p]));
}

TEST_CASE("fields of a split are fused with what reads them", "[graph]") {
  const Value x = variable("x", f32_tensor({n, 6}));
  const Module made = fused(program({x}, [&](GraphBuilder& b) -> Values {
    const Value parts = b.emit(call("split", {x}, attributes_in("sections=2, axis=1")));
    const Value a = b.emit(call("sigmoid", {b.emit(field(parts, 0))}));
    const Value c = b.emit(call("tanh", {b.emit(field(parts, 1))}));
    return {call("multiply", {a, c})};
  }));
  CHECK(called(made) == "fused_split_sigmoid_tanh_multiply ");
  const NDArray given = counted({2, 6}, 5);
  const NDArray result = *run(made, "main", {given}).array();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      const float a = given.data<float>()[6 * i + j], c = given.data<float>()[6 * i + j + 3];
      CHECK(result.data<float>()[3 * i + j] == Approx(std::tanh(c) / (1 + std::exp(-a))));
    }
}

TEST_CASE("functions for another compiler are not entered, and match_shape stays first",
          "[graph]") {
  GraphBuilder b;
  for (const char* name : {"main", "other"}) {
    const Value x = variable("x", ValueType::tensor(std::optional<int>(2), f32));
    b.function(name, {x}, [&] {
      Value result;
      b.dataflow([&] {
        const Value known = b.match_shape(x, {n, m});
        const Value e = b.emit(call("exp", {known}));
        result = b.emit_output(call("relu", {e}));
      });
      b.emit_function_output(result);
    });
  }
  Module module = b.module();
  GraphFunction other = *module.function("other");
  other.attributes.set("compiler", std::string("theirs"));
  module.set(other);
  const Module made = fused(module);
  CHECK(called(made) == "fused_exp_relu ");
  CHECK(text_of(*made.function("other")) == text_of(*module.function("other")));
  CHECK(made.function("main")->body.blocks[0].bindings[0].as<MatchShape>());
}

// divide by c, multiply by 2, relu, max_pool2d, relu, max_pool2d, relu
Module pools() {
  const Value data = variable("data", f32_tensor({1, 3, 4, 4}));
  return program({data}, [&](GraphBuilder& b) -> Values {
    Value y = b.emit(call("divide", {data, counted({1, 3, 4, 4}, 7)}));
    y = b.emit(call("relu", {b.emit(call("multiply", {y, NDArray::scalar(2.0f)}))}));
    for (int pool = 0; pool < 2; ++pool) {
      y = b.emit(call("max_pool2d", {y}, attributes_in("window=[2, 2], strides=[2, 2]")));
      if (pool == 0) y = b.emit(call("relu", {y}));
    }
    return {call("relu", {y})};
  });
}

TEST_CASE("the graph of a program has the kinds that its operators' relations give", "[graph]") {
  const Module module = pools();
  const GraphFunction& main = *module.function("main");
  CHECK(text_of(block_graph(main, main.body.blocks[0]).graph) ==
        "node[0] data outputs=[2:0, ]\n"
        "node[1] constant outputs=[2:0, ]\n"
        "node[2] divide outputs=[4:0, ]\n"
        "node[3] constant outputs=[4:1, ]\n"
        "node[4] multiply outputs=[5:0, ]\n"
        "node[5] relu outputs=[6:4, ]\n"
        "node[6] max_pool2d outputs=[7:0, ]\n"
        "node[7] relu outputs=[8:4, ]\n"
        "node[8] max_pool2d outputs=[9:0, ]\n"
        "node[9] relu outputs=[]\n");
  CHECK(called(fused(module)) ==
        "fused_divide_multiply_relu fused_max_pool2d_relu fused_max_pool2d_relu1 ");
}

// conv = conv2d(x, weight); y = (c + c) * 2; y = conv + y; (y + c) + (y + c)
Module example_e() {
  const Value x = variable("x", f32_tensor({1, 64, 56, 56}));
  const Value weight = variable("weight", f32_tensor({64, 64, 3, 3}));
  const Value c = counted({1, 64, 54, 54}, 5);
  return program({x, weight}, [&](GraphBuilder& b) -> Values {
    const Value conv = b.emit(call("conv2d", {x, weight}));
    Value y = b.emit(call("multiply", {b.emit(call("add", {c, c})), NDArray::scalar(2.0f)}));
    y = b.emit(call("add", {conv, y}));
    return {call("add", {b.emit(call("add", {y, c})), b.emit(call("add", {y, c}))})};
  });
}

TEST_CASE("example E is one kernel, or one for each operator at level 0", "[graph]") {
  const Module module = example_e();
  const auto after = [&](const std::vector<Pass>& passes, int opt_level) {
    Module made;
    within({.opt_level = opt_level}, [&] { made = sequential(passes)(module); });
    return checked(made);
  };
  const std::vector<Pass> all = {fold_constant(), eliminate_common_subexpr(), fuse_ops(2)};
  const Module standard = after(all, 2);
  CHECK(called(standard) == "fused_conv2d_add_add_add_add ");
  CHECK(standard.function("fused_conv2d_add_add_add_add")->parameters.size() == 4);
  const Module shared = after(all, 3);
  CHECK(called(shared) == "fused_conv2d_add_add_add ");
  CHECK(shared.function("fused_conv2d_add_add_add")->parameters.size() == 4);
  const Module alone = after({fold_constant(), eliminate_common_subexpr(), fuse_ops(0)}, 3);
  CHECK(called(alone) == "fused_conv2d fused_add fused_add fused_add1 ");
  CHECK(alone.function("fused_add1")->parameters.size() == 1);
}

// x of 4 x 6, random elementwise operators, broadcasts, reshapes, reductions and products.
Module random_program(std::mt19937& random) {
  const Value x = variable("x", f32_tensor({4, 6}));
  return program({x}, [&](GraphBuilder& b) -> Values {
    std::vector<Value> values{x};
    const auto pick = [&] {
      return values[values.size() - 1 - random() % std::min<std::size_t>(4, values.size())];
    };
    for (int step = 0; step < 3 + int(random() % 12); ++step) {
      const Value a = pick(), c = pick();
      switch (random() % 7) {
        case 0: values.push_back(b.emit(call("tanh", {a}))); break;
        case 1: values.push_back(b.emit(call("add", {a, c}))); break;
        case 2: values.push_back(b.emit(call("multiply", {a, NDArray::scalar(0.5f)}))); break;
        case 3: {
          const Value s = b.emit(call("sum", {a}, attributes_in("axes=[1], keepdims=true")));
          values.push_back(b.emit(call("subtract", {c, s})));
          break;
        }
        case 4: values.push_back(b.emit(call("softmax", {a}))); break;
        case 5: {
          const Value t = b.emit(call("transpose", {a}));
          values.push_back(
              b.emit(call("transpose", {b.emit(call("exp", {b.emit(call("tanh", {t}))}))})));
          break;
        }
        default: {
          const Value half = b.emit(call("split", {a}, attributes_in("sections=2, axis=1")));
          const Value both = tuple_value({b.emit(field(half, 1)), b.emit(field(half, 0))});
          values.push_back(b.emit(call("concatenate", {both}, attributes_in("axis=1"))));
        }
      }
    }
    return {call("relu", {values.back()})};
  });
}

TEST_CASE("random programs compute the same after FuseOps", "[graph]") {
  std::mt19937 random(5);
  const NDArray x = counted({4, 6}, 11);
  int groups = 0, operators = 0;
  for (int round = 0; round < 300; ++round) {
    const Module module = random_program(random), made = fused(module);
    const NDArray plain = *run(module, "main", {x}, RunBy::interpreter).array();
    const NDArray grouped = *run(made, "main", {x}, RunBy::interpreter).array();
    for (std::size_t p = 0; p < plain.size(); ++p)
      REQUIRE(grouped.data<float>()[p] == Approx(plain.data<float>()[p]).margin(1e-5));
    for (const auto& [name, global] : made.globals()) groups += name != "main";
    operators += int(module.function("main")->body.blocks[0].bindings.size());
  }
  CHECK(groups < operators / 2);
}

}  // namespace strata::test::fuse_ops_test
