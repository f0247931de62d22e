// What Function::autoschedule and tune share.
#pragma once

#include <string>

#include "automatic/autoschedule.h"
#include "strata/strata.h"

namespace strata {

// What STRATA_AUTOSCHEDULE says: "", "off" or "plain". E0106 for another text.
std::string autoschedule_wish(const Request& request);

// The options by name, once they are checked; "only_plain" is not set. E0101 "leave" has a
// computation of another function; E0115 "arguments" has a buffer of one; E0106 "threads" is
// negative.
AutomaticOptions automatic_options(const Function& f, const Machine& machine,
                                   const AutoscheduleOptions& given, const Request& request);

// E0106 inside of together.
void require_no_group(const Function& f, const Request& request);

// Gives the function a program that has further commands, given at "where".
void take_commands(const Function& f, Program next, const Where& where);

}  // namespace strata
