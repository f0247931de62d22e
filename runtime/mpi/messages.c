/* Messages by non-blocking calls of MPI. The number of a message is its tag. MPI keeps the order of
 * messages of one tag between two ranks, so the pieces of a message need no numbers. */
#define _POSIX_C_SOURCE 200809L /* for clock_nanosleep */
#include <stdlib.h>

#include "runtime/mpi/delay.h"
#include "runtime/mpi/team.h"

/* MPI counts bytes by an int. */
#ifndef STRATA_MPI_PIECE
#define STRATA_MPI_PIECE (1 << 30)
#endif

static int make_room(struct strata_mpi_team* t, int64_t requests) {
  MPI_Request* const all =
      strata_grown(t->requests, &t->room_for_requests, requests, sizeof *t->requests);
  if (all) t->requests = all;
  struct strata_under_way* const under_way =
      strata_grown(t->under_way, &t->room_for_under_way, requests, sizeof *t->under_way);
  if (under_way) t->under_way = under_way;
  if (all && under_way) return 0;
  return strata_out_of_memory(t->team.kernel, "requests of MPI",
                              requests * (int64_t)sizeof *t->requests);
}

int strata_mpi_reserve(strata_team* team, int64_t requests) {
  return make_room(strata_mpi_team(team), requests);
}

static int grow(struct strata_mpi_team* t) {
  const int is_full = t->count == t->room_for_requests || t->count == t->room_for_under_way;
  return is_full ? make_room(t, 2 * t->count + 2) : 0;
}

static void note(struct strata_mpi_team* t, struct strata_under_way what) {
  t->under_way[t->count++] = what;
}

static int receive_piece(struct strata_mpi_team* t, int message, int from, void* memory, int bytes,
                         int64_t* sent_at) {
  const int code = grow(t);
  if (code) return code;
  const int result =
      MPI_Irecv(memory, bytes, MPI_BYTE, from, message, t->communicator, &t->requests[t->count]);
  if (result == MPI_SUCCESS)
    note(t, (struct strata_under_way){message, strata_receives, from, bytes, sent_at});
  return strata_mpi_code(t->team.kernel, "a message from", from, result);
}

/* If a send fails, this sends an empty message instead. So the receiver does not wait for ever, but
 * finds that bytes are missing. */
static int send_piece(struct strata_mpi_team* t, int message, int to, const void* memory, int bytes,
                      int synchronous, int64_t* sent_at) {
  const int code = grow(t);
  if (code) return code;
  MPI_Request* const request = &t->requests[t->count];
  const int result = (synchronous ? MPI_Issend : MPI_Isend)(memory, bytes, MPI_BYTE, to, message,
                                                            t->communicator, request);
  const int again = result == MPI_SUCCESS
                        ? result
                        : MPI_Isend(NULL, 0, MPI_BYTE, to, message, t->communicator, request);
  if (again == MPI_SUCCESS)
    note(t, (struct strata_under_way){message, strata_sends, to, bytes, sent_at});
  return strata_mpi_code(t->team.kernel, "a message to", to, result);
}

static int piece_at(int64_t offset, int64_t bytes) {
  const int64_t rest = bytes - offset;
  return (int)(rest < STRATA_MPI_PIECE ? rest : STRATA_MPI_PIECE);
}

int strata_mpi_receive(strata_team* team, int message, int from, void* memory, int64_t bytes) {
  struct strata_mpi_team* const t = strata_mpi_team(team);
  int code = 0;
#ifdef STRATA_MPI_DELAY
  int64_t* const sent_at = malloc(sizeof *sent_at);
  code = receive_piece(t, message, from, sent_at, sizeof *sent_at, sent_at);
#endif
  for (int64_t offset = 0; offset < bytes; offset += STRATA_MPI_PIECE) {
    const int failed =
        receive_piece(t, message, from, (char*)memory + offset, piece_at(offset, bytes), NULL);
    if (!code) code = failed;
  }
  return code;
}

int strata_mpi_send(strata_team* team, int message, int to, const void* memory, int64_t bytes,
                    int synchronous) {
  struct strata_mpi_team* const t = strata_mpi_team(team);
  int code = 0;
#ifdef STRATA_MPI_DELAY
  int64_t* const sent_at = malloc(sizeof *sent_at);
  *sent_at = strata_delay_clock();
  code = send_piece(t, message, to, sent_at, sizeof *sent_at, 0, sent_at);
#endif
  for (int64_t offset = 0; offset < bytes; offset += STRATA_MPI_PIECE) {
    const int failed = send_piece(t, message, to, (const char*)memory + offset,
                                  piece_at(offset, bytes), synchronous, NULL);
    if (!code) code = failed;
  }
  return code;
}

/* Waits for one request, and checks that all of its message has come. */
static int finish(struct strata_mpi_team* t, const struct strata_under_way* one,
                  MPI_Request* request) {
  MPI_Status status;
  const int is_send = one->which == strata_sends, result = MPI_Wait(request, &status);
#ifdef STRATA_MPI_DELAY
  if (one->sent_at && !is_send && result == MPI_SUCCESS) strata_delay_until_arrival(*one->sent_at);
  free(one->sent_at);
#endif
  if (is_send) return strata_mpi_code(t->team.kernel, "a message to", one->rank, result);
  if (result != MPI_SUCCESS)
    return strata_mpi_code(t->team.kernel, "a message from", one->rank, result);
  int bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  if (bytes == one->bytes) return 0;
  return strata_fail(strata_error_message_size,
                     "%s: message %d from rank %d has %d bytes, and %d are expected",
                     t->team.kernel, one->message, one->rank, bytes, one->bytes);
}

/* Waits for one request after the other; all of them make progress meanwhile. MPI_Waitall of Open
 * MPI 4.1.4 does not return if a request has failed before. */
int strata_mpi_wait(strata_team* team, int message, int which) {
  struct strata_mpi_team* const t = strata_mpi_team(team);
  int64_t others = 0;
  int code = 0;
  for (int64_t n = 0; n < t->count; ++n) {
    const struct strata_under_way one = t->under_way[n];
    if (one.message == message && (one.which & which)) {
      const int failed = finish(t, &one, &t->requests[n]);
      if (!code) code = failed;
    } else {
      t->under_way[others] = one;
      t->requests[others++] = t->requests[n];
    }
  }
  t->count = others;
  return code;
}
