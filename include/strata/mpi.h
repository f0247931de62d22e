/* Teams of MPI processes, for host programs that run Strata's kernels on several ranks.
 *
 *     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *     strata_team *team = strata_team_of(MPI_COMM_WORLD);
 *     if (!team) puts(strata_last_error());
 *     code = heat(team, T, N, NULL, strata_argument(&part));
 *     strata_team_free(team);
 *     MPI_Finalize();
 *
 * All ranks of the team call kernels and the functions of strata/team.h together, each on one
 * thread, one call at a time. Link the program with the library strata_mpi and MPI. This header is
 * C99 and C++.
 */
#ifndef STRATA_MPI_H
#define STRATA_MPI_H

/* Leaves out the C++ bindings: MPI has dropped them, and they need another library. */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <strata/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a team of the ranks of a communicator. All of its ranks call this together. The team has a
 * copy of the communicator, so no message of the program meets a message of a kernel, and calls of
 * MPI that fail return codes. With MPI_THREAD_FUNNELED only the main thread may call kernels.
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
