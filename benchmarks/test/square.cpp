// Squares, correct or wrong in the way that VARIANT names.
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "benchmarks/common/process.h"
#include "benchmarks/test/square_case.h"

using square_benchmark::Case;

namespace {

// Waits until the harness ends the process.
[[noreturn]] void wait_for_the_end() {
  while (true) pause();
}

struct Square {
  Case& data;
  int runs = 0;
  explicit Square(Case& given) : data(given) {
    if (std::string(VARIANT) == "sleeps") wait_for_the_end();
  }
  void run() {
    const std::string variant = VARIANT;
    if (variant == "hangs") wait_for_the_end();
    if (variant == "crawls") std::this_thread::sleep_for(std::chrono::seconds(3));
    for (std::int64_t i = 0; i < data.in.extent(0); ++i) data.out(i) = data.in(i)*data.in(i);
    if (variant == "off") data.out(3) *= 1.001f;
    if (variant == "nan") data.out(4) = std::nanf("");
    if (variant == "late" && ++runs > 2) data.out(0) = 1000;
    if (variant == "dies") std::abort();
    if (variant == "refuses") throw std::runtime_error("it cannot do squares");
  }
};

}  // namespace

int main(int argc, char** argv) { return benchmarks::process<Case, Square>(argc, argv); }
