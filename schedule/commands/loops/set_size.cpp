#include "schedule/commands/loops/set_size.h"

#include "core/expr/expr_typing.h"
#include "layers/define/build.h"
#include "schedule/edit/own_buffer.h"
#include "schedule/edit/verified.h"

namespace strata {

Program set_size(const Program& program, const std::string& array, const std::vector<Expr>& extents,
                 Given given) {
  Command command{"set_size", {array}, given, ""};
  std::vector<Expr> numbers;
  for (const Expr& extent : extents) {
    numbers.push_back(extent.defined() ? fitted(extent, i64).value_or(extent) : extent);
    command.operands.push_back(numbers.back());
  }
  Program after = program;
  const LayoutBuffer buffer = buffer_given(after, array, command);
  if (buffer.role == BufferRole::input)
    throw command.refused(Code::E0106_bad_argument,
                          buffer.name + " is an input, so its extents are already given",
                          "store " + array + " in a separate buffer");
  after = with_extents(after, buffer.name, numbers, {command.text(), given.where});
  return verified(program, std::move(after), command);
}

}  // namespace strata
