// An object file in the memory of this process.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strata {

using Addresses = std::map<std::string, void*>;

// CodePages of this process, at first to be written.
class CodePages {
 public:
  explicit CodePages(std::size_t size);  // E0502
  ~CodePages();
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;
  unsigned char* begin() const { return begin_; }
  // The first "size" bytes may be executed, and no longer written. E0502.
  void make_executable(std::size_t size);
  // What unwinds stacks of the code begins at "offset".
  void register_frames(std::size_t offset);

 private:
  unsigned char* begin_;
  std::size_t size_;
  std::vector<const void*> frames_;
};

// The object's functions for x86-64 in "pages", and the addresses of those that it gives to others.
// What it does not define is looked up in "known", then in this process. E0502 if that is nowhere,
// and for objects with constructors, variables of threads, or code that cannot be moved.
class LoadedObject {
 public:
  LoadedObject(const std::string& bytes, const Addresses& known);
  // E0502 if it has none of this name.
  void* address_of(const std::string& name) const;

 private:
  friend class Loading;
  std::unique_ptr<CodePages> pages_;
  Addresses defined_;
};

}  // namespace strata
