// Messages between the ranks of a team, as calls of the runtime (runtime/team.h).
#pragma once

#include <functional>
#include <string>

#include "codegen/halide/emit/scope.h"
#include "codegen/tree/loop_tree.h"

namespace strata::halide {

// The team, and the cuts of a partition as the team has them.
HExpr team();
std::string symbol_of_cuts(const std::string& partition);
// A call of the runtime whose result is a code.
HExpr team_call(const std::string& function, const std::vector<HExpr>& arguments);
// Returns the code if it is not 0.
HStmt returned(const std::string& name, const HExpr& code);

// All ranks go on, or return a code.
HStmt agreed();

// Posts receives, packs and sends, waits, unpacks.  "emit" emits the statements inside, with the
// scope as it is then.
HStmt exchanged(const Exchange& s, Scope& scope, const std::function<HStmt(const StmtPtr&)>& emit);

// "body" with the packed memory of these messages, which is taken before the ranks agree: as many
// slots as there are ranks, each for the largest message.
HStmt with_message_memory(const Kernel& kernel, const Scope& scope, const HStmt& body);

}  // namespace strata::halide
