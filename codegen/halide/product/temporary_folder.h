// Files that the compiler writes for itself.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "codegen/halide/refusal.h"

namespace strata::halide {

inline Error cannot_write(const std::string& file, const std::string& mend) {
  return refused(Code::E0503_cannot_write_file, "the file " + file + " cannot be written", mend);
}

inline std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A folder for objects, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "strata-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw cannot_write(name, "set TMPDIR to a folder where files can be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& file) const { return (path_ / file).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace strata::halide
