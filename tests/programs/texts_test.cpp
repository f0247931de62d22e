// For every program of the examples and benchmarks: its text parses to a program with the same
// text, its history replayed on the unscheduled program gives the program, and it has no notes.
#include STRATA_ALL_PROGRAMS

#include "layers/text/text.h"
#include "schedule/table/replay.h"

namespace {

int failures = 0;

void fail(const char* name, const char* what) {
  std::printf("%s: %s\n", name, what);
  ++failures;
}

std::string replayed_text(const strata::Function& function) {
  std::string commands;
  for (const std::string& command : function.history()) commands += command + "\n";
  return to_text(strata::replayed(function.unscheduled(), commands, {}));
}

void test(const char* name, const examples::Scheduled& scheduled) {
  using namespace strata;
  for (const std::string& note : scheduled.function.notes()) fail(name, note.c_str());
  const std::string text = scheduled.function.text();
  const Program back = parse_program(std::make_shared<Session>(), text);
  if (to_text(back) != text) fail(name, "the text comes back as another one");
  if (replayed_text(scheduled.function) != text) fail(name, "the history makes another program");
}

}  // namespace

int main() try {
  for (const auto& [name, scheduled] : all_programs) test(name, scheduled());
  return failures == 0 ? 0 : 1;
} catch (const strata::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
