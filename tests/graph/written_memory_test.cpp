// Packed functions that write to their arguments, and passes.
#include "tests/graph/programs.h"

namespace strata::test::written_memory_test {

using namespace strata::graph;

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
      [&](GraphBuilder& b, const Value& v) {
        writes_to(b, b.emit(field(tuple_value({v, v}), 1)));
      },
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

}  // namespace strata::test::written_memory_test
