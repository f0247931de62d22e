// How long Strata takes for each example, in milliseconds, stage by stage:
//   legality   the definitions and commands, each proved legal, and the last proofs before codegen
//   ast        from the program to the loop tree
//   halide     from the loop tree to the object file
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>

#include "examples/blur/blur_algorithm.h"
#include "examples/matmul/matmul_algorithm.h"
#include "examples/seidel/seidel_algorithm.h"

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename Schedule>
void compile(benchmark::State& state, Schedule schedule) {
  const auto object = std::filesystem::temp_directory_path() / "strata_benchmark.o";
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    examples::Scheduled scheduled = schedule();
    const double commands = seconds_since(start);
    const strata::StageSeconds stages =
        scheduled.function.codegen(scheduled.arguments, object.string());
    state.SetIterationTime(seconds_since(start));
    const double legality = commands + stages.legality;
    state.counters["legality"] = legality * 1e3;
    state.counters["ast"] = stages.ast * 1e3;
    state.counters["legality+ast"] = (legality + stages.ast) * 1e3;
    state.counters["halide"] = stages.halide * 1e3;
  }
}

void as_medians(benchmark::internal::Benchmark* b) {
  b->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(1)->Repetitions(7);
  b->ReportAggregatesOnly();
}

BENCHMARK_CAPTURE(compile, blur, [] { return blur_example::scheduled(); })->Apply(as_medians);
BENCHMARK_CAPTURE(compile, matmul, [] { return matmul_example::scheduled(); })->Apply(as_medians);
BENCHMARK_CAPTURE(compile, seidel, [] { return seidel_example::scheduled(); })->Apply(as_medians);

}  // namespace
