// The text of every program of the examples and benchmarks denotes a program of the same text, and
// there is nothing to note about it.
#include STRATA_ALL_PROGRAMS

#include "layers/text.h"

namespace {

int failures = 0;

void test(const char* name, const examples::Scheduled& scheduled) {
  using namespace strata;
  for (const std::string& note : scheduled.function.notes()) {
    std::printf("%s\n", note.c_str());
    ++failures;
  }
  const std::string text = scheduled.function.text();
  const Program back = parse_program(std::make_shared<Session>(), text);
  if (to_text(back) == text) return;
  std::printf("the text of %s comes back as another one\n", name);
  ++failures;
}

}  // namespace

int main() try {
  for (const auto& [name, scheduled] : all_programs) test(name, scheduled());
  return failures == 0 ? 0 : 1;
} catch (const strata::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
