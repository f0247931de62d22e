// Only strata::Error leaves the library, with the author's line.
#pragma once

#include <string>

#include "core/error.h"
#include "core/sets/session.h"

namespace strata {

// Runs "act"; turns an isl failure inside into E0902 about "what".
template <typename Act>
auto guarded(const std::string& what, const Where& where, Act act) {
  try {
    return act();
  } catch (const isl::exception& e) {
    throw Request{what, where}.refused(
        Code::E0902_set_library_failed, "isl reports: " + message_of(e),
        "this is a bug in Strata; please report it with the program");
  }
}

// Runs "act". If the back end refuses without a place, the refusal gets the place "where" and the
// kernel "name".
template <typename Act>
auto at_authors_line(const std::string& name, const Where& where, Act act) {
  try {
    return act();
  } catch (const Error& e) {
    Refusal refusal = e.refusal();
    if (!refusal.where.file.empty()) throw;
    refusal.command = "codegen(" + name + ")";
    refusal.where = where;
    throw Error(refusal);
  }
}

}  // namespace strata
