#include "codegen/passes/device_buffers.h"

#include "codegen/tree/touched_sides.h"

namespace strata {

namespace {

StmtPtr with_buffers_placed(const StmtPtr& s) {
  if (std::holds_alternative<Launch>(*s)) return s;
  const StmtPtr inside = with_insides(*s, with_buffers_placed);
  const auto* allocate = std::get_if<Allocate>(inside.get());
  if (!allocate || allocate->memory == Memory::stack) return inside;
  const TouchedSides sides = touched_sides(allocate->body);
  if (!sides.device.count(allocate->buffer)) return inside;
  Allocate placed = *allocate;
  placed.memory = sides.host.count(placed.buffer) ? Memory::heap : Memory::global;
  return make_stmt(std::move(placed));
}

}  // namespace

Kernel with_device_buffers(const Kernel& kernel) {
  return with_bodies(kernel, with_buffers_placed);
}

}  // namespace strata
