// What a kernel would be without its author's schedule.
#pragma once

#include "strata/codegen_each.h"

namespace strata {

// Gives the function the commands of autoschedule in place of its author's. Where an argument lies
// in its buffer (store_in and set_size of its array) is kept: callers depend on it. Errors: those
// of autoschedule; E0106 if there are definitions after the first other command.
Report schedule_automatically(Scheduled& scheduled, const Machine& machine);

}  // namespace strata
