// Every command on the loops of a launch: it is refused with its reason, or leaves a program that
// the oracle finds legal, and whose loop tree runs every instance.
#include <catch2/catch.hpp>

#include <set>

#include "reference/shadow.h"
#include "schedule/commands/launch/gpu_blocks.h"
#include "schedule/commands/launch/gpu_threads.h"
#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/finish.h"
#include "schedule/table/command_table.h"
#include "schedule/table/command_text.h"
#include "tests/unit/codegen/trace.h"
#include "tests/unit/programs.h"

namespace strata::test::launch_commands_test {

namespace {

// P(i, k) = in(i, k) + 1, S(i, k) = S(i, k - 1) + P(i, k), T(i, k) = 2 S(i, k) for i < N, k < M,
// and R(i) = the sum of in(i, k) over k. P and T are on the host; S and R in launches of
//     block b: k: thread t: S,   block c: thread u: k: R
Program launches() {
  const Var i = range("i", "N"), k = range("k", "M");
  Program p =
      with_input(empty_program({"N", "M"}), "in", f32, {parameter("N"), parameter("M")}, asked);
  p = define(p, "P", {i, k}, at("in", {i, k}) + 1.0f);
  p = define(p, "S", {i, k}, select(k > 0, at("S", {i, k - 1}), 0.0f) + at("P", {i, k}));
  p = define(p, "T", {i, k}, at("S", {i, k}) * 2.0f);
  p = define(p, "R", {i}, sum(k, at("in", {i, k})));
  p = interchange(split(p, {"S", "i"}, 4, "b", "t"), {"S", "t"}, {"S", "k"});
  p = gpu_threads(gpu_blocks(p, {{"S", "b"}}), {{"S", "t"}});
  p = split(p, {"R", "i"}, 4, "c", "u");
  return gpu_threads(gpu_blocks(p, {{"R", "c"}}), {{"R", "u"}});
}

struct Row {
  std::string command;
  std::string refusal;  // its explanation; "": accepted
};

const std::vector<Row> rows = {
    {R"(after(T, S, b))", "loop b of S is block, but loop i of T is sequential"},
    {R"(after(T, S, k))", "loop b of S is block, but loop i of T is sequential"},
    {R"(after(T, S, t))", "T cannot share 3 loops with S: T has only 2"},
    {R"(after(R, S, b))", ""},
    {R"(after(R, S, root))", ""},
    {R"(allocate_at(S, S.b))",
     "a value in S would be read outside of the iteration that the buffer is allocated for"},
    {R"(allocate_at(P, S.k))",
     "a value in P would be read outside of the iteration that the buffer is allocated for"},
    {R"(async(S))",
     "S cannot be copied asynchronously: it does not have the values of one other array, as they "
     "are"},
    {R"(atomic(R))", ""},
    {R"(barrier_at(S.b))",
     "the iterations of the block loop b need not run at the same time, so one cannot wait for "
     "another"},
    {R"(barrier_at(S.k))", ""},
    {R"(barrier_at(S.t))",
     "S.t runs in one thread of a block, inside of the loop t, and the others would miss the "
     "barrier"},
    {R"(before(R, S, b))", ""},
    {R"(before(P, S, k))", "loop b of S is block, but loop i of P is sequential"},
    {R"(between(P, S, b, T, root))", "loop b of S is block, but loop i of P is sequential"},
    {R"(cache_at(S.b, P, Q, {i, k}))",
     "in the end: Q is in shared memory, where sizes are constant, but how many elements it has "
     "along index 1 depends on M"},
    {R"(cache_at(S.k, P, Q, {i, k}))", ""},
    {R"(cache_at(S.t, P, Q, {i, k}))", ""},
    {R"(cache_at(R.k, in, Q, {i, k}))", ""},
    {R"(cache_local_at(R.k, in, Q, {i, k}))", ""},
    {R"(cache_shared_at(S.b, P, Q, {i, k}))",
     "the iterations to deal out have no box of constant size around them"},
    {R"(cache_shared_at(S.k, P, Q, {i, k}))", ""},
    {R"(collapse(S.b, S.k))", "b is block, but k is sequential"},
    {R"(collapse(R.u, R.k))", "u is thread, but k is sequential"},
    {R"(collapse(T.i, T.k))",
     "the bounds of k are not constants, so i n + k with its number of iterations n is not affine"},
    {R"(compute_at(P, S.b))",
     "in the end: P is in shared memory, where sizes are constant, but how many elements it has "
     "along index 1 depends on M"},
    {R"(compute_at(P, S.k))", ""},
    {R"(compute_at(P, S.t))", ""},
    {R"(compute_at(P, root))", ""},
    {R"(copy_at(R.c, Q, {i}))", ""},
    {R"(copy_at(R.u, Q, {i}))", ""},
    {R"(copy_at(R.k, Q, {i}))", "the iterations of k contribute to the same results"},
    {R"(deal(S.k))", "the iterations to deal out have no box of constant size around them"},
    {R"(deal(S.t))", "loop t is thread already"},
    {R"(device_to_host(P))", ""},
    {R"(distribute_loop(S.b))", ""},
    {R"(distribute_loop(S.k))", ""},
    {R"(distribute_loop(R.u))", ""},
    {R"(fuse(S.b, R.c))", ""},
    {R"(fuse(S.b, T.i))", "loop b of S is block, but loop i of T is sequential"},
    {R"(fuse(S.k, P.i))", "S.k and P.i are not in the same loop body"},
    {R"(gpu(S.b, S.t))", "loop b would be block, but it is block already"},
    {R"(gpu(T.i, T.k))",
     "the number of iterations of loop k has no constant bound, so it cannot be the threads of a "
     "block"},
    {R"(gpu_blocks(S.k))", "a block needs values that other blocks compute"},
    {R"(gpu_blocks(S.t))", "loop t would be block, but it is thread already"},
    {R"(gpu_blocks(R.k))", "the block loop k stands inside the thread loop u"},
    {R"(gpu_threads(S.b))", "loop b would be thread, but it is block already"},
    {R"(gpu_threads(S.k))",
     "the number of iterations of loop k has no constant bound, so it cannot be the threads of a "
     "block"},
    {R"(gpu_threads(S.t))", "loop t would be thread, but it is thread already"},
    {R"(gpu_threads(R.k))",
     "the number of iterations of loop k has no constant bound, so it cannot be the threads of a "
     "block"},
    {R"(gpu_tile(S.b, 2))", "loop b would be block, but it is block already"},
    {R"(gpu_tile(S.k, 2))", "a block or a thread needs values that others compute"},
    {R"(gpu_tile(T.i, T.k, 4, 8))", ""},
    {R"(gpu_tile(R.k, 2))", "the block loop k stands inside the thread loop u"},
    {R"(guard(S.b))", ""},
    {R"(guard(S.k))", ""},
    {R"(guard(S.t))", ""},
    {R"(guard(R.k))", ""},
    {R"(host_to_device(in))", ""},
    {R"(inline(P))", ""},
    {R"(interchange(S.b, S.k))", ""},
    {R"(interchange(S.k, S.t))", ""},
    {R"(interchange(R.c, R.u))", "the block loop c stands inside the thread loop u"},
    {R"(interchange(R.u, R.k))", ""},
    {R"(interchange(R.c, R.k))", "the block loop c stands inside the thread loop u"},
    {R"(mask(S.b))", "loop b is block, so it has no lanes to mask"},
    {R"(mask(S.t))", "loop t is thread, so it has no lanes to mask"},
    {R"(min_blocks(S.b, 2))", ""},
    {R"(min_blocks(S.k, 2))", "loop k is sequential, so it has no blocks"},
    {R"(min_blocks(S.t, 2))", "loop t is thread, so it has no blocks"},
    {R"(mma(R, tf32))",
     "R cannot be a product on tensor cores: it is not a float32 sum of products of two array "
     "elements"},
    {R"(distribute(S.b, rows))", "there is no partition rows"},
    {R"(parallelize(S.b))", "loop b would be parallel, but it is block already"},
    {R"(parallelize(S.k))",
     "the parallel loop k stands inside of blocks, on the threads of the CPU"},
    {R"(parallelize(S.t))", "loop t would be parallel, but it is thread already"},
    {R"(parallelize(R.k))",
     "the parallel loop k stands inside of blocks, on the threads of the CPU"},
    {R"(peel(S.b, 1))", ""},
    {R"(peel(S.k, 1))", ""},
    {R"(peel(S.t, 1))", ""},
    {R"(peel(R.c, -1))", ""},
    {R"(peel(R.k, 1))", ""},
    {R"(prefetch(S.b, P, 1))",
     "loop b cannot prefetch P for S: loop b is run by a GPU, whose threads hide the time of a "
     "load without prefetches"},
    {R"(prefetch(S.k, P, 1))",
     "loop k cannot prefetch P for S: loop b is run by a GPU, whose threads hide the time of a "
     "load without prefetches"},
    {R"(prefetch(S.t, P, 1))",
     "loop t cannot prefetch P for S: loop b is run by a GPU, whose threads hide the time of a "
     "load without prefetches"},
    {R"(prefetch(R.k, in, 1))",
     "loop k cannot prefetch in for R: loop c is run by a GPU, whose threads hide the time of a "
     "load without prefetches"},
    {R"(reorder(S.k, S.t, S.b))", "the block loop b stands inside the thread loop t"},
    {R"(reorder(S.t, S.k))", ""},
    {R"(resident(in))", "in the end: in is resident on the GPU, but the host touches it too"},
    {R"(reverse(S.b))", ""},
    {R"(reverse(S.k))", "running k backwards would read a value before it is computed"},
    {R"(reverse(S.t))", ""},
    {R"(reverse(R.u))", ""},
    {R"(reverse(R.k))", ""},
    {R"(rfactor(R.c, Q))",
     "each iteration of c holds all contributions to its results, so there are no partial results"},
    {R"(rfactor(R.u, Q))",
     "each iteration of u holds all contributions to its results, so there are no partial results"},
    {R"(rfactor(R.k, Q))",
     "in the end: Q is in local memory, where sizes are constant, but how many elements it has "
     "along index 1 depends on M"},
    {R"(separate(S.b))", ""},
    {R"(separate(S.k))", ""},
    {R"(separate(S.t))", ""},
    {R"(set_memory(S, heap))", ""},
    {R"(set_memory(P, heap))", ""},
    {R"(set_schedule(R, "{ R[i, k] -> [i, k] }"))", ""},
    {R"(set_schedule(S, "{ S[i, k] -> [i, k] }"))", ""},
    {R"(set_size(P, N, M + 1))", ""},
    {R"(shift(S.b, 1))", ""},
    {R"(shift(S.k, N))", ""},
    {R"(shift(S.t, 1))", ""},
    {R"(shift(S.t, N))", ""},
    {R"(skew(S.b, S.k, 1, 1))", "skewing b and k would read a value before it is computed"},
    {R"(skew(S.k, S.t, 1, 1))", ""},
    {R"(skew(R.u, R.k, 1, 1))",
     "the thread loop u of R would have a number of iterations without a constant bound"},
    {R"(split(S.b, 2))", ""},
    {R"(split(S.k, 2))", ""},
    {R"(split(S.t, 2))", ""},
    {R"(split(R.k, 2))", ""},
    {R"(store_at(S, S.b))", "S is not recomputed inside the loop S.b"},
    {R"(store_at(P, S.k))", "P is not recomputed inside the loop S.k"},
    {R"(store_in(S, "{ S[i, k] -> s[i, k mod 2] }"))",
     "a value in s would be overwritten before it is read"},
    {R"(store_in(P, p, i, 2 * k))", ""},
    {R"(then(R, S, b))", "R has no loop b; it has c, u, k"},
    {R"(then(T, R, root))", ""},
    {R"(tile(S.b, S.k, 2, 2))", ""},
    {R"(tile(S.k, S.t, 2, 2))", ""},
    {R"(tile(R.u, R.k, 2, 2))", ""},
    {R"(tile(R.c, R.u, 2, 2))", ""},
    {R"(unroll(S.b))", "loop b would be unrolled, but it is block already"},
    {R"(unroll(S.b, 2))", ""},
    {R"(unroll(S.k, 2))", ""},
    {R"(unroll(S.t))", "loop t would be unrolled, but it is thread already"},
    {R"(unroll(S.t, 2))", ""},
    {R"(unroll(R.k, 2))", ""},
    {R"(vectorize(S.b, 2))", "the vector loop b_lane stands around the thread loop t"},
    {R"(vectorize(S.k, 2))", "the vector loop k_lane stands around the thread loop t"},
    {R"(vectorize(S.t))", "loop t would be vector, but it is thread already"},
    {R"(vectorize(S.t, 2))", ""},
    {R"(vectorize(R.k, 2))", "two contributions to one result of R would run at the same time"},
    {R"(vectorize(R.u))", "loop u would be vector, but it is thread already"},
};

std::string outcome(const Row& row) {
  const Program before = launches();
  Program after = before;
  try {
    after = applied(before, parse_command(row.command, *before.algorithm));
  } catch (const Error& error) {
    return error.refusal().explanation;
  }
  for (const std::int64_t n : {0, 1, 5, 9})
    for (const std::int64_t m : {0, 1, 6}) {
      INFO(row.command << " at N = " << n << ", M = " << m);
      reference::OracleOptions options;
      options.outputs = {"T", "R"};
      for (const auto& found : reference::judge_schedule(after, {{"N", n}, {"M", m}}, options))
        FAIL_CHECK(reference::to_string(found));
    }
  try {
    const Program kernel = finished(after, {"in", "T", "R"}, {});
    require_theta(kernel, {{{"N", 0}, {"M", 3}}, {{"N", 5}, {"M", 0}}, {{"N", 9}, {"M", 6}}});
  } catch (const Error& error) {
    return "in the end: " + error.refusal().explanation;
  }
  return "";
}

}  // namespace

TEST_CASE("every command on loops of launches is right, or refused", "[judge][gpu]") {
  for (const Row& row : rows) {
    INFO(row.command);
    CHECK(outcome(row) == row.refusal);
  }
}

TEST_CASE("the table of commands on launches has all commands", "[judge][gpu]") {
  std::set<std::string> names;
  for (const Row& row : rows) names.insert(row.command.substr(0, row.command.find('(')));
  for (const CommandRow& row : command_table()) {
    INFO(row.name);
    CHECK(names.count(row.name) == 1);
  }
}

}  // namespace strata::test::launch_commands_test
