// What passes do to programs.
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::pass_test {

using namespace strata::graph;

const Param n("n");

NDArray filled(std::vector<std::int64_t> extents, float value) {
  NDArray array(strata_float(32), std::move(extents));
  std::fill_n(array.data<float>(), array.size(), value);
  return array;
}

// The pass, whose result verifies and is the same when the pass runs again; the argument stays.
Module passed(const Pass& pass, const Module& module) {
  const std::string before = text_of(module);
  const Module made = checked(pass(module));
  CHECK(text_of(module) == before);
  CHECK(text_of(pass(made)) == text_of(made));
  return made;
}

std::string body_of(const Module& module, const std::string& name = "main") {
  std::string text = text_of(*module.function(name));
  text.erase(0, text.find('\n') + 1);
  return text.substr(0, text.find("\n}\n") + 1);
}

// conv = conv2d(x, weight); y = (c + c) * 2; y = conv + y; (y + c) + (y + c)
Module example_e() {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({1, 64, 56, 56}));
  const Value weight = variable("weight", f32_tensor({64, 64, 3, 3}));
  const Value c = filled({1, 64, 54, 54}, 0.5f);
  b.function("main", {x, weight}, [&] {
    Value result;
    b.dataflow([&] {
      const Value conv = b.emit(call("conv2d", {x, weight}));
      Value y = b.emit(call("add", {c, c}));
      y = b.emit(call("multiply", {y, NDArray::scalar(2.0f)}));
      y = b.emit(call("add", {conv, y}));
      const Value z = b.emit(call("add", {y, c})), z1 = b.emit(call("add", {y, c}));
      result = b.emit_output(call("add", {z, z1}));
    });
    b.emit_function_output(result);
  });
  return checked(b.module());
}

TEST_CASE("constants are folded, then equal calls shared", "[graph]") {
  const Module folded = passed(fold_constant(), example_e());
  CHECK(body_of(folded) == R"(  dataflow {
    %lv = conv2d(%x, %weight)
    %lv3 = add(%lv, const[0])
    %lv4 = add(%lv3, const[1])
    %lv5 = add(%lv3, const[1])
    %gv = add(%lv4, %lv5)
    output %gv
  }
  %gv
)");
  CHECK(constants_of(folded)[0].data<float>()[54 * 54 * 64 - 1] == 2);
  CHECK(body_of(passed(eliminate_common_subexpr(), folded)) == R"(  dataflow {
    %lv = conv2d(%x, %weight)
    %lv3 = add(%lv, const[0])
    %lv4 = add(%lv3, const[1])
    %gv = add(%lv4, %lv4)
    output %gv
  }
  %gv
)");
}

TEST_CASE("what is cheaper to compute than to load is not folded", "[graph]") {
  const auto calls_after = [](const Value& value) {
    GraphBuilder b;
    b.function("main", {}, [&] {
      Value result;
      b.dataflow([&] { result = b.emit_output(value); });
      b.emit_function_output(result);
    });
    return passed(fold_constant(), b.module()).function("main")->body.blocks.size();
  };
  const auto full = [](std::int64_t extent) {
    return call("full", {}, attributes_of(FullAttributes{{extent}, 1.0, f32}));
  };
  CHECK(calls_after(full(1024)) == 0);
  CHECK(calls_after(full(1025)) == 1);
  CHECK(calls_after(call("exp", {filled({5000}, 1)})) == 0);
  CHECK(calls_after(call("multiply", {filled({100, 1}, 1), filled({100}, 1)})) == 1);
  CHECK(calls_after(call("exp", {filled({70000}, 0)})) == 0);  // by a kernel
  CHECK(calls_after(call("sort", {filled({3}, 0)})) == 0);
}

TEST_CASE("shapes, fields and branches that are known", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n, 4}));
  b.function("main", {x}, [&] {
    Value shape, first;
    b.dataflow([&] {
      shape = b.emit_output(shape_of(x));
      const Value pair = b.emit(tuple_value({x, filled({2}, 1)}));
      first = b.emit_output(field(pair, 0));
    });
    const Value taken = b.emit_branch(
        NDArray::scalar(true),
        [&] {
          Value inside;
          b.dataflow([&] { inside = b.emit_output(call("exp", {call("exp", {first})})); });
          return inside;
        },
        [&] { return first; });
    b.emit_function_output(tuple_value({shape, taken}));
  });
  const Module folded = passed(fold_constant(), checked(b.module()));
  CHECK(body_of(passed(dead_code_elimination(), folded)) == R"(  dataflow {
    %lv1 = exp(%x)
    %gv2 = exp(%lv1)
    output %gv2
  }
  (shape(n, 4), %gv2)
)");
}

