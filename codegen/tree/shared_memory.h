// The shared memory of a launch: one array of bytes, in which each buffer has its place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "core/error.h"
#include "core/machine/device.h"

namespace strata {

// The most bytes of shared memory that a block has on any GPU.
std::int64_t most_shared_bytes();

struct SharedBuffer {
  std::string name;
  std::int64_t bytes;   // the most that one of its allocations has
  std::int64_t offset;  // a multiple of 16: no two buffers share bytes
};

// The buffers in shared memory that "body", of a launch, allocates, in order.
std::vector<SharedBuffer> shared_buffers(const StmtPtr& body);
// The end of the last one.
std::int64_t shared_bytes(const std::vector<SharedBuffer>& buffers);

// E0308, with the buffers and their bytes, where those of one launch do not fit on any GPU.
void require_shared_memory(const Kernel& kernel, const Request& request);
// The same on the GPU of a target, if it has one.
void require_shared_memory_on(const std::string& target, const Kernel& kernel,
                              const Request& request);

}  // namespace strata
