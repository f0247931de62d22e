// CombineParallelProducts: which products become one, and that programs compute the same then.
#include "graph/pass/column_use.h"
#include "tests/graph/programs.h"

namespace strata::test::combine_products_test {

using namespace strata::graph;

namespace {

const Param n("n"), m("m");

Module program(const Values& parameters, const std::function<Value(GraphBuilder&)>& body) {
  return checked(one_block(parameters, body));
}

int calls_of(const Module& module, const std::string& name) {
  const std::string text = text_of(module);
  int count = 0;
  for (std::size_t at = text.find(" = " + name + "("); at != std::string::npos;
       at = text.find(" = " + name + "(", at + 1))
    ++count;
  return count;
}

// relu(x) is read by products with constants of these columns, each with a bias. "after" makes
// something of each of them; all are added.
Module heads(const std::vector<std::int64_t>& columns,
             const std::function<Value(GraphBuilder&, Value)>& after) {
  const Value x = variable("x", f32_tensor({n, 5}));
  return program({x}, [&](GraphBuilder& b) {
    const Value shared = b.emit(call("relu", {x}));
    Value total;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Value w = counted({5, columns[k]}, 7 + int(k)),
                  bias = counted({columns[k]}, 3 + int(k));
      const Value product = b.emit(call("matmul", {shared, w}));
      const Value made = b.emit(after(b, b.emit(call("add", {product, bias}))));
      const Value sum = call("sum", {made}, attributes_in("axes=[0, 1]"));
      total = total.defined() ? b.emit(call("add", {total, sum})) : b.emit(sum);
    }
    return call("relu", {total});
  });
}

Value turned(GraphBuilder&, const Value& y) {
  return call("transpose", {y}, attributes_in("axes=[1, 0]"));
}

Module combined(const Module& module) {
  const Module made = checked(combine_parallel_products()(module));
  CHECK(is_equal(made, combine_parallel_products()(made)));
  return made;
}

// What main computes is the same, by an interpreter that shares no code with kernels.
void require_same(const Module& module, const Module& made) {
  for (const std::int64_t rows : {0, 1, 4}) {
    const NDArray x = counted({rows, 5}, 11);
    const VmValue wanted = run(module, "main", {x}, RunBy::interpreter);
    REQUIRE(is_close(run(made, "main", {x}, RunBy::interpreter), wanted));
    REQUIRE(is_close(run(fuse_by_bytes()(fold_constant()(made)), "main", {x}), wanted));
  }
}

std::optional<ColumnUse> use_of(const std::string& callee, const std::vector<Shape>& shapes,
                                const std::string& attributes = "") {
  OperatorCall call{callee, {}};
  if (!attributes.empty()) call.attributes = attributes_in(attributes);
  for (const Shape& shape : shapes)
    call.arguments.push_back(
        variable("x" + std::to_string(call.arguments.size()), f32_tensor(shape)));
  return column_use(call, Where::here());
}

// "1: _ 0": the result's dimension 1 is none of the first argument, and 0 of the second.
std::string text_of_use(const std::optional<ColumnUse>& use) {
  if (!use) return "none";
  std::string text = std::to_string(use->axis) + ":";
  for (const auto& part : use->parts) text += part ? " " + std::to_string(*part) : " _";
  return text + (use->sums ? " sums" : "");
}

}  // namespace

TEST_CASE("products of one tensor with constants are one product", "[graph]") {
  const Module module = heads({6, 4, 4}, turned);
  const Module made = combined(module);
  CHECK(calls_of(module, "matmul") == 3);
  CHECK(calls_of(made, "matmul") == 1);
  CHECK(calls_of(dead_code_elimination()(made), "strided_slice") == 3);
  CHECK(text_of(made).find("strided_slice(%lv1_all, begin=[6], end=[10]") != std::string::npos);
  require_same(module, made);
}

TEST_CASE("products stay apart if their readers compute", "[graph]") {
  const Module sums =
      heads({4, 4}, [](GraphBuilder&, const Value& y) { return call("relu", {y}); });
  CHECK(is_equal(combined(sums), sums));
  const Module rows = heads({4, 4}, [](GraphBuilder& b, const Value& y) {
    return turned(b, b.emit(call("softmax", {y})));
  });
  CHECK(is_equal(combined(rows), rows));
  const Module moved = heads(
      {4, 4}, [](GraphBuilder& b, const Value& y) { return turned(b, b.emit(call("relu", {y}))); });
  CHECK(calls_of(combined(moved), "matmul") == 1);
}

TEST_CASE("only what all products share, and constants, are combined", "[graph]") {
  const Value x = variable("x", f32_tensor({n, 5})), y = variable("y", f32_tensor({n, 5})),
              w = variable("w", f32_tensor({5, 4}));
  const auto product = [](GraphBuilder& b, const Value& left, const Value& right) {
    return b.emit(turned(b, b.emit(call("matmul", {left, right}))));
  };
  const Value one = counted({5, 4}, 7), other = counted({5, 4}, 9);
  const auto sum_of = [&](const Value& left, const Value& right, const Value& last) {
    return program({x, y, w}, [&](GraphBuilder& b) {
      const Value first = product(b, x, right);
      return call("add", {first, product(b, left, last)});
    });
  };
  CHECK(calls_of(combined(sum_of(x, one, other)), "matmul") == 1);
  CHECK(calls_of(combined(sum_of(y, one, other)), "matmul") == 2);
  CHECK(calls_of(combined(sum_of(x, one, w)), "matmul") == 2);
}

TEST_CASE("a product that is seen elsewhere stays", "[graph]") {
  const Value x = variable("x", f32_tensor({n, 5}));
  GraphBuilder b;
  b.function("main", {x}, [&] {
    Value first, second;
    b.dataflow([&] {
      first = b.emit_output(call("matmul", {x, counted({5, 4}, 7)}));
      second = b.emit_output(turned(b, b.emit(call("matmul", {x, counted({5, 4}, 9)}))));
    });
    b.emit_function_output(tuple_value({first, second}));
  });
  const Module module = checked(b.module());
  CHECK(is_equal(combined(module), module));
}

TEST_CASE("how results depend on columns follows from the expression", "[graph]") {
  CHECK(text_of_use(use_of("matmul", {{n, 5}, {5, 4}})) == "1: _ 1 sums");
  CHECK(text_of_use(use_of("dense", {{n, 5}, {4, 5}})) == "1: _ 0 sums");
  CHECK(text_of_use(use_of("add", {{n, 4}, {4}})) == "1: 1 0");
  CHECK(text_of_use(use_of("add", {{n, 4}, {n, 1}})) == "1: 1 _");
  CHECK(text_of_use(use_of("transpose", {{n, m}}, "axes=[1, 0]")) == "1: 0");
  CHECK(text_of_use(use_of("sum", {{n, m}}, "axes=[1]")) == "0: 0 sums");
  CHECK(text_of_use(use_of("softmax", {{n, m}})) == "none");
  CHECK(text_of_use(use_of("tril", {{n, m}})) == "none");
  CHECK(text_of_use(use_of("reverse", {{n, m}}, "axes=[0, 1]")) == "none");
}

}  // namespace strata::test::combine_products_test
