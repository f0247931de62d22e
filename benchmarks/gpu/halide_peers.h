// The examples in Halide's own front end, with schedules for a GPU by hand.
#pragma once

#include <Halide.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace gpu_benchmark {

// A pipeline compiled for "target" (with a device) and bound to buffers, which stay on the device.
class HalidePeer {
 public:
  // "inputs" are copied to the device once.
  HalidePeer(Halide::Func result, std::vector<Halide::ImageParam> parameters,
             std::vector<Halide::Buffer<float>> inputs, Halide::Buffer<float> output,
             const Halide::Target& target);

  void start();
  void wait();
  // The result, copied to the host.
  const Halide::Buffer<float>& result();

 private:
  Halide::Pipeline pipeline_;
  Halide::Target target_;
  Halide::Buffer<float> output_;
};

// Inputs and result have the innermost dimension first.
HalidePeer halide_product(Halide::Buffer<float> a, Halide::Buffer<float> b,
                          const Halide::Target& target);
HalidePeer halide_transpose(Halide::Buffer<float> in, const Halide::Target& target);
HalidePeer halide_blur(Halide::Buffer<float> in, const Halide::Target& target);
HalidePeer halide_stencil_step(Halide::Buffer<float> before, const Halide::Target& target);
HalidePeer halide_convolution(Halide::Buffer<float> in, Halide::Buffer<float> weights,
                              const Halide::Target& target);

}  // namespace gpu_benchmark
