// Which questions of legality were answered already.
//
// A program carries the last state that was proved (Program::proved): its algorithm, mapping and
// layout, as values.  A question may be left out if everything that it depends on is the same in
// that state and in the program it is asked about, compared as relations and not by name; whatever
// is not plainly equal is asked again.  So no verdict can be stale: a definition, loop or buffer
// that comes back under its old name with another map is another question.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schedule/legality/proved.h"
#include "schedule/legality/scheduled.h"
#include "schedule/legality/stores.h"

namespace strata {

class Unchanged {
 public:
  explicit Unchanged(const Scheduled& now);

  // The order of two definitions: the instances and times of all their branches, and the position
  // and the processors of the loops that a branch of the one shares with a branch of the other;
  // which buffers their loops allocate, whether they are atomic, and the buffer of "a".
  bool order(const std::string& a, const std::string& b) const;
  // All that is asked of a buffer: which places values have in it, and the order of the
  // definitions that touch it.
  bool storage(const Stores& stores) const;

 private:
  const std::vector<Placed>& before(const std::string& definition) const;
  bool same_buffer(const std::string& definition) const;
  bool same_atomicity(const std::string& definition) const;

  const Scheduled& now_;
  const Proved* proved_;  // null: nothing is known
  std::map<std::string, std::vector<Placed>> placed_;
};

}  // namespace strata
