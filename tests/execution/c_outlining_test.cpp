// Kernels of many loops through C: functions that call each other.
#include <catch2/catch.hpp>

#include <strata/buffer.h>
#include <strata/runtime.h>
#include <strata/strata.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/execution/harness.h"

namespace strata::test::c_outlining_test {

namespace {

std::string numbered(int n) { return "c" + std::to_string(n); }

// c0 = x + 1, c1 = c0 * 3 + 1, c2 = c1 * 3 + 2, ..
struct Chain {
  Function f{"chain"};
  Param N = f.param("N");
  Var i{"i", 0, N};
  Input x = f.input("x", i32, {N});
  std::vector<Computation> all{f.computation("c0", {i}, x(i) + 1)};

  explicit Chain(int count) {
    for (int n = 1; n < count; ++n) next(all.back()(i) * 3 + n);
  }
  void next(const Expr& value) {
    all.push_back(f.computation(numbered(int(all.size())), {i}, value));
  }
  std::vector<Buffer> arguments() const { return {x.buffer(), all.back().buffer()}; }
};

// The loops of each function of the text in C: first those for dense arguments, then the others.
std::vector<int> loops_of_functions(const Chain& chain) {
  std::vector<int> all{0};
  std::istringstream lines(chain.f.to_c(chain.arguments()));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("for (int64_t") != std::string::npos) ++all.back();
    if (line == "}" && all.back() > 0) all.push_back(0);
  }
  all.pop_back();
  return all;
}

// The address space of this process in bytes.
rlim_t used_space() {
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * rlim_t(sysconf(_SC_PAGESIZE));
}

// Does the kernel run twice in a child process that gets no more than "bytes" of memory?
bool runs_within(const JitFunction& kernel, std::int64_t n, rlim_t bytes) {
  Array<std::int32_t> x({n}, 1), out({n});
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{used_space() + bytes, used_space() + bytes};
    bool right = setrlimit(RLIMIT_AS, &limit) == 0;
    for (int run = 0; run < 2; ++run) right = right && kernel({n}, {x, out}) == 0;
    _exit(right ? 0 : 1);
  }
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

TEST_CASE("after 32 loops in C the rest is a function, and so on", "[c][outlining]") {
  CHECK(loops_of_functions(Chain(32)) == std::vector<int>{32, 32});
  CHECK(loops_of_functions(Chain(70)) == std::vector<int>{6, 32, 32, 6, 32, 32});
}

TEST_CASE("kernels of many loops through C compute what they should", "[c][outlining]") {
  Options options;
  options.backend = "c";
  SECTION("in one order of loops") {
    Chain chain(70);
    Judged(chain.f, chain.arguments(), options).check({5});
  }
  SECTION("with a computation that is named like the stride of an argument") {
    Chain chain(40);
    chain.all.push_back(chain.f.computation("x_0", {chain.i}, chain.all.back()(chain.i) + 1));
    Judged(chain.f, chain.arguments(), options).check({5});
  }
  SECTION("with vectors, parallel loops, and arrays that several functions read") {
    Chain chain(40);
    for (int n = 0; n < 40; ++n) {
      const Expr before = chain.all.back()(chain.i), first = chain.all[std::size_t(n)](chain.i);
      chain.next(before * 3 - first);
    }
    for (std::size_t n = 0; n < chain.all.size(); n += 3) chain.all[n].parallelize(chain.i);
    for (std::size_t n = 1; n < chain.all.size(); n += 3) chain.all[n].vectorize(chain.i, 8);
    Judged judged(chain.f, chain.arguments(), options);
    judged.check({5});
    judged.check({19});
    judged.check({0});
  }
}

#ifndef __SANITIZE_ADDRESS__  // it keeps what is freed
TEST_CASE("memory of many loops through C is freed by the function that uses it last",
          "[c][outlining]") {
  Chain chain(100);
  const JitFunction kernel = chain.f.jit(chain.arguments(), codegen_in_c());
  // So large that each array is a mapping of its own in glibc. Two are alive at a time.
  constexpr std::int64_t n = 1 << 23;
  constexpr rlim_t array = 4 * n;
  CHECK(runs_within(kernel, n, 3 * array));
  CHECK_FALSE(runs_within(kernel, n, array * 3 / 2));
}
#endif

TEST_CASE("failures of each function of many loops through C are told", "[c][outlining]") {
  Function f("checked");
  const Param N = f.param("N"), M = f.param("M");
  const Var i("i", 0, N);
  const Input at = f.input("at", i64, {N}), table = f.input("table", i32, {M});
  const Input late = f.input("late", i64, {N});
  Computation last = f.computation("c0", {i}, table(at(i)));
  for (int n = 1; n < 70; ++n) last = f.computation(numbered(n), {i}, last(i) + 1);
  Computation out = f.computation("out", {i}, last(i) + table(late(i)));
  const JitFunction kernel =
      f.jit({at.buffer(), table.buffer(), late.buffer(), out.buffer()}, codegen_in_c());
  Array<std::int64_t> first({3}, 0), second({3}, 1);
  Array<std::int32_t> values({2}, 5), sums({3});
  const auto run = [&] { return kernel({3, 2}, {first, values, second, sums}); };
  REQUIRE(run() == 0);
  for (int n = 0; n < 3; ++n) CHECK(sums(n) == 5 + 69 + 5);
  second(1) = 8;
  CHECK(run() == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("index 0 of table was 8") != std::string::npos);
  second(1) = 1;
  first(2) = 7;
  CHECK(run() == strata_error_index_out_of_range);
  CHECK(std::string(strata_last_error()).find("index 0 of table was 7") != std::string::npos);
}

TEST_CASE("memory that a later function in C does not get is told", "[c][outlining]") {
  Chain chain(40);
  const Var i("i", 0, chain.N), j("j", 0, 100 * chain.N);
  const Computation large =
      chain.f.computation("large", {i, j}, cast(i32, j) + chain.all.back()(i));
  for (int n = 0; n < 40; ++n)
    chain.next(n == 0 ? large(chain.i, 3 * chain.i) : chain.all.back()(chain.i) + 1);
  const JitFunction kernel = chain.f.jit(chain.arguments(), codegen_in_c());
  constexpr std::int64_t n = 1 << 22;
  Array<std::int32_t> x({n}), out({n});
  CHECK(kernel({n}, {x, out}) == strata_error_out_of_memory);
  CHECK(std::string(strata_last_error())
            .find("chain: out of memory for the temporary buffer large") == 0);
}

}  // namespace strata::test::c_outlining_test
