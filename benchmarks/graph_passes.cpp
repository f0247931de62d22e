// How long the operator graph takes to build, verify, print and parse a program, and each pass to
// run over it, for 1000, 10,000 and 100,000 bindings.
//
// Two chains, each binding of which reads the one before: of "add" and "exp" (nothing to do for a
// pass), and of "multiply" and "add" (FMARewrite fuses all). A line has the bindings per second of
// CPU time, the best of several runs, and the growth: the time for 100,000 over that for 10,000.
#include <strata/graph.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>

namespace {

using namespace strata;
using namespace strata::graph;

constexpr std::array lengths{1000, 10'000, 100'000};

Module chain(bool fuses, int length) {
  const Param n("n");
  const Value x = variable("x", ValueType::tensor(Shape{n, n}, f32));
  GraphBuilder b;
  b.function("main", {x}, [&] {
    Value last = x;
    b.dataflow([&] {
      for (int k = 0; k + 1 < length; ++k) {
        const char* const even = fuses ? "multiply" : "exp";
        last = b.emit(k % 2 ? call("add", {last, x})
                            : call(even, fuses ? Values{last, x} : Values{last}));
      }
      last = b.emit_output(call("exp", {last}));
    });
    b.emit_function_output(last);
  });
  return b.module();
}

// Seconds of CPU time, the least of several runs.
double least_seconds(const std::function<void()>& act) {
  double least = 1e9, all = 0;
  for (int run = 0; run < 5 || (run < 40 && all < 0.5); ++run) {
    const std::clock_t start = std::clock();
    act();
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    least = std::min(least, seconds);
    all += seconds;
  }
  return least;
}

using Task = std::function<std::function<void()>(bool fuses, int length)>;

void report(const std::string& what, bool fuses, const Task& task) {
  std::printf("%-24s", what.c_str());
  std::array<double, lengths.size()> seconds;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    seconds[k] = least_seconds(task(fuses, lengths[k]));
    std::printf("%12.0f", lengths[k] / seconds[k]);
  }
  std::printf("%9.1f\n", seconds[2] / seconds[1]);
  std::fflush(stdout);
}

// What does something with a module.
Task on_module(const std::function<void(const Module&)>& act) {
  return [act](bool fuses, int length) {
    return [act, module = chain(fuses, length)] { act(module); };
  };
}

Alteration blocked() {
  return {"conv2d", [](const OperatorCall&, const ValueType&) {
            return WantedLayouts{{"NCHW16c", "OIHW16i16o"}, {"NCHW16c"}};
          }};
}

void report_all(bool fuses) {
  std::printf("%-24s%12s%12s%12s%9s\n", fuses ? "multiply, add" : "exp, add", "1000", "10,000",
              "100,000", "growth");
  report("build", fuses, [](bool fuses, int length) { return [=] { chain(fuses, length); }; });
  report("verify", fuses, on_module([](const Module& m) { verify(m); }));
  report("print", fuses, on_module([](const Module& m) { text_of(m); }));
  report("parse", fuses, [](bool fuses, int length) {
    return [text = text_of(chain(fuses, length))] { parse_module(text); };
  });
  for (const Pass& pass : {infer_type(), dead_code_elimination(), fold_constant(),
                           eliminate_common_subexpr(), fma_rewrite(), alter_op_layout({blocked()})})
    report(pass.info().name, fuses, on_module([pass](const Module& m) { pass(m); }));
}

}  // namespace

int main() {
  for (const bool fuses : {false, true}) report_all(fuses);
}
