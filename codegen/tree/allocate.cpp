#include "codegen/tree/allocate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "codegen/tree/index_math.h"
#include "codegen/tree/shared_memory.h"
#include "core/expr/expr_text.h"

namespace strata {

namespace {

Error does_not_fit(const Request& request, const std::string& explanation,
                   const std::string& mend) {
  return request.refused(Code::E0308_size_does_not_fit, explanation, mend);
}

// The extent given by the author, which must hold what is touched.
Expr extent_given(const LayoutBuffer& buffer, std::size_t d, const Expr& touched,
                  const Request& request) {
  const auto needed = as_constant(touched), given = as_constant(simplified(buffer.extents[d]));
  if (needed && given && *needed <= *given) return constant(i64, *given);
  const std::string what = "extent " + std::to_string(d) + " of " + buffer.name + " is " +
                           to_text(buffer.extents[d]) + ", but ";
  if (needed && given)
    throw does_not_fit(
        request, what + "an iteration accesses " + std::to_string(*needed) + " elements there",
        "give it at least that many with set_size");
  throw does_not_fit(
      request,
      what + (given ? "the number of elements that an iteration accesses is not constant"
                    : "the buffer is allocated in each iteration, so its extents must be constant"),
      "leave out set_size: the buffer is then as large as each iteration needs");
}

// Memories that hold buffers of constant size only: the most bytes, and what to do instead, also
// where the size is not constant.
struct Padding {
  std::int64_t most;
  std::string otherwise, sized;
};

std::optional<Padding> room_in(Memory memory) {
  const std::string tiles = "split the loops of its readers by numbers, and compute it in a tile";
  switch (memory) {
    case Memory::stack:
      return Padding{largest_requested_on_stack, "leave it in the heap",
                     "give it constant extents with set_size, or leave it in the heap"};
    case Memory::local: return Padding{largest_local, "put it in shared memory", tiles};
    case Memory::shared: return Padding{most_shared_bytes(), "make the tiles smaller", tiles};
    default: return std::nullopt;
  }
}

// The names in an extent, apart from those in conditions: what the number of elements depends on.
void add_names(const Expr& extent, std::set<std::string>& names) {
  const bool variable = extent.op() == Op::variable;
  if (variable && extent.name().starts_with("thread."))
    names.insert("the thread");
  else if (variable || extent.op() == Op::parameter)
    names.insert(extent.name());
  const std::size_t first = extent.op() == Op::select ? 1 : 0;
  for (std::size_t n = first; n < extent.args().size(); ++n) add_names(extent.args()[n], names);
}

std::string names_in(const Expr& extent) {
  std::set<std::string> names;
  add_names(extent, names);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "where it is" : list;
}

void require_room(const LayoutBuffer& buffer, const std::vector<Expr>& extents,
                  const std::vector<Packing>& packed, const Padding& room, const Request& request) {
  const std::string here = buffer.name + " is " + traits(buffer.memory).place;
  std::int64_t total = bytes(buffer.type);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const auto count = as_constant(extents[d]);
    if (!count)
      throw does_not_fit(request,
                         here +
                             ", where sizes are constant, but how many elements it has along "
                             "index " +
                             std::to_string(d) + " depends on " + names_in(extents[d]),
                         room.sized);
    const std::int64_t exist = packed.empty() ? *count : packed_extent(*count, packed[d]);
    if (__builtin_mul_overflow(total, std::max<std::int64_t>(exist, 0), &total) ||
        total > room.most)
      throw does_not_fit(request,
                         here + " but has more than " + std::to_string(room.most) + " bytes",
                         room.otherwise);
  }
}

}  // namespace

void require_outside_memory(const LayoutBuffer& buffer, const Request& request) {
  if (!is_on_device(buffer.memory) || buffer.memory == Memory::global) return;
  const bool of_launch = buffer.memory == Memory::shared || buffer.memory == Memory::local;
  throw does_not_fit(
      request,
      buffer.name + " is " + traits(buffer.memory).place +
          (of_launch ? ", but no loop of a launch allocates it"
                     : ", which is for inputs that no launch writes"),
      of_launch ? "place it in a launch with compute_at or allocate_at" : "leave out set_memory");
}

StmtPtr allocated(const LayoutBuffer& buffer, std::vector<Expr> lowers, std::vector<Expr> extents,
                  const StmtPtr& body, const Request& request, std::vector<Packing> packed) {
  for (std::size_t d = 0; d < buffer.extents.size(); ++d)
    extents[d] = extent_given(buffer, d, extents[d], request);
  if (const auto room = room_in(buffer.memory))
    require_room(buffer, extents, packed, *room, request);
  return make_stmt(Allocate{buffer.name, buffer.type, std::move(lowers), std::move(extents), body,
                            buffer.memory, std::move(packed)});
}

}  // namespace strata
