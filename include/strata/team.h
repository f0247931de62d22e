/* A team of ranks: processes that run one kernel together, each on a part of the arrays.
 *
 * strata_team_of (strata/mpi.h) makes a team of an MPI communicator. This header and the objects
 * that Strata emits know nothing of MPI.  C99 and C++.
 */
#ifndef STRATA_TEAM_H
#define STRATA_TEAM_H

#include <strata/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct strata_team strata_team;

/* ---- partitions ---- */

/* The most axes of a grid of ranks. */
#define STRATA_MAX_AXES 3

/* Cut number "part", 0 <= part <= parts, of 0 <= i < n in blocks as even as possible: their sizes
 * differ by one at most. These are the cuts that a kernel takes for a null pointer. */
int64_t strata_even_cut(int64_t n, int64_t parts, int64_t part);

/* What the boxes in headers of kernels are made of. A quotient is rounded towards minus infinity.
 */
static inline int64_t strata_least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t strata_most(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t strata_quotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* Sets the grid by which kernels find ranks if their partitions are the axes of a grid: with parts
 * {P, Q}, rank = p * Q + q. All ranks of the team must give the same grid. By default a grid is as
 * square as possible, with P >= Q. Returns 0, strata_error_team_size if the product is not the size
 * of the team, or its errors.
 */
int strata_team_set_grid(strata_team* team, int axes, const int* parts);

/* ---- whole arrays and parts of them ---- */

/* Makes "crop" describe a box of the elements of "of", with the same indices: extent[i] elements
 * from min[i] on, for each index i in the order of the program's indices. "dimensions" is storage
 * for one entry per index, and must live as long as the crop is used. Returns 0,
 * strata_error_null_buffer, or strata_error_out_of_bounds if the box is not in the buffer. */
int strata_crop(strata_buffer* crop, strata_dimension* dimensions, struct halide_buffer_t* of,
                const int64_t* min, const int64_t* extent);

/* Gives each rank its part of an array that "root" has as a whole; other ranks give null for the
 * whole. A part is the box that its description says, from dim[].min on. Parts may overlap, and be
 * empty. All ranks of the team call this together. Returns 0, or a code on all ranks. With one of
 * these codes it has written nothing:
 *     strata_error_null_buffer, strata_error_null_host   no description, or no memory
 *     strata_error_wrong_type, strata_error_wrong_rank   a part is of another kind than the whole
 *     strata_error_bad_shape                             an extent is negative
 *     strata_error_out_of_bounds                         the whole has not all elements of a part
 *     strata_error_out_of_memory, strata_error_ranks_differ (in root), and a team's errors;
 * with strata_error_mpi it may have written parts. */
int strata_scatter(strata_team* team, int root, struct halide_buffer_t* whole,
                   struct halide_buffer_t* part);
/* The reverse: "root" gets the parts, in the order of the ranks. Where parts overlap, the last part
 * counts, so first crop each part to the box of NAME_owned, a function of the kernel's header. */
int strata_gather(strata_team* team, int root, struct halide_buffer_t* part,
                  struct halide_buffer_t* whole);

/* ---- what was sent ---- */

/* The traffic of one rank, by all kernels that it ran on the team. */
typedef struct strata_traffic {
  int64_t messages_sent, bytes_sent, messages_received, bytes_received;
  int64_t waited_ns; /* time in which the rank waited for messages */
} strata_traffic;

/* The traffic of one message. f.communication(..) lists the messages of a kernel, numbered from 0.
 * A negative number stands for all messages together. */
strata_traffic strata_team_traffic(const strata_team* team, int message);
/* One more than the largest number counted. */
int strata_team_messages(const strata_team* team);
/* Counts from 0 again. */
void strata_team_clear_traffic(strata_team* team);

#ifdef __cplusplus
}
#endif

#endif
