// Kernels on several ranks: their values, bit for bit those of plain loops, and the number of
// values that travel, which is the least; at sizes from zero on, with even blocks and with any.
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "blur_rows.h"
#include "ends_apart.h"
#include "everyone.h"
#include "first_apart.h"
#include "fixed.h"
#include "grid_fast.h"
#include "grid_rows.h"
#include "heat_1d.h"
#include "in_pieces.h"
#include "in_twos.h"
#include "last_apart.h"
#include "product.h"
#include "read_steps.h"
#include "tests/ranks/case.h"
#include "two_steps.h"
#include "wide.h"
#include "within_kernel.h"
#include "within_step.h"

namespace strata::test::ranks {
namespace {

void check_heat(const Case& c) {
  std::vector<float> a, b;
  for (int64_t i = 0; i < c.N; ++i) a.push_back(float(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b)) {
    b = a;
    for (int64_t i = 1; i + 1 < c.N; ++i) {
      const auto k = std::size_t(i);
      b[k] = a[k] + 0.25f * ((a[k - 1] + a[k + 1]) - 2.0f * a[k]);
      for (const int64_t from : {i - 1, i + 1}) least.read({t - 1, from}, from, i, {t});
    }
  }
  Part<float> g(box_of(heat_1d_box, c, 0, c.T, c.N)), u(box_of(heat_1d_box, c, 1, c.T, c.N));
  fill(g, c, false);
  check(
      "heat", c, least,
      [&] { return heat_1d(team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) {
        return std::memcmp(&a[std::size_t(i)], &u.at({c.T % 2, i}), sizeof(float)) == 0;
      });
}

using GridKernel = int (*)(strata_team*, int64_t, int64_t, int64_t, const int64_t*,
                           halide_buffer_t*, halide_buffer_t*);

void check_grid(const Case& c, const std::string& name, GridKernel kernel) {
  auto a = c.data, b = c.data;
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b)) {
    b = a;
    for (std::size_t i = 1; int64_t(i) + 1 < c.N; ++i)
      for (std::size_t j = 1; int64_t(j) + 1 < c.M; ++j) {
        b[i][j] =
            int32_t(3u * uint32_t(a[i][j]) + uint32_t(a[i - 1][j]) + 5u * uint32_t(a[i + 1][j]) +
                    uint32_t(a[i][j - 1]) + 7u * uint32_t(a[i][j + 1]));
        for (const int64_t from : {int64_t(i) - 1, int64_t(i) + 1})
          least.read({t - 1, from, int64_t(j)}, from, int64_t(i), {t});
      }
  }
  Part<int32_t> g(box_of(grid_rows_box, c, 0, c.T, c.N, c.M));
  Part<int32_t> u(box_of(grid_rows_box, c, 1, c.T, c.N, c.M));
  fill(g, c, true);
  check(
      name, c, least,
      [&] { return kernel(team, c.T, c.N, c.M, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) {
        bool right = true;
        for (int64_t j = 0; j < c.M; ++j)
          right &= u.at({c.T % 2, i, j}) == a[std::size_t(i)][std::size_t(j)];
        return right;
      });
}

using LineKernel = int (*)(strata_team*, int64_t, int64_t, const int64_t*, halide_buffer_t*,
                           halide_buffer_t*);

// Returns the number of messages.
long long check_wide(const Case& c, const std::string& name, LineKernel kernel) {
  std::vector<uint32_t> a, b(std::size_t(c.N));
  for (int64_t i = 0; i < c.N; ++i) a.push_back(uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b))
    for (int64_t i = 0; i < c.N; ++i) {
      const auto k = std::size_t(i);
      b[k] = (i > 0 ? a[k - 1] : 1u) + (i + 3 < c.N ? 3u * a[k + 3] : 5u);
      if (i > 0) least.read({t - 1, i - 1}, i - 1, i, {t});
      if (i + 3 < c.N) least.read({t - 1, i + 3}, i + 3, i, {t});
    }
  Part<int32_t> g({c.first()}, {c.last()}), u({0, 0}, {2, c.N});
  fill(g, c, false);
  check(
      name, c, least, [&] { return kernel(team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 2, i})) == a[std::size_t(i)]; });
  return of_all_ranks(strata_team_traffic(team, -1).messages_sent);
}

