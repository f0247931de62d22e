// Tensor expressions: what operations consist of, and what is refused.
#include <catch2/catch.hpp>

#include <strata/graph.h>
#include <strata/strata.h>

#include <cmath>

namespace strata::test::tensor_test {

// Both namespaces at once: a name that is ambiguous would not compile.
using namespace strata;
using namespace strata::graph;

const Param n("n"), m("m");

std::vector<std::string> names(const std::vector<Tensor>& tensors) {
  std::vector<std::string> all;
  for (const Tensor& t : tensors) all.push_back(t.name());
  return all;
}
using Names = std::vector<std::string>;

TEST_CASE("a body is an expression over accesses that lead to their tensors", "[graph]") {
  const Tensor a = placeholder("A", f32, {n}), b = placeholder("B", f32, {n});
  const Tensor c = compute({n}, [&](const Indices& i) { return a(i) + b(i); }, "C");
  const Tensor d = compute({n}, [&](const Indices& i) { return c(i) + b(i); }, "D");
  const Expr& body = d.op().body()[0];
  CHECK(body.op() == Op::add);
  CHECK(tensor_of(body.args()[0]) == c);
  CHECK(tensor_of(body.args()[1]) == b);
  CHECK(body.args()[0].args().size() == 1);
  CHECK(names(input_tensors(d.op())) == Names{"C", "B"});
  CHECK(d.op().axis().size() == 1);
  CHECK(d.op().reduce_axis().empty());
  CHECK_FALSE(tensor_of(Expr(n)).defined());
}

TEST_CASE("inputs are listed once, indices before the accesses that have them", "[graph]") {
  const Tensor a = placeholder("A", f32, {n}), b = placeholder("B", i64, {n}),
               e = placeholder("E", f32, {n});
  const auto inputs = [&](const std::function<Expr(Expr)>& f) {
    return names(input_tensors(compute({n}, f, "T").op()));
  };
  CHECK(inputs([&](Expr i) { return a(i) + a(i + 0) + e(i); }) == Names{"A", "E"});
  CHECK(inputs([&](Expr i) { return a(i - 1) + a(i) + a(i + 1); }) == Names{"A"});
  CHECK(inputs([&](Expr i) { return a(i) * a(i); }) == Names{"A"});
  CHECK(inputs([&](Expr i) { return a(b(i)); }) == Names{"B", "A"});
}

TEST_CASE("several outputs of one operation are several tensors", "[graph]") {
  const Tensor a0 = placeholder("A0", f32, {n, m}), a1 = placeholder("A1", f32, {n, m});
  const std::vector<Tensor> b = compute(
      {n, m}, [&](Expr i, Expr j) { return std::vector<Expr>{a0(i, j) + 2.0f, a1(i, j) * 3.0f}; },
      "B");
  REQUIRE(b.size() == 2);
  CHECK(&b[0].op() == &b[1].op());
  CHECK(b[0].index() == 0);
  CHECK(b[1].index() == 1);
  CHECK(b[0].op().body().size() == 2);
  CHECK(names(input_tensors(b[0].op())) == Names{"A0", "A1"});
  CHECK(b[0] == Tensor(b[1].shared_op(), 0));
  CHECK(b[0] != b[1]);
}

TEST_CASE("reductions run over one axis or several, and tuples have reducers", "[graph]") {
  const Tensor a = placeholder("A", f32, {n, m});
  const Axis k = reduce_axis(m, "k"), l = reduce_axis(0, n, "l");
  const Tensor row = compute({n}, [&](Expr i) { return sum(k, a(i, k)); }, "row");
  const Tensor whole = compute({}, [&](const Indices&) { return sum({l, k}, a(l, k)); }, "whole");
  CHECK(row.op().reduce_axis().size() == 1);
  CHECK(whole.op().reduce_axis().size() == 2);
  CHECK(whole.rank() == 0);
  const std::vector<Tensor> best = compute({n}, [&](Expr i) { return argmax(k, a(i, k)); }, "best");
  REQUIRE(best.size() == 2);
  CHECK(best[1].type() == i64);
  CHECK(best[0].op().reduce_axis().size() == 1);
}

TEST_CASE("a Function has the tensors as arguments and their symbols as parameters", "[graph]") {
  const Tensor a = placeholder("A", f32, {n, 2 * (m / 2)});
  const Tensor b = compute(a.shape(), [&](const Indices& i) { return a(i) + 1.0f; }, "B");
  const TensorFunction f = create_function("add_one", {a, b});
  REQUIRE(f.parameters.size() == 2);
  CHECK(f.parameters[0].first == "n");
  CHECK(f.parameters[1].first == "m");
  CHECK(f.arguments.size() == 2);
  CHECK(f.arguments[0].name() == "A");
  const Tensor flat = flatten(placeholder("X", f32, {n, m}));
  const TensorFunction g = create_function("flat", {placeholders_of({flat})[0], flat});
  CHECK(g.parameters.back().first == "m_n");
  CHECK(dim_text(g.parameters.back().second) == dim_text(n * m));
}

TEST_CASE("names of tensors, symbols and iterators may be the same", "[graph]") {
  const Param k("k");
  const Tensor x = placeholder("x", f32, {k, n}), again = placeholder("x", f32, {n});
  const Axis over = reduce_axis(n, "k");
  const Tensor k_tensor =
      compute({k}, [&](Expr i) { return sum(over, x(i, over) * again(over)); }, "k");
  const std::vector<NDArray> y = compile({k_tensor})(
      {NDArray::of<float>({2, 2}, {1, 2, 3, 4}), NDArray::of<float>({2}, {10, 1})});
  CHECK(y[0].data<float>()[0] == 12);
  CHECK(y[0].data<float>()[1] == 34);
}

// sum_{k, l} a(k, l) w(k) + 1000 sum_{k, l} l: no two axes may be one.
TEST_CASE("two axes of one name are two", "[graph]") {
  const Tensor a = placeholder("A", f32, {n, m}), w = placeholder("k", f32, {n});
  const Axis k = reduce_axis(n, "k"), l = reduce_axis(m, "k"), like_i = reduce_axis(m, "i0");
  const Tensor whole = compute(
      {}, [&](const Indices&) { return sum({k, l}, a(k, l) * w(k) + cast(f32, l) * 1000.0f); },
      "whole");
  CHECK(whole.op().reduce_axis()[0].name() == "k");
  CHECK(whole.op().reduce_axis()[1].name() == "k_1");
  const Tensor rows = compute({n}, [&](Expr i) { return sum(like_i, a(i, like_i)); }, "rows");
  CHECK(rows.op().reduce_axis()[0].name() == "i0_1");
  const std::vector<Tensor> best =
      compute({}, [&](const Indices&) { return argmax({k, l}, a(k, l)); }, "best");
  const NDArray x = NDArray::of<float>({2, 3}, {1, 2, 3, 4, 9, 6});
  const NDArray weights = NDArray::of<float>({2}, {1, 10});
  const SymbolValues sizes{{"n", 2}, {"m", 3}};
  const std::vector<Tensor> all{whole, rows, best[0], best[1], best[2]};
  const CompiledTensors compiled = graph::compile(all);
  std::vector<NDArray> arguments;
  for (const Tensor& t : compiled.arguments()) arguments.push_back(t == a ? x : weights);
  for (const std::vector<NDArray>& made :
       {compiled(arguments), evaluate(all, {{a, x}, {w, weights}}, sizes)}) {
    CHECK(made[0].data<float>()[0] == 6 + 190 + 6000);
    CHECK(made[1].data<float>()[0] == 6);
    CHECK(made[1].data<float>()[1] == 19);
    CHECK(made[2].data<float>()[0] == 9);
    CHECK(made[3].data<std::int64_t>()[0] == 1);
    CHECK(made[4].data<std::int64_t>()[0] == 1);
  }
}

TEST_CASE("errors have the names that authors give to axes", "[graph]") {
  const Tensor a = placeholder("A", f32, {n, m});
  const Axis k = reduce_axis(m, "k"), bad = reduce_axis(m, "two words");
  const auto text = [&](auto f) -> std::string {
    try {
      compute({n}, f, "made");
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing was refused";
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(text([&](Expr i) { return a(i, k); }), Contains("k is not an iterator here"));
  CHECK_THAT(text([&](Expr i) { return sum({k, k}, a(i, k)); }), Contains("names k twice"));
  CHECK_THAT(text([&](Expr i) { return sum(k, a(i, k) + k); }), !Contains("k'"));
  CHECK_THAT(text([&](Expr i) { return sum(bad, a(i, bad)); }), Contains("\"two words\""));
  CHECK(author_text("A[i, `k'12`] + `k'3` and k'4, it's 'quoted' 7'") ==
        "A[i, k] + k and k, it's 'quoted' 7'");
}

TEST_CASE("a tensor may have the name of a symbol that only a reduced range has", "[graph]") {
  const Param n("n"), p("p");
  const Tensor x = placeholder("p", f32, {n, 8});
  const Axis k = reduce_axis(p, "k");
  const std::vector<Tensor> best =
      compute({n}, [&](Expr i) { return argmax(k, x(i, min(k, 7))); }, "best");
  const NDArray rows = NDArray::of<float>({1, 8}, {1, 9, 3, 4, 5, 6, 7, 10});
  const std::vector<NDArray> made = graph::compile(best)({rows}, {{"p", 5}});
  CHECK(made[0].data<float>()[0] == 9);
  CHECK(made[1].data<std::int64_t>()[0] == 1);
}

TEST_CASE("the program of docs/graph.md", "[graph]") {
  const Param k("k");
  const Tensor x = placeholder("x", f32, {n, k}), w = placeholder("w", f32, {m, k});
  const CompiledTensors layer = graph::compile({softmax(relu(dense(x, w)))});
  const NDArray x_array = NDArray::of<float>({1, 2}, {1, 2});
  const NDArray w_array = NDArray::of<float>({2, 2}, {3, 1, -4, 0});
  const NDArray y = layer({x_array, w_array})[0];
  const double e = std::exp(5.0);
  CHECK(y.data<float>()[0] == Approx(e / (e + 1)));
  CHECK(y.data<float>()[1] == Approx(1 / (e + 1)));
}

TEST_CASE("a chain of 100,000 tensors is built, walked and destroyed", "[graph]") {
  Tensor x = placeholder("x", f32, {n});
  for (int k = 0; k < 100'000; ++k) x = compute({n}, [&](Expr i) { return x(i) + 1.0f; }, "x");
  CHECK(operations_of({x}).size() == 100'001);
  CHECK(key({x}).size() > 1'000'000);
}

// Does "act" throw an error of this code, with this line?
template <typename Act>
void refuses(int line, Code code, Act act) {
  try {
    act();
  } catch (const Error& e) {
    INFO(e.what());
    CHECK(e.code() == code);
    CHECK(e.refusal().where.file == __FILE__);
    CHECK(e.refusal().where.line == line);
    return;
  }
  FAIL("nothing was refused");
}

TEST_CASE("mistakes are refused with the author's line", "[graph]") {
  const Tensor a = placeholder("A", f32, {n, m});
  const Axis k = reduce_axis(m, "k");
  const auto make = [](auto f, const Where& where = Where::here()) {
    compute({n}, f, "made", where);
  };
  using enum Code;
  const auto part = [&](Expr i) { return sum(k, a(i, k)) + 1.0f; };
  refuses(__LINE__, E0117_unsupported_expression, [&] { make(part); });
  refuses(__LINE__, E0109_wrong_arity, [&] { make([&](Expr i) { return a(i); }); });
  refuses(__LINE__, E0109_wrong_arity, [&] { make([&](Expr i) { return a(i, i, i); }); });
  refuses(__LINE__, E0110_types_do_not_mix, [&] { make([&](Expr i) { return a(i, 1.5f); }); });
  refuses(__LINE__, E0109_wrong_arity, [&] { make([&](Expr i, Expr j) { return i + j; }); });
  refuses(__LINE__, E0101_unknown_computation, [&] { make([](Expr i) { return i + Var("j"); }); });
  refuses(__LINE__, E0602_does_not_fit, [&] { compute({-1}, [](Expr i) { return i; }); });
  refuses(__LINE__, E0602_does_not_fit, [&] { placeholder("x", f32, {a(0, 0)}); });
  refuses(__LINE__, E0105_bad_name, [&] { placeholder("two words", f32, {n}); });
  refuses(__LINE__, E0106_bad_argument, [&] { a.shape(2); });
  const int line = __LINE__ + 1;
  const Tensor beyond = compute({n, m}, [&](Expr i, Expr j) { return a(i + 1, j); }, "beyond");
  refuses(line, E0113_read_outside_domain, [&] { graph::compile({beyond}); });
}

}  // namespace strata::test::tensor_test
