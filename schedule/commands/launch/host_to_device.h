#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// Copies the whole buffer of an array from host memory to the GPU, when the kernel or an iteration
// of the loop begins. These copies replace all that would be derived for the buffer in this
// direction (layers/flow/coherence.h). Code generation refuses a program in which a value is then
// read on a side where it is not (E0401, rule R403), or whose copies are not in sequential loops of
// the host, or of no buffer that launches and the host or the caller touch (E0106). Always legal
// before: copies do not change when values are computed. Errors: E0101, E0102, E0103 not found;
// E0106 the same copy twice, or a buffer that is resident (R217).
Program host_to_device(const Program& program, const std::string& array,
                       const std::optional<LoopRef>& loop = std::nullopt, Given given = {});

}  // namespace strata
