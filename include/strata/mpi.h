/* Teams of MPI processes, for host programs that run Strata's kernels on several ranks.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *     strata_team *team = strata_team_of(MPI_COMM_WORLD);
 *     if (!team) puts(strata_last_error());
 *     code = heat(team, T, N, NULL, strata_argument(&part));
 *     strata_team_free(team);
 *     MPI_Finalize();
 *
 * Kernels and the functions of strata/team.h are called by all ranks of the team together, on one
 * thread, one at a time. Linked with the library strata_mpi and MPI; C99 and C++.
 */
#ifndef STRATA_MPI_H
#define STRATA_MPI_H

/* Without the C++ bindings, which MPI has no more, and which need another library. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <strata/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A team of the ranks of a communicator, which all of them call together. The team has a copy of
 * it, so no message of the program's meets one of a kernel's, and calls of MPI that fail return
 * codes. The thread that calls kernels may do so by MPI_THREAD_FUNNELED.
 *
 * Null on all ranks if it fails on one. Then strata_last_error() and strata_last_code() say why:
 * strata_error_mpi_not_initialized, strata_error_mpi_finalized, strata_error_thread_level,
 * strata_error_null_team for MPI_COMM_NULL, strata_error_out_of_memory, strata_error_mpi or
 * strata_error_other_rank. */
strata_team* strata_team_of(MPI_Comm communicator);

/* Frees a team; all ranks call it, before MPI_Finalize. Kernels that get a freed team return
 * strata_error_freed_team. Returns 0, also for a null team, or strata_error_freed_team,
 * strata_error_mpi_finalized, strata_error_thread_level or strata_error_mpi. */
int strata_team_free(strata_team* team);

#ifdef __cplusplus
}
#endif

#endif
