// Moving nests: a branch with the loops around it, or a loop with its body.
#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// E0205 unless both loops have the same processor and the same parametric tile size, if any. "in_a"
// and "in_b" name a computation in each loop, for the message.
void require_same_tag(const Loop& a, const std::string& in_a, const Loop& b,
                      const std::string& in_b, const Command& command);
// E0104 if two loops around one branch under "loop", "loop" included, have the same name.
void require_distinct_names(const Loop& loop, const Command& command);

// Removes the node at "path" and the loops that become empty.
void remove_node(Mapping& mapping, Path path);

enum class Side { before, after };

// Moves the branch of "moved" directly before or after "anchor", sharing the loops of "anchor" down
// to and including "shared" (std::nullopt: no shared loop, the nests become siblings at the root).
// The leading loops of "moved" are merged into the shared ones; the others stay its own.
// Computations placed in its loops (compute_at) move along, unless the loops have other owners too.
// Errors: E0106 too few loops, or an anchor that would move along; E0205 tags differ; E0104 names.
void place_beside(Program& program, const BranchRef& moved, Side side, const BranchRef& anchor,
                  const std::optional<std::string>& shared, const Command& command);

// The program after a command that does no more than that. Its last operand, "shared", and its
// consequence are added here.
Program moved_beside(const Program& program, Command command, const BranchRef& moved, Side side,
                     const BranchRef& anchor, const std::optional<std::string>& shared);

}  // namespace strata
