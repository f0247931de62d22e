// Random choices among the parts of a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/command_generator.h"

namespace strata::fuzz {

// A branch, and the names of the loops around it, outermost first.
struct Site {
  std::string definition;
  Path path;
  std::vector<std::string> loops;
  std::string piece;  // empty if there is one branch, and sometimes otherwise

  BranchRef branch() const { return {definition, piece}; }
};

class Draw {
 public:
  Draw(Random& random, const Program& program) : random_(random), program_(program) {}

  const Program& program() const { return program_; }
  std::int64_t between(std::int64_t a, std::int64_t b) { return fuzz::between(random_, a, b); }
  bool chance(std::int64_t percent) { return fuzz::chance(random_, percent); }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return fuzz::one_of(random_, choices);
  }

  // A branch inside at least one loop, if there is one.
  std::optional<Site> site();
  // Consecutive loops of the branch from a random depth inward, at most "count".
  std::vector<LoopRef> band(const Site& site, std::size_t count);
  LoopRef loop(const Site& site) { return {site.definition, one_of(site.loops), site.piece}; }
  // Usually the innermost loop, which in a reduction is usually over a reduced iterator.
  LoopRef inner_loop(const Site& site);
  // A branch that commands may name; sometimes an ambiguous definition instead of its piece.
  BranchRef branch();
  // A definition that commands may name.
  const Definition& definition();
  std::vector<const Definition*> reductions() const;
  // The producers that a definition reads, with "inputs" also the inputs.
  std::vector<std::string> producers(const std::string& reader, bool inputs) const;
  // An array or input that the definition reads.
  std::optional<std::string> read_by(const std::string& reader);
  // Names that no array, and no loop but those of another copy, has.
  std::string new_array(const std::string& letter) const;
  std::vector<std::string> new_iterators(const std::string& letter, const std::string& array) const;
  // Does the program have parameters for tile sizes?
  bool has_tile_sizes() const;

 private:
  Random& random_;
  const Program& program_;
};

using Drawer = std::optional<Command> (*)(Draw&);

struct CommandKind {
  std::string name;
  int weight;  // its relative frequency; 0: only in place of another
  Drawer draw;
};

std::vector<CommandKind> commands_on_launches();
std::vector<CommandKind> commands_on_loops();
std::vector<CommandKind> commands_on_memories();
std::vector<CommandKind> commands_on_order();
std::vector<CommandKind> commands_on_places();

}  // namespace strata::fuzz
