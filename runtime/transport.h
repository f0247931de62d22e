/* A team, and how it reaches the library that carries its messages: a table of functions, so that
 * neither emitted code nor this library links one. */
#ifndef STRATA_RUNTIME_TRANSPORT_H
#define STRATA_RUNTIME_TRANSPORT_H

#include <strata/team.h>

#include "runtime/buffer_checks.h"
#include "runtime/error.h"

enum { strata_sends = 1, strata_receives = 2 };
/* The number of messages that scatter and gather send: the least upper bound of tags that MPI
 * promises.  Those of a kernel have smaller numbers. */
enum { strata_whole_message = 32767 };

/* Each function returns 0, or sets the message of this thread and returns its code.  All but
 * "check" and "release" are called on teams that "check" has passed. */
struct strata_transport {
  /* May this thread call the others now? */
  int (*check)(const strata_team* team, const char* caller);
  /* Room for so many requests, each a send or receive that is under way. */
  int (*reserve)(strata_team* team, int64_t requests);
  /* Of 1 byte or more, which stay in place until they were waited for. */
  int (*receive)(strata_team* team, int message, int from, void* memory, int64_t bytes);
  int (*send)(strata_team* team, int message, int to, const void* memory, int64_t bytes,
              int synchronous);
  int (*wait)(strata_team* team, int message, int which);
  int (*barrier)(strata_team* team);
  /* The minimum over all ranks of each number. */
  int (*minimum)(strata_team* team, int64_t* numbers, int count);
  int (*broadcast)(strata_team* team, int root, void* memory, int bytes);
};

struct strata_partition {
  int axes, axis, parts;
  int64_t first_cut; /* in "numbers": parts + 1 of them */
};

struct strata_team {
  const struct strata_transport* transport;
  int alive;
  int rank, size;
  int grid[STRATA_MAX_AXES + 1][STRATA_MAX_AXES]; /* by the number of axes; 0: the default */

  /* The call of a kernel. */
  int usable;        /* between strata_team_enter and the end of the call */
  int agreed;        /* strata_team_agree has returned 0 */
  const char* names; /* as strata_team_enter got them */
  char kernel[64];   /* its name, or the beginning of it */
  int code;          /* the first failure; 0: none */
  char message[strata_message_size];
  /* What the ranks agree on: parameters, for each partition its extent and its cuts, and further
   * numbers; behind them, room for the least and the largest that any rank has. */
  int64_t* numbers;
  int64_t count_of_numbers, room_for_numbers, count_of_parameters, first_further;
  const int64_t* further; /* as strata_team_enter got them: their count, then two for each */
  struct strata_partition* partitions;
  int64_t count_of_partitions, room_for_partitions;
  struct strata_block* blocks; /* of strata_team_memory */

  strata_traffic* traffic; /* by the number of the message */
  int64_t count_of_messages, room_for_messages;
};

/* Is this a team that can be used now, by this thread?  0 or a code. */
int strata_check_team(const strata_team* team, const char* caller);

/* Of "names": line 0 is the kernel, then its parameters, its partitions, and further numbers. */
struct strata_name strata_line(const char* names, int64_t number);

/* The memory of an array with room for "count" elements of "size" bytes, or null if there is none;
 * then the array stays. */
void* strata_grown(void* array, int64_t* room, int64_t count, int64_t size);

/* Reads the numbers of "facts", checks the cuts and makes them the team's. */
int strata_read_numbers(strata_team* team, const int64_t* facts, const int64_t* const* cuts);

/* The end of an agreement: "code" of all ranks or none.  Returns this rank's code, or
 * strata_error_other_rank.  The key of a rank's code is less than that of 0, and says its rank; the
 * least key of all ranks is the team's. */
int64_t strata_key_of(const strata_team* team, int code);
int strata_conclude(strata_team* team, const char* caller, int code, int64_t least_key);
/* All of it: one reduction, for a team of one rank none. */
int strata_agree_on(strata_team* team, const char* caller, int code);

/* Ends the call of a kernel: its memory is freed. */
void strata_forget_call(strata_team* team);
/* Releases what a team has, but for itself: it is known as freed from then on. */
void strata_end_team(strata_team* team);

#endif
