// Groups that are joined to save memory traffic: which, why not, and what they compute.
#include <random>

#include "graph/fuse/kept_dims.h"
#include "tests/graph/programs.h"

namespace strata::test::fuse_by_bytes_test {

using namespace strata::graph;

using Extents = std::vector<std::int64_t>;

// A program with one block of these bindings, whose result is %gv.
Module program(const std::string& parameters, const std::string& result,
               const std::string& bindings) {
  return parsed("def @main(" + parameters + ") -> " + result + " {\n  dataflow {\n" + bindings +
                "\n    output %gv\n  }\n  %gv\n}");
}

// The names of the groups, in the order of the program.
std::vector<std::string> groups(const Module& module) {
  std::vector<std::string> names;
  for (const Group& group : groups_of(module, {.by_bytes = true}))
    names.push_back(group.function.name);
  return names;
}

NDArray drawn(const Extents& extents) {
  static std::mt19937 random(5);
  std::normal_distribution<float> normal(0, 0.5f);
  NDArray array(strata_float(32), extents);
  for (std::size_t p = 0; p < array.size(); ++p) array.data<float>()[p] = normal(random);
  return array;
}

const std::string tensor_nk = "Tensor[(n, k), float32]", tensor_nm = "Tensor[(n, m), float32]";

// softmax(a b / 8) c
Module attention() {
  return program(
      "%a: Tensor[(h, n, 64), float32], %b: Tensor[(h, m, 64), float32], "
      "%c: Tensor[(h, 64, m), float32]",
      "Tensor[(h, n, 64), float32]", R"(
    %lv = batch_matmul(%a, %b)
    %lv1 = divide(%lv, 8.0f32)
    %lv2 = softmax(%lv1)
    %gv = batch_matmul(%lv2, %c))");
}

// A product with its bias, what it is added to, and a normalization of the rows.
Module projection() {
  return program("%x: " + tensor_nk +
                     ", %w: Tensor[(96, k), float32], %b: Tensor[(96), float32], "
                     "%y: Tensor[(n, 96), float32], %g: Tensor[(96), float32], "
                     "%e: Tensor[(96), float32]",
                 "Tensor[(n, 96), float32]", R"(
    %lv = dense(%x, %w)
    %lv1 = bias_add(%lv, %b)
    %lv2 = add(%lv1, %y)
    %gv = layer_norm(%lv2, %g, %e))");
}

// The same normalization in operators as simple as those of files in the format ONNX.
Module normalization() {
  return program("%x: Tensor[(n, 96), float32]", "Tensor[(n, 96), float32]", R"(
    %lv = mean(%x, axes=[1], keepdims=true)
    %lv1 = subtract(%x, %lv)
    %lv2 = multiply(%lv1, %lv1)
    %lv3 = mean(%lv2, axes=[1], keepdims=true)
    %lv4 = add(%lv3, 0.00001f32)
    %lv5 = sqrt(%lv4)
    %gv = divide(%lv1, %lv5))");
}

TEST_CASE("results that stay in a cache join what reads them", "[graph][by_bytes]") {
  CHECK(groups(attention()) ==
        std::vector<std::string>{"fused_batch_matmul_divide_softmax_batch_matmul"});
  CHECK(groups(projection()) == std::vector<std::string>{"fused_dense_bias_add_add_layer_norm"});
  CHECK(groups(normalization()) ==
        std::vector<std::string>{"fused_mean_subtract_multiply_mean_add_sqrt_divide"});
  CHECK(
      groups(program("%x: " + tensor_nm + ", %y: Tensor[(n), float32]", "Tensor[(n), float32]", R"(
    %lv = sum(%x, axes=[1])
    %gv = add(%lv, %y))")) == std::vector<std::string>{"fused_sum_add"});
}

TEST_CASE("the pass makes these groups functions, FuseOps those of Relay", "[graph][by_bytes]") {
  const Module joined = fuse_by_bytes()(attention());
  CHECK(joined.has("fused_batch_matmul_divide_softmax_batch_matmul"));
  CHECK(joined.globals().size() == 2);
  CHECK(fuse_ops()(attention()).globals().size() == 4);
  CHECK(groups_of(attention(), {.level = 0, .by_bytes = true}).size() == 4);
}

// Why the group of the first binding is apart.
std::string why_apart(const Module& module) {
  const std::string edges = groups_of(module, {.by_bytes = true})[0].edges;
  const std::size_t at = edges.rfind("apart, ");
  return at == std::string::npos ? edges : edges.substr(at + 7, edges.find('\n', at) - at - 7);
}

TEST_CASE("edges say why groups are apart", "[graph][by_bytes]") {
  // All rows of the first product are needed for each row of the second.
  CHECK(why_apart(program("%x: Tensor[(n, k), float32], %y: Tensor[(m, k), float32], "
                          "%z: Tensor[(l, m), float32]",
                          "Tensor[(l, n), float32]", R"(
    %lv = dense(%x, %y)
    %gv = dense(%z, %lv))")) == "each iteration of the loops of %gv needs all of it");
  CHECK(why_apart(program("%x: Tensor[(n, 4000000), float32]", "Tensor[(n), float32]", R"(
    %lv = softmax(%x)
    %gv = sum(%lv, axes=[1]))")) ==
        "an iteration of 1 loops of %gv needs 16000000 bytes of %lv, more than half of the second "
        "cache");
  // An iteration needs an image.
  CHECK(why_apart(program("%x: Tensor[(n, 16, 8, 8), float32], %w: Tensor[(16, 16, 3, 3), float32]",
                          "Tensor[(n, 16, 4, 4), float32]", R"(
    %lv = conv2d(%x, %w, padding=[1, 1])
    %gv = max_pool2d(%lv, window=[2, 2], strides=[2, 2]))")) ==
        "%lv and %gv share 2 loops, which leave more than a row");
  CHECK(why_apart(program("%x: Tensor[(1, 50), float32]", "Tensor[(1), float32]", R"(
    %lv = softmax(%x)
    %gv = sum(%lv, axes=[1]))")) ==
        "the loops of %gv that it could share have 1 iterations, too few for all cores");
  CHECK(why_apart(program("%x: " + tensor_nm, "Tensor[(n), float32]", R"(
    %lv = sort(%x)
    %gv = sum(%lv, axes=[1]))")) == "it is opaque");
  within({.config = {{"FuseByBytes.max_stages", std::int64_t{2}}}}, [] {
    CHECK(groups(attention()).size() == 2);
    CHECK(groups(projection()).size() == 1);
  });
}

TEST_CASE("what is seen outside of the block stays apart", "[graph][by_bytes]") {
  const Module module = parsed("def @main(%x: " + tensor_nm + R"() -> Object {
  dataflow {
    %lv = softmax(%x)
    %gv = sum(%lv, axes=[1])
    output %lv, %gv
  }
  (%lv, %gv)
})");
  CHECK(groups(module) == std::vector<std::string>{"fused_softmax", "fused_sum"});
}

TEST_CASE("a call says which leading dimensions it keeps", "[graph][by_bytes]") {
  const auto kept = [](const std::string& parameters, const std::string& call) {
    const Module module =
        parsed("def @main(" + parameters + ") -> Object {\n  dataflow {\n    %gv = " + call +
               "\n    output %gv\n  }\n  %gv\n}");
    const Binding& b = module.function("main")->body.blocks[0].bindings[0];
    return kept_dims(*b.as<OperatorCall>());
  };
  using Dims = std::vector<int>;
  const std::string x = "%x: Tensor[(a, b, c), float32]";
  CHECK(kept(x, "exp(%x)") == Dims{3});
  CHECK(kept(x, "softmax(%x)") == Dims{2});
  CHECK(kept(x, "softmax(%x, axis=1)") == Dims{1});
  CHECK(kept(x, "sum(%x, axes=[1])") == Dims{1});
  CHECK(kept(x, "sum(%x, axes=[0])") == Dims{0});
  CHECK(kept(x, "transpose(%x, axes=[0, 2, 1])") == Dims{1});
  CHECK(kept(x, "reverse(%x, axes=[1])") == Dims{1});
  CHECK(kept("%x: Tensor[(a, b, 384), float32]", "reshape(%x, shape=(a, b, 12, 32))") == Dims{2});
  CHECK(kept(x + ", %y: Tensor[(a, d, c), float32]", "batch_matmul(%x, %y)") == Dims{2, 1});
  CHECK(kept(x + ", %y: Tensor[(a, 1, c), float32]", "add(%x, %y)") == Dims{3, 1});
}

TEST_CASE("joined groups compute what the operators compute", "[graph][by_bytes]") {
  const Module scores = attention(), rows = projection(), normal = normalization();
  struct Sizes {
    std::int64_t h, n, m, k;
  };
  for (const auto& [h, n, m, k] :
       {Sizes{2, 3, 5, 7}, {1, 1, 1, 1}, {3, 0, 4, 5}, {2, 37, 70, 65}}) {
    CAPTURE(h, n, m, k);
    built(scores, "main", {drawn({h, n, 64}), drawn({h, m, 64}), drawn({h, 64, m})});
    built(rows, "main",
          {drawn({n, k}), drawn({96, k}), drawn({96}), drawn({n, 96}), drawn({96}), drawn({96})});
    built(normal, "main", {drawn({n, 96})});
  }
}

}  // namespace strata::test::fuse_by_bytes_test
