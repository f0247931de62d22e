// Rows in parallel, vectors of 64 pixels.
#include "benchmarks/common/halide.h"
#include "benchmarks/cvtcolor/cvtcolor_case.h"

using cvtcolor_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::UInt(8), 2, "in"};
  Halide::Func grey{"grey"};

  Halide::Var x{"x"}, y{"y"};

  Algorithm() {
    const auto number = [&](int channel) { return Halide::cast<int>(in(3 * x + channel, y)); };
    grey(x, y) = Halide::cast<std::uint8_t>(
        (number(0) * 4899 + number(1) * 9617 + number(2) * 1868 + 8192) >> 14);
  }
  void schedule() { grey.vectorize(x, 64).parallel(y); }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({grey}, {benchmarks::halide_buffer(data.grey)},
                 {{in, benchmarks::halide_buffer(data.in)}}, [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
