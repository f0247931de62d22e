/* Kernels as emitted code would be, written by hand. */
#ifndef STRATA_TESTS_MPI_KERNELS_H
#define STRATA_TESTS_MPI_KERNELS_H

#include <strata/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* u[t + 1, i] = u[t, i - 1] + 2 u[t, i] + 3 u[t, i + 1] for 0 < i < N - 1, modulo 2^64; the borders
 * stay. "u" has u[0], and gets u[T], of uint64. One partition, "rows", of 0 <= i < N; one message
 * in each step. */
int heat(strata_team* team, int64_t T, int64_t N, const int64_t* rows, struct halide_buffer_t* u);
/* What a rank touches of u. */
int heat_box(strata_team* team, int64_t T, int64_t N, const int64_t* rows, int argument,
             int64_t* min, int64_t* extent);
int heat_owned(strata_team* team, int64_t T, int64_t N, const int64_t* rows, int argument,
               int64_t* min, int64_t* extent);
/* Another name, and the same parameters. */
int heat_again(strata_team* team, int64_t T, int64_t N, const int64_t* rows);

/* Each rank r sends "bytes" bytes to the rank after it, the last one to the first, n times. */
int shift(strata_team* team, int64_t n, int64_t bytes, int synchronous, const void* from, void* to);

/* Two messages from each rank to the next, the second sent after the first has come, and each wait
 * before what it need not wait for. "received" gets both numbers of the rank before. */
int in_turn(strata_team* team, int64_t* received);

/* Two partitions that are the axes of a grid: parts[0] and parts[1], and this rank's part of each.
 */
int grid(strata_team* team, int64_t N, int64_t M, const int64_t* rows, const int64_t* columns,
         int* parts, int* part);

/* On rank "where" something goes wrong; rank 0 then sends all others a value, as it would have. */
enum fault {
  none,
  no_memory,     /* before the agreement */
  bad_index,     /* after it */
  two_failures,  /* after it, on that rank twice, and on the next one */
  wrong_partner, /* a message to a rank that is not there */
  too_long,      /* messages longer than that rank expects */
  too_short      /* .. shorter .. */
};
int faulty(strata_team* team, int64_t fault, int where, int* received);

/* A kernel that calls strata_team_leave wherever it returns: at its entry with a failure, if "code"
 * is not 0, before strata_team_agree or, if it agrees, after it. */
int left_early(strata_team* team, int code, int agrees);

/* A kernel that is passed scalars and reads a parameter, "steps". */
int further(strata_team* team, int64_t steps, int64_t n, uint64_t large, double alpha);

/* All ranks wait for the slowest. */
int meet(strata_team* team);

/* One message from each rank to the next, and "work" microseconds of sleep before it is waited for.
 */
int overlapped(strata_team* team, int64_t work);

#ifdef __cplusplus
}
#endif

#endif
