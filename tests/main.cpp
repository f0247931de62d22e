// main() of the tests. With the address sanitizer a call takes several times the stack, so a test
// of what is nested as deep as Strata allows needs more than the usual 8 MiB.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#ifdef __SANITIZE_ADDRESS__
#include <sys/resource.h>
#include <unistd.h>

namespace {

// Starts this program again with more stack, once: the limit counts when a program starts.
void ask_for_stack(char** arguments) {
  constexpr rlim_t enough = rlim_t{64} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= enough) return;
  limit.rlim_cur = enough;
  if (setrlimit(RLIMIT_STACK, &limit) == 0) execv("/proc/self/exe", arguments);
}

}  // namespace
#endif

int main(int argc, char** argv) {
#ifdef __SANITIZE_ADDRESS__
  ask_for_stack(argv);
#endif
  return Catch::Session().run(argc, argv);
}