TEST_CASE("equal calls are shared where the first one is seen", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  const Value c = variable("c", ValueType::tensor(Shape(), boolean));
  b.function("main", {x, c}, [&] {
    const Value outer = b.emit(call("exp", {x}));
    const Value y = b.emit_branch(
        c,
        [&] { return b.emit(call("add", {b.emit(call("exp", {x})), b.emit(call("log", {x}))})); },
        [&] { return b.emit(call("log", {x})); });
    const Value after = b.emit(call("log", {x}));
    const Value scaled = b.emit(call("multiply", {after, NDArray::scalar(2.0f)}));
    const Value again = b.emit(call("multiply", {after, NDArray::scalar(2.0f)}));
    const Value other = b.emit(call("multiply", {after, NDArray::scalar(3.0f)}));
    b.emit(call_packed("f", {x}));
    b.emit(call_packed("f", {x}));
    b.emit_function_output(tuple_value({outer, y, after, scaled, again, other}));
  });
  CHECK(body_of(passed(eliminate_common_subexpr(), b.module())) == R"(  %gv = exp(%x)
  %gv5 = if (%c) {
    %gv2 = log(%x)
    %gv3 = add(%gv, %gv2)
    %gv3
  } else {
    %gv4 = log(%x)
    %gv4
  }
  %gv6 = log(%x)
  %gv7 = multiply(%gv6, 2.0f32)
  %gv9 = multiply(%gv6, 3.0f32)
  %gv10 = call_packed("f", (%x))
  %gv11 = call_packed("f", (%x))
  (%gv, %gv5, %gv6, %gv7, %gv7, %gv9)
)");
  const Pass none = eliminate_common_subexpr([](const Binding&) { return true; });
  CHECK(is_equal(none(b.module()), b.module()));
}

TEST_CASE("what nobody uses goes, and what acts stays", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  const Param m("m");
  b.function("main", {x}, [&] {
    Value y;
    b.dataflow([&] {
      b.emit(call("log", {call("exp", {x})}));
      y = b.emit_output(call("exp", {x}));
      b.emit_output(call("log", {y}));
      b.emit(call_packed("g", {x}, {}, true));
    });
    b.emit(call_packed("f", {x}));
    b.match_shape(x, {m});
    b.emit(call("add", {y, y}));
    b.emit_function_output(y);
  });
  CHECK(body_of(passed(dead_code_elimination(), b.module())) == R"(  dataflow {
    %gv = exp(%x)
    output %gv
  }
  %gv2 = call_packed("f", (%x))
  %gv3 = match_shape(%x, (m))
  %gv
)");
}

TEST_CASE("a product that one sum uses is a part of it", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n})), y = variable("y", f32_tensor({n}));
  b.function("main", {x, y}, [&] {
    Value result;
    b.dataflow([&] {
      const Value first = b.emit(call("multiply", {x, y}));
      const Value sum = b.emit(call("add", {first, x}));
      const Value twice = b.emit(call("multiply", {sum, y}));
      const Value other = b.emit(call("add", {y, twice}));
      const Value more = b.emit(call("add", {twice, other}));
      result = b.emit_output(call("add", {b.emit(call("multiply", {more, more})), more}));
    });
    b.emit_function_output(result);
  });
  const Module module = b.module(), made = passed(fma_rewrite(), module);
  CHECK(body_of(made) == R"(  dataflow {
    %lv1 = ewise_fma(%x, %y, %x)
    %lv2 = multiply(%lv1, %y)
    %lv3 = add(%y, %lv2)
    %lv4 = add(%lv2, %lv3)
    %gv = ewise_fma(%lv4, %lv4, %lv4)
    output %gv
  }
  %gv
)");
  const std::vector<VmValue> arguments{filled({3}, 2), filled({3}, 5)};
  CHECK(run(module, "main", arguments, RunBy::interpreter).array()->data<float>()[2] ==
        run(made, "main", arguments, RunBy::interpreter).array()->data<float>()[2]);
}

