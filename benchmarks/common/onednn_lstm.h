// Layers of LSTM cells by oneDNN.
#pragma once

#include "benchmarks/common/onednn.h"

namespace benchmarks {

// All layers as one primitive; weights are converted beforehand to the layout that it prefers. A
// case has the numbers of layers, steps, cells and inputs, the arrays x[step][input],
// bias[layer][gate][cell], w[layer][gate][input][cell], likewise u for the states, and last(), the
// states of the last layer after each step.
//
// oneDNN's gates have the same order as ours: input, forget, candidate, output. Its weights are
// [layer][direction][input][gate][cell].
template <typename Case>
struct OneDnnLstm {
  using Dims = dnnl::memory::dims;
  using Tag = dnnl::memory::format_tag;

  Case& data;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::lstm_forward layer;
  std::unordered_map<int, dnnl::memory> arguments;

  static dnnl::memory::desc floats(Dims dims, Tag tag) {
    return {std::move(dims), dnnl::memory::data_type::f32, tag};
  }

  // { weights[l][g][k][j] } as [l][1][k][g][j], in the layout "to".
  dnnl::memory packed(const strata::Array<float>& weights, std::int64_t rows,
                      const dnnl::memory::desc& to) {
    const std::int64_t layers = data.layers, cells = data.cells;
    strata::Array<float> turned({layers, rows, 4, cells});
    const float* next = weights.data();
    for (std::int64_t l = 0; l < layers; ++l)
      for (std::int64_t g = 0; g < 4; ++g)
        for (std::int64_t k = 0; k < rows; ++k)
          for (std::int64_t j = 0; j < cells; ++j) turned(l, k, g, j) = *next++;
    dnnl::memory from =
        memory_on(engine, floats({layers, 1, rows, 4, cells}, Tag::ldigo), turned.data());
    dnnl::memory result(to, engine);
    dnnl::reorder(from, result).execute(stream, from, result);
    stream.wait();
    return result;
  }

  explicit OneDnnLstm(Case& given) : data(given) {
    const Dims::value_type layers = data.layers, steps = data.steps, cells = data.cells,
                           inputs = data.inputs;
    const auto in = floats({steps, 1, inputs}, Tag::tnc), out = floats({steps, 1, cells}, Tag::tnc);
    const auto bias = floats({layers, 1, 4, cells}, Tag::ldgo);
    const dnnl::lstm_forward::primitive_desc what(
        engine, dnnl::prop_kind::forward_inference, dnnl::rnn_direction::unidirectional_left2right,
        in, dnnl::memory::desc(), dnnl::memory::desc(),
        floats({layers, 1, inputs, 4, cells}, Tag::any),
        floats({layers, 1, cells, 4, cells}, Tag::any), bias, out, dnnl::memory::desc(),
        dnnl::memory::desc());
    layer = dnnl::lstm_forward(what);
    arguments = {{DNNL_ARG_SRC_LAYER, memory_on(engine, in, data.x.data())},
                 {DNNL_ARG_WEIGHTS_LAYER, packed(data.w, inputs, what.weights_layer_desc())},
                 {DNNL_ARG_WEIGHTS_ITER, packed(data.u, cells, what.weights_iter_desc())},
                 {DNNL_ARG_BIAS, memory_on(engine, bias, data.bias.data())},
                 {DNNL_ARG_DST_LAYER, memory_on(engine, out, data.last())},
                 {DNNL_ARG_WORKSPACE, dnnl::memory(what.workspace_desc(), engine)}};
  }
  void run() {
    layer.execute(stream, arguments);
    stream.wait();
  }
};

}  // namespace benchmarks
