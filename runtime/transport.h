/* A team, and how it reaches the library that carries its messages. This is a table of functions,
 * so that neither emitted code nor this library links such a library. */
#ifndef STRATA_RUNTIME_TRANSPORT_H
#define STRATA_RUNTIME_TRANSPORT_H

#include <strata/team.h>

#include "runtime/buffer_checks.h"
#include "runtime/error.h"

enum { strata_sends = 1, strata_receives = 2 };
/* The number of the messages that scatter and gather send: MPI promises no larger tags than this.
 * Messages of a kernel have smaller numbers. */
enum { strata_whole_message = 32767 };

/* Each function returns 0, or sets the message of this thread and returns its code. All except
 * "check" require that "check" has returned 0 for the team. */
struct strata_transport {
  /* 0 if this thread may call the others now. */
  int (*check)(const strata_team* team, const char* caller);
  /* Makes room for so many requests. A request is a send or receive that is under way. */
  int (*reserve)(strata_team* team, int64_t requests);
  /* Both for 1 byte or more. The memory must stay until the message has been waited for. */
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
  int64_t first_cut; /* the index in "numbers" of parts + 1 cuts */
};

/* The partners of one message: a range of the team's. */
struct strata_partners {
  int64_t first, count;
};

/* A rank with which a message is exchanged, and where in "slots" its packed elements are. */
struct strata_partner {
  int rank;
  int64_t sent, received;
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
  /* What the ranks agree on: the parameters, the extent and the cuts of each partition, and further
   * numbers. Behind them there is room for the least and the largest value on any rank. */
  int64_t* numbers;
  int64_t count_of_numbers, room_for_numbers, count_of_parameters, first_further;
  const int64_t* further; /* as strata_team_enter got them: their count, then two for each */
  struct strata_partition* partitions;
  int64_t count_of_partitions, room_for_partitions;
  struct strata_block* blocks;     /* of strata_team_memory */
  struct strata_partner* partners; /* of all messages, one message after the other */
  int64_t count_of_partners, room_for_partners;
  struct strata_partners* exchanges; /* by the number of the message */
  int64_t room_for_exchanges;
  char* slots; /* kept between calls */
  int64_t bytes_of_slots, room_for_slots;

  strata_traffic* traffic; /* by the number of the message */
  int64_t count_of_messages, room_for_messages;
};

/* 0 if this is a team that this thread can use now, else a code. */
int strata_check_team(const strata_team* team, const char* caller);

/* A line of "names". Line 0 is the kernel; parameters, partitions and further numbers follow. */
struct strata_name strata_line(const char* names, int64_t number);

/* The array, moved to memory with room for "count" elements of "size" bytes. Null if memory is
 * lacking; the array then stays as it is. */
void* strata_grown(void* array, int64_t* room, int64_t count, int64_t size);

/* Reads the numbers of "facts", checks the cuts and copies them into the team. */
int strata_read_numbers(strata_team* team, const int64_t* facts, const int64_t* const* cuts);

/* The end of an agreement: all ranks fail, or none does. The key of a rank that fails is less than
 * 0, the key of code 0, and names the rank; the least key of all ranks decides. strata_conclude
 * returns this rank's code, or strata_error_other_rank. */
int64_t strata_key_of(const strata_team* team, int code);
int strata_conclude(strata_team* team, const char* caller, int code, int64_t least_key);
/* The whole agreement: one reduction, or none for a team of one rank. */
int strata_agree_on(strata_team* team, const char* caller, int code);

/* Makes room for the partners of so many messages, which have none yet. */
int strata_expect_partners(strata_team* team, int64_t messages);

/* Ends the call of a kernel: frees its memory. */
void strata_forget_call(strata_team* team);
/* Releases what a team has, but not the team itself: from then on it is known to be freed. */
void strata_end_team(strata_team* team);

#endif
