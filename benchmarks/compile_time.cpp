// Strata's compile time, and how it grows with the number of computations in a nest and with its
// depth. Three parts, in seconds, each the minimum of three runs:
//   legality   the definitions and commands, each proved legal, and the last proofs before codegen
//   ast        from the program to the loop tree
//   halide     from the loop tree to the object file
// The sizes of vectors and tiles belong to the programs that are compiled: they are the same on
// every machine, so that times can be compared. The last columns are the growth exponents from the
// previous line to this one: the time for n computations is about n^exponent.
#include <strata/strata.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using namespace strata;
using Seconds = std::array<double, 3>;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Workload {
  Function function;
  std::vector<Buffer> arguments;
};

// "count" stages in one nest over rows, each adding neighbours in the same row of the previous
// stage.
Workload fused_stages(int count) {
  Function f("stages");
  Param N = f.param("N"), M = f.param("M");
  Input in = f.input("in", f32, {N, M + count});
  Var i("i", 0, N);
  std::vector<Computation> stages;
  for (int n = 0; n < count; ++n) {
    Var j("j", 0, M + (count - 1 - n));
    const auto before = [&](const Expr& column) {
      return n == 0 ? in(i, column) : stages.back()(i, column);
    };
    const Computation next =
        f.computation("s" + std::to_string(n), {i, j}, before(j) + before(j + 1));
    stages.push_back(next);
  }
  Var j("j");
  for (int n = 1; n < count; ++n) stages[std::size_t(n)].after(stages[std::size_t(n - 1)], i);
  for (Computation& stage : stages) stage.vectorize(j, 8);
  stages.front().parallelize(i);
  return {f, {in.buffer(), stages.back().buffer()}};
}

// A stencil of two neighbours in each of "depth" dimensions; its last two loops are tiled, the
// innermost one is vectorized.
Workload deep_stencil(int depth) {
  Function f("deep");
  std::vector<Expr> extents;
  std::vector<Var> loops;
  for (int d = 0; d < depth; ++d) {
    const Param extent = f.param("N" + std::to_string(d));
    extents.push_back(extent);
    loops.emplace_back("i" + std::to_string(d), 1, extent - 1);
  }
  const Input in = f.input("in", f32, extents);
  std::vector<Expr> at(loops.begin(), loops.end());
  Expr sum = access("in", f32, at);
  for (int d = 0; d < depth; ++d)
    for (const int side : {-1, 1}) {
      std::vector<Expr> beside = at;
      beside[std::size_t(d)] = beside[std::size_t(d)] + side;
      sum = sum + access("in", f32, beside);
    }
  Computation out = f.computation("out", loops, sum);
  Var last = loops.back(), outer("outer"), inner("inner");
  if (depth > 1) {
    Var row("row");
    out.tile(loops[std::size_t(depth - 2)], last, 4, 32, outer, row, Var("row_in"), inner);
    last = inner;
  }
  out.vectorize(last, 8);
  out.parallelize(depth > 2 ? loops.front() : depth > 1 ? outer : last);
  return {f, {in.buffer(), out.buffer()}};
}

template <typename Make>
Seconds compiled(const Make& make) {
  const auto object = std::filesystem::temp_directory_path() / "strata_compile_time.o";
  const auto start = std::chrono::steady_clock::now();
  Workload nest = make();
  const double commands = seconds_since(start);
  const StageTimes stages = nest.function.codegen(nest.arguments, object.string());
  std::filesystem::remove(object);
  return {commands + seconds_of(stages, "program"), seconds_of(stages, "loops"),
          seconds_of(stages, "machine code")};
}

template <typename Make>
Seconds least(const Make& make) {
  Seconds result = compiled(make);
  for (int run = 1; run < 3; ++run) {
    const Seconds again = compiled(make);
    for (std::size_t part = 0; part < result.size(); ++part)
      result[part] = std::min(result[part], again[part]);
  }
  return result;
}

template <typename Make>
void print(const char* what, const std::vector<int>& numbers, const Make& make) {
  std::printf("%12s %10s %10s %10s %12s\n", what, "legality", "ast", "halide", "growth of each");
  int number_before = 0;
  Seconds before{};
  for (const int number : numbers) {
    const Seconds seconds = least([&] { return make(number); });
    std::printf("%12d", number);
    for (const double part : seconds) std::printf(" %10.4f", part);
    for (std::size_t part = 0; number_before > 0 && part < seconds.size(); ++part)
      std::printf(" %7.2f", std::log(seconds[part] / before[part]) /
                                std::log(double(number) / double(number_before)));
    std::printf("\n");
    std::fflush(stdout);
    number_before = number;
    before = seconds;
  }
}

}  // namespace

int main() try {
  print("computations", {1, 2, 4, 8, 16, 32, 64}, fused_stages);
  print("depth", {1, 2, 3, 4, 5, 6, 7}, deep_stencil);
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
