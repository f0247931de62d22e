#include "tests/tuning/hooked.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace strata::test {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TuneOptions small_product(std::size_t candidates, const std::string& log) {
  TuneOptions options{.sizes = {{"N", 96}, {"M", 96}, {"K", 96}}, .threads = 1};
  options.candidates = candidates;
  options.log = log;
  return options;
}

bool has_no_child() {
  for (int look = 0; look < 200; ++look) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD) return true;
    usleep(10'000);
  }
  return false;
}

}  // namespace strata::test
