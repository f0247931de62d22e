// Heat on several ranks: the values of one rank, and as many messages as are needed.
#include <random>

#include "tests/mpi/ranks.h"

namespace strata::test::mpi {
namespace {

using Values = std::vector<uint64_t>;
using Cuts = std::vector<int64_t>;

Values start_of(int64_t N) {
  Values u;
  std::mt19937_64 random(7);
  for (int64_t i = 0; i < N; ++i) u.push_back(random());
  return u;
}

Values heat_by_loops(int64_t T, Values u) {
  for (int64_t t = 0; t < T; ++t) {
    const Values old = u;
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      u[i] = old[i - 1] + 2 * old[i] + 3 * old[i + 1];
  }
  return u;
}

// Messages and values in a step: for all pairs of ranks, the elements of one that are beside a block
// of the other.
std::pair<int64_t, int64_t> least_of(const Cuts& cuts) {
  int64_t messages = 0, values = 0;
  for (std::size_t to = 0; to + 1 < cuts.size(); ++to)
    for (std::size_t from = 0; from + 1 < cuts.size(); ++from) {
      int64_t elements = 0;
      for (int64_t i = cuts[from]; from != to && i < cuts[from + 1]; ++i)
        elements += cuts[to] < cuts[to + 1] && (i == cuts[to] - 1 || i == cuts[to + 1]);
      messages += elements > 0;
      values += elements;
    }
  return {messages, values};
}

Cuts even_cuts(int64_t N) {
  Cuts cuts;
  for (int part = 0; part <= size_of(); ++part)
    cuts.push_back(strata_even_cut(N, size_of(), part));
  return cuts;
}

Cuts random_cuts(std::mt19937& random, int64_t N) {
  Cuts cuts(static_cast<std::size_t>(size_of()) + 1, N);
  cuts[0] = 0;
  for (std::size_t c = 1; c + 1 < cuts.size(); ++c)
    cuts[c] = std::uniform_int_distribution<int64_t>(cuts[c - 1], N)(random);
  return cuts;
}

int64_t sum_of(int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

void check_traffic(const strata_team* team, int64_t T, const Cuts& cuts) {
  const auto [messages, values] = least_of(cuts);
  const strata_traffic traffic = strata_team_traffic(team, 0);
  CHECK(sum_of(traffic.messages_sent) == T * messages);
  CHECK(sum_of(traffic.messages_received) == T * messages);
  CHECK(sum_of(traffic.bytes_sent) == 8 * T * values);
  CHECK(sum_of(traffic.bytes_received) == 8 * T * values);
  CHECK(traffic.waited_ns >= 0);
  CHECK(strata_team_messages(team) == 1);
  CHECK(strata_team_traffic(team, -1).bytes_sent == traffic.bytes_sent);
  CHECK(strata_team_traffic(team, 1).bytes_sent == 0);
}

void check_heat(strata_team* team, int64_t T, int64_t N, const Cuts& cuts, bool cuts_given) {
  const int64_t* const rows = cuts_given ? cuts.data() : nullptr;
  const std::vector<int64_t> origin = {0}, extent_of_whole = {N};
  Box<uint64_t> whole(origin, extent_of_whole, strata_uint(64));
  const Values start = start_of(N);
  for (std::size_t i = 0; i < start.size(); ++i) whole.values[i] = start[i];
  int64_t min = 0, extent = 0;
  CHECK(heat_box(team, T, N, rows, 0, &min, &extent) == 0);
  Box<uint64_t> part({min}, {extent}, strata_uint(64));
  CHECK(strata_scatter(team, 0, rank_of() ? nullptr : whole.argument(), part.argument()) == 0);
  strata_team_clear_traffic(team);
  CHECK(heat(team, T, N, rows, part.argument()) == 0);
  check_traffic(team, T, cuts);
  CHECK(heat_owned(team, T, N, rows, 0, &min, &extent) == 0);
  strata_buffer own;
  strata_dimension dimension;
  CHECK(strata_crop(&own, &dimension, part.argument(), &min, &extent) == 0);
  const int root = size_of() - 1;
  CHECK(strata_gather(team, root, strata_argument(&own), whole.argument()) == 0);
  whole.values.pop_back();
  if (rank_of() == root) CHECK(whole.values == heat_by_loops(T, start));
}

}  // namespace

void test_values() {
  World world;
  std::mt19937 random(3);
  for (const int64_t N : {0, 1, 2, 3, 5, 16, 101})
    for (const int64_t T : {0, 1, 7}) {
      check_heat(world.team, T, N, even_cuts(N), false);
      for (int n = 0; n < 4; ++n) check_heat(world.team, T, N, random_cuts(random, N), true);
    }
}

}  // namespace strata::test::mpi
