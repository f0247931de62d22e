// The process that runs one variant of a benchmark, started and controlled by benchmarks/bench.py.
//
//   PROGRAM --sizes         prints the name of each size
//   PROGRAM --numbers       prints the numbers of the first size, such as 480,640
//   PROGRAM SIZE THREADS    makes the case, prints "ready OPERATIONS", then answers these lines.
//   SIZE
//                           is a name, or the size itself: 21,37
//     run N           runs N times, each from initial contents; prints the mean seconds per run
//     write FILE      writes the results of the last run, as a reference
//     compare FILE    prints the largest error of the last run's results as a part of the tolerance
#pragma once

#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>

#include "benchmarks/common/case.h"

namespace benchmarks {

inline void write_results(const std::string& path, const Results& results) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const void* from, std::size_t bytes) {
    file.write(static_cast<const char*>(from), std::streamsize(bytes));
  };
  for (const std::vector<double>& array : results) {
    const std::uint64_t size = array.size();
    put(&size, sizeof size);
    put(array.data(), size * sizeof(double));
  }
  if (!file.flush()) throw std::runtime_error(path + ": cannot be written");
}

inline Results read_results(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  Results results;
  std::uint64_t size = 0;
  while (file.read(reinterpret_cast<char*>(&size), sizeof size)) {
    results.emplace_back(size);
    file.read(reinterpret_cast<char*>(results.back().data()),
              std::streamsize(size * sizeof(double)));
  }
  return results;
}

// The mean seconds per run; restoring the initial contents is not counted.
template <typename Case, typename Variant>
double seconds_of_runs(Case& data, Variant& variant, int runs) {
  using Clock = std::chrono::steady_clock;
  Clock::duration spent{};
  for (int run = 0; run < runs; ++run) {
    data.start();
    const auto start = Clock::now();
    variant.run();
    spent += Clock::now() - start;
  }
  return std::chrono::duration<double>(spent).count() / runs;
}

template <typename Case, typename Variant>
void answer(const std::string& line, Case& data, Variant& variant) {
  std::istringstream words(line);
  std::string verb, file;
  words >> verb;
  if (verb == "run") {
    int runs = 1;
    words >> runs;
    std::printf("%.9g\n", seconds_of_runs(data, variant, runs));
    return;
  }
  words >> file;
  if (verb == "write") {
    write_results(file, data.results());
    std::printf("written\n");
  } else if (verb == "compare") {
    std::printf("%.9g\n", part_of_tolerance(data.results(), read_results(file), Case::tolerance));
  } else {
    throw std::runtime_error("no such request: " + line);
  }
}

// The numbers of "21,37", as many as each size has.
template <typename Case>
std::vector<std::int64_t> size_of(const std::string& name) {
  for (const Size& size : Case::sizes)
    if (size.name == name) return size.values;
  std::vector<std::int64_t> values;
  std::istringstream text(name);
  for (std::string number; std::getline(text, number, ',');)
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos)
      values.push_back(std::stoll(number));
  if (values.size() == Case::sizes.front().values.size()) return values;
  throw std::runtime_error("no such size: " + name);
}

// main() of a variant, a class constructed from a Case&, whose run() performs one run.
template <typename Case, typename Variant>
int process(int argc, char** argv) try {
  if (argc == 2 && std::string(argv[1]) == "--sizes") {
    for (const Size& size : Case::sizes) std::printf("%s\n", size.name.c_str());
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "--numbers") {
    const char* before = "";
    for (const std::int64_t number : Case::sizes.front().values) {
      std::printf("%s%lld", before, static_cast<long long>(number));
      before = ",";
    }
    std::printf("\n");
    return 0;
  }
  if (argc != 3) throw std::runtime_error(std::string("usage: ") + argv[0] + " SIZE THREADS");
  strata_set_number_of_threads(std::stoi(argv[2]));
  Case data(size_of<Case>(argv[1]));
  Variant variant{data};
  std::printf("ready %.9g\n", data.operations());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line); std::fflush(stdout))
    answer(line, data, variant);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

}  // namespace benchmarks
