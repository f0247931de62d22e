/* A team whose messages are those of an MPI communicator. */
#ifndef STRATA_RUNTIME_MPI_TEAM_H
#define STRATA_RUNTIME_MPI_TEAM_H

#include <strata/mpi.h>

#include "runtime/transport.h"

/* What is known of a request that is under way. The request itself is in another array, as MPI
 * requires. */
struct strata_under_way {
  int message, which, rank;
  int bytes;
  int64_t* sent_at; /* memory of the clock that is sent before it (runtime/mpi/delay.h), or null */
};

struct strata_mpi_team {
  strata_team team;
  MPI_Comm communicator;
  MPI_Request* requests;
  struct strata_under_way* under_way;
  int64_t count, room_for_requests, room_for_under_way;
  struct strata_mpi_team* next_freed;
};

static inline struct strata_mpi_team* strata_mpi_team(const strata_team* team) {
  return (struct strata_mpi_team*)team;
}

/* Returns 0, or strata_error_mpi with MPI's text for the result of a call. */
int strata_mpi_code(const char* kernel, const char* what, int rank, int result);

/* The functions of struct strata_transport. */
int strata_mpi_reserve(strata_team* team, int64_t requests);
int strata_mpi_receive(strata_team* team, int message, int from, void* memory, int64_t bytes);
int strata_mpi_send(strata_team* team, int message, int to, const void* memory, int64_t bytes,
                    int synchronous);
int strata_mpi_wait(strata_team* team, int message, int which);

#endif
