/* What emitted code of a kernel on several ranks calls. The calls reach MPI through the team, so
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
 * All are called on the thread that entered. Functions that return int return 0 or a code. */
#ifndef STRATA_RUNTIME_TEAM_H
#define STRATA_RUNTIME_TEAM_H

#include <strata/team.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of further numbers. The ranks agree on these numbers as on parameters. A further number
 * is a parameter that the kernel reads from an input, or a scalar argument: of a signed or unsigned
 * type, or of floats, with the bits of a float64. */
enum { strata_number_read, strata_number_signed, strata_number_unsigned, strata_number_float };

/* Begins a kernel: checks that the team can be used, and that the cuts are partitions of the
 * extents. Does not communicate. "names" has a line each for the kernel, its parameters, its
 * partitions and the further numbers; "facts" is a list of numbers:
 *     count of parameters, then their values
 *     count of partitions, then for each: its extent n, the number of axes of its grid, its axis
 *     count of messages, numbered from 0
 *     count of further numbers, then for each: its kind, its value (0 if it is not read yet)
 * Both must live until strata_team_agree. "cuts" has for each partition an array of cuts, one more
 * than its axis has parts, or null for strata_even_cut. The cuts are copied. */
int strata_team_enter(strata_team* team, const char* names, const int64_t* facts,
                      const int64_t* const* cuts);

/* Sets a further number, counted from 0, that the kernel has read. Called after strata_team_enter
 * has returned 0, and before strata_team_agree. */
int strata_team_number(strata_team* team, int which, int64_t value);

/* Memory that lives until strata_team_leave, aligned to 64 bytes. If there is none, the result is
 * null, and strata_team_agree reports it. */
void* strata_team_memory(strata_team* team, const char* what, int64_t bytes);

/* All ranks return 0, or all return a code. They return a code if "code" is not 0 on this or
 * another rank, or if ranks have given different things to strata_team_enter. Costs one reduction.
 * If the team cannot be used, returns "code". */
int strata_team_agree(strata_team* team, int code);

/* Notes a failure after strata_team_agree. The first one is kept, with this thread's message, until
 * strata_team_leave. Returns "code". */
int strata_team_fail(strata_team* team, int code);

/* Ends a kernel. Returns the first failure of this rank, which may be "code", with its message;
 * else strata_error_other_rank if another rank failed. Costs one reduction, after a call of
 * strata_team_agree if there was none. The reduction is left out if strata_team_agree does not
 * return 0, or if the team cannot be used. So a kernel may call this wherever it returns. */
int strata_team_leave(strata_team* team, int code);

/* Only after strata_team_enter has returned 0. "which" is the number of a partition. */
int strata_team_rank(const strata_team* team);
int strata_team_size(const strata_team* team);
int strata_team_parts(const strata_team* team, int which);
/* The part that belongs to a rank: the rank's coordinate on the axis of the partition. */
int strata_team_part(const strata_team* team, int which, int rank);
int64_t strata_team_cut(const strata_team* team, int which, int part);
const int64_t* strata_team_cuts(const strata_team* team, int which);

/* The partners of a message are the other ranks to or from which it carries anything in this call
 * of the kernel. Found after strata_team_enter and before strata_team_agree, one message after the
 * other: at most so many bytes travel to and from "rank" at a time. With 0 and 0 it is not a
 * partner. */
int strata_team_partner(strata_team* team, int message, int rank, int64_t sends, int64_t receives);
/* Takes memory for what is packed for all partners, after the last one is known. The team keeps it
 * for its next kernel. If there is none, strata_team_agree reports it. */
int strata_team_slots(strata_team* team);
int strata_team_partners(const strata_team* team, int message);
int strata_team_partner_rank(const strata_team* team, int message, int n);
/* The memory of partner n, aligned to 64 bytes; "which" is 1 for what is sent, 2 for received. */
void* strata_team_slot(const strata_team* team, int message, int n, int which);

/* Copies elements of "size" bytes between the packed ones, from byte "at" of the slot on, and those
 * at base + first + n step, 0 <= n < count, in bytes. */
int strata_team_pack(void* slot, int64_t at, const void* base, int64_t first, int64_t step,
                     int64_t count, int64_t size);
int strata_team_unpack(const void* slot, int64_t at, void* base, int64_t first, int64_t step,
                       int64_t count, int64_t size);

/* Messages of whole slots, from and to partner n. */
int strata_team_receive_from(strata_team* team, int message, int n, int64_t bytes);
int strata_team_send_to(strata_team* team, int message, int n, int64_t bytes);

/* Messages, between strata_team_agree and strata_team_leave. The memory must not change until
 * strata_team_wait. With 0 bytes there is no message. Failures are kept as by strata_team_fail. */
int strata_team_receive(strata_team* team, int message, int from, void* memory, int64_t bytes);
/* A synchronous send is complete only after its receiver has begun to receive. */
int strata_team_send(strata_team* team, int message, int to, const void* memory, int64_t bytes,
                     int synchronous);
/* Waits for all that is under way of a message, or of all messages if "message" is negative.
 * "which" is 1 for sends, 2 for receives, 3 for both. */
int strata_team_wait(strata_team* team, int message, int which);
int strata_team_barrier(strata_team* team);

#ifdef __cplusplus
}
#endif

#endif