TEST_CASE("a field that is local to another block stays", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  b.function("main", {x}, [&] {
    Value t, y;
    b.dataflow([&] { t = b.emit_output(tuple_value({b.emit(call("exp", {x})), x})); });
    b.dataflow([&] { y = b.emit_output(call("log", {field(t, 0)})); });
    b.emit_function_output(y);
  });
  const Module folded = passed(fold_constant(), checked(b.module()));
  CHECK(body_of(folded) == body_of(b.module()));
}

TEST_CASE("a symbol of a branch is not that of what follows", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n})), y = variable("y", f32_tensor({Param("m")}));
  const Param k("k");
  b.function("main", {x, y}, [&] {
    b.emit_branch(NDArray::scalar(true), [&] { return b.match_shape(x, {k}); }, [&] { return x; });
    b.emit_function_output(b.match_shape(y, {k}));
  });
  const Module made = passed(fold_constant(), checked(b.module()));
  CHECK(run(made, "main", {filled({3}, 1), filled({4}, 1)}).array()->size() == 4);
}

TEST_CASE("extents in a tuple that is stated follow their variables", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  b.function("main", {x}, [&] {
    Value result;
    b.dataflow([&] {
      const Value known = b.emit(shape_of(x));
      const Value computed = b.emit(call_packed("some.shape", {x}, ValueType::shape(1), true));
      const ValueType stated =
          ValueType::tuple({ValueType::tensor(known, 1, f32), ValueType::tensor(computed, 1, f32)});
      result = b.emit_output(field(call_packed("some.f", {x}, stated, true), 1));
    });
    b.emit_function_output(result);
  });
  for (const Pass& pass : all_passes()) {
    INFO(pass.info().name);
    if (pass.info().name != "PrintIR") passed(pass, checked(b.module()));
  }
}

TEST_CASE("a pass keeps what a function is stated to return", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  b.declare("main", {x}, f32_tensor({n}));
  b.function("main", {x}, [&] { b.emit_function_output(b.emit(call_packed("some.f", {x}))); });
  const Module made =
      rewritten(checked(b.module()), [](Rewriter& r, const Binding& kept) { r.keep(kept); });
  CHECK(text_of(made) == text_of(b.module()));
}

TEST_CASE("PrintIR prints once, where it stands", "[graph]") {
  std::vector<std::string> printed;
  const Pass print = print_ir("here", [&](const std::string& text) { printed.push_back(text); });
  const Module module = example_e();
  const Module made = sequential({fold_constant(), print, dead_code_elimination()})(module);
  REQUIRE(printed.size() == 1);
  CHECK(printed[0] == "here\n" + text_of(fold_constant()(module)));
  CHECK(is_equal(made, fold_constant()(module)));
}

// ---- random programs ----

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  Module module() {
    GraphBuilder b;
    const Value x = variable("x", f32_tensor({n, 3})), y = variable("y", f32_tensor({n, 3}));
    b.function("main", {x, y}, [&] {
      Values seen{x, y};
      for (int blocks = 1 + below(3); blocks > 0; --blocks) {
        if (below(2))
          add_dataflow(b, seen);
        else if (below(3))
          seen.push_back(b.emit(drawn(seen)));
        else
          add_branch(b, seen);
      }
      b.emit_function_output(below(3) ? seen.back() : tuple_value({seen.back(), any(seen)}));
    });
    return b.module();
  }

 private:
  int below(int bound) { return int(random_() % unsigned(bound)); }
  const Value& any(const Values& values) { return values[std::size_t(below(int(values.size())))]; }

  Value operand(const Values& seen) {
    switch (below(6)) {
      case 0: return NDArray::scalar(float(below(3)));
      case 1: return filled({1, 3}, float(below(2)));
      default: return any(seen);
    }
  }

  // A call of type (n, 3), perhaps of calls.
  Value drawn(const Values& seen) {
    const Value& first = any(seen);
    switch (below(6)) {
      case 0: return call("relu", {first});
      case 1: return call("add", {call("multiply", {first, operand(seen)}), any(seen)});
      case 2: return call("add", {first, call("add", {operand(seen), NDArray::scalar(1.0f)})});
      case 3: return field(tuple_value({first, operand(seen)}), 0);
      default: return call(below(2) ? "add" : "multiply", {first, operand(seen)});
    }
  }

  void add_dataflow(GraphBuilder& b, Values& seen) {
    Values outputs;
    b.dataflow([&] {
      Values inside = seen;
      for (int bindings = 1 + below(6); bindings > 0; --bindings) {
        const bool is_output = below(3) == 0;
        inside.push_back(is_output ? b.emit_output(drawn(inside)) : b.emit(drawn(inside)));
        if (is_output) outputs.push_back(inside.back());
      }
    });
    seen.insert(seen.end(), outputs.begin(), outputs.end());
  }

  void add_branch(GraphBuilder& b, Values& seen) {
    const auto side = [&] {
      Values inside = seen;
      for (int bindings = 1 + below(3); bindings > 0; --bindings) {
        if (below(3) == 0) add_dataflow(b, inside);
        inside.push_back(b.emit(drawn(inside)));
      }
      return inside.back();
    };
    const Value least = call("min", {any(seen)});
    const Value condition = below(2) ? Value(NDArray::scalar(below(2) == 1))
                                     : call("less", {least, NDArray::scalar(1.0f)});
    seen.push_back(b.emit_branch(condition, side, side));
  }

  std::mt19937 random_;
};

