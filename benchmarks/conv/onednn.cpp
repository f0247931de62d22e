// oneDNN's direct convolution; weights are converted beforehand to the layout that it prefers.
#include "benchmarks/common/onednn.h"
#include "benchmarks/conv/conv_case.h"

using conv_benchmark::Case;

namespace {

using benchmarks::memory_on;
using Tag = dnnl::memory::format_tag;

struct OneDnn {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::convolution_forward layer;
  std::unordered_map<int, dnnl::memory> arguments;

  static dnnl::memory::desc floats(dnnl::memory::dims dims, Tag tag) {
    return {std::move(dims), dnnl::memory::data_type::f32, tag};
  }

  explicit OneDnn(Case& data) {
    const auto in = floats({data.b, data.ci, data.h + 2, data.w + 2}, Tag::nhwc);
    const auto out = floats({data.b, data.co, data.h, data.w}, Tag::nhwc);
    const auto given = floats({data.co, data.ci, 3, 3}, Tag::hwio);
    const auto bias = floats({data.co}, Tag::x);
    dnnl::post_ops relu;
    relu.append_eltwise(dnnl::algorithm::eltwise_relu, 0, 0);
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(relu);
    const dnnl::convolution_forward::primitive_desc what(
        engine, dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, in,
        floats({data.co, data.ci, 3, 3}, Tag::any), bias, out, {1, 1}, {0, 0}, {0, 0}, attributes);
    layer = dnnl::convolution_forward(what);
    dnnl::memory weights(what.weights_desc(), engine);
    dnnl::memory from = memory_on(engine, given, data.weights.data());
    dnnl::reorder(from, weights).execute(stream, from, weights);
    stream.wait();
    arguments = {{DNNL_ARG_SRC, memory_on(engine, in, data.in.data())},
                 {DNNL_ARG_WEIGHTS, weights},
                 {DNNL_ARG_BIAS, memory_on(engine, bias, data.bias.data())},
                 {DNNL_ARG_DST, memory_on(engine, out, data.out.data())}};
  }
  void run() {
    layer.execute(stream, arguments);
    stream.wait();
  }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, OneDnn>(argc, argv); }
