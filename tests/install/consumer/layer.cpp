// Tensors in a program outside of Strata's tree.
#include <strata/graph.h>

int main() {
  using namespace strata;
  using namespace strata::graph;
  const Param n("n");
  const Tensor x = placeholder("x", f32, {n});
  const NDArray y = graph::compile({relu(x)})({NDArray::of<float>({3}, {-1, 0, 2})})[0];
  const float* values = y.data<float>();
  return values[0] == 0 && values[1] == 0 && values[2] == 2 ? 0 : 1;
}
