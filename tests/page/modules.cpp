// NAME FILE: writes a page about modules: "module", of a layer and its passes; "fused", of a module
// that fusion has left; "encoder", of six layers of a transformer; "two", before and after a pass.
#include <fstream>
#include <functional>
#include <map>

#include "strata/graph.h"

using namespace strata;
using namespace strata::graph;

namespace {

// relu(dense(x, w) + bias), and the sums of its rows
const char* const layer = R"(
  def @main(%x: Tensor[(n, k), float32], %w: Tensor[(m, k), float32],
            %bias: Tensor[(m), float32]) -> Tensor[(n), float32] {
    dataflow {
      %lv = dense(%x, %w)
      %lv1 = bias_add(%lv, %bias)
      %lv2 = relu(%lv1)
      %gv = sum(%lv2, axes=[1])
      output %gv
    }
    %gv
  })";

// exp(x) / (exp(x) + 1), twice the same exponential
const char* const repeated = R"(
  def @main(%x: Tensor[(n), float32]) -> Tensor[(n), float32] {
    dataflow {
      %lv = exp(%x)
      %lv1 = exp(%x)
      %lv2 = add(%lv1, 1.0f32)
      %gv = divide(%lv, %lv2)
      output %gv
    }
    %gv
  })";

// Layers of a transformer, with weights as parameters.
class Encoder {
 public:
  std::string text(int layers) {
    std::string x = "x";
    for (int l = 0; l < layers; ++l) x = layer(x);
    lines_.replace(lines_.rfind("%" + x), x.size() + 1, "%gv");
    return "def @main(%x: Tensor[(n, 384), float32]" + parameters_ +
           ") -> Tensor[(n, 384), float32] {\n  dataflow {\n" + lines_ +
           "    output %gv\n  }\n  %gv\n}\n";
  }

 private:
  std::string emit(const std::string& call) {
    const std::string name = "lv" + std::to_string(count_++);
    lines_ += "    %" + name + " = " + call + "\n";
    return name;
  }
  std::string weight(const std::string& extents) {
    const std::string name = "w" + std::to_string(weights_++);
    parameters_ += ", %" + name + ": Tensor[(" + extents + "), float32]";
    return "%" + name;
  }
  std::string linear(const std::string& x, const std::string& from, const std::string& to) {
    const std::string y = emit("dense(%" + x + ", " + weight(to + ", " + from) + ")");
    return emit("bias_add(%" + y + ", " + weight(to) + ", axis=-1)");
  }
  std::string heads(const std::string& x) {
    return emit("reshape(%" + linear(x, "384", "384") + ", shape=(n, 12, 32))");
  }
  std::string norm(const std::string& x, const std::string& y) {
    const std::string sum = emit("add(%" + x + ", %" + y + ")");
    const std::string gamma = weight("384");
    return emit("layer_norm(%" + sum + ", " + gamma + ", " + weight("384") + ")");
  }
  std::string layer(const std::string& x) {
    const std::string q = heads(x), k = heads(x), v = heads(x);
    const std::string product = emit("einsum((%" + q + ", %" + k + "), equation=\"nhd,mhd->hnm\")");
    const std::string shares = emit("softmax(%" + emit("divide(%" + product + ", 5.65f32)") + ")");
    const std::string mixed =
        emit("einsum((%" + shares + ", %" + v + "), equation=\"hnm,mhd->nhd\")");
    const std::string flat = emit("reshape(%" + mixed + ", shape=(n, 384))");
    const std::string y = norm(linear(flat, "384", "384"), x);
    const std::string wide = emit("gelu(%" + linear(y, "384", "1536") + ")");
    return norm(linear(wide, "1536", "384"), y);
  }

  int count_ = 0, weights_ = 0;
  std::string lines_ = {}, parameters_ = {};
};

std::string module_page() {
  const Module module = parse_module(layer);
  PassTimes times;
  within({.instruments = {times.instrument()}},
         [&] { sequential({fold_constant(), dead_code_elimination()})(module); });
  return to_html(module, {.fusion = {-1, false}, .passes = times.render()});
}

std::string fused_page() { return to_html(fuse_ops()(parse_module(layer)), {.kernels = false}); }

std::string encoder_page() { return to_html(parse_module(Encoder().text(6))); }

std::string two_pages() {
  const Module before = parse_module(repeated);
  return to_html(before, dead_code_elimination()(eliminate_common_subexpr()(before)));
}

}  // namespace

int main(int, char** argv) {
  const std::map<std::string, std::function<std::string()>> pages = {{"module", module_page},
                                                                     {"fused", fused_page},
                                                                     {"encoder", encoder_page},
                                                                     {"two", two_pages}};
  std::ofstream(argv[2]) << pages.at(argv[1])();
}
