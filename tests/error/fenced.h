// Regions of memory separated by inaccessible pages.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace strata::test {

class Fenced {
 public:
  Fenced(std::size_t regions, std::size_t pages_of_region)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        pitch_((pages_of_region + 1) * page_),
        size_(regions * pitch_ + page_) {
    void* base = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) throw std::runtime_error("mmap");
    base_ = static_cast<std::uint8_t*>(base);
    regions_ = regions;
    for (std::size_t r = 0; r < regions; ++r) allow(r, PROT_READ | PROT_WRITE);
  }
  ~Fenced() { munmap(base_, size_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  std::size_t regions() const { return regions_; }
  std::size_t region_size() const { return pitch_ - page_; }
  std::uint8_t* begin(std::size_t r) const { return base_ + page_ + r * pitch_; }
  std::uint8_t* end(std::size_t r) const { return begin(r) + region_size(); }

  // PROT_NONE, PROT_READ or PROT_READ | PROT_WRITE.
  void allow(std::size_t r, int protection) {
    if (mprotect(begin(r), region_size(), protection)) throw std::runtime_error("mprotect");
  }

 private:
  std::size_t page_, pitch_, size_, regions_ = 0;
  std::uint8_t* base_ = nullptr;
};

}  // namespace strata::test
