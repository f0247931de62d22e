#include "codegen/memory/kernel_buffers.h"

#include "codegen/tree/allocate.h"
#include "codegen/tree/index_math.h"

namespace strata {

namespace {

Access access_of(const Box& box) {
  if (!box.written) return Access::read;
  return box.initial_values_read ? Access::read_and_written : Access::written;
}

// The box with the extents that the author gave.
Box whole(const LayoutBuffer& buffer, Box box) {
  box.lowers.assign(buffer.extents.size(), constant(i64, 0));
  box.uppers = buffer.extents;
  box.most_elements.reset();
  return box;
}

Box box_of(const LayoutBuffer& buffer, const std::map<std::string, Box>& touched) {
  const auto found = touched.find(buffer.name);
  Box box = found == touched.end() ? Box{} : found->second;
  box.lowers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
  box.uppers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
  return buffer.extents.empty() ? box : whole(buffer, box);
}

StmtPtr in_buffer(LayoutBuffer buffer, const Box& box, const StmtPtr& body,
                  const Request& request) {
  std::vector<Expr> extents = buffer.extents;
  if (extents.empty())
    for (std::size_t d = 0; d < box.lowers.size(); ++d)
      extents.push_back(simplified(box.uppers[d] - box.lowers[d]));
  buffer.extents.clear();  // they were proved to hold all places
  return allocated(buffer, box.lowers, extents, body, request);
}

}  // namespace

std::vector<ArgumentBuffer> argument_buffers(const Layout& layout,
                                             const std::vector<std::string>& names,
                                             const std::map<std::string, Box>& touched) {
  std::vector<ArgumentBuffer> all;
  for (const std::string& name : names) {
    const LayoutBuffer& buffer = *layout.find(name);
    const Box box = box_of(buffer, touched);
    all.push_back({name, buffer.type, access_of(box), box.lowers, box.uppers, buffer.resident,
                   buffer.memory == Memory::constant, box.most_elements});
  }
  return all;
}

std::vector<OwnBuffer> kernel_buffers(const Layout& layout, const std::vector<Lifetime>& lifetimes,
                                      const std::map<std::string, Box>& touched,
                                      const Request& request) {
  std::vector<OwnBuffer> all;
  for (const Lifetime& life : lifetimes) {
    if (!life.loop.empty()) continue;
    const LayoutBuffer& buffer = *layout.find(life.buffer);
    require_outside_memory(buffer, request);
    const Box box = box_of(buffer, touched);
    all.push_back(
        {life.buffer, life.first, life.last, [&buffer, box, &request](const StmtPtr& body) {
           return in_buffer(buffer, box, body, request);
         }});
  }
  return all;
}

}  // namespace strata
