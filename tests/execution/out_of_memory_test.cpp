// Each allocation of a kernel fails in turn: the kernel returns the right code, frees its memory,
// and works when it is called again.
#include <strata/buffer.h>
#include <strata/strata.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>

namespace strata::test::out_of_memory_test {

using Malloc = void* (*)(void* context, std::size_t size);
using Free = void (*)(void* context, void* pointer);
extern "C" Malloc halide_set_custom_malloc(Malloc);
extern "C" Free halide_set_custom_free(Free);

namespace {

// The memory allocated by kernels, with one allocation that fails.
struct Memory {
  std::mutex lock;
  std::set<void*> live;
  int asked = 0, fails = -1, freed_twice = 0;
  std::size_t most = 0;  // allocations at a time
};
Memory memory;

void* give(void*, std::size_t size) {
  const std::lock_guard guard(memory.lock);
  if (memory.asked++ == memory.fails) return nullptr;
  void* const p = std::aligned_alloc(128, (size + 255) / 128 * 128);
  memory.live.insert(p);
  memory.most = std::max(memory.most, memory.live.size());
  return p;
}

void take(void*, void* p) {
  const std::lock_guard guard(memory.lock);
  if (!p) return;
  if (memory.live.erase(p) == 0)
    ++memory.freed_twice;
  else
    std::free(p);
}

class Watched {
 public:
  Watched() : malloc_(halide_set_custom_malloc(give)), free_(halide_set_custom_free(take)) {}
  ~Watched() {
    halide_set_custom_malloc(malloc_);
    halide_set_custom_free(free_);
  }

 private:
  Malloc malloc_;
  Free free_;
};

int call(const JitFunction& kernel, int fails) {
  static Array<std::int32_t> in({23, 40}, 3), out({23, 40});
  memory.asked = 0;
  memory.fails = fails;
  memory.most = 0;
  std::fill(out.begin(), out.end(), -1);
  const int code = kernel({23, 40}, {in, out});
  if (code == 0) {
    for (int i = 0; i < 23; ++i)
      for (int j = 0; j < 40; ++j) CHECK(out(i, j) == 2 * (3 * 2 + (j > 0 ? 6 : 0)));
  }
  CHECK(memory.live.empty());
  CHECK(memory.freed_twice == 0);
  return code;
}

struct Chain {
  Function f{"chain"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M};
  Input in = f.input("in", i32, {N, M});
  Computation a = f.computation("a", {i, j}, in(i, j) * 2);
  Computation b = f.computation("b", {i, j}, a(i, j) + select(j > 0, a(i, j - 1), 0));
  Computation c = f.computation("c", {i, j}, b(i, j) * 2);

  JitFunction kernel() { return f.jit({in.buffer(), c.buffer()}); }
};

// The values of Chain, with so many computations in a row before the last one.
struct Long {
  Function f{"chain"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M};
  Input in = f.input("in", i32, {N, M});
  Computation last = f.computation("first", {i, j}, in(i, j) * 4 + select(j > 0, in(i, j) * 4, 0));

  explicit Long(int count) {
    for (int n = 0; n < count; ++n)
      last = f.computation("next_" + std::to_string(n), {i, j}, last(i, j) + 1);
    last = f.computation("last", {i, j}, last(i, j) - count);
  }
  JitFunction kernel() { return f.jit({in.buffer(), last.buffer()}); }
};

// Makes each allocation fail once; returns the number of allocations.
int fail_each(const JitFunction& kernel) {
  REQUIRE(call(kernel, -1) == strata_success);
  const int allocations = memory.asked;
  for (int n = 0; n < allocations; ++n) {
    CAPTURE(n, allocations);
    REQUIRE(call(kernel, n) == strata_error_out_of_memory);
    const std::string message = strata_last_error();
    CHECK(message.find("chain: out of memory for the temporary buffer ") == 0);
    REQUIRE(call(kernel, -1) == strata_success);
  }
  return allocations;
}

}  // namespace

TEST_CASE("each allocation of a kernel fails in turn", "[execution]") {
  const Watched watched;
  Chain whole, inside, parallel, lanes;
  CHECK(fail_each(whole.kernel()) == 2);

  inside.b.after(inside.a, inside.i);
  inside.c.after(inside.b, inside.i);
  inside.a.allocate_at(inside.c, inside.i).set_memory(strata::Memory::heap);
  inside.b.allocate_at(inside.c, inside.i).set_memory(strata::Memory::heap);
  CHECK(fail_each(inside.kernel()) == 2 * 23);

  parallel.b.compute_at(parallel.c, parallel.i).set_memory(strata::Memory::heap);
  parallel.a.compute_at(parallel.c, parallel.i).set_memory(strata::Memory::heap);
  parallel.c.parallelize(parallel.i);
  CHECK(fail_each(parallel.kernel()) == 2 * 23);

  lanes.a.vectorize(lanes.j, 8).parallelize(lanes.i);
  lanes.b.vectorize(lanes.j, 8).parallelize(lanes.i);
  CHECK(fail_each(lanes.kernel()) == 2);
}

TEST_CASE("each allocation of a kernel of several functions fails in turn", "[execution]") {
  const Watched watched;
  Long many(70);
  const JitFunction kernel = many.kernel();
  CHECK(fail_each(kernel) == 71);
  // Each array is freed once the next one is there, whichever function allocated it.
  REQUIRE(call(kernel, -1) == strata_success);
  CHECK(memory.most == 2);
}

}  // namespace strata::test::out_of_memory_test
