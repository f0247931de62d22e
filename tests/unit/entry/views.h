// Buffers with any strides, and memory with inaccessible surroundings.
#pragma once

#include <strata/runtime.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace strata::test {

// A buffer over memory that it does not own. Dimensions are given in the order of the program's
// indices.
class View {
 public:
  View(strata_type type, void* host, std::vector<strata_dimension> outermost_first)
      : dimensions(outermost_first.rbegin(), outermost_first.rend()) {
    std::memset(&buffer, 0, sizeof buffer);
    buffer.type = type;
    buffer.host = static_cast<std::uint8_t*>(host);
    buffer.dimensions = static_cast<int>(dimensions.size());
    buffer.dim = dimensions.data();
  }
  View(const View&) = delete;
  operator halide_buffer_t*() { return strata_argument(&buffer); }

  std::vector<strata_dimension> dimensions;
  strata_buffer buffer;
};

// "bytes" bytes of memory that end, or start, at an inaccessible page.
class Guarded {
 public:
  enum class At { end, start };
  Guarded(std::size_t bytes, At where) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    base_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base_ == MAP_FAILED) throw std::runtime_error("mmap");
    char* start = static_cast<char*>(base_) + page;
    if (inner && mprotect(start, inner, PROT_READ | PROT_WRITE))
      throw std::runtime_error("mprotect");
    memory_ = where == At::end ? start + inner - bytes : start;
  }
  ~Guarded() { munmap(base_, size_); }
  Guarded(const Guarded&) = delete;
  void* memory() const { return memory_; }

 private:
  void* base_;
  std::size_t size_;
  void* memory_;
};

}  // namespace strata::test
