// Host programs that a test builds with a sanitizer and runs.
#pragma once

#include <sys/wait.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace strata::test {

// A folder with programs.
class Workshop {
 public:
  Workshop() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strata-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Workshop() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

  // Can programs be built with this sanitizer, and are they not already built with another?
  bool has(const std::string& sanitizer) const {
    write("main.c", "int main(void) { return 0; }");
    return std::string(STRATA_TEST_CC).find("-fsanitize") == std::string::npos &&
           c(sanitizer, "main.c -o main") && run() == 0;
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
  }
  // Runs a compiler in the folder, with the sanitizer and these arguments.
  bool c(const std::string& sanitizer, const std::string& arguments) const {
    return compiled(STRATA_TEST_CC, sanitizer, arguments);
  }
  bool cpp(const std::string& sanitizer, const std::string& arguments) const {
    return compiled(STRATA_TEST_CXX " -std=c++20", sanitizer, arguments);
  }
  // The exit status of the program "main".
  int run() const {
    const int status = std::system(file("main").append(" 2> /dev/null").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  bool compiled(const std::string& compiler, const std::string& sanitizer,
                const std::string& arguments) const {
    const std::string line = "cd '" + path_.string() + "' && " + compiler +
                             " -fsanitize=" + sanitizer + " -I. -I" + STRATA_TEST_INCLUDE + " " +
                             arguments + " 2> build.txt";
    return std::system(line.c_str()) == 0;
  }
  std::filesystem::path path_;
};

// Linked to programs with kernels, after the objects.
inline const std::string libraries = " " STRATA_TEST_RUNTIME " -lpthread -ldl -lm ";

}  // namespace strata::test
