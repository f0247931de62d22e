// Operators by name, their attributes, and an author's own.
#include "tests/graph/programs.h"

namespace strata::test::operator_test {

using namespace strata::graph;

const Param n("n"), k("k"), m("m");

// y(.., j) = max_k x(.., k) + w(j, k)
Tensor tropical(const Tensor& x, const Tensor& w) {
  const Axis k = reduce_axis(w.shape(1), "k");
  return compute(x.shape().with_last(w.shape(0)),
                 [&](const Indices& i) { return maximum(k, x(i.with_last(k)) + w(i.last(), k)); });
}
const Registered row{"tropical", {"x", "w"}, tropical};

TEST_CASE("an author's operator is a function and a row", "[graph]") {
  const Tensor x = placeholder("x", f32, {n, k}), w = placeholder("w", f32, {m, k});
  const Tensor y = find_operator("tropical")({x, w})[0];
  const std::vector<NDArray> result =
      compile({y})({NDArray::of<float>({1, 2}, {1, 5}), NDArray::of<float>({2, 2}, {10, 0, 0, 1})});
  CHECK(result[0].data<float>()[0] == 11);
  CHECK(result[0].data<float>()[1] == 6);
  CHECK_THROWS_AS((Registered{"tropical", {"x", "w"}, tropical}), Error);
}

TEST_CASE("attributes are printed, parsed and compared by one list", "[graph]") {
  ConvAttributes conv;
  conv.strides = {2, 1};
  conv.groups = 4;
  const Attributes list = attributes_of(conv);
  CHECK(list.text() == "strides=[2, 1], padding=[], dilation=[], groups=4");
  CHECK(attributes_in(list.text()) == list);
  CHECK(from_attributes<ConvAttributes>(list, {"test", {}}).strides == Integers{2, 1});
  const Attributes others = attributes_of(FullAttributes{{n, 2 * m, 3}, -0.5, f16});
  CHECK(others.text() == "shape=(n, 2 * m, 3), value=-0.5, type=float16");
  CHECK(attributes_in(others.text()) == others);
  CHECK(attributes_of(FullAttributes{{n, m + m, 3}, -0.5, f16}) == others);
  const Attributes text = attributes_of(PadAttributes{{1}, {2}, "a \"b\" \\", 1e30});
  CHECK(attributes_in(text.text()) == text);
}

TEST_CASE("the attributes of every operator survive printing", "[graph]") {
  for (const std::string& name : operator_names()) {
    const Attributes& list = find_operator(name).attributes;
    INFO(name << ": " << list.text());
    CHECK(attributes_in(list.text()).text() == list.text());
  }
}

TEST_CASE("texts that are not attributes are refused", "[graph]") {
  for (const char* text : {"a", "a=", "a=[1", "a=[1,,2]", "a=(n", "a=1 b=2", "=1", "a=1,",
                           "a=99999999999999999999", "a=1.2.3", "a=(1.5)", "a=\"x"})
    CHECK_THROWS_AS(attributes_in(text), Error);
}

}  // namespace strata::test::operator_test
