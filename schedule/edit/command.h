// What all scheduling commands share: their description, name lookup, and checks of arguments.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"
#include "schedule/edit/command_operand.h"

namespace strata {

// When the legality of the result is checked.
enum class Check {
  now,       // before the command returns
  deferred,  // when the group (together) ends
  waived,    // present violations are accepted and recorded as a Waiver
};

// How a command was given.
struct Given {
  Where where = Where::here();
  Check check = Check::now;
};

// A command as a value; schedule/table/command_table.h lists and applies all commands.
struct Command {
  std::string name;                      // "interchange"
  std::vector<CommandOperand> operands;  // S.i, 32
  Given given = {};
  // Explanation of an illegal result: "moving j outside i would read a value before it is
  // computed".
  std::string consequence = "";

  std::string text() const;  // "interchange(S.i, S.j)"
  // This command's refusal, for the caller to throw.
  Error refused(Code code, std::string explanation, std::string mend = "",
                std::optional<Witness> witness = std::nullopt) const;
};

// ---- looking up what a command names; each throws the command's refusal ----

// The definition, which must exist and not be an initial value, since those are not scheduled by
// the author (E0101).
const Definition& definition_named(const Program& program, const std::string& name,
                                   const Command& command);
// The branches that the author means: the named piece (E0101 lists the existing ones), or all
// branches of the definition if no piece is named.
std::vector<Placed> branches_named(const Program& program, const BranchRef& branch,
                                   const Command& command);
// The same, if that is one branch; E0103 if there are several, E0204 if there is none.
Placed branch_named(const Program& program, const BranchRef& branch, const Command& command);
// The only branch of a definition, for commands on the whole of it; E0103 if it has several pieces,
// E0204 if it has none.
Placed whole_named(const Program& program, const std::string& definition, const Command& command);
// The path of the loop; E0102 lists the existing loops, E0103 the pieces if the name is ambiguous.
Path loop_named(const Program& program, const LoopRef& loop, const Command& command);
// The paths of several loops that one command acts on, in the order given. They must form a chain
// with the same owners (E0107, naming the owner in the way); E0106 if a loop is named twice.
std::vector<Path> chain_named(const Program& program, const std::vector<LoopRef>& loops,
                              const Command& command);
// The same for neighbouring loops, given outermost first (else E0106). Returns the path of the
// outermost.
Path band_named(const Program& program, const std::vector<LoopRef>& loops, const Command& command);

// ---- names for new loops and pieces ----

// E0105 unless "name" is an identifier; "what" is a loop or a piece ("a loop").
void require_identifier(const std::string& name, const std::string& what, const Command& command);

// Checks the name of a new loop: E0104 if a loop around one of the branches under "path" has it
// already, unless listed in "except" (loops about to disappear); E0105 if it is not an identifier.
void require_free_name(const Program& program, const Path& path, const std::string& name,
                       const std::vector<std::string>& except, const Command& command);
// The same for a new loop inside the loop at "path", beside its present body: only the loops around
// it count.
void require_name_free_along(const Program& program, const Path& path, const std::string& name,
                             const Command& command);

// "name" or, if taken, "name" with the smallest free number from 2 on: i_in, i_in2, ..
std::string free_name(const std::string& name, const std::set<std::string>& taken);

// The name of a new loop: the one that the author gave, or else the default.
struct NewLoop {
  std::string given;
  std::string otherwise;
};
// The names of new loops, distinct and checked by require_free_name. A default that is taken gets
// the smallest free number: i_in, i_in2, ..
std::vector<std::string> new_names(const Program& program, const Path& path,
                                   const std::vector<NewLoop>& loops,
                                   const std::vector<std::string>& except, const Command& command);

// ---- arguments ----

// E0106 unless 1 <= size, for a step or size given to a command.
void require_positive(std::int64_t size, const std::string& what, const Command& command);

// E0106 if a relation written by the author names a parameter that the program does not have.
void require_parameters(const isl::union_map& relation, const Algorithm& algorithm,
                        const Command& command);

}  // namespace strata
