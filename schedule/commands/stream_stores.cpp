#include "schedule/commands/stream_stores.h"

namespace strata {

Program stream_stores(const Program& program, const std::string& definition, Given given) {
  const Command command{"stream_stores", {definition}, given, ""};
  if (definition_named(program, definition, command).reduction)
    throw command.refused(Code::E0106_bad_argument,
                          definition + " is a reduction: the next contribution to a result reads "
                                       "what this one stores",
                          "give copy_at first, which makes the results elsewhere; what is then "
                          "copied can be streamed");

  Program result = program;
  result.layout.streamed.insert(definition);

  return accepted(std::move(result), command);
}

}  // namespace strata
