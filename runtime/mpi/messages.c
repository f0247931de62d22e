/* Messages by non-blocking calls of MPI.  The number of a message is its tag: MPI keeps the order of
 * messages of one tag between two ranks, so the pieces of one need no numbers either. */
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
  MPI_Status* const statuses =
      strata_grown(t->statuses, &t->room_for_statuses, requests, sizeof *t->statuses);
  if (statuses) t->statuses = statuses;
  struct strata_under_way* const under_way =
      strata_grown(t->under_way, &t->room_for_under_way, requests, sizeof *t->under_way);
  if (under_way) t->under_way = under_way;
  if (all && statuses && under_way) return 0;
  return strata_out_of_memory(t->team.kernel, "requests of MPI",
                              requests * (int64_t)sizeof *t->requests);
}

int strata_mpi_reserve(strata_team* team, int64_t requests) {
  return make_room(strata_mpi_team(team), requests);
}

static int grow(struct strata_mpi_team* t) {
  return t->count < t->room_for_requests && t->count < t->room_for_statuses &&
                 t->count < t->room_for_under_way
             ? 0
             : make_room(t, 2 * t->count + 2);
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

/* If a send fails, an empty message goes in its place, so that its receiver does not wait for ever:
 * it finds that bytes are missing. */
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

/* Puts those that are waited for behind the others.  Returns how many others there are. */
static int64_t sort(struct strata_mpi_team* t, int message, int which) {
  int64_t others = 0;
  for (int64_t n = 0; n < t->count; ++n) {
    const struct strata_under_way one = t->under_way[n];
    const MPI_Request request = t->requests[n];
    if (one.message == message && (one.which & which)) continue;
    t->under_way[n] = t->under_way[others];
    t->requests[n] = t->requests[others];
    t->under_way[others] = one;
    t->requests[others++] = request;
  }
  return others;
}

/* One that has ended with "result": has all of it come? */
static int end(struct strata_mpi_team* t, const struct strata_under_way* one, MPI_Status* status,
               int result) {
#ifdef STRATA_MPI_DELAY
  if (one->sent_at && one->which == strata_receives && result == MPI_SUCCESS)
    strata_delay_until_arrival(*one->sent_at);
  free(one->sent_at);
#endif
  if (result != MPI_SUCCESS)
    return strata_mpi_code(t->team.kernel,
                           one->which == strata_sends ? "a message to" : "a message from",
                           one->rank, result);
  if (one->which == strata_sends) return 0;
  int bytes = 0;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (bytes != one->bytes)
    return strata_fail(strata_error_message_size,
                       "%s: message %d from rank %d has %d bytes, and %d are expected",
                       t->team.kernel, one->message, one->rank, bytes, one->bytes);
  return 0;
}

/* Waits for all from number "first" on.  Where some have failed, MPI returns before others have
 * ended. */
int strata_mpi_wait(strata_team* team, int message, int which) {
  struct strata_mpi_team* const t = strata_mpi_team(team);
  const int64_t first = sort(t, message, which);
  int code = 0;
  while (t->count > first) {
    const int64_t count = t->count;
    const int result = MPI_Waitall((int)(count - first), t->requests + first, t->statuses);
    t->count = first;
    for (int64_t n = first; n < count; ++n) {
      MPI_Status* const status = &t->statuses[n - first];
      const int own = result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : result;
      if (own == MPI_ERR_PENDING) {
        t->requests[t->count] = t->requests[n];
        t->under_way[t->count++] = t->under_way[n];
        continue;
      }
      const int failed = end(t, &t->under_way[n], status, own);
      if (!code) code = failed;
    }
  }
  return code;
}
