// How many threads there are by default, and loops on a pool of the host program's.
#include <catch2/catch.hpp>

#include <strata/runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/error/stderr_of.h"
#include "tests/folder.h"

extern "C" {
#include "runtime/quota.h"
#include "runtime/threads.h"
}

namespace strata::test::host_pool_test {

constexpr int iterations = 1000;
constexpr double much = 1e6;  // units of work

// A pool that counts what it is asked for.
struct Pool {
  int loops = 0;
  std::atomic<int> tasks = 0;
};

void run_backwards(void* pool, strata_task task, void* data, int count) {
  ++static_cast<Pool*>(pool)->loops;
  for (int n = count; n-- > 0;) {
    ++static_cast<Pool*>(pool)->tasks;
    task(data, n);
  }
}

void run_in_threads(void* pool, strata_task task, void* data, int count) {
  std::vector<std::thread> threads;
  for (int n = 0; n < count; ++n)
    threads.emplace_back([=] {
      ++static_cast<Pool*>(pool)->tasks;
      task(data, n);
    });
  for (std::thread& thread : threads) thread.join();
}

struct Counts {
  std::atomic<int> of[iterations] = {};
};

int count(void*, int iteration, unsigned char* closure) {
  ++reinterpret_cast<Counts*>(closure)->of[iteration];
  return 0;
}

bool all_run_once() {
  auto counts = std::make_unique<Counts>();
  if (strata_run_parallel(count, 0, iterations, reinterpret_cast<unsigned char*>(counts.get()),
                          much) != 0)
    return false;
  for (const auto& times : counts->of)
    if (times != 1) return false;
  return true;
}

// A parallel loop in each of four iterations.
int nested(void*, int, unsigned char*) { return all_run_once() ? 0 : 1; }

int fail_at_700(void*, int iteration, unsigned char*) { return iteration == 700 ? -7 : 0; }

struct FourThreads {
  FourThreads() : before(strata_set_number_of_threads(4)) {}
  ~FourThreads() {
    strata_set_pool(nullptr, nullptr);
    strata_set_number_of_threads(before);
  }
  const int before;
};

TEST_CASE("parallel loops run on the host's pool until it is taken away", "[threads]") {
  const FourThreads threads;
  for (const strata_pool run : {&run_backwards, &run_in_threads}) {
    Pool pool;
    strata_set_pool(run, &pool);
    CHECK(all_run_once());
    CHECK(pool.tasks == 4);
    CHECK(strata_run_parallel(nested, 0, 4, nullptr, much) == 0);
    CHECK(strata_run_parallel(fail_at_700, 0, iterations, nullptr, much) == -7);
    const int tasks = pool.tasks;
    CHECK(strata_run_parallel(count, 0, 0, nullptr, much) == 0);
    strata_set_pool(nullptr, &pool);
    CHECK(all_run_once());
    CHECK(pool.tasks == tasks);
  }
}

TEST_CASE("a pool that needs no state is a null pointer, and none is a null function",
          "[threads]") {
  const FourThreads threads;
  static int loops, states;
  loops = states = 0;
  const strata_pool run = [](void* pool, strata_task task, void* data, int count) {
    ++loops;
    states += pool != nullptr;
    for (int n = 0; n < count; ++n) task(data, n);
  };
  strata_set_pool(run, nullptr);
  CHECK(all_run_once());
  CHECK((loops > 0 && states == 0));
  const int before = loops;
  strata_set_pool(nullptr, nullptr);
  CHECK(all_run_once());
  CHECK(loops == before);
}

TEST_CASE("a loop of little work asks no pool", "[threads]") {
  const FourThreads threads;
  Pool pool;
  strata_set_pool(run_backwards, &pool);
  CHECK(strata_run_parallel(fail_at_700, 0, 10, nullptr, 0.5) == 0);
  CHECK(pool.loops == 0);
  strata_set_number_of_threads(1);
  CHECK(all_run_once());
  CHECK(pool.loops == 0);
}

TEST_CASE("a child process has no pool of the host's until it sets one", "[threads]") {
  const FourThreads threads;
  Pool pool;
  strata_set_pool(run_backwards, &pool);
  REQUIRE(all_run_once());
  const pid_t child = fork();
  if (child == 0) {
    const int loops = pool.loops;
    const bool own = all_run_once() && pool.loops == loops;
    strata_set_pool(run_backwards, &pool);
    const bool set = all_run_once() && pool.loops == loops + 1;
    _exit(own && set ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

// The number of threads that STRATA_THREADS leads to, and what is said about it.
std::pair<int, std::string> default_with(const char* text) {
  const int before = strata_number_of_threads();
  ::setenv("STRATA_THREADS", text, 1);
  const std::string said = stderr_of([] { strata_set_number_of_threads(0); });
  ::unsetenv("STRATA_THREADS");
  return {strata_set_number_of_threads(before), said};
}

TEST_CASE("STRATA_THREADS is the default number of threads", "[threads]") {
  const int before = strata_number_of_threads();
  strata_set_number_of_threads(0);
  const int cores = strata_set_number_of_threads(before);
  CHECK(default_with("3") == std::pair<int, std::string>(3, ""));
  CHECK(default_with("100000").first == 1024);
  CHECK(default_with("").first == cores);
  CHECK(default_with("many") ==
        std::pair<int, std::string>(
            cores, "STRATA_THREADS=many is not a positive number: it is ignored\n"));
  for (const char* text : {"0", "-2", "2.5", "99999999999999999999"})
    CHECK(default_with(text) == std::pair<int, std::string>(cores, ""));
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST_CASE("the quota of control groups is the lowest of a group and those around it", "[threads]") {
  const Folder folder;
  const auto quota = [&](const std::string& groups) {
    write(folder.path / "groups", groups);
    return strata_quota((folder / "groups").c_str(), (folder / "mounted").c_str());
  };
  const auto mounted = folder.path / "mounted";
  CHECK(strata_quota((folder / "none").c_str(), mounted.c_str()) == 0);
  CHECK(quota("0::/a/b\n") == 0);
  write(mounted / "a/b/cpu.max", "max 100000\n");
  CHECK(quota("0::/a/b\n") == 0);
  write(mounted / "a/cpu.max", "250000 100000\n");
  CHECK(quota("0::/a/b\n") == 3);
  CHECK(quota("0::/c\n") == 0);
  write(mounted / "a/b/cpu.max", "400000 100000\n");
  CHECK(quota("0::/a/b\n") == 3);
  write(mounted / "cpu.max", "1000 100000\n");
  CHECK(quota("0::/a/b\n") == 1);
  CHECK(quota("0::/\n") == 1);
  write(mounted / "cpu.max", "max 100000\n");
  write(mounted / "a:b:c/cpu.max", "500000 100000\n");
  CHECK(quota("0::/a:b:c\n") == 5);

  // Version 1, which has a folder for each controller; -1 is not a limit.
  write(mounted / "cpu,cpuacct/d/cpu.cfs_quota_us", "150000\n");
  write(mounted / "cpu,cpuacct/d/cpu.cfs_period_us", "100000\n");
  const std::string v1 = "7:memory:/other\n3:cpu,cpuacct:/d/e\n";
  CHECK(quota(v1) == 2);
  CHECK(quota("3:memory,cpu:/d\n") == 2);
  for (const char* other : {"5:cpuset:/d\n", "5:cpuacct:/d\n", "5:name=cpu:/d\n"})
    CHECK(quota(other) == 0);
  write(mounted / "cpu,cpuacct/d/cpu.cfs_quota_us", "-1\n");
  CHECK(quota(v1) == 0);
  CHECK(quota("not a list of groups\n\n:\n") == 0);
}

}  // namespace strata::test::host_pool_test
