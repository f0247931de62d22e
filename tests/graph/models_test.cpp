// How many kernels models need: their equal layers share them.
#include <algorithm>
#include <cmath>
#include <random>

#include "tests/graph/programs.h"

namespace strata::test::models_test {

using namespace strata::graph;

// Weights by a fixed seed, small enough that sums stay near 1.
class Weights {
 public:
  NDArray operator()(std::vector<std::int64_t> extents, std::int64_t summed = 1) {
    NDArray array(strata_float(32), std::move(extents));
    std::normal_distribution<float> normal(0, 1 / std::sqrt(float(summed)));
    for (std::size_t p = 0; p < array.size(); ++p) array.data<float>()[p] = normal(random_);
    return array;
  }
  NDArray around_one(std::int64_t extent) {
    NDArray array = (*this)({extent}, 100);
    for (std::size_t p = 0; p < array.size(); ++p) array.data<float>()[p] += 1;
    return array;
  }

 private:
  std::mt19937 random_{7};
};

// The result of a program of one dataflow block, in groups.
Module grouped(const Value& x, const std::function<Value(GraphBuilder&)>& body) {
  GraphBuilder b;
  b.function("main", {x}, [&] {
    Value result;
    b.dataflow([&] { result = b.emit_output(body(b)); });
    b.emit_function_output(result);
  });
  return checked(fuse_ops()(checked(b.module())));
}

// How many kernels the run compiles.
std::int64_t kernels_of(const Module& module, const NDArray& x, NDArray& y) {
  const std::int64_t before = kernel_counts().compiled;
  y = *run(module, "main", {x}).array();
  return kernel_counts().compiled - before;
}

void require_near(const NDArray& made, const NDArray& wanted) {
  REQUIRE(made.extents() == wanted.extents());
  for (std::size_t p = 0; p < wanted.size(); ++p)
    REQUIRE(made.data<float>()[p] == Approx(wanted.data<float>()[p]).epsilon(1e-3).margin(1e-3));
}

// ---- an encoder like MiniLM's ----

struct Encoder {
  std::int64_t hidden, heads, inner;
  Weights weights = {};

  Value linear(GraphBuilder& b, const Value& x, std::int64_t from, std::int64_t to) {
    const Value product = b.emit(call("dense", {x, weights({to, from}, from)}));
    return b.emit(call("bias_add", {product, weights({to}, 10)}, attributes_in("axis=-1")));
  }
  Value norm(GraphBuilder& b, const Value& x) {
    return b.emit(call("layer_norm", {x, weights.around_one(hidden), weights({hidden}, 10)}));
  }
  Value by_heads(GraphBuilder& b, const Value& x, const Expr& rows) {
    return b.emit(call("reshape", {linear(b, x, hidden, hidden)},
                       Attributes({{"shape", Shape{rows, heads, hidden / heads}}})));
  }
  // softmax(q k^T / 4) v, for each head
  Value attention(GraphBuilder& b, const Value& x, const Expr& rows) {
    const Value q = by_heads(b, x, rows), k = by_heads(b, x, rows), v = by_heads(b, x, rows);
    const auto einsum = [&](const Value& one, const Value& other, const char* equation) {
      return b.emit(call("einsum", {tuple_value({one, other})},
                         attributes_in(std::string("equation=\"") + equation + "\"")));
    };
    const Value product = einsum(q, k, "nhd,mhd->hnm");
    const Value scores = b.emit(call("divide", {product, NDArray::scalar(4.0f)}));
    const Value mixed = einsum(b.emit(call("softmax", {scores})), v, "hnm,mhd->nhd");
    return b.emit(call("reshape", {mixed}, Attributes({{"shape", Shape{rows, hidden}}})));
  }
  Value layer(GraphBuilder& b, const Value& x, const Expr& rows) {
    const Value mixed = linear(b, attention(b, x, rows), hidden, hidden);
    const Value y = norm(b, b.emit(call("add", {mixed, x})));
    const Value wide = b.emit(call("gelu", {linear(b, y, hidden, inner)}));
    return norm(b, b.emit(call("add", {linear(b, wide, inner, hidden), y})));
  }
};

Module encoder(const Expr& rows, Encoder e, int layers) {
  const Value x = variable("x", f32_tensor({rows, e.hidden}));
  return grouped(x, [&](GraphBuilder& b) {
    Value y = x;
    for (int l = 0; l < layers; ++l) y = e.layer(b, y, rows);
    return y;
  });
}

TEST_CASE("an encoder of six layers is eight kernels at most", "[graph]") {
  const NDArray x = Weights()({20, 68});
  NDArray y;
  const Module six = encoder(20, {68, 4, 96}, 6);
  const std::int64_t count = kernels_of(six, x, y);
  CAPTURE(count);
  CHECK(count <= 8);
  require_near(y, *run(six, "main", {x}, RunBy::interpreter).array());
  // Of other sizes, and for all lengths, there is nothing to compile.
  const Module wider = encoder(33, {80, 4, 50}, 2);
  const NDArray x_wide = Weights()({33, 80});
  CHECK(kernels_of(wider, x_wide, y) == 0);
  require_near(y, *run(wider, "main", {x_wide}, RunBy::interpreter).array());
  const Param n("n");
  const Module any_length = encoder(n, {68, 4, 96}, 1);
  for (const std::int64_t length : {0, 1, 7, 65}) {
    const NDArray text = Weights()({length, 68});
    CHECK(kernels_of(any_length, text, y) == 0);
    require_near(y, *run(any_length, "main", {text}, RunBy::interpreter).array());
  }
}

// ---- a chain like ResNet-18 ----

struct Residual {
  std::int64_t channels;  // of the first stage
  Weights weights = {};

