#include "schedule/edit/own_buffer.h"

#include <algorithm>

#include "schedule/legality/automatic_places.h"

namespace strata {

void give_own_buffer(Program& program, const std::string& array, const Command& command) {
  if (program.layout.store.count(array)) return;
  if (program.layout.find(array))
    throw command.refused(Code::E0104_name_taken,
                          "there is a buffer called " + array +
                              ", so the computation cannot get a buffer of that name",
                          "choose a buffer for the computation with store_in");
  add_own_buffer(program.layout, *program.algorithm, array);
}

LayoutBuffer& buffer_given(Program& program, const std::string& array, const Command& command) {
  definition_named(program, array, command);
  return any_buffer_given(program, array, command);
}

LayoutBuffer& any_buffer_given(Program& program, const std::string& array, const Command& command) {
  if (!program.algorithm->find_input(array)) {
    definition_named(program, array, command);
    give_own_buffer(program, array, command);
  }
  if (program.algorithm->is_scalar(array))
    throw command.refused(Code::E0106_bad_argument,
                          array + " is a scalar, which is passed by value and in no memory",
                          "leave the command out, or declare it as an input");
  const std::string name = buffer_of(program.layout, array);
  auto& all = program.layout.buffers;
  return *std::find_if(all.begin(), all.end(),
                       [&](const LayoutBuffer& buffer) { return buffer.name == name; });
}

}  // namespace strata
