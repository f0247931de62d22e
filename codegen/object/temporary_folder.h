// Files that the compiler writes, for its caller and for itself.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "codegen/refusal.h"

namespace strata {

inline Error cannot_write(const std::string& file, const std::string& mend) {
  return refused(Code::E0503_cannot_write_file, "the file " + file + " cannot be written", mend);
}

// Before work whose result goes to the file: E0503 if it cannot be written.
inline void require_writable(const std::string& file) {
  if (file.find('\0') != std::string::npos || !std::ofstream(file, std::ios::app))
    throw cannot_write(file, "create its folder, or choose another path");
}

inline void write_bytes(const std::string& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
  out.close();
  if (!out) throw cannot_write(file, "check the free disk space");
}

inline std::string read_bytes(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A file in memory, which Halide writes under the name that the system has for it: LLVM ends the
// process where a file cannot be written to its end. Not all systems have them.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("strata", MFD_CLOEXEC | never_executed)) {
    if (file_ < 0 && errno == EINVAL) file_ = memfd_create("strata", MFD_CLOEXEC);
  }
  ~MemoryFile() {
    if (file_ >= 0) close(file_);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  bool is_there() const { return file_ >= 0 && ::access(name().c_str(), W_OK) == 0; }
  std::string name() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  static constexpr unsigned never_executed = 8;  // MFD_NOEXEC_SEAL, since Linux 6.3

  int file_;
};

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

}  // namespace strata
