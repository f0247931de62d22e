#include "schedule/commands/loops/atomic.h"

#include "layers/flow/atomic_step.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

void require_step(const Definition& update, const Command& command) {
  std::string why;
  if (!atomic_step(update, &why))
    throw command.refused(
        Code::E0106_bad_argument, why,
        "write X.update(.., {e}, X(e) + r), where r does not read X, or a reduction");
}

void require_atomic_operation(const Definition& definition, const Command& command) {
  if (!definition.reduction->kind)
    throw command.refused(Code::E0106_bad_argument,
                          "the operation of " + definition.name + " has no atomic instruction",
                          "use sum, product, minimum, maximum, any or all, or use rfactor");
  if (is_half(definition.type))
    throw command.refused(Code::E0106_bad_argument,
                          to_string(definition.type) + " has no atomic operations",
                          "accumulate in float32, or use rfactor");
}

}  // namespace

Program atomic(const Program& program, const std::string& reduction, Given given) {
  const Command command{"atomic", {reduction}, given, ""};
  const Definition& definition = definition_named(program, reduction, command);
  if (!definition.reduction && definition.name == definition.array)
    throw command.refused(Code::E0106_bad_argument, reduction + " is not a reduction",
                          "write it as a sum, or another reduction");
  if (definition.reduction)
    require_atomic_operation(definition, command);
  else
    require_step(definition, command);

  auto algorithm = std::make_shared<Algorithm>(*program.algorithm);
  algorithm->edit(reduction).is_atomic = true;
  Program result = program;
  result.algorithm = std::move(algorithm);

  return verified(program, std::move(result), command);
}

}  // namespace strata
