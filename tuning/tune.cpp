// tune: checks its arguments, and takes the choice.
#include "strata/tune.h"

#include <cmath>

#include "dsl/author.h"
#include "dsl/automatic.h"
#include "dsl/kernel.h"
#include "tuning/tuner.h"

namespace strata {

namespace {

void check_options(const Function& f, const TuneOptions& options, const Request& request) {
  require_no_group(f, request);
  if (!std::isfinite(options.seconds) || options.seconds <= 0)
    throw request.refused(Code::E0106_bad_argument, "seconds is " + std::to_string(options.seconds),
                          "give a positive number; a candidate takes about one");
  if (options.candidates == 0)
    throw request.refused(Code::E0106_bad_argument, "candidates is 0", "give 1 or more");
  if (options.replay && options.log.empty())
    throw request.refused(Code::E0106_bad_argument, "there is no log to replay",
                          "name it in the option log");
  if (Author::state(f).last)
    throw request.refused(Code::E0106_bad_argument,
                          "loops or a kernel of " + f.name() +
                              " were made already, and would not have these commands",
                          "call tune before jit, codegen, loops and the like");
}

}  // namespace

Tuning tune(Function& f, const std::vector<Buffer>& arguments, const TuneOptions& options,
            const Where& where) {
  const Request request{"tune(" + f.name() + ")", where};
  check_options(f, options, request);
  const Machine host = machine();
  const AutoscheduleOptions given{options.leave, arguments, options.sizes, options.threads,
                                  options.floats};
  AutomaticOptions automatic = automatic_options(f, host, given, request);
  const std::string wish = autoschedule_wish(request);
  automatic.only_plain = wish == "plain";
  if (wish == "off") {
    Tuning off;
    off.stopped = "STRATA_AUTOSCHEDULE is off";
    return off;
  }
  const auto names = names_of(f.program(), arguments, request);
  Program program;
  Tuning tuning = guarded(request.text, where, [&] {
    return tuning::Tuner(f, names, options, automatic, host, request).run(program);
  });
  if (tuning.changed) take_commands(f, std::move(program), where);
  return tuning;
}

}  // namespace strata
