// What every scheduling command needs: to name itself, to find its loops, to be judged.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "layers/program.h"
#include "schedule/edit/command_operand.h"

namespace strata {

// When the question of legality is asked.
enum class Check {
  now,       // before the command returns
  deferred,  // by whoever ends the group (together)
  waived,    // never for what is violated now: it is recorded as a Waiver
};

// How a command was given.
struct Given {
  Where where = Where::here();
  Check check = Check::now;
};

// A command as a value: schedule/table/command_table.h has all there are, and applies them.
struct Command {
  std::string name;               // "interchange"
  std::vector<CommandOperand> operands;  // S.i, 32
  Given given = {};
  // What an illegal result means here: "moving j outside i would run a reader before the value
  // it reads".
  std::string consequence = "";

  std::string text() const;  // "interchange(S.i, S.j)"
  // The error of this command, to be thrown.
  Error refused(Code code, std::string explanation, std::string mend = "",
                std::optional<Witness> witness = std::nullopt) const;
};

// ---- finding what a command names; each throws the command's refusal ----

// The definition, which must exist (E0101) and be scheduled by the author (not an initial value).
const Definition& definition_named(const Program& program, const std::string& name,
                                   const Command& command);
// The one branch of a definition; E0103 where a piecewise schedule gives it several, E0204 where
// it has none.
Placed branch_named(const Program& program, const std::string& definition, const Command& command);
// The path of the loop: E0102 lists the loops there are, E0103 where the name means several.
Path loop_named(const Program& program, const LoopRef& loop, const Command& command);
// The paths of several loops that one command acts on, which must be a chain: the same owners for
// all of them, else E0107 names the owner in the way.
std::vector<Path> chain_named(const Program& program, const std::vector<LoopRef>& loops,
                              const Command& command);
// The same, and the loops must be neighbours, given outermost first (E0106).  Returns the path of
// the outermost.
Path band_named(const Program& program, const std::vector<LoopRef>& loops, const Command& command);

// ---- names for new loops ----

// Refuses (E0104) a name for a new loop that a loop around one of the branches under "path"
// bears already ("except": loops that are about to disappear), and (E0105) one that is no
// identifier.
void require_free_name(const Program& program, const Path& path, const std::string& name,
                       const std::vector<std::string>& except, const Command& command);
// The same for a new loop in the loop at "path", beside all that stands there: only the loops around
// it may not bear the name.
void require_name_free_along(const Program& program, const Path& path, const std::string& name,
                             const Command& command);

// "name", with the smallest number from 2 on that makes it free where it is taken: i_in, i_in2, ..
std::string free_name(const std::string& name, const std::set<std::string>& taken);

// A loop that a command makes: the name its author gave, or else the default.
struct NewLoop {
  std::string given;
  std::string otherwise;
};
// Their names, under the conditions of require_free_name, and distinct from each other.  A default
// that is taken gets the smallest number that makes it free: i_in, i_in2, ..
std::vector<std::string> new_names(const Program& program, const Path& path,
                                   const std::vector<NewLoop>& loops,
                                   const std::vector<std::string>& except, const Command& command);

// ---- arguments ----

// The step or size of a command: E0106 unless 1 <= size.
void require_positive(std::int64_t size, const std::string& what, const Command& command);

// The parameters that a relation written by the author names are the program's (E0106).
void require_parameters(const isl::union_map& relation, const Algorithm& algorithm,
                        const Command& command);

}  // namespace strata
