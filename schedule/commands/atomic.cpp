#include "schedule/commands/atomic.h"

namespace strata {

Program atomic(const Program& program, const std::string& reduction, Given given) {
  const Command command{"atomic", {reduction}, given, ""};
  const Definition& definition = definition_named(program, reduction, command);
  if (!definition.reduction)
    throw command.refused(Code::E0106_bad_argument, reduction + " is no reduction",
                          "write it as a sum, or another reduction");
  if (!definition.reduction->kind)
    throw command.refused(Code::E0106_bad_argument,
                          "no machine does a step of " + reduction + " at once",
                          "use sum, product, minimum, maximum, any or all, or give rfactor");
  if (definition.type == Type::float16 || definition.type == Type::bfloat16)
    throw command.refused(Code::E0106_bad_argument,
                          to_string(definition.type) + " has no atomic operations",
                          "add up in float32, or give rfactor");

  Program result = program;
  result.layout.atomics.insert(reduction);

  return judged(program, std::move(result), command);
}

}  // namespace strata
