// gpu_jit_test: a kernel with launches in this process, on the GPU at hand.
// gpu_jit_test none: the same where there is no GPU.
// Prints what is wrong; exit status 1 if anything is.
#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>

#include <cstdio>
#include <string>

namespace {

using namespace strata;

int wrong = 0;

void require(bool right, const std::string& what) {
  if (right) return;
  std::printf("wrong: %s (%s)\n", what.c_str(), strata_last_error());
  ++wrong;
}

// out(i, j) = factor in(i, j) + 1
JitFunction scaled(const std::string& name, float factor, const char* target) {
  Function f(name);
  Param N = f.param("N"), M = f.param("M");
  Var i("i", 0, N), j("j", 0, M);
  Input in = f.input("in", f32, {N, M});
  Computation out = f.computation("out", {i, j}, in(i, j) * factor + 1.0f);
  out.gpu_tile(i, j, 16, 16);
  CodegenOptions options;
  options.target = target;
  return f.jit({in.buffer(), out.buffer()}, options);
}

void test_values() {
  // Two at once, of one name, and one after another was dropped.
  const JitFunction twice = scaled("scaled", 2, "host-opencl");
  JitFunction thrice = scaled("scaled", 3, "host-opencl");
  for (const float factor : {2.0f, 3.0f, 4.0f})
    for (const auto& [n, m] : {std::pair{41, 59}, {1, 1}, {0, 3}, {64, 16}}) {
      if (factor == 4) thrice = scaled("scaled", 4, "host-opencl");
      Array<float> in({n, m}), out({n, m});
      for (float& x : in) x = float(&x - in.data());
      const JitFunction& kernel = factor == 2 ? twice : thrice;
      const std::string name = "factor " + std::to_string(factor) + ", " + std::to_string(n);
      require(kernel({n, m}, {in, out}) == 0, name);
      bool right = true;
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < m; ++j) right = right && out(i, j) == in(i, j) * factor + 1;
      require(right, name + ": values");
    }
}

void test_without_gpu() {
  for (const char* target : {"host-opencl", "host-cuda"}) {
    const JitFunction kernel = scaled("scaled", 2, target);
    Array<float> in({3, 4}), out({3, 4});
    for (float& x : out) x = -1;
    require(kernel({3, 4}, {in, out}) == strata_error_no_device, "the code without a GPU");
    require(std::string(strata_last_error()).rfind("scaled: no GPU can be used: ", 0) == 0,
            "the message without a GPU");
    for (const float x : out) require(x == -1, "an element is written without a GPU");
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 2 && std::string(argv[1]) == "none")
    test_without_gpu();
  else
    test_values();
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
} catch (const strata::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