void check_pieces(const Case& c) {
  const long long messages = check_wide(c, "wide", wide);
  const std::pair<const char*, LineKernel> kernels[] = {{"the first step apart", first_apart},
                                                        {"the last step apart", last_apart},
                                                        {"first and last steps apart", ends_apart},
                                                        {"pieces of a schedule", in_pieces},
                                                        {"steps in twos", in_twos}};
  for (const auto& [name, kernel] : kernels)
    if (const long long found = check_wide(c, name, kernel); found != messages)
      report(std::string(name) + ", " + c.text + ": " + std::to_string(found) + " messages, not " +
             std::to_string(messages));
}

void check_two_steps(const Case& c) {
  std::vector<std::vector<uint32_t>> a(1);  // of all steps
  for (int64_t i = 0; i < c.N; ++i) a[0].push_back(uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t) {
    a.emplace_back();
    for (int64_t i = 0; i < c.N; ++i) {
      const auto at = [&](int64_t step, int64_t k) {
        least.read({step, k}, k, i, {t});
        return a[std::size_t(step)][std::size_t(k)];
      };
      const uint32_t before = i > 0 ? at(t - 1, i - 1) : 1u;
      const bool inside = t > 1 && i > 0 && i < c.N - 1;
      a.back().push_back(before + (inside ? 3u * at(t - 2, i - 1) + 5u * at(t - 2, i + 1) : 7u));
    }
  }
  Part<int32_t> g({c.first()}, {c.last()}), u({0, 0}, {3, c.N});
  fill(g, c, false);
  check(
      "two steps", c, least,
      [&] { return two_steps(team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 3, i})) == a.back()[std::size_t(i)]; });
}

void check_fixed(const Case& c) {
  std::vector<uint32_t> a(std::size_t(c.N));
  const auto v = [&](int64_t i) { return 7u * uint32_t(c.at(i)); };
  LeastValues least(c.cuts);
  for (int64_t t = 0; t <= c.T; ++t)
    for (int64_t i = 0; i < c.N; ++i) {
      if (i > 0) a[std::size_t(i)] += v(i - 1) * uint32_t(t + 1);
      if (i < c.N - 2) a[std::size_t(i)] += v(i + 2);
      if (i > 0) least.read({i - 1}, i - 1, i);
      if (i < c.N - 2) least.read({i + 2}, i + 2, i);
    }
  Part<int32_t> g({c.first()}, {c.last()}), u({0, 0}, {2, c.N});
  fill(g, c, false);
  check(
      "fixed", c, least,
      [&] { return fixed(team, c.T, c.N, c.given(), g.argument(), u.argument()); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 2, i})) == a[std::size_t(i)]; });
}

void check_blur(const Case& c) {
  LeastValues least(c.cuts);
  for (int64_t y = 0; y + 2 < c.N; ++y)
    for (int64_t j = 0; j + 2 < c.M; ++j)
      for (int64_t i = y; i < y + 3; ++i) least.read({i, j}, i, y);
  const auto bx = [&](int64_t i, int64_t j) {
    return c.at(i, j) + 3 * c.at(i, j + 1) + c.at(i, j + 2);
  };
  Part<int32_t> g({c.first(), 0}, {c.last(), c.M}), by({c.first(), 0}, {c.last(), c.M});
  fill(g, c, true);
  check(
      "blur", c, least,
      [&] { return blur_rows(team, c.T, c.N, c.M, c.given(), g.argument(), by.argument()); },
      [&](int64_t y) {
        bool right = true;
        for (int64_t j = 0; y + 2 < c.N && j + 2 < c.M; ++j)
          right &= by.at({y, j}) == bx(y, j) + 3 * bx(y + 1, j) + bx(y + 2, j);
        return right;
      });
}

void check_everyone(const Case& c) {
  LeastValues least(c.cuts);
  uint32_t sum = 0;
  const auto v = [&](int64_t i) { return 7u * uint32_t(c.at(i)) + uint32_t(i); };
  for (int64_t i = 0; i < c.N; ++i) {
    sum += v(i) * uint32_t(i + 1);
    least.read_by_all({i}, i);
  }
  Part<int32_t> g({c.first()}, {c.last()}), w({c.first()}, {c.last()});
  fill(g, c, false);
  check(
      "everyone", c, least,
      [&] { return everyone(team, c.T, c.N, c.given(), g.argument(), w.argument()); },
      [&](int64_t i) { return uint32_t(w.at({i})) == sum + v(i); });
}

