// Every program of the examples and benchmarks is scheduled by itself in bounded time, and no rule
// writes a command that is refused.
#include <strata/strata.h>

#include <ctime>

#include "dsl/automatic_schedule.h"
#include STRATA_ALL_PROGRAMS

namespace {

constexpr double longest = 20;  // seconds of CPU time
constexpr double usual = 5;     // for nine in ten

bool verbose = false;
strata::Machine for_machine = strata::machine("x86-64-v4");
int failures = 0, slow = 0, programs = 0;

double cpu_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

void test(const std::string& name, examples::Scheduled made) try {
  ++programs;
  const double start = cpu_seconds();
  const strata::Report report = strata::schedule_automatically(made, for_machine);
  const double seconds = cpu_seconds() - start;
  made.function.loops(made.arguments);
  std::string outcome = "unchanged: " + report.why_unchanged;
  for (const auto& one : report.tried) {
    if (one.outcome == "chosen") outcome = one.text;
    if (one.outcome.find("refused") != 0) continue;
    std::printf("    %s: %s\n", one.text.c_str(), one.outcome.c_str());
    failures += one.outcome.find("E0901") == std::string::npos;  // too hard to judge is not a fault
  }
  if (verbose) std::printf("%s", report.text().c_str());
  std::printf("%-40s %5.2f s, %zu tried: %s\n", name.c_str(), seconds, report.tried.size(),
              outcome.c_str());
  std::fflush(stdout);
  slow += seconds > usual;
  failures += seconds > longest;
} catch (const strata::Error& error) {
  std::printf("%s: %s\n", name.c_str(), error.what());
  ++failures;
}

}  // namespace

// Of one program, if it is named, the whole report; for another machine, if it is named, too.
int main(int argc, char** argv) {
  verbose = argc > 1;
  if (argc > 2) for_machine = strata::machine(argv[2]);
  const auto test_each = [&](const Programs& programs, const std::string& what) {
    for (const auto& [name, made] : programs)
      if (!verbose || std::string(argv[1]) == name) test(name + what, made());
  };
  test_each(all_programs, "");
  test_each(all_definitions, ", as defined");
  std::printf("%d programs, %d above %.0f s\n", programs, slow, usual);
  return failures == 0 && 10 * slow <= programs ? 0 : 1;
}
