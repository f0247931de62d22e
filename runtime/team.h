/* What emitted code of a kernel on several ranks calls.  The calls reach MPI through the team, so
 * that an object has no symbol of MPI.
 *
 *     code = strata_team_enter(team, names, facts, cuts);
 *     if (!code) code = the checks of the kernel, and all of its memory;
 *                       strata_team_number(team, which, n) for each number that it reads;
 *     code = strata_team_agree(team, code);
 *     if (code) return code;
 *     .. loops, messages ..
 *     return strata_team_leave(team, code);
 *
 * All are called on the thread that entered.  Functions that return int return 0 or a code. */
#ifndef STRATA_RUNTIME_TEAM_H
#define STRATA_RUNTIME_TEAM_H

#include <strata/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a further number is, on which the ranks agree as on parameters: a parameter that the kernel
 * reads from an input, or a scalar that it is passed, of a signed or unsigned type or, with the
 * bits of a float64, of floats. */
enum { strata_number_read, strata_number_signed, strata_number_unsigned, strata_number_float };

/* Begins a kernel: the team can be used, and the cuts are partitions of the extents.  No
 * communication.  "names" has a line each for the kernel, its parameters, its partitions and the
 * further numbers; "facts" is a list of numbers:
 *     count of parameters, then their values
 *     count of partitions, then for each: its extent n, the number of axes of its grid, its axis
 *     count of messages, numbered from 0
 *     count of further numbers, then for each: what it is, its value (0 where it is not read yet)
 * Both live until strata_team_agree.  "cuts" has for each partition its cuts, as many as parts of
 * its axis and one more, or null for strata_even_cut.  They are copied. */
int strata_team_enter(strata_team* team, const char* names, const int64_t* facts,
                      const int64_t* const* cuts);

/* A further number, counted from 0, that the kernel has read: after strata_team_enter has returned
 * 0, before strata_team_agree. */
int strata_team_number(strata_team* team, int which, int64_t value);

/* Memory until strata_team_leave, at a multiple of 64 bytes.  If there is none: null, which
 * strata_team_agree tells. */
void* strata_team_memory(strata_team* team, const char* what, int64_t bytes);

/* All ranks return 0, or all return a code: "code" of this rank is not 0, that of another is not,
 * or what enter was given differs among ranks.  One reduction.  A team that cannot be used: "code".
 */
int strata_team_agree(strata_team* team, int code);

/* A failure after strata_team_agree: the first is kept, with this thread's message, until
 * strata_team_leave.  Returns "code". */
int strata_team_fail(strata_team* team, int code);

/* Ends a kernel.  Returns the first failure of this rank, among them "code", with its message; else
 * strata_error_other_rank if another failed.  One reduction, after strata_team_agree if that was
 * not called; none where strata_team_agree does not return 0, or the team cannot be used.  So a
 * kernel may call it wherever it returns. */
int strata_team_leave(strata_team* team, int code);

/* After strata_team_enter has returned 0.  "which" is the number of a partition. */
int strata_team_rank(const strata_team* team);
int strata_team_size(const strata_team* team);
int strata_team_parts(const strata_team* team, int which);
/* The part that belongs to a rank: its coordinate on the axis of the partition. */
int strata_team_part(const strata_team* team, int which, int rank);
int64_t strata_team_cut(const strata_team* team, int which, int part);
const int64_t* strata_team_cuts(const strata_team* team, int which);

/* Messages, between strata_team_agree and strata_team_leave.  The memory stays as it is until
 * strata_team_wait.  0 bytes: no message.  Failures are kept as by strata_team_fail. */
int strata_team_receive(strata_team* team, int message, int from, void* memory, int64_t bytes);
/* "synchronous": is not over before its receiver has begun to receive. */
int strata_team_send(strata_team* team, int message, int to, const void* memory, int64_t bytes,
                     int synchronous);
/* Waits for all that is under way of a message, of all messages if it is negative: 1 its sends, 2
 * its receives, 3 both. */
int strata_team_wait(strata_team* team, int message, int which);
int strata_team_barrier(strata_team* team);

#ifdef __cplusplus
}
#endif

#endif
