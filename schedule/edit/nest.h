// Moving whole nests: a branch with the loops around it, or a loop with what it holds.
#pragma once

#include <optional>
#include <string>

#include "schedule/edit/command.h"

namespace strata {

// E0205 unless both loops run on the same processor, over tiles of the same parametric size if
// over such; the definitions tell the author which is
// which.
void require_same_tag(const Loop& a, const std::string& in_a, const Loop& b,
                      const std::string& in_b, const Command& command);
// E0104 if two loops around one branch under "loop", itself included, have one name.
void require_distinct_names(const Loop& loop, const Command& command);

// Removes the node at "path", and the loops that are empty then.
void remove_node(Mapping& mapping, Path path);

enum class Side { before, after };

// Takes the branch of "moved" out of where it is and puts it directly before or after "anchor",
// with the loops of "anchor" down to and including "shared" around both (none: they share nothing,
// and the nests stand beside each other outermost).  The leading loops of "moved" become those
// shared ones; the rest stay its own.  What was placed in its loops (compute_at) goes along, unless
// others own them too.
// Refuses what cannot share: E0106 too few loops or an anchor that goes along, E0205 tags, E0104 names.
void place_beside(Program& program, const std::string& moved, Side side, const std::string& anchor,
                  const std::optional<std::string>& shared, const Command& command);

}  // namespace strata
