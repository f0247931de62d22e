// What is waited for, and calls of MPI that fail, through MPI's interface for profilers.
#include <utility>

#include "tests/mpi/ranks.h"

namespace strata::test::mpi {

// The next send fails.
static bool send_fails = false;

void test_order() {
  World world;
  int64_t received[2] = {-1, -1};
  CHECK(in_turn(world.team, received) == 0);
  const int before = (rank_of() + size_of() - 1) % size_of();
  CHECK(received[0] == before);
  CHECK(received[1] == before + 100);
}

// Rank 0 cannot send to the first of the others, which gets an empty message instead.
static void check_send(strata_team* team) {
  const std::string why = "faulty: a message to rank 1: MPI_ERR_OTHER: known error not in list";
  int received[2] = {};
  send_fails = rank_of() == 0;
  const Told told = told_by([&] { return faulty(team, none, 0, received); });
  CHECK(told.code == (rank_of() == 0   ? strata_error_mpi
                      : rank_of() == 1 ? strata_error_message_size
                                       : strata_error_other_rank));
  CHECK_TEXT(told.message, rank_of() == 0 ? why
                           : rank_of() == 1
                               ? "faulty: message 0 from rank 0 has 0 bytes, and 8 are expected"
                               : "faulty: rank 1 failed with -192: faulty: message 0 from rank 0 "
                                 "has 0 bytes, and 8 are expected");
  CHECK(received[0] == (rank_of() > 1 ? 42 : 0));
}

void test_broken_calls() {
  World world;
  if (size_of() > 1) check_send(world.team);
  CHECK(meet(world.team) == 0);
}

}  // namespace strata::test::mpi

extern "C" int MPI_Isend(const void* memory, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  if (std::exchange(strata::test::mpi::send_fails, false)) return MPI_ERR_OTHER;
  return PMPI_Isend(memory, count, type, to, tag, communicator, request);
}
