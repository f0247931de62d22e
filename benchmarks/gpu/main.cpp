// gpu_benchmark [--check] [--unchecked] [--only TEXT]: Strata's kernels for a GPU against libraries
// and Halide, as a table in Markdown; without a GPU each row says so.
//
//   --check      compares results at small sizes, on the device of the kernels, and measures
//   nothing
//   --unchecked  measures without comparing results
//   --only       rows with this text in their names
//
// Exit status 1 if a result is wrong or a variant fails.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>

#include "benchmarks/gpu/cases.h"
#include "benchmarks/gpu/cuda.h"
#include "benchmarks/gpu/libraries.h"

namespace gpu_benchmark {

namespace {

struct Options {
  bool check = false, unchecked = false;
  std::string only;
};

std::optional<Options> parsed(int argc, char** argv) {
  Options options;
  for (int n = 1; n < argc; ++n)
    if (!std::strcmp(argv[n], "--check"))
      options.check = true;
    else if (!std::strcmp(argv[n], "--unchecked"))
      options.unchecked = true;
    else if (!std::strcmp(argv[n], "--only") && n + 1 < argc)
      options.only = argv[++n];
    else
      return std::nullopt;
  return options;
}

std::string text(const char* format, double number) {
  char line[64];
  std::snprintf(line, sizeof line, format, number);
  return line;
}

void print_line(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) std::printf("| %s ", cell.c_str());
  std::printf("|\n");
  std::fflush(stdout);
}

double median(std::vector<double> samples) {
  std::nth_element(samples.begin(), samples.begin() + Size(samples.size() / 2), samples.end());
  return samples[samples.size() / 2];
}

// What a variant's first run shows.
struct Tried {
  std::string wrong;
  cuda::Code code;
};

Tried tried(Case& made, const Variant& variant, bool unchecked) try {
  if (!unchecked && variant.checked) made.poison();
  cuda::take_code();
  variant.run();
  Tried result{"", cuda::take_code()};
  if (!unchecked && variant.checked) result.wrong = made.find_wrong();
  return result;
} catch (const Failed& failed) {
  return {failed.what(), {}};
}

// Seconds of one run of each variant: medians of samples of at least 20 ms, one of each variant in
// turn.
std::vector<double> measured(const std::vector<const Variant*>& variants) {
  constexpr double sample = 0.02;
  constexpr int rounds = 11, most_runs = 2000;
  const auto seconds = [](const Variant& variant, int runs) {
    return cuda::seconds([&] {
             for (int run = 0; run < runs; ++run) variant.run();
           }) /
           runs;
  };
  std::vector<int> runs;
  for (const Variant* variant : variants) {
    seconds(*variant, 3);
    runs.push_back(
        int(std::clamp(sample / std::max(seconds(*variant, 3), 1e-7), 1.0, double(most_runs))));
  }
  std::vector<std::vector<double>> samples(variants.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t v = 0; v < variants.size(); ++v)
      samples[v].push_back(seconds(*variants[v], runs[v]));
  std::vector<double> result;
  for (const std::vector<double>& of : samples) result.push_back(median(of));
  return result;
}

class Table {
 public:
  explicit Table(const Options& options) : options_(options) {}

  void header() const {
    print_line({"row", "variant", "median", "rate", "speed of strata", "goal", "registers",
                "bytes local, shared"});
    print_line(std::vector<std::string>(8, "---"));
  }

  void missing(const Row& row, const std::string& why) const {
    for (const Goal& goal : row.goals)
      print_line({row.name, goal.peer, "not measured: " + why, "", "", text(">= %.1f", goal.ratio),
                  "", ""});
  }

  // False if something is wrong.
  bool measure(const Row& row, const Place& place) {
    Case made = row.make(place);
    bool right = true;
    std::vector<const Variant*> good;
    std::vector<cuda::Code> codes;
    for (const Variant& variant : made.variants) {
      const Tried result = tried(made, variant, options_.unchecked);
      if (!result.wrong.empty()) {
        print_line({row.name, variant.name, "wrong: " + result.wrong, "", "", "", "", ""});
        right = false;
        continue;
      }
      if (options_.check) print_line({row.name, variant.name, "right", "", "", "", "", ""});
      good.push_back(&variant);
      codes.push_back(result.code);
    }
    if (options_.check) return right;
    for (const auto& [variant, why] : made.missing)
      print_line({row.name, variant, "not measured: " + why, "", "", "", "", ""});
    print(row, made, good, codes);
    return right;
  }

 private:
  void print(const Row& row, const Case& made, const std::vector<const Variant*>& variants,
             const std::vector<cuda::Code>& codes) const {
    const std::vector<double> seconds = measured(variants);
    double best = 0;
    for (std::size_t v = 0; v < variants.size(); ++v)
      if (variants[v]->ours && (best == 0 || seconds[v] < best)) best = seconds[v];
    const double unit = row.unit == "GB/s" ? 1e9 : 1e12;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      std::string speed, goal;
      if (!variants[v]->ours && best > 0) {
        speed = text("%.2f", seconds[v] / best);
        for (const Goal& one : row.goals)
          if (one.peer == variants[v]->name)
            goal =
                text(">= %.1f: ", one.ratio) + (seconds[v] / best >= one.ratio ? "met" : "missed");
      }
      const cuda::Code& code = codes[v];
      print_line(
          {row.name, variants[v]->name, text("%.1f us", seconds[v] * 1e6),
           text("%.1f ", made.work / seconds[v] / unit) + row.unit, speed, goal,
           code.launches ? std::to_string(code.registers) : "",
           code.launches ? std::to_string(code.local) + ", " + std::to_string(code.shared) : ""});
    }
  }

  Options options_;
};

int run(const Options& options) {
  bool on_gpu = !options.check && cuda::start() && strata_gpu_available("cuda");
  if (on_gpu) std::printf("%s\n\n", cuda::device_name().c_str());
  Libraries libraries;
  Table table(options);
  table.header();
  bool right = true;
  for (const Row& row : rows(options.check)) {
    if (row.name.find(options.only) == std::string::npos) continue;
    if (!on_gpu && !options.check) {
      table.missing(row, "no GPU");
      continue;
    }
    try {
      right &= table.measure(row, on_gpu ? Place{halide_cuda_device_interface(), &libraries}
                                         : Place{halide_opencl_device_interface(), nullptr});
    } catch (const Failed& failed) {
      print_line({row.name, "", std::string("failed: ") + failed.what(), "", "", "", "", ""});
      right = false;
    }
    strata_release_device_memory();
  }
  return right ? 0 : 1;
}

}  // namespace

}  // namespace gpu_benchmark

int main(int argc, char** argv) {
  const auto options = gpu_benchmark::parsed(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: %s [--check] [--unchecked] [--only TEXT]\n", argv[0]);
    return 2;
  }
  return gpu_benchmark::run(*options);
}
