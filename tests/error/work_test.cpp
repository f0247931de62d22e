// What takes isl long ends soon, accepted or refused with E0901: the budget follows time.
#include <strata/strata.h>

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>

namespace strata::test::work_test {

namespace {

// Five times what the budget stands for: the machine may be slower, and other processes on the same
// core and its caches can double the CPU time. Without a budget these take 17 s to minutes.
constexpr double most_seconds = 10;

// Gives the command, which is accepted, or refused for its work or its code.
void check_time(const char* what, const std::function<void()>& command) {
  std::string text = "accepted";
  const std::clock_t start = std::clock();
  try {
    command();
  } catch (const Error& e) {
    text = e.what();
  }
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  CAPTURE(what, text, seconds);
  std::cout << what << ": " << seconds << " s, " << text.substr(0, text.find('\n')) << '\n';
  CHECK((text == "accepted" || text.find("error E0901") == 0 || text.find("error E0903") == 0));
  CHECK(seconds < most_seconds);
}

// A kernel of so many loops, each over an array of its own.
void compile_chain(int length) {
  Function f("chain");
  Param N = f.param("N");
  Var i("i", 0, N);
  const Input x = f.input("x", f32, {N});
  Computation last = f.computation("c", {i}, x(i) + 1.0f);
  for (int n = 1; n < length; ++n)
    last = f.computation("c" + std::to_string(n), {i}, last(i) * 0.5f + float(n));
  f.jit({x.buffer(), last.buffer()});
}

// Vectors of so many lanes, unrolled.
void compile_unrolled(int lanes, int copies) {
  Function f("unrolled");
  Param N = f.param("N");
  Var i("i", 0, N), block("block"), inside("inside");
  const Input x = f.input("x", f64, {N});
  Computation y = f.computation("y", {i}, x(i) * x(i) + x(i));
  y.split(i, lanes * copies, block, inside).vectorize(inside, lanes).unroll(inside);
  f.jit({x.buffer(), y.buffer()});
}

// A = L U by steps in blocks of 64.
struct Elimination {
  Function f{"lu"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, N}, k{"k", 0, N};
  Input matrix = f.input("A", f64, {N, N});
  Computation a = f.computation("a", {i, j}, matrix(i, j));
  Computation column{a}, panel{a}, row{a}, rest{a};

  Elimination() {
    const Expr next = k / 64 * 64 + 64, end = min(next, N);
    const Var below("i", k + 1, N), head("j", k, k + 1), inside("j", k + 1, end);
    const Var top("i", k + 1, end), low("i", next, N), after("j", next, N);
    f.loop(k, [&] {
      const auto updated = [&](const Var& y, const Var& x) {
        return a.update({k, y, x}, {y, x}, a(y, x) - a(y, k) * a(k, x));
      };
      column = a.update({k, below, head}, {below, k}, a(below, k) / a(k, k));
      panel = updated(below, inside);
      row = updated(top, after);
      rest = updated(low, after);
    });
  }
};

// Reads that remainders by 5, 3 and a parameter choose.
struct Remainders {
  Function f{"remainders"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, y{"y", 0, N + 8}, x{"x", 0, M + 8};
  Var i0{"i0"}, j0{"j0"}, i1{"i1"}, j1{"j1"};
  Input in = f.input("in", i32, {N + 8, M + 8});
  Computation a = f.computation("a", {y, x}, in(y, x) * 3 + 1);
  Computation out = f.computation(
      "out", {i, j},
      select(i % N < 2, a(i + 3, j),
             select(i % 3 < 2, a(i + 2, j + 1), select(i % 5 < 3, a(i + 1, j), a(i, j)))));
};

// Five-point stencils, each at the tiles of the last one, in vectors.
struct Stages {
  Function f{"stages"};
  Param N = f.param("N"), M = f.param("M");
  const Input in;
  std::vector<Computation> all;

  explicit Stages(int count) : in(f.input("in", f32, {N + 2 * count, M + 2 * count})) {
    for (int left = count - 1; left >= 0; --left) {
      const Var i("i", 0, N + 2 * left), j("j", 0, M + 2 * left);
      const auto before = [&](int y, int x) {
        return all.empty() ? Expr(in(i + y, j + x)) : Expr(all.back()(i + y, j + x));
      };
      const Expr sum = before(1, 1) + before(0, 1) + before(2, 1) + before(1, 0) + before(1, 2);
      all.push_back(f.computation("s" + std::to_string(all.size()), {i, j}, sum * 0.2f));
    }
  }

  void schedule() {
    const Var i("i"), j("j"), i0("i0"), j0("j0"), i1("i1"), j1("j1");
    all.back().tile(i, j, 32, 64, i0, j0, i1, j1);
    for (std::size_t n = all.size() - 1; n-- > 0;)
      all[n].compute_at(all.back(), j0).vectorize(j, 8);
    all.back().vectorize(j1, 8);
  }
};

// Of this process and of those that it has waited for: a C compiler, if it makes the code.
double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime})
      seconds += double(t.tv_sec) + 1e-6 * double(t.tv_usec);
  }
  return seconds;
}

}  // namespace

// If isl gives up a projection, each command takes four times as long as the one before it.
TEST_CASE("a pipeline of ten stages at one tile compiles within the budget", "[error]") {
  Stages p(10);
  REQUIRE_NOTHROW(p.schedule());
  CHECK_NOTHROW(p.f.loops({p.in.buffer(), p.all.back().buffer()}));
}

TEST_CASE("compute_at of a step of an elimination ends soon", "[error]") {
  Elimination p;
  check_time("compute_at", [&] { p.panel.compute_at(p.column, Var("j")); });
}

TEST_CASE("commands on what remainders choose end soon", "[error]") {
  SECTION("at each row") {
    Remainders p;
    check_time("compute_at", [&] { p.a.compute_at(p.out, p.i); });
    check_time("peel", [&] { p.a.peel(p.x, 2); });
    check_time("store_in", [&] { p.a.store_in({p.y % 4, p.x}); });
    check_time("loops", [&] { p.f.loops({p.in.buffer(), p.out.buffer()}); });
  }
  SECTION("at each tile") {
    Remainders p;
    p.out.tile(p.i, p.j, 16, 5, p.i0, p.j0, p.i1, p.j1);
    check_time("compute_at", [&] { p.a.compute_at(p.out, p.j0); });
    check_time("peel", [&] { p.out.peel(p.i1, 2); });
    check_time("loops", [&] { p.f.loops({p.in.buffer(), p.out.buffer()}); });
  }
}

TEST_CASE("the time to compile grows with the loops, not with their square", "[error]") {
  const auto seconds = [](int length) {
    const double start = processor_seconds();
    compile_chain(length);
    return processor_seconds() - start;
  };
  const double some = seconds(70), all = seconds(210);
  CAPTURE(some, all);
  CHECK(all < 5 * some);
}

TEST_CASE("unrolled vectors compile soon, or are refused", "[error]") {
  check_time("64 vectors of 8 lanes", [] { compile_unrolled(8, 64); });
  check_time("64 vectors of 64 lanes", [] { compile_unrolled(64, 64); });
}

}  // namespace strata::test::work_test