  Value conv(GraphBuilder& b, const Value& x, std::int64_t from, std::int64_t to,
             std::int64_t window, std::int64_t stride) {
    const Value y =
        b.emit(call("conv2d", {x, weights({to, from, window, window}, from * window * window)},
                    Attributes({{"strides", Integers{stride, stride}},
                                {"padding", Integers{window / 2, window / 2}}})));
    return b.emit(call("batch_norm", {y, weights.around_one(to), weights({to}, 10),
                                      weights({to}, 10), weights.around_one(to)}));
  }
  Value block(GraphBuilder& b, const Value& x, std::int64_t from, std::int64_t to) {
    const std::int64_t stride = from == to ? 1 : 2;
    const Value one = b.emit(call("relu", {conv(b, x, from, to, 3, stride)}));
    const Value skipped = from == to ? x : conv(b, x, from, to, 1, stride);
    return b.emit(call("relu", {b.emit(call("add", {conv(b, one, to, to, 3, 1), skipped}))}));
  }
  Value operator()(GraphBuilder& b, const Value& x) {
    Value y = b.emit(call("relu", {conv(b, x, 3, channels, 7, 2)}));
    y = b.emit(
        call("max_pool2d", {y}, attributes_in("window=[3, 3], strides=[2, 2], padding=[1, 1]")));
    std::int64_t from = channels;
    for (const std::int64_t to : {channels, 2 * channels, 4 * channels, 8 * channels}) {
      y = block(b, block(b, y, from, to), to, to);
      from = to;
    }
    y = b.emit(call("batch_flatten", {b.emit(call("global_avg_pool2d", {y}))}));
    const Value product = b.emit(call("dense", {y, weights({100, from}, from)}));
    return b.emit(call("bias_add", {product, weights({100}, 10)}, attributes_in("axis=-1")));
  }
};

TEST_CASE("a residual network of 18 layers is eight kernels at most", "[graph]") {
  const Value x = variable("x", f32_tensor({1, 3, 544, 544}));
  const Module network = grouped(x, [&](GraphBuilder& b) { return Residual{17}(b, x); });
  const NDArray image = Weights()({1, 3, 544, 544});
  NDArray y;
  const std::int64_t count = kernels_of(network, image, y);
  CAPTURE(count);
  CHECK(count <= 8);
  // The same kernels serve all heights and widths.
  CHECK(y.extents() == std::vector<std::int64_t>{1, 100});
  const Param h("h"), w("w");
  const Value any = variable("x", f32_tensor({1, 3, h, w}));
  const Module smaller = grouped(any, [&](GraphBuilder& b) { return Residual{17}(b, any); });
  const NDArray small = Weights()({1, 3, 35, 33});
  CHECK(kernels_of(smaller, small, y) == 0);
  require_near(y, *run(smaller, "main", {small}, RunBy::interpreter).array());
}

}  // namespace strata::test::models_test
