#include "tests/ranks/case.h"

#include <algorithm>
#include <cstdio>

namespace strata::test::ranks {

strata_team* team = nullptr;
int rank = 0, size = 1, bad = 0, runs = 0;
long long sent_in_all = 0, least_in_all = 0;

void report(const std::string& what) {
  if (bad++ < 10) std::fprintf(stderr, "rank %d of %d: %s\n", rank, size, what.c_str());
}

Case draw(std::mt19937& random, int64_t N, int64_t T, bool even) {
  Case c{N, T, 1 + int64_t(random() % 20), {}, even, {}, ""};
  c.cuts.assign(std::size_t(size) + 1, 0);
  for (int r = 1; r < size; ++r)
    c.cuts[std::size_t(r)] =
        even ? strata_even_cut(N, size, r) : int64_t(random() % uint64_t(N + 1));
  c.cuts[std::size_t(size)] = N;
  std::sort(c.cuts.begin(), c.cuts.end());
  for (int64_t i = 0; i < N; ++i) {
    c.data.emplace_back();
    for (int64_t j = 0; j < c.M; ++j) c.data.back().push_back(int32_t(random() % 1000));
  }
  c.text = "N = " + std::to_string(N) + ", T = " + std::to_string(T) +
           ", M = " + std::to_string(c.M) + ", cuts";
  for (const int64_t cut : c.cuts) c.text += " " + std::to_string(cut);
  return c;
}

long long of_all_ranks(long long mine) {
  long long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

void check(const std::string& name, const Case& c, const LeastValues& least,
           const std::function<int()>& kernel, const std::function<bool(int64_t row)>& is_right) {
  strata_team_clear_traffic(team);
  const int code = kernel();
  ++runs;
  if (code) return report(name + ", " + c.text + ": " + strata_last_error());
  for (int64_t i = c.first(); i < c.last(); ++i)
    if (!is_right(i)) {
      report(name + ", " + c.text + ": row " + std::to_string(i) + " is wrong");
      break;
    }
  const long long all = of_all_ranks(strata_team_traffic(team, -1).bytes_sent / 4);
  if (all != least.count())
    report(name + ", " + c.text + ": " + std::to_string(all) + " values travel, not " +
           std::to_string(least.count()));
  const long long messages = of_all_ranks(strata_team_traffic(team, -1).messages_sent);
  if (messages != least.messages())
    report(name + ", " + c.text + ": " + std::to_string(messages) + " messages, not " +
           std::to_string(least.messages()));
  sent_in_all += all;
  least_in_all += least.count();
}

}  // namespace strata::test::ranks
