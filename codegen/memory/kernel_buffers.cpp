#include "codegen/memory/kernel_buffers.h"

#include <algorithm>

#include "codegen/tree/allocate.h"
#include "codegen/tree/index_math.h"

namespace strata {

namespace {

Access access_of(const Box& box) {
  if (!box.written) return Access::read;
  return box.initial_values_read ? Access::read_and_written : Access::written;
}

// The box of the extents that the author gave.
Box whole(const LayoutBuffer& buffer, Box box) {
  box.lowers.assign(buffer.extents.size(), constant(i64, 0));
  box.uppers = buffer.extents;
  return box;
}

Box box_of(const LayoutBuffer& buffer, const std::map<std::string, Box>& touched) {
  const auto found = touched.find(buffer.name);
  Box box = found == touched.end() ? Box{} : found->second;
  box.lowers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
  box.uppers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
  return buffer.extents.empty() ? box : whole(buffer, box);
}

StmtPtr in_buffer(LayoutBuffer buffer, const Box& touched, const StmtPtr& body,
                  const Request& request) {
  std::vector<Expr> lowers = touched.lowers, extents = buffer.extents;
  if (extents.empty())
    for (std::size_t d = 0; d < lowers.size(); ++d)
      extents.push_back(simplified(touched.uppers[d] - lowers[d]));
  else
    lowers = whole(buffer, touched).lowers;
  buffer.extents.clear();  // they were proved to hold all places
  return allocated(buffer, lowers, extents, body, request);
}

}  // namespace

std::vector<ArgumentBuffer> argument_buffers(const Layout& layout,
                                             const std::vector<std::string>& names,
                                             const std::map<std::string, Box>& touched) {
  std::vector<ArgumentBuffer> all;
  for (const std::string& name : names) {
    const LayoutBuffer& buffer = *layout.find(name);
    const Box box = box_of(buffer, touched);
    all.push_back({name, buffer.type, access_of(box), box.lowers, box.uppers});
  }
  return all;
}

StmtPtr in_kernel_buffers(const Program& program, const std::vector<std::string>& arguments,
                          const std::map<std::string, Box>& touched, StmtPtr body,
                          const Request& request) {
  const auto& all = program.layout.buffers;
  for (auto buffer = all.rbegin(); buffer != all.rend(); ++buffer) {
    const bool is_argument =
        std::find(arguments.begin(), arguments.end(), buffer->name) != arguments.end();
    if (!is_argument && touched.count(buffer->name) &&
        allocating_loops(program.mapping, buffer->name).empty())
      body = in_buffer(*buffer, touched.at(buffer->name), body, request);
  }
  return body;
}

}  // namespace strata
