// Every program of the examples and benchmarks has C, for CPUs with masks and without, and no more
// of it than a compiler takes.
#include STRATA_ALL_PROGRAMS

namespace {

constexpr std::size_t longest = 1'000'000;

int failures = 0;

void test(const char* name, const examples::Scheduled& scheduled) {
  for (const char* const target : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) try {
      strata::CodegenOptions options;
      options.target = target;
      const std::size_t length = scheduled.function.to_c(scheduled.arguments, options).size();
      if (length <= longest) continue;
      std::printf("%s for %s: %zu characters\n", name, target, length);
      ++failures;
    } catch (const strata::Error& error) {
      std::printf("%s for %s: %s\n", name, target, error.what());
      ++failures;
    }
}

}  // namespace

int main() {
  for (const auto& [name, scheduled] : all_programs) test(name, scheduled());
  return failures == 0 ? 0 : 1;
}
