// Which teams there are, and what kernels say of those that are none.
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "tests/mpi/ranks.h"

namespace strata::test::mpi {
namespace {

Told meet_of(strata_team* team) {
  return told_by([&] { return meet(team); });
}

void check_unusable_teams() {
  Told told = meet_of(nullptr);
  CHECK(told.code == strata_error_null_team);
  CHECK_TEXT(told.message, "meet: the team is a null pointer");
  strata_team* const team = strata_team_of(MPI_COMM_WORLD);
  CHECK(strata_team_free(team) == 0);
  told = meet_of(team);
  CHECK(told.code == strata_error_freed_team);
  CHECK_TEXT(told.message, "meet: the team was freed");
  CHECK(strata_team_free(team) == strata_error_freed_team);
  CHECK(strata_team_free(nullptr) == 0);
  CHECK(strata_team_of(MPI_COMM_NULL) == nullptr);
  CHECK(strata_last_code() == strata_error_null_team);
  CHECK_TEXT(strata_last_error(), "strata_team_of: the communicator is MPI_COMM_NULL");
}

// Teams of some of the ranks; messages of the program do not meet those of kernels.
void check_communicators() {
  const int color = rank_of() % 2;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, color, -rank_of(), &half);
  MPI_Errhandler before, after;
  MPI_Comm_get_errhandler(half, &before);
  strata_team* const team = strata_team_of(half);
  MPI_Comm_get_errhandler(half, &after);
  CHECK(before == after);
  int value = 5, got = 0;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, rank_of(half), 0, half, &request);
  int received[2] = {};
  CHECK(faulty(team, none, 0, received) == 0);
  CHECK(received[0] == (rank_of(half) ? 42 : 0));
  MPI_Send(&value, 1, MPI_INT, rank_of(half), 0, half);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == 5);
  MPI_Comm_free(&half);
  CHECK(meet(team) == 0);  // it has a copy
  CHECK(strata_team_free(team) == 0);
}

void check_even_cuts() {
  const int64_t large = INT64_MAX - 1;
  CHECK(strata_even_cut(large, 1000, 1000) == large);
  CHECK(strata_even_cut(-5, 3, 3) == 0);
  for (int64_t n = 0; n < 30; ++n)
    for (int64_t parts = 1; parts < 7; ++parts)
      for (int64_t part = 0; part < parts; ++part) {
        const int64_t size = strata_even_cut(n, parts, part + 1) - strata_even_cut(n, parts, part);
        CHECK(size == n / parts || size == n / parts + 1);
        if (n % parts == 0) CHECK(size == n / parts);
        CHECK(strata_even_cut(n, parts, 0) == 0 && strata_even_cut(n, parts, parts) == n);
      }
}

}  // namespace

void test_teams() {
  check_unusable_teams();
  check_communicators();
  check_even_cuts();
}

// Blocks around the size of a piece, which is 16 bytes in the test build, with both kinds of sends.
void test_pieces() {
  World world;
  for (const int64_t bytes : {0, 1, 15, 16, 17, 32, 33, 1000, 100000}) {
    std::vector<unsigned char> from(static_cast<std::size_t>(bytes) + 1), to = from;
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<unsigned char>(i * 7 + static_cast<std::size_t>(rank_of()));
    for (const int synchronous : {0, 1}) {
      strata_team_clear_traffic(world.team);
      CHECK(shift(world.team, 3, bytes, synchronous, from.data(), to.data()) == 0);
      const int before = (rank_of() + size_of() - 1) % size_of();
      bool same = true;
      for (std::size_t i = 0; i + 1 < to.size(); ++i)
        same &= to[i] == static_cast<unsigned char>(i * 7 + static_cast<std::size_t>(before));
      CHECK(same);
      CHECK(strata_team_traffic(world.team, 1).messages_sent == (bytes ? 3 : 0));
      CHECK(strata_team_traffic(world.team, 1).bytes_received == 3 * bytes);
      CHECK(strata_team_traffic(world.team, 0).messages_sent == 0);
    }
  }
}

// A message takes 60 ms in the test build; work of 0, 30 and 90 ms meanwhile takes none of its own.
void test_delay() {
  using clock = std::chrono::steady_clock;
  World world;
  const char* const delay = std::getenv("STRATA_DELAY");
  CHECK(delay && std::strcmp(delay, "60000") == 0);
  for (const int64_t work : {0, 30000, 90000}) {
    const int64_t expected = std::max<int64_t>(work, 60000);
    int64_t least = INT64_MAX, least_wait = INT64_MAX;  // the machine may be busy
    for (int n = 0; n < 5; ++n) {
      MPI_Barrier(MPI_COMM_WORLD);
      strata_team_clear_traffic(world.team);
      const auto start = clock::now();
      CHECK(overlapped(world.team, work) == 0);
      const int64_t took =
          std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - start).count();
      CHECK(took >= expected);
      least = std::min(least, took);
      least_wait =
          std::min(least_wait, strata_team_traffic(world.team, 0).waited_ns / 1000);
    }
    CHECK(least < expected + 25000);
    CHECK(least_wait < expected - work + 25000);
    if (work == 0) CHECK(least_wait > 30000);
  }
}

}  // namespace strata::test::mpi
