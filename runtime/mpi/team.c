/* Teams of MPI communicators. */
#include "runtime/mpi/team.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/team.h"

int strata_mpi_code(const char* kernel, const char* what, int rank, int result) {
  if (result == MPI_SUCCESS) return 0;
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(result, text, &length);
  if (rank < 0) return strata_fail(strata_error_mpi, "%s: %s: %s", kernel, what, text);
  return strata_fail(strata_error_mpi, "%s: %s rank %d: %s", kernel, what, rank, text);
}

/* Checks that MPI is ready for this thread. MPI_Init is for programs without threads, and kernels
 * have some. */
static int check_mpi(const char* caller) {
  int initialized = 0, finalized = 0, level = 0, main_thread = 0;
  MPI_Initialized(&initialized);
  if (!initialized)
    return strata_fail(strata_error_mpi_not_initialized, "%s: MPI is not initialized", caller);
  MPI_Finalized(&finalized);
  if (finalized) return strata_fail(strata_error_mpi_finalized, "%s: MPI is finalized", caller);
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&main_thread);
  if (level < MPI_THREAD_FUNNELED)
    return strata_fail(strata_error_thread_level,
                       "%s: MPI was initialized for a program without threads; call "
                       "MPI_Init_thread with MPI_THREAD_FUNNELED",
                       caller);
  if (level == MPI_THREAD_FUNNELED && !main_thread)
    return strata_fail(strata_error_thread_level,
                       "%s: MPI was initialized with MPI_THREAD_FUNNELED, and this is not the main "
                       "thread",
                       caller);
  return 0;
}

static int check(const strata_team* team, const char* caller) {
  (void)team;
  return check_mpi(caller);
}

static int barrier(strata_team* team) {
  return strata_mpi_code(team->kernel, "a barrier", -1,
                         MPI_Barrier(strata_mpi_team(team)->communicator));
}

static int minimum(strata_team* team, int64_t* numbers, int count) {
  return strata_mpi_code(team->kernel, "an agreement", -1,
                         MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_INT64_T, MPI_MIN,
                                       strata_mpi_team(team)->communicator));
}

static int broadcast(strata_team* team, int root, void* memory, int bytes) {
  return strata_mpi_code(
      team->kernel, "a broadcast", -1,
      MPI_Bcast(memory, bytes, MPI_BYTE, root, strata_mpi_team(team)->communicator));
}

static const struct strata_transport transport = {
    check,   strata_mpi_reserve, strata_mpi_receive, strata_mpi_send, strata_mpi_wait, barrier,
    minimum, broadcast,
};

static const char name[] = "strata_team_of";

/* MPI_Comm_dup ends the program if it fails, unless the communicator's own handler returns. */
static int duplicate(MPI_Comm of, MPI_Comm* communicator) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(of, &handler);
  MPI_Comm_set_errhandler(of, MPI_ERRORS_RETURN);
  const int result = MPI_Comm_dup(of, communicator);
  MPI_Comm_set_errhandler(of, handler);
  if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN)
    MPI_Errhandler_free(&handler);
  if (result != MPI_SUCCESS) return strata_mpi_code(name, "MPI_Comm_dup", -1, result);
  MPI_Comm_set_errhandler(*communicator, MPI_ERRORS_RETURN);
  return 0;
}

/* Checks that there are ranks to make a team of. */
static int check_communicator(MPI_Comm communicator) {
  if (communicator == MPI_COMM_NULL)
    return strata_fail(strata_error_null_team, "%s: the communicator is MPI_COMM_NULL", name);
  int is_inter = 0;
  MPI_Comm_test_inter(communicator, &is_inter);
  if (is_inter)
    return strata_fail(strata_error_mpi, "%s: the communicator is between two groups", name);
  return 0;
}

/* The team, if all ranks have "code" 0 and memory for it. */
static strata_team* agreed_team(struct strata_mpi_team* made, int code) {
  struct strata_mpi_team* const team = malloc(sizeof *team);
  if (!team && !code) code = strata_out_of_memory(name, "the team", (int64_t)sizeof *team);
  if (strata_agree_on(&made->team, name, code)) {
    free(team);
    return NULL;
  }
  *team = *made;
  return &team->team;
}

strata_team* strata_team_of(MPI_Comm communicator) {
  const int code = check_mpi(name);
  if (code && code != strata_error_thread_level) return NULL;
  struct strata_mpi_team made = {.team = {.transport = &transport, .alive = 1}};
  strata_team_fail(&made.team, code);
  if (check_communicator(communicator) || duplicate(communicator, &made.communicator)) return NULL;
  MPI_Comm_rank(made.communicator, &made.team.rank);
  MPI_Comm_size(made.communicator, &made.team.size);
  strata_team* const team = agreed_team(&made, code);
  if (!team) MPI_Comm_free(&made.communicator);
  return team;
}

/* Freed teams are kept here, so that a kernel can say that its team was freed. */
static _Atomic(struct strata_mpi_team*) freed;

static void give_back(struct strata_mpi_team* team) {
  strata_end_team(&team->team);
  free(team->requests);
  free(team->under_way);
  team->next_freed = atomic_load(&freed);
  while (!atomic_compare_exchange_weak(&freed, &team->next_freed, team)) continue;
}

int strata_team_free(strata_team* team) {
  static const char free_name[] = "strata_team_free";
  if (!team) return 0;
  int code = strata_check_team(team, free_name);
  if (code == strata_error_freed_team || code == strata_error_thread_level) return code;
  struct strata_mpi_team* const own = strata_mpi_team(team);
  if (!code)
    code = strata_mpi_code(free_name, "MPI_Comm_free", -1, MPI_Comm_free(&own->communicator));
  give_back(own);
  return code;
}
