#include "codegen/tree/shared_memory.h"

#include <algorithm>

#include "codegen/tree/realization.h"

namespace strata {

namespace {

constexpr std::int64_t alignment = 16;  // of 128-bit accesses

void add_shared(const StmtPtr& s, std::vector<SharedBuffer>& all) {
  if (const auto* a = std::get_if<Allocate>(s.get()); a && a->memory == Memory::shared) {
    const std::int64_t size = *constant_size(*a) * bytes(a->type);
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const SharedBuffer& b) { return b.name == a->buffer; });
    if (known == all.end())
      all.push_back({a->buffer, size, 0});
    else
      known->bytes = std::max(known->bytes, size);
  }
  for_each_inside(*s, [&](const StmtPtr& part) { add_shared(part, all); });
}

// What a block has, in words, and what else to do where that is too little.
struct BlockRoom {
  std::int64_t bytes;
  std::string text, otherwise;
};

void require_fits(const Launch& launch, const BlockRoom& room, const Request& request) {
  const std::vector<SharedBuffer> all = shared_buffers(launch.body);
  const std::int64_t total = shared_bytes(all);
  if (total <= room.bytes) return;
  std::string list;
  for (const SharedBuffer& b : all)
    list += (list.empty() ? "" : ", ") + b.name + " " + std::to_string(b.bytes);
  throw request.refused(
      Code::E0308_size_does_not_fit,
      "the launch of loop " + launch.name + " needs " + std::to_string(total) +
          " bytes of shared memory (" + list + "), but " + room.text + " " +
          std::to_string(room.bytes),
      "make the tiles smaller, or store in fewer places with store_in" + room.otherwise);
}

void require_all_fit(const StmtPtr& s, const BlockRoom& room, const Request& request) {
  if (const auto* launch = std::get_if<Launch>(s.get()))
    return require_fits(*launch, room, request);
  for_each_inside(*s, [&](const StmtPtr& part) { require_all_fit(part, room, request); });
}

void require_all_fit(const Kernel& kernel, const BlockRoom& room, const Request& request) {
  for (const StmtPtr& body : bodies(kernel)) require_all_fit(body, room, request);
}

}  // namespace

std::int64_t most_shared_bytes() {
  return limits_of(Device::cuda, largest_capability).shared_bytes;
}

std::vector<SharedBuffer> shared_buffers(const StmtPtr& body) {
  std::vector<SharedBuffer> all;
  add_shared(body, all);
  std::int64_t end = 0;
  for (SharedBuffer& b : all) {
    b.offset = end;
    end += (b.bytes + alignment - 1) / alignment * alignment;
  }
  return all;
}

std::int64_t shared_bytes(const std::vector<SharedBuffer>& buffers) {
  return buffers.empty() ? 0 : buffers.back().offset + buffers.back().bytes;
}

void require_shared_memory(const Kernel& kernel, const Request& request) {
  require_all_fit(kernel, {most_shared_bytes(), "no GPU has more for a block than", ""}, request);
}

void require_shared_memory_on(const std::string& target, const Kernel& kernel,
                              const Request& request) {
  const TargetParts parts = target_parts(target);
  if (parts.device == Device::none) return;
  const BlockRoom room{limits_of(parts.device, parts.capability).shared_bytes,
                       "with the target " + target + " a block has",
                       parts.device == Device::cuda
                           ? ", or choose a target that has more, such as " + parts.cpu +
                                 "-cuda-sm_" + std::to_string(largest_capability)
                           : ""};
  require_all_fit(kernel, room, request);
}

}  // namespace strata
