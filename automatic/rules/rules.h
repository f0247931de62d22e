// The table of rules: each writes commands for places of a program.
//
// A rule looks at relations only: along which loops an access is invariant or contiguous, and who
// reads what. Its commands are judged like an author's, so a wrong rule costs speed, but never
// gives a wrong result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "automatic/rules/draft.h"

namespace strata::automatic {

// The computations that a candidate schedules together, in the order of definition.
using Place = std::vector<const Member*>;

struct Setting {
  const Facts& facts;
  const Machine& machine;
  int threads = 1;
  bool exact = false;  // sums of floats keep their order
};

// "write" extends a draft, and throws the refusal of a command.
struct Candidate {
  std::string text;  // "tiles of 6 x 32, a panel"
  std::function<void(Draft&)> write;
};

struct Rule {
  const char* name;
  // The places where the rule applies, among the members that no other rule has taken.
  std::vector<Place> (*places)(const Setting& setting, const std::vector<const Member*>& free);
  // Candidates for a place, the most promising first.
  std::vector<Candidate> (*candidates)(const Setting& setting, const Place& place);
};

// All rules, in the order in which the search tries them.
const std::vector<Rule>& rules();

std::vector<Place> rows_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> rows_candidates(const Setting&, const Place&);
std::vector<Place> product_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> product_candidates(const Setting&, const Place&);
std::vector<Place> stencil_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> stencil_candidates(const Setting&, const Place&);
std::vector<Place> lines_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> lines_candidates(const Setting&, const Place&);
std::vector<Place> blocks_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> blocks_candidates(const Setting&, const Place&);
std::vector<Place> bands_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> bands_candidates(const Setting&, const Place&);
std::vector<Place> pieces_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> pieces_candidates(const Setting&, const Place&);
std::vector<Place> interchange_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> interchange_candidates(const Setting&, const Place&);
std::vector<Place> steps_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> steps_candidates(const Setting&, const Place&);
std::vector<Place> sums_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> sums_candidates(const Setting&, const Place&);
std::vector<Place> plain_places(const Setting&, const std::vector<const Member*>& free);
std::vector<Candidate> plain_candidates(const Setting&, const Place&);

}  // namespace strata::automatic
