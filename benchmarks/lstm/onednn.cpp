// The layer as one primitive, with weights in the layout that it likes best, made before.
#include "benchmarks/common/onednn.h"
#include "benchmarks/lstm/lstm_case.h"

using lstm_benchmark::Case;

namespace {

using benchmarks::memory_on;
using Dims = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;

// oneDNN's gates are input, forget, candidate, output, in this order, as ours; its weights are
// [layer][direction][input][gate][cell].
struct OneDnn {
  Case& data;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::lstm_forward layer;
  std::unordered_map<int, dnnl::memory> arguments;

  static dnnl::memory::desc floats(Dims dims, Tag tag) {
    return {std::move(dims), dnnl::memory::data_type::f32, tag};
  }

  // { weights[g][k][j] } as [1][1][k][g][j], in the layout "to".
  dnnl::memory packed(const strata::Array<float>& weights, const dnnl::memory::desc& to) {
    const std::int64_t rows = weights.extent(1), cells = weights.extent(2);
    strata::Array<float> turned({rows, 4, cells});
    for (std::int64_t g = 0; g < 4; ++g)
      for (std::int64_t k = 0; k < rows; ++k)
        for (std::int64_t j = 0; j < cells; ++j) turned(k, g, j) = weights(g, k, j);
    dnnl::memory from =
        memory_on(engine, floats({1, 1, rows, 4, cells}, Tag::ldigo), turned.data());
    dnnl::memory result(to, engine);
    dnnl::reorder(from, result).execute(stream, from, result);
    stream.wait();
    return result;
  }

  explicit OneDnn(Case& given) : data(given) {
    const Dims::value_type steps = data.steps, cells = data.cells, inputs = data.inputs;
    const auto in = floats({steps, 1, inputs}, Tag::tnc), out = floats({steps, 1, cells}, Tag::tnc);
    const auto bias = floats({1, 1, 4, cells}, Tag::ldgo);
    const dnnl::lstm_forward::primitive_desc what(
        engine, dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right,
        in, dnnl::memory::desc(), dnnl::memory::desc(), floats({1, 1, inputs, 4, cells}, Tag::any),
        floats({1, 1, cells, 4, cells}, Tag::any), bias, out, dnnl::memory::desc(),
        dnnl::memory::desc());
    layer = dnnl::lstm_forward(what);
    arguments = {{DNNL_ARG_SRC_LAYER, memory_on(engine, in, data.x.data())},
                 {DNNL_ARG_WEIGHTS_LAYER, packed(data.w, what.weights_layer_desc())},
                 {DNNL_ARG_WEIGHTS_ITER, packed(data.u, what.weights_iter_desc())},
                 {DNNL_ARG_BIAS, memory_on(engine, bias, data.bias.data())},
                 {DNNL_ARG_DST_LAYER, memory_on(engine, out, data.h.data() + cells)},
                 {DNNL_ARG_WORKSPACE, dnnl::memory(what.workspace_desc(), engine)}};
    std::fill(data.h.data(), data.h.data() + cells, 0.0f);
  }
  void run() {
    layer.execute(stream, arguments);
    stream.wait();
  }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, OneDnn>(argc, argv); }
