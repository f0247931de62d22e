// Rows in parallel; intermediate stages are inlined. The two outputs have separate loops: Halide
// has no command that fuses them and keeps both.
#include "benchmarks/common/halide.h"
#include "benchmarks/nb/nb_case.h"

using nb_benchmark::Case;

namespace {

struct Algorithm {
  Halide::ImageParam in{Halide::UInt(8), 2, "in"};
  Halide::Func scaled{"scaled"};
  Halide::Func opposite{"opposite"};
  Halide::Func bright{"bright"};
  Halide::Func negative{"negative"};

  Halide::Var x{"x"}, y{"y"};

  Algorithm() {
    scaled(x, y) = Halide::cast<std::uint16_t>(in(x, y)) * 3 / 2;
    bright(x, y) = Halide::cast<std::uint8_t>(Halide::min(scaled(x, y), 255));
    opposite(x, y) = 255 - in(x, y);
    negative(x, y) =
        Halide::cast<std::uint8_t>(Halide::cast<std::uint16_t>(opposite(x, y)) * 3 / 4);
  }
  void schedule() {
    bright.vectorize(x, 64).parallel(y);
    negative.vectorize(x, 64).parallel(y);
  }
};

struct Variant : Algorithm {
  benchmarks::Pipeline pipeline;
  explicit Variant(Case& data)
      : pipeline({bright, negative},
                 {benchmarks::halide_buffer(data.bright), benchmarks::halide_buffer(data.negative)},
                 {{in, benchmarks::halide_buffer(data.in)}}, [this] { schedule(); }) {}
  void run() { pipeline.run(); }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Variant>(argc, argv); }
