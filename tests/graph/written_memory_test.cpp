// Packed functions that write to their arguments, and passes.
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::written_memory_test {

using namespace strata::graph;

const Param n("n");

VmValue add_one(const std::vector<VmValue>& arguments) {
  for (std::size_t k = 0; k < 2; ++k) arguments[0].array()->data<float>()[k] += 1;
  return {};
}
const bool is_registered = (register_packed("test.add_one", add_one), true);

std::vector<float> elements(const VmValue& value) {
  if (value.array()) {
    const float* data = value.array()->data<float>();
    return {data, data + value.array()->size()};
  }
  std::vector<float> all;
  for (const VmValue& field : *value.fields())
    for (const float element : elements(field)) all.push_back(element);
  return all;
}

// What main(x) gives before the pass, and after it.
void require_kept(const Pass& pass, const Module& module) {
  const auto x = [] { return NDArray::of<float>({2}, {1, 2}); };
  INFO(text_of(module));
  for (const RunBy by : {RunBy::kernels, RunBy::interpreter})
    CHECK(elements(run(pass(module), "main", {x()}, by)) ==
          elements(run(module, "main", {x()}, by)));
}

TEST_CASE("what an impure call may write to is not shared, nor folded", "[graph]") {
  const Value x = variable("x", f32_tensor({2}));
  const Value two = NDArray::of<float>({2}, {2, 2});
  // main(x) = (a, b), where a and b are equal before "writes".
  const auto module = [&](const Value& equal, const auto& writes) {
    GraphBuilder b;
    b.function("main", {x}, [&] {
      Value first, second;
      b.dataflow([&] {
        first = b.emit_output(equal);
        second = b.emit_output(equal);
      });
      writes(b, first);
      const Value third = b.emit(equal);
      b.emit_function_output(tuple_value({first, second, third}));
    });
    return checked(b.module());
  };
  const auto writes_to = [](GraphBuilder& b, const Value& v) {
    b.emit(call_packed("test.add_one", {v}));
  };
  const std::vector<std::function<void(GraphBuilder&, const Value&)>> all{
      writes_to,
      [&](GraphBuilder& b, const Value& v) {
        writes_to(b, b.emit(call("reshape", {v}, {{{"shape", Shape{2, 1}}}})));
      },
      [&](GraphBuilder& b, const Value& v) { writes_to(b, b.emit(field(tuple_value({v, v}), 1))); },
      [&](GraphBuilder& b, const Value& v) {
        const auto side = [&] { return b.emit(v); };
        writes_to(b, b.emit_branch(NDArray::scalar(true), side, side));
      },
      [&](GraphBuilder& b, const Value&) { writes_to(b, x); },
  };
  for (const auto& writes : all)
    for (const Value& equal :
         {call("exp", {x}), call("exp", {two}), call("reshape", {x}, {{{"shape", Shape{2}}}})})
      for (const Pass& pass :
           {eliminate_common_subexpr(), fold_constant(), dead_code_elimination()})
        require_kept(pass, module(equal, writes));
}

TEST_CASE("results that callers may write to are not shared, nor folded", "[graph]") {
  const Value x = variable("x", f32_tensor({2})), y = variable("y", f32_tensor({2}));
  for (const Value& equal : {call("exp", {y}), call("exp", {NDArray::of<float>({2}, {2, 2})})}) {
    GraphBuilder b;
    b.function("twice", {y}, [&] {
      Value first, second;
      b.dataflow([&] {
        first = b.emit_output(equal);
        second = b.emit_output(equal);
      });
      b.emit_function_output(tuple_value({first, second}));
    });
    b.function("main", {x}, [&] {
      const Value both = b.emit(call_function("twice", {x}));
      b.emit(call_packed("test.add_one", {b.emit(field(both, 0))}));
      b.emit_function_output(both);
    });
    for (const Pass& pass : {eliminate_common_subexpr(), fold_constant()})
      require_kept(pass, checked(b.module()));
  }
}

TEST_CASE("a packed function cannot write to a constant", "[graph]") {
  GraphBuilder b;
  b.function("main", {}, [&] {
    const Value constant = NDArray::of<float>({2}, {1, 2});
    b.emit(call_packed("test.add_one", {constant}));
    b.emit_function_output(constant);
  });
  const Module module = b.module();
  for (int time = 0; time < 2; ++time)
    CHECK(run(module, "main", {}).array()->data<float>()[0] == 1);
}

TEST_CASE("a view of an array shares its memory, and what a kernel computes does not", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({n}));
  b.function("main", {x}, [&] {
    const Value view = b.emit(call("expand_dims", {x}, {{{"axis", std::int64_t{0}}}}));
    const Value same = b.emit_te("same", [](const Tensor& a) { return a; }, x);
    const Value column = b.emit_te(
        "column", [](const Tensor& a) { return expand_dims(a, NewAxesAttributes{1}); }, x);
    for (const Value& written : {view, same, column})
      b.emit(call_packed("test.add_one", {written}));
    b.emit_function_output(tuple_value({x, view, same, column}));
  });
  const Module module = checked(b.module());
  for (const RunBy by : {RunBy::kernels, RunBy::interpreter}) {
    const NDArray array = NDArray::of<float>({2}, {1, 2});
    CHECK(elements(run(module, "main", {array}, by)) == std::vector<float>{2, 3, 2, 3, 2, 3, 2, 3});
    CHECK(array.data<float>()[1] == 3);
  }
}

