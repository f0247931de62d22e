/* The messages of kernels, and the counters of their traffic. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "runtime/team.h"
#include "runtime/transport.h"

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int strata_team_receive(strata_team* team, int message, int from, void* memory, int64_t bytes) {
  if (bytes <= 0) return 0;
  ++team->traffic[message].messages_received;
  team->traffic[message].bytes_received += bytes;
  return strata_team_fail(team, team->transport->receive(team, message, from, memory, bytes));
}

int strata_team_send(strata_team* team, int message, int to, const void* memory, int64_t bytes,
                     int synchronous) {
  if (bytes <= 0) return 0;
  ++team->traffic[message].messages_sent;
  team->traffic[message].bytes_sent += bytes;
  return strata_team_fail(team,
                          team->transport->send(team, message, to, memory, bytes, synchronous));
}

int strata_team_wait(strata_team* team, int message, int which) {
  int code = 0;
  if (message < 0) {
    for (int m = 0; m < team->count_of_messages; ++m) {
      const int failed = strata_team_wait(team, m, which);
      if (!code) code = failed;
    }
    return code;
  }
  const int64_t start = now();
  code = strata_team_fail(team, team->transport->wait(team, message, which));
  team->traffic[message].waited_ns += now() - start;
  return code;
}

int strata_team_barrier(strata_team* team) {
  return team->size == 1 ? 0 : strata_team_fail(team, team->transport->barrier(team));
}

strata_traffic strata_team_traffic(const strata_team* team, int message) {
  strata_traffic sum;
  memset(&sum, 0, sizeof sum);
  for (int m = 0; team && m < team->count_of_messages; ++m) {
    const strata_traffic* const one = &team->traffic[m];
    if (message >= 0 && m != message) continue;
    sum.messages_sent += one->messages_sent;
    sum.bytes_sent += one->bytes_sent;
    sum.messages_received += one->messages_received;
    sum.bytes_received += one->bytes_received;
    sum.waited_ns += one->waited_ns;
  }
  return sum;
}

int strata_team_messages(const strata_team* team) {
  return team ? (int)team->count_of_messages : 0;
}

void strata_team_clear_traffic(strata_team* team) {
  if (team) team->count_of_messages = 0;
}
