// Matrix-vector products in Halide's own front end.
#pragma once

#include "benchmarks/common/halide.h"

namespace benchmarks {

// 64 partial sums of each row in registers. The domain of a triangular matrix is a square with a
// condition, since reduction domains in Halide are boxes.
template <typename Case, bool triangular>
struct MatrixVector {
  Halide::ImageParam a{Halide::Float(32), 2, "a"};
  Halide::ImageParam v{Halide::Float(32), 1, "v"};
  Halide::Func sums{"sums"};
  Halide::Func r{"r"};

  Halide::Var y{"y"}, u{"u"}, yo{"yo"}, yi{"yi"};
  Halide::RVar ko{"ko"}, ki{"ki"};
  Halide::RDom k{0, a.dim(0).extent(), "k"};

  std::unique_ptr<Pipeline> pipeline;

  explicit MatrixVector(Case& data) {
    if (triangular) k.where(k <= y);
    sums(y) += a(k, y) * v(k);
    r(y) = sums(y);
    const std::vector<Given> inputs = {{a, halide_buffer(data.a)}, {v, halide_buffer(data.x)}};
    pipeline = std::make_unique<Pipeline>(std::vector{r},
                                          std::vector<Halide::Buffer<>>{halide_buffer(data.y)},
                                          inputs, [this] { schedule(); });
  }
  void schedule() {
    r.split(y, yo, yi, 16, Halide::TailStrategy::GuardWithIf).parallel(yo);
    sums.compute_at(r, yi);
    sums.update().split(k, ko, ki, 64, Halide::TailStrategy::GuardWithIf);
    Halide::Func part = sums.update().rfactor(ki, u);
    part.compute_at(sums, y).vectorize(u, 16).unroll(u);
    part.update().reorder(u, ko).vectorize(u, 16).unroll(u);
  }
  void run() { pipeline->run(); }
};

}  // namespace benchmarks
