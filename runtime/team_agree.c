/* How ranks fail together: what the ranks of a team agree on. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/team.h"
#include "runtime/transport.h"

static const int64_t keys = INT64_C(1) << 32;

int64_t strata_key_of(const strata_team* team, int code) {
  if (!code) return 0;
  return (code < 0 ? (int64_t)code : -(int64_t)code) * keys + team->rank;
}

/* The rank of the least key tells the others its message. */
int strata_conclude(strata_team* team, const char* caller, int code, int64_t least_key) {
  if (!least_key) return 0;
  const int rank = (int)(least_key & (keys - 1));
  const int theirs = (int)((least_key - rank) / keys);
  char message[strata_message_size] = "";
  if (rank == team->rank) memcpy(message, team->message, sizeof message);
  if (team->size > 1) {
    const int broken = team->transport->broadcast(team, rank, message, sizeof message);
    if (broken && !code) return broken;
  }
  if (code) {
    strata_adopt_message(code, team->message);
    return code;
  }
  message[sizeof message - 1] = 0;
  return strata_fail(strata_error_other_rank, "%s: rank %d failed with %d: %s", caller, rank,
                     theirs, message);
}

int strata_agree_on(strata_team* team, const char* caller, int code) {
  int64_t key = strata_key_of(team, strata_team_fail(team, code));
  const int broken = team->size > 1 ? team->transport->minimum(team, &key, 1) : 0;
  return broken ? broken : strata_conclude(team, caller, code, key);
}

/* One step of a hash. It is a bijection in each of its arguments. So two calls that differ in one
 * number never have the same hash; two that differ in several have the same hash with a probability
 * of 2^-64. */
static uint64_t mixed(uint64_t hash, uint64_t number) {
  hash = (hash ^ number) + UINT64_C(0x9e3779b97f4a7c15);
  hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
  return hash ^ (hash >> 31);
}

/* The hash of the facts that say how many numbers there are, and what they mean. */
static uint64_t hash_of_shape(const strata_team* team) {
  uint64_t hash = mixed((uint64_t)team->count_of_parameters, (uint64_t)team->count_of_partitions);
  hash = mixed(hash, (uint64_t)(team->count_of_numbers - team->first_further));
  for (const char* c = team->names; *c; ++c) hash = mixed(hash, (unsigned char)*c);
  for (int64_t p = 0; p < team->count_of_partitions; ++p)
    hash = mixed(hash, (uint64_t)team->partitions[p].parts);
  return hash;
}

static uint64_t hash_of_numbers(const strata_team* team) {
  uint64_t hash = 0;
  for (int64_t n = 0; n < team->count_of_numbers; ++n)
    hash = mixed(hash, (uint64_t)team->numbers[n]);
  return hash;
}

/* What a number is, and the line of "names" that has its name. */
struct meaning {
  char what[48];
  int64_t line;
  int64_t kind; /* one of the kinds of further numbers */
};

static struct meaning meaning_of(const strata_team* team, int64_t n) {
  struct meaning it = {"parameter", 1 + n, strata_number_read};
  if (n < team->count_of_parameters) return it;
  if (n >= team->first_further) {
    const int64_t further = n - team->first_further;
    it.line = 1 + team->count_of_parameters + team->count_of_partitions + further;
    it.kind = team->further[2 * further + 1];
    if (it.kind != strata_number_read) strcpy(it.what, "scalar");
    return it;
  }
  int64_t p = 0;
  while (p + 1 < team->count_of_partitions && n + 1 >= team->partitions[p + 1].first_cut) ++p;
  const int64_t cut = n - team->partitions[p].first_cut;
  it.line = 1 + team->count_of_parameters + p;
  if (cut < 0)
    strcpy(it.what, "the extent of");
  else
    snprintf(it.what, sizeof it.what, "cut %" PRId64 " of", cut);
  return it;
}

struct text {
  char of[32];
};

static struct text text_of(int64_t number, int64_t kind) {
  struct text text;
  double value;
  memcpy(&value, &number, sizeof value);
  if (kind == strata_number_float)
    snprintf(text.of, sizeof text.of, "%.17g", value);
  else if (kind == strata_number_unsigned)
    snprintf(text.of, sizeof text.of, "%" PRIu64, (uint64_t)number);
  else
    snprintf(text.of, sizeof text.of, "%" PRId64, number);
  return text;
}

/* The message about number n, which is "least" on one rank and "most" on another. */
static int differing_number(const strata_team* team, int64_t n, int64_t least, int64_t most) {
  const struct meaning it = meaning_of(team, n);
  const struct strata_name name = strata_line(team->names, it.line);
  return strata_fail(strata_error_ranks_differ,
                     "%s: the ranks differ in %s %.*s, which is %s on one and %s on another",
                     team->kernel, it.what, NAME(name), text_of(least, it.kind).of,
                     text_of(most, it.kind).of);
}

/* Finds the first number that differs, by a second reduction. */
static int find_difference(strata_team* team) {
  const int64_t count = team->count_of_numbers;
  int64_t *const least = team->numbers + count, *const most = least + count;
  for (int64_t n = 0; n < count; ++n) {
    least[n] = team->numbers[n];
    most[n] = ~team->numbers[n];
  }
  const int broken = team->transport->minimum(team, least, (int)(2 * count));
  if (broken) return broken;
  for (int64_t n = 0; n < count; ++n)
    if (least[n] != ~most[n]) return differing_number(team, n, least[n], ~most[n]);
  return 0;
}

/* ~x reverses the order of numbers: the least ~x has the largest x. */
enum { key, shape, not_shape, numbers, not_numbers, items };

static int agree(strata_team* team) {
  int64_t item[items] = {0};
  item[key] = strata_key_of(team, team->code);
  item[shape] = (int64_t)hash_of_shape(team);
  item[numbers] = (int64_t)hash_of_numbers(team);
  item[not_shape] = ~item[shape];
  item[not_numbers] = ~item[numbers];
  if (team->size > 1) {
    const int broken = team->transport->minimum(team, item, items);
    if (broken) return broken;
  }
  if (item[key]) return strata_conclude(team, team->kernel, team->code, item[key]);
  if (item[shape] != ~item[not_shape])
    return strata_fail(strata_error_ranks_differ,
                       "%s: the ranks call different kernels, or have different grids",
                       team->kernel);
  return item[numbers] == ~item[not_numbers] ? 0 : find_difference(team);
}

int strata_team_agree(strata_team* team, int code) {
  if (!team || !team->alive || !team->usable) return code;
  strata_team_fail(team, code);
  const int result = agree(team);
  team->agreed = 1;
  if (result) strata_forget_call(team);
  return result;
}

int strata_team_leave(strata_team* team, int code) {
  if (!team || !team->alive || !team->usable) return code;
  strata_team_fail(team, code);
  int result = team->agreed ? 0 : strata_team_agree(team, code);
  if (!result) result = strata_agree_on(team, team->kernel, team->code);
  strata_forget_call(team);
  return result;
}
