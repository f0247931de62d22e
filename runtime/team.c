/* The call of a kernel on a team: its entry, its memory, and its first failure. */
#include "runtime/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/transport.h"

enum { alignment = 64 };

/* The head of each piece of memory. */
struct strata_block {
  struct strata_block* next;
};

struct strata_name strata_line(const char* names, int64_t number) {
  while (number-- > 0 && (names = strchr(names, '\n'))) ++names;
  if (!names) names = "";
  return (struct strata_name){names, (int)strcspn(names, "\n")};
}

void* strata_grown(void* array, int64_t* room, int64_t count, int64_t size) {
  if (array && count <= *room) return array;
  int64_t bytes;
  if (__builtin_mul_overflow(count > 0 ? count : 1, size, &bytes)) return NULL;
  void* const grown = realloc(array, (size_t)bytes);
  if (grown) *room = count;
  return grown;
}

int strata_check_team(const strata_team* team, const char* caller) {
  if (!team) return strata_fail(strata_error_null_team, "%s: the team is a null pointer", caller);
  if (!team->alive) return strata_fail(strata_error_freed_team, "%s: the team was freed", caller);
  return team->transport->check(team, caller);
}

void strata_forget_call(strata_team* team) {
  while (team->blocks) {
    struct strata_block* const block = team->blocks;
    team->blocks = block->next;
    free(block);
  }
  team->usable = team->agreed = 0;
  team->code = 0;
}

void strata_end_team(strata_team* team) {
  strata_forget_call(team);
  free(team->numbers);
  free(team->partitions);
  free(team->traffic);
  free(team->partners);
  free(team->exchanges);
  free(team->slots);
  team->partners = NULL;
  team->exchanges = NULL;
  team->slots = NULL;
  team->count_of_partners = team->room_for_partners = team->room_for_exchanges = 0;
  team->bytes_of_slots = team->room_for_slots = 0;
  team->numbers = NULL;
  team->partitions = NULL;
  team->traffic = NULL;
  team->room_for_numbers = team->room_for_partitions = team->room_for_messages = 0;
  team->count_of_partitions = team->count_of_messages = 0;
  team->alive = 0;
}

/* Makes room for the counters of each message, and for a send and a receive of each message with
 * each rank. */
static int expect_messages(strata_team* team, int64_t count) {
  strata_traffic* const traffic =
      strata_grown(team->traffic, &team->room_for_messages, count, sizeof *traffic);
  if (!traffic)
    return strata_out_of_memory(team->kernel, "the counters of messages",
                                count * (int64_t)sizeof *traffic);
  team->traffic = traffic;
  for (; team->count_of_messages < count; ++team->count_of_messages)
    memset(&traffic[team->count_of_messages], 0, sizeof *traffic);
  const int code = strata_expect_partners(team, count);
  return code ? code : team->transport->reserve(team, 2 * count * team->size);
}

int strata_team_enter(strata_team* team, const char* names, const int64_t* facts,
                      const int64_t* const* cuts) {
  char kernel[sizeof team->kernel];
  const struct strata_name name = strata_line(names, 0);
  snprintf(kernel, sizeof kernel, "%.*s", NAME(name));
  const int code = strata_check_team(team, kernel);
  if (code) {
    if (team) team->usable = 0;
    return code;
  }
  strata_forget_call(team);
  memcpy(team->kernel, kernel, sizeof kernel);
  team->names = names;
  team->usable = 1;
  const int64_t parameters = facts[0];
  const int64_t* const partitions = facts + 1 + parameters;
  const int64_t messages = partitions[1 + 3 * partitions[0]];
  const int wrong = strata_read_numbers(team, facts, cuts);
  return strata_team_fail(team, wrong ? wrong : expect_messages(team, messages));
}

int strata_team_number(strata_team* team, int which, int64_t value) {
  team->numbers[team->first_further + which] = value;
  return 0;
}

int strata_team_fail(strata_team* team, int code) {
  if (!code || team->code) return code;
  team->code = code;
  strata_copy_message(team->message);
  return code;
}

void* strata_team_memory(strata_team* team, const char* what, int64_t bytes) {
  struct strata_block* block = NULL;
  int64_t whole;
  if (bytes >= 0 && !__builtin_add_overflow(bytes, 2 * alignment - 1, &whole))
    block = aligned_alloc(alignment, (size_t)(whole / alignment * alignment));
  if (!block) {
    strata_team_fail(team, strata_out_of_memory(team->kernel, what, bytes));
    return NULL;
  }
  block->next = team->blocks;
  team->blocks = block;
  return (char*)block + alignment;
}

int strata_team_rank(const strata_team* team) { return team->rank; }

int strata_team_size(const strata_team* team) { return team->size; }
