// Messages between the ranks of a team, as calls of the runtime (runtime/team.h).
#pragma once

#include <string>
#include <vector>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The team, and the symbol of a partition's cuts as the team has them.
HExpr team();
std::string symbol_of_cuts(const std::string& partition);
// A call of the runtime whose result is a code.
HExpr team_call(const std::string& function, const std::vector<HExpr>& arguments);
// Returns from the kernel with the code if it is not 0.
HStmt returned(const std::string& name, const HExpr& code);

// Either all ranks go on, or each returns a code.
HStmt agreed();

// Posts receives, packs and sends, waits, unpacks: with each rank that is a partner of the message.
HStmt exchanged(const Exchange& s, Scope& scope);

// "body" after the team has been told the partners of each message, and has taken memory for the
// packed elements. All of this is before the ranks agree.
HStmt with_message_memory(const Kernel& kernel, const Scope& scope, const HStmt& body);

}  // namespace strata::halide