TEST_CASE("a view that is none is refused", "[graph]") {
  const auto kernel = [](const std::string& view) {
    return parse_module(
        "kernel @k(A: Tensor[(n, m), float32]) {\n  V(i0, i1): Tensor[(m, n), float32]"
        " = view " +
        view + "\n  return V\n}\n" +
        "def @main(%x: Tensor[(n, m), float32]) -> Tensor[(m, n), float32] {\n"
        "  %y = call_kernel((m, n), @k, (%x))\n  %y\n}\n");
  };
  const std::string place =
      "E0117 line 2, column 3: a view is one access of one tensor, and this is ";
  CHECK(why([&] { kernel("1.0f32"); }) == place + "1.0f32");
  CHECK(why([&] { kernel("A[i1, i0] * 2.0f32"); }) == place + "A[i1, i0] * 2.0f32");
  const Module transposed = kernel("A[i1, i0]");
  const NDArray x = NDArray::of<float>({2, 2}, {1, 2, 3, 4});
  CHECK(why([&] { run(transposed, "main", {x}, RunBy::interpreter); }) ==
        "E0602 V is called a view, but its elements differ from those that it reads");
  const Module shorter = parse_module(R"(kernel @k(A: Tensor[(n), float32]) {
  V(i0): Tensor[(1), float32] = view A[i0]
  return V
}
def @main(%x: Tensor[(n), float32]) -> Tensor[(1), float32] {
  %y = call_kernel((1), @k, (%x))
  %y
})");
  for (const RunBy by : {RunBy::kernels, RunBy::interpreter})
    CHECK(why([&] { run(shorter, "main", {NDArray::of<float>({2}, {1, 2})}, by); }) ==
          "E0602 V is a view of (2), and has another number of elements");
}

// main(x, y) and a function that it may call, which write to some of their values.
class RandomWrites {
 public:
  explicit RandomWrites(unsigned seed) : random_(seed) {}

  Module module() {
    GraphBuilder b;
    const Tensor x = placeholder("x", f32, {2});
    view_ = b.add_kernel(tensor_kernel("view", {x}, {reshape(x, ShapeAttributes{Shape{2}})}));
    add(b, "helper", false);
    add(b, "main", true);
    return b.module();
  }

 private:
  int below(int bound) { return int(random_() % unsigned(bound)); }
  const Value& any(const Values& seen) { return seen[std::size_t(below(int(seen.size())))]; }

  void add(GraphBuilder& b, const std::string& name, bool is_main) {
    const Value x = variable("x", f32_tensor({2})), y = variable("y", f32_tensor({2}));
    b.function(name, {x, y}, [&] {
      Values seen{x, y};
      for (int blocks = 2 + below(5); blocks > 0; --blocks) {
        add_dataflow(b, seen);
        add_plain(b, seen, is_main);
      }
      b.emit_function_output(is_main ? tuple_value(seen) : tuple_value({any(seen), any(seen)}));
    });
  }

  Value drawn(const Values& seen) {
    switch (below(7)) {
      case 0: return call("reshape", {any(seen)}, {{{"shape", Shape{2}}}});
      case 1: return field(tuple_value({any(seen), any(seen)}), below(2));
      case 2: return call("multiply", {NDArray::of<float>({2}, {2, 4}), NDArray::scalar(0.5f)});
      case 3: return NDArray::of<float>({2}, {3, 5});
      case 4: return call_kernel({shape_value({2})}, view_, {any(seen)});
      default: return call("add", {seen[std::size_t(below(2))], any(seen)});
    }
  }

  void add_dataflow(GraphBuilder& b, Values& seen) {
    Values outputs;
    b.dataflow([&] {
      Values inside = seen;
      for (int bindings = 1 + below(4); bindings > 0; --bindings) {
        inside.push_back(b.emit_output(drawn(inside)));
        outputs.push_back(inside.back());
      }
    });
    seen.insert(seen.end(), outputs.begin(), outputs.end());
  }

  void add_plain(GraphBuilder& b, Values& seen, bool may_call) {
    switch (below(may_call ? 4 : 3)) {
      case 0: seen.push_back(b.emit(drawn(seen))); break;
      case 1: {
        const auto side = [&] { return below(2) ? b.emit(drawn(seen)) : any(seen); };
        seen.push_back(b.emit_branch(NDArray::scalar(below(2) == 1), side, side));
        break;
      }
      case 2: b.emit(call_packed("test.add_one", {any(seen)})); break;
      default:
        const Value both = b.emit(call_function("helper", {any(seen), any(seen)}));
        for (int k = 0; k < 2; ++k) seen.push_back(b.emit(field(both, k)));
    }
  }

  std::mt19937 random_;
  std::string view_;  // a kernel
};

Alteration packs(const std::string& callee) {
  return {callee,
          [](const OperatorCall&, const ValueType&) { return WantedLayouts{{"N2n"}, {"N2n"}}; }};
}

TEST_CASE("passes keep what 500 random programs write", "[graph]") {
  const std::vector<Pass> passes{eliminate_common_subexpr(), fold_constant(),
                                 dead_code_elimination(),
                                 alter_op_layout({packs("reshape"), packs("multiply")}),
                                 sequential({fold_constant(), eliminate_common_subexpr(),
                                             dead_code_elimination(), fma_rewrite()})};
  int changed = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Module module = checked(RandomWrites(seed).module());
    INFO("seed " << seed << "\n" << text_of(module));
    const auto results = [](const Module& m, RunBy by) {
      return elements(
          run(m, "main", {NDArray::of<float>({2}, {1, 2}), NDArray::of<float>({2}, {3, 4})}, by));
    };
    for (const Pass& pass : passes) {
      INFO(pass.info().name);
      const Module made = checked(pass(module));
      changed += text_of(made) != text_of(module);
      for (const RunBy by : {RunBy::kernels, RunBy::interpreter})
        REQUIRE(results(made, by) == results(module, RunBy::kernels));
    }
  }
  CHECK(changed > 500);
}

}  // namespace strata::test::written_memory_test
