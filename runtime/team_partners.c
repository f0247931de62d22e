/* The ranks with which messages are exchanged, and memory for what is packed for them. */
#include <stdlib.h>
#include <string.h>

#include "runtime/team.h"
#include "runtime/transport.h"

enum { alignment = 64 };

int strata_expect_partners(strata_team* team, int64_t messages) {
  struct strata_partners* const exchanges =
      strata_grown(team->exchanges, &team->room_for_exchanges, messages, sizeof *team->exchanges);
  team->count_of_partners = team->bytes_of_slots = 0;
  if (!exchanges)
    return strata_out_of_memory(team->kernel, "the partners of messages",
                                messages * (int64_t)sizeof *exchanges);
  team->exchanges = exchanges;
  memset(exchanges, 0, (size_t)messages * sizeof *exchanges);
  return 0;
}

/* The place of so many bytes in the slots, or -1 if they are too many. */
static int64_t place_of(strata_team* team, int64_t bytes) {
  const int64_t place = team->bytes_of_slots;
  int64_t end;
  if (__builtin_add_overflow(place, bytes, &end) ||
      __builtin_add_overflow(end, alignment - 1, &end))
    return -1;
  team->bytes_of_slots = end / alignment * alignment;
  return place;
}

int strata_team_partner(strata_team* team, int message, int rank, int64_t sends, int64_t receives) {
  if (rank == team->rank || (sends <= 0 && receives <= 0)) return 0;
  struct strata_partner* const partners = strata_grown(
      team->partners, &team->room_for_partners,
      team->count_of_partners < team->room_for_partners ? team->count_of_partners + 1
                                                        : 2 * team->count_of_partners + 2,
      sizeof *partners);
  if (!partners)
    return strata_team_fail(
        team, strata_out_of_memory(team->kernel, "the partners of messages",
                                   (team->count_of_partners + 1) * (int64_t)sizeof *partners));
  team->partners = partners;
  struct strata_partners* const all = &team->exchanges[message];
  if (!all->count) all->first = team->count_of_partners;
  ++all->count;
  const int64_t sent = place_of(team, sends), received = place_of(team, receives);
  partners[team->count_of_partners++] = (struct strata_partner){rank, sent, received};
  if (sent >= 0 && received >= 0) return 0;
  return strata_team_fail(team, strata_out_of_memory(team->kernel, "packed messages", INT64_MAX));
}

int strata_team_slots(strata_team* team) {
  if (team->bytes_of_slots <= team->room_for_slots) return 0;
  free(team->slots);
  team->room_for_slots = 0;
  team->slots = aligned_alloc(alignment, (size_t)team->bytes_of_slots);
  if (!team->slots)
    return strata_team_fail(
        team, strata_out_of_memory(team->kernel, "packed messages", team->bytes_of_slots));
  team->room_for_slots = team->bytes_of_slots;
  return 0;
}

int strata_team_partners(const strata_team* team, int message) {
  return (int)team->exchanges[message].count;
}

static const struct strata_partner* partner(const strata_team* team, int message, int n) {
  return &team->partners[team->exchanges[message].first + n];
}

int strata_team_partner_rank(const strata_team* team, int message, int n) {
  return partner(team, message, n)->rank;
}

void* strata_team_slot(const strata_team* team, int message, int n, int which) {
  const struct strata_partner* const one = partner(team, message, n);
  return team->slots + (which == strata_sends ? one->sent : one->received);
}

int strata_team_receive_from(strata_team* team, int message, int n, int64_t bytes) {
  return strata_team_receive(team, message, strata_team_partner_rank(team, message, n),
                             strata_team_slot(team, message, n, strata_receives), bytes);
}

int strata_team_send_to(strata_team* team, int message, int n, int64_t bytes) {
  return strata_team_send(team, message, strata_team_partner_rank(team, message, n),
                          strata_team_slot(team, message, n, strata_sends), bytes, 0);
}

/* The sizes of elements are constants here, so that compilers make loads and stores of them. */
static void copy(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count,
                 int64_t size) {
#define STRATA_COPY(bytes) \
  for (int64_t n = 0; n < count; ++n) memcpy(to + n * to_step, from + n * from_step, bytes)
  if (to_step == size && from_step == size)
    memcpy(to, from, (size_t)(count * size));
  else if (size == 8)
    STRATA_COPY(8);
  else if (size == 4)
    STRATA_COPY(4);
  else if (size == 2)
    STRATA_COPY(2);
  else
    STRATA_COPY(1);
#undef STRATA_COPY
}

int strata_team_pack(void* slot, int64_t at, const void* base, int64_t first, int64_t step,
                     int64_t count, int64_t size) {
  copy((char*)slot + at, size, (const char*)base + first, step, count, size);
  return 0;
}

int strata_team_unpack(const void* slot, int64_t at, void* base, int64_t first, int64_t step,
                       int64_t count, int64_t size) {
  copy((char*)base + first, step, (const char*)slot + at, size, count, size);
  return 0;
}