void check_within(const Case& c, const std::string& name, LineKernel kernel) {
  std::vector<uint32_t> u, a(std::size_t(c.N));
  for (int64_t i = 0; i < c.N; ++i) u.push_back(uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 0; t <= c.T; ++t) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = t == 0 ? u[k] : 3u * u[k];
    for (int64_t i = 0; i < c.N; ++i) {
      const auto k = std::size_t(i);
      u[k] = a[k] + (i > 0 ? a[k - 1] : 1u) + (i < c.N - 1 ? 5u * a[k + 1] : 7u);
      if (i > 0) least.read({t, i - 1}, i - 1, i, {t});
      if (i < c.N - 1) least.read({t, i + 1}, i + 1, i, {t});
    }
  }
  Part<int32_t> g({c.first()}, {c.last()}), out({0, c.first()}, {2, c.last()});
  fill(g, c, false);
  check(
      name, c, least,
      [&] { return kernel(team, c.T, c.N, c.given(), g.argument(), out.argument()); },
      [&](int64_t i) { return uint32_t(out.at({c.T % 2, i})) == u[std::size_t(i)]; });
}

// What a rank gives read_steps besides its block.
struct Given {
  int32_t steps, gain = 3;
  uint64_t large = 7;
  float scale = 2.5f, half = 1.5f;
};

int run_read_steps(const Case& c, const Given& given, Part<int32_t>& u) {
  Part<int32_t> steps({0}, {1}), g({c.first()}, {c.last()});
  steps.at({0}) = given.steps;
  fill(g, c, false);
  return read_steps(team, c.N, given.gain, given.large, given.scale, given.half, c.given(),
                    steps.argument(), g.argument(), u.argument());
}

void check_read_steps(const Case& c) {
  const Given given{int32_t(c.T)};
  std::vector<uint32_t> a, b(std::size_t(c.N));
  for (int64_t i = 0; i < c.N; ++i) a.push_back(uint32_t(c.at(i)));
  LeastValues least(c.cuts);
  for (int64_t t = 1; t <= c.T; ++t, a.swap(b))
    for (int64_t i = 0; i < c.N; ++i) {
      const auto k = std::size_t(i);
      b[k] = (i > 0 ? a[k - 1] : 1u) * 3u + 7u + 2u + 1u;
      if (i > 0) least.read({t - 1, i - 1}, i - 1, i, {t});
    }
  Part<int32_t> u({0, 0}, {2, c.N});
  check(
      "read steps", c, least, [&] { return run_read_steps(c, given, u); },
      [&](int64_t i) { return uint32_t(u.at({c.T % 2, i})) == a[std::size_t(i)]; });
}

void check_product(const Case& c) {
  const int64_t K = 5;
  const auto b = [](int64_t k, int64_t j) { return int32_t(31 * k + 7 * j); };
  Part<int32_t> left({c.first(), 0}, {c.last(), K}), right({0, 0}, {K, c.M});
  Part<int32_t> out({c.first(), 0}, {c.last(), c.M});
  for (int64_t k = 0; k < K; ++k) {
    for (int64_t i = c.first(); i < c.last(); ++i) left.at({i, k}) = c.at(i) + int32_t(k);
    for (int64_t j = 0; j < c.M; ++j) right.at({k, j}) = b(k, j);
  }
  check(
      "product", c, LeastValues(c.cuts),
      [&] {
        return product(team, c.T, c.N, c.M, K, c.given(), left.argument(), right.argument(),
                       out.argument());
      },
      [&](int64_t i) {
        bool is_right = true;
        for (int64_t j = 0; j < c.M; ++j) {
          int32_t sum = 0;
          for (int64_t k = 0; k < K; ++k) sum += (c.at(i) + int32_t(k)) * b(k, j);
          is_right &= out.at({i, j}) == sum;
        }
        return is_right;
      });
}