void require_equal(const VmValue& a, const VmValue& b) {
  if (a.fields()) {
    REQUIRE(b.fields());
    for (std::size_t k = 0; k < a.fields()->size(); ++k)
      require_equal((*a.fields())[k], (*b.fields())[k]);
    return;
  }
  REQUIRE(a.array());
  REQUIRE(b.array());
  REQUIRE(a.array()->extents() == b.array()->extents());
  for (std::size_t p = 0; p < a.array()->size(); ++p)
    REQUIRE(a.array()->data<float>()[p] == b.array()->data<float>()[p]);
}

Alteration wants(const std::string& callee, const WantedLayouts& layouts) {
  return {callee, [layouts](const OperatorCall&, const ValueType&) { return layouts; }};
}

TEST_CASE("passes keep what 1000 random programs compute", "[graph]") {
  const std::vector<Pass> passes{
      fold_constant(),
      eliminate_common_subexpr(),
      dead_code_elimination(),
      fma_rewrite(),
      to_a_normal_form(),
      infer_type(),
      alter_op_layout({wants("relu", {{"NC3c"}, {"NC3c"}}), wants("multiply", {{"CN"}, {"CN"}})}),
      sequential(
          {fma_rewrite(), eliminate_common_subexpr(), fold_constant(), dead_code_elimination()})};
  NDArray x(strata_float(32), {2, 3}), y(strata_float(32), {2, 3});
  for (std::size_t p = 0; p < 6; ++p) {
    x.data<float>()[p] = float(p) - 2;
    y.data<float>()[p] = 3 - float(p % 4);
  }
  int changed = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const Module module = RandomProgram(seed).module();
    INFO("seed " << seed << "\n" << text_of(module));
    const VmValue wanted = run(module, "main", {x, y}, RunBy::interpreter);
    for (const Pass& pass : passes) {
      INFO(pass.info().name);
      const bool is_one = pass.info().name != "sequential";  // several may go on
      const Module made = is_one ? passed(pass, module) : checked(pass(module));
      changed += text_of(made) != text_of(module);
      require_equal(run(made, "main", {x, y}, RunBy::interpreter), wanted);
    }
  }
  CHECK(changed > 2000);
}

TEST_CASE("passes over long programs take linear time", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  b.function("main", {x}, [&] {
    Value last = x;
    b.dataflow([&] {
      for (int k = 0; k < 50000; ++k) {
        const Value product = b.emit(call("multiply", {last, x}));
        last = b.emit(call("add", {product, x}));
      }
      last = b.emit_output(call("exp", {last}));
    });
    b.emit_function_output(last);
  });
  const Module module = b.module();
  for (const Pass& pass : {fold_constant(), eliminate_common_subexpr(), dead_code_elimination()})
    CHECK(is_equal(pass(module), module));
  CHECK(fma_rewrite()(module).function("main")->body.blocks[0].bindings.size() == 50001);
}

}  // namespace strata::test::pass_test
