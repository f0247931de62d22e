// A temporary folder of a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace strata::test {

// Removed with the files in it.
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "strata-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp " + name);
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path); }
  std::string operator/(const std::string& file) const { return (path / file).string(); }

  std::filesystem::path path;
};

}  // namespace strata::test