void check_all(std::mt19937& random) {
  for (const int64_t N : {0, 1, 2, 3, 4, 5, 8, 13, 33})
    for (const int64_t T : {0, 1, 2, 5})
      for (const bool even : {true, false, false}) {
        const Case c = draw(random, N, T, even);
        check_heat(c);
        check_grid(c, "grid", grid_rows);
        check_grid(c, "grid with vectors and threads", grid_fast);
        check_pieces(c);
        check_two_steps(c);
        check_fixed(c);
        check_blur(c);
        check_everyone(c);
        check_within(c, "values within a step", within_kernel);
        check_within(c, "values in a buffer of each step", within_step);
        check_read_steps(c);
        check_product(c);
        check_results(c);
        check_reads(c);
        check_boxes(c);
      }
}

// What one rank does wrong is told to all, and none waits for it.
void check_failures() {
  const int64_t N = 20, T = 3, wrong = size - 1;
  std::vector<int64_t> cuts;
  for (int r = 0; r <= size; ++r) cuts.push_back(strata_even_cut(N, size, r));
  const auto call = [&](int64_t rows_missing, int64_t steps, const int64_t* given) {
    const int64_t first = cuts[std::size_t(rank)], last = cuts[std::size_t(rank) + 1];
    Part<float> g({first}, {last - rows_missing}), u({0, 0}, {2, N});
    return heat_1d(team, steps, N, given, g.argument(), u.argument());
  };
  const auto expect = [&](const std::string& what, int code, int expected) {
    if (code != expected) report(what + ": " + std::to_string(code) + ", " + strata_last_error());
  };
  expect("a buffer that is too small", call(rank == wrong, T, cuts.data()),
         rank == wrong ? strata_error_out_of_bounds : strata_error_other_rank);
  expect("as it should be", call(0, T, cuts.data()), 0);
  if (size > 1) expect("other steps", call(0, T + rank, cuts.data()), strata_error_ranks_differ);
  std::vector<int64_t> reversed = cuts;
  reversed[std::size_t(size)] = N - 1;
  expect("cuts of another size", call(0, T, reversed.data()), strata_error_team_size);
  expect("no team", heat_1d(nullptr, T, N, cuts.data(), nullptr, nullptr), strata_error_null_team);
  expect("again as it should be", call(0, T, cuts.data()), 0);
}

// Ranks that are given different numbers say so, and return at once.
void check_differences() {
  std::mt19937 random(8);
  const Case c = draw(random, 20, 3, true);
  const auto expect = [&](const Given& last, const std::string& text) {
    Part<int32_t> u({0, 0}, {2, c.N});
    MPI_Barrier(MPI_COMM_WORLD);
    const double before = MPI_Wtime();
    const int code = run_read_steps(c, rank == size - 1 ? last : Given{5}, u);
    if (code != strata_error_ranks_differ || strata_last_error() != "read_steps: " + text)
      report(text + ": " + std::to_string(code) + ", " + strata_last_error());
    if (MPI_Wtime() - before > 1) report(text + ": it takes more than a second");
  };
  expect({10}, "the ranks differ in parameter T, which is 5 on one and 10 on another");
  expect({5, -4}, "the ranks differ in scalar gain, which is -4 on one and 3 on another");
  expect({5, 3, 8}, "the ranks differ in scalar large, which is 7 on one and 8 on another");
  expect({5, 3, 7, 2.75f},
         "the ranks differ in scalar scale, which is 2.5 on one and 2.75 on another");
  expect({5, 3, 7, 2.5f, 2},
         "the ranks differ in scalar half, which is 1.5 on one and 2 on another");
}

}  // namespace

int run(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  team = strata_team_of(MPI_COMM_WORLD);
  std::mt19937 random(7);  // the same on all ranks
  check_all(random);
  check_failures();
  check_packing();
  if (size > 1) check_differences();
  if (rank == 0)
    std::printf("%d ranks: %d runs, %lld values sent, %lld at least\n", size, runs, sent_in_all,
                least_in_all);
  strata_team_free(team);
  MPI_Finalize();
  return bad != 0;
}

}  // namespace strata::test::ranks

int main(int argc, char** argv) { return strata::test::ranks::run(argc, argv); }
