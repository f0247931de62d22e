// ranks_test CASE: the cases below, each on all ranks of a run of mpirun. Exits with 1 if a check
// has failed on this rank.
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/mpi/ranks.h"

namespace strata::test::mpi {
namespace {

void check_no_team(int code, const std::string& message) {
  const Told told = {strata_team_of(MPI_COMM_WORLD) ? 0 : strata_last_code(), strata_last_error()};
  CHECK(told.code == code);
  CHECK_TEXT(told.message, message);
}

void without_mpi() {
  check_no_team(strata_error_mpi_not_initialized, "strata_team_of: MPI is not initialized");
}

// A team, and none, after MPI_Finalize.
void after_mpi() {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  strata_team* const team = strata_team_of(MPI_COMM_WORLD);
  CHECK(meet(team) == 0);
  MPI_Finalize();
  check_no_team(strata_error_mpi_finalized, "strata_team_of: MPI is finalized");
  CHECK(meet(team) == strata_error_mpi_finalized);
  CHECK_TEXT(strata_last_error(), "meet: MPI is finalized");
  CHECK(strata_team_free(team) == strata_error_mpi_finalized);
  CHECK(meet(team) == strata_error_freed_team);
}

const std::string too_low =
    "strata_team_of: MPI was initialized for a program without threads; call MPI_Init_thread with "
    "MPI_THREAD_FUNNELED";

// A level that is too low, on all ranks, or on the last one.
void single() {
  MPI_Init(nullptr, nullptr);
  check_no_team(strata_error_thread_level, too_low);
  MPI_Finalize();
}

// Open MPI and MPICH tell ranks their numbers in the environment.
void single_on_one() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = std::getenv("PMI_RANK");
  const bool here = rank && std::strcmp(rank, "1") == 0;
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, here ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &level);
  CHECK(here == (rank_of() == 1));
  if (size_of() > 1)
    check_no_team(here ? strata_error_thread_level : strata_error_other_rank,
                  here ? too_low : "strata_team_of: rank 1 failed with -185: " + too_low);
  MPI_Finalize();
}

void other_thread() {
  int level = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
  strata_team* const team = strata_team_of(MPI_COMM_WORLD);
  std::thread([&] {
    CHECK(meet(team) == strata_error_thread_level);
    CHECK_TEXT(strata_last_error(),
               "meet: MPI was initialized with MPI_THREAD_FUNNELED, and this is not the main "
               "thread");
  }).join();
  CHECK(meet(team) == 0);
  CHECK(strata_team_free(team) == 0);
  MPI_Finalize();
}

struct Case {
  const char* name;
  void (*run)();
  bool has_mpi;  // it initializes MPI itself
};

const Case cases[] = {
    {"values", test_values, false},
    {"arrays", test_arrays, false},
    {"wrong arrays", test_wrong_arrays, false},
    {"failures", test_failures, false},
    {"entries", test_entries, false},
    {"teams", test_teams, false},
    {"pieces", test_pieces, false},
    {"order", test_order, false},
    {"broken calls", test_broken_calls, false},
    {"delay", test_delay, false},
    {"without MPI", without_mpi, true},
    {"after MPI", after_mpi, true},
    {"a thread level that is too low", single, true},
    {"a thread level that is too low on one rank", single_on_one, true},
    {"another thread", other_thread, true},
};

int run(const char* name) {
  for (const Case& one : cases) {
    if (std::strcmp(one.name, name) != 0) continue;
    int level = 0;
    if (!one.has_mpi) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    one.run();
    if (!one.has_mpi) MPI_Finalize();
    return failures > 0;
  }
  std::fprintf(stderr, "there is no case %s\n", name);
  return 2;
}

}  // namespace
}  // namespace strata::test::mpi

int main(int argc, char** argv) { return strata::test::mpi::run(argc > 1 ? argv[1] : ""); }
