/* Partitions: the cuts between ranks, and grids of ranks. */
#include <inttypes.h>
#include <string.h>

#include "runtime/team.h"
#include "runtime/transport.h"

static int64_t at_least_0(int64_t n) { return n > 0 ? n : 0; }

int64_t strata_even_cut(int64_t n, int64_t parts, int64_t part) {
  const int64_t rest = at_least_0(n) % parts;
  return at_least_0(n) / parts * part + (part < rest ? part : rest);
}

/* The largest divisor d of "size" with d^axes <= size. */
static int last_of_grid(int size, int axes) {
  int best = 1;
  for (int64_t d = 1; d <= size; ++d) {
    int64_t power = 1;
    for (int a = 0; a < axes && power <= size; ++a) power *= d;
    if (power > size) break;
    if (size % d == 0) best = (int)d;
  }
  return best;
}

/* The parts of an axis, as the host program has set them. Otherwise the last axes of the grid have
 * few parts. */
static int parts_of(const strata_team* team, int axes, int axis) {
  if (team->grid[axes][0]) return team->grid[axes][axis];
  int size = team->size;
  for (int last = axes - 1; last > axis; --last) size /= last_of_grid(size, last + 1);
  return axis ? last_of_grid(size, axis + 1) : size;
}

int strata_team_set_grid(strata_team* team, int axes, const int* parts) {
  static const char name[] = "strata_team_set_grid";
  const int code = strata_check_team(team, name);
  if (code) return code;
  if (axes < 1 || axes > STRATA_MAX_AXES)
    return strata_fail(strata_error_team_size, "%s: a grid has 1 to %d axes, not %d", name,
                       STRATA_MAX_AXES, axes);
  int64_t product = 1;
  for (int axis = 0; axis < axes; ++axis)
    product = parts[axis] > 0 && product <= team->size ? product * parts[axis] : 0;
  if (product != team->size)
    return strata_fail(strata_error_team_size,
                       "%s: the product of the parts is not %d, the number of ranks", name,
                       team->size);
  memcpy(team->grid[axes], parts, (size_t)axes * sizeof *parts);
  return 0;
}

/* Checks the cuts of a partition of 0 <= i < n. Reads no cut after the first wrong one: an array
 * for fewer ranks has fewer cuts. */
static int check_cuts(const strata_team* team, struct strata_name name, const int64_t* cuts,
                      int parts, int64_t n) {
  if (cuts[0] != 0)
    return strata_fail(strata_error_bad_cuts, "%s: the first cut of %.*s is %" PRId64 ", not 0",
                       team->kernel, NAME(name), cuts[0]);
  for (int part = 0; part < parts; ++part)
    if (cuts[part + 1] < cuts[part])
      return strata_fail(strata_error_bad_cuts,
                         "%s: cut %d of %.*s is %" PRId64 ", less than %" PRId64 " before it",
                         team->kernel, part + 1, NAME(name), cuts[part + 1], cuts[part]);
  if (cuts[parts] != n)
    return strata_fail(strata_error_team_size,
                       "%s: the %d parts of %.*s end at %" PRId64 ", not at %" PRId64
                       ": the cuts are those of another number of ranks",
                       team->kernel, parts, NAME(name), cuts[parts], n);
  return 0;
}

/* Adds the extent and the cuts of a partition to the numbers. The cuts are even if none are given,
 * or if those given are wrong. */
static int add_partition(strata_team* team, struct strata_partition* partition,
                         struct strata_name name, int64_t n, const int64_t* cuts) {
  int64_t* const numbers = team->numbers;
  numbers[team->count_of_numbers++] = n;
  const int code = cuts ? check_cuts(team, name, cuts, partition->parts, at_least_0(n)) : 0;
  partition->first_cut = team->count_of_numbers;
  for (int part = 0; part <= partition->parts; ++part)
    numbers[team->count_of_numbers++] =
        cuts && !code ? cuts[part] : strata_even_cut(n, partition->parts, part);
  return code;
}

/* Makes room for all numbers three times (struct strata_team). "others" counts those of no
 * partition. */
static int make_room(strata_team* team, int64_t others, int64_t partitions, const int64_t* facts) {
  struct strata_partition* const all = strata_grown(team->partitions, &team->room_for_partitions,
                                                    partitions, sizeof *team->partitions);
  int64_t count = others;
  if (all) team->partitions = all;
  for (int64_t p = 0; all && p < partitions; ++p) {
    all[p].axes = (int)facts[3 * p + 1];
    all[p].axis = (int)facts[3 * p + 2];
    all[p].parts = parts_of(team, all[p].axes, all[p].axis);
    count += 2 + all[p].parts;
  }
  int64_t* const numbers =
      strata_grown(team->numbers, &team->room_for_numbers, 3 * count, sizeof *numbers);
  if (numbers) team->numbers = numbers;
  if (all && numbers) return 0;
  return strata_out_of_memory(team->kernel, "the cuts", 3 * count * (int64_t)sizeof *numbers);
}

int strata_read_numbers(strata_team* team, const int64_t* facts, const int64_t* const* cuts) {
  const int64_t parameters = *facts++, partitions = facts[parameters];
  const int64_t* const further = facts + parameters + 1 + 3 * partitions + 1;
  team->count_of_numbers = team->count_of_parameters = team->count_of_partitions = 0;
  team->first_further = 0;
  int code = make_room(team, parameters + further[0], partitions, facts + parameters + 1);
  if (code) return code;
  team->count_of_numbers = team->count_of_parameters = parameters;
  team->count_of_partitions = partitions;
  memcpy(team->numbers, facts, (size_t)parameters * sizeof *facts);
  facts += parameters + 1;
  for (int64_t p = 0; p < partitions; ++p) {
    const struct strata_name name = strata_line(team->names, 1 + parameters + p);
    const int wrong = add_partition(team, &team->partitions[p], name, facts[3 * p], cuts[p]);
    if (!code) code = wrong;
  }
  team->further = further;
  team->first_further = team->count_of_numbers;
  for (int64_t n = 0; n < further[0]; ++n)
    team->numbers[team->count_of_numbers++] = further[2 * n + 2];
  return code;
}

int strata_team_parts(const strata_team* team, int which) { return team->partitions[which].parts; }

int strata_team_part(const strata_team* team, int which, int rank) {
  const struct strata_partition* const partition = &team->partitions[which];
  for (int axis = partition->axes - 1; axis > partition->axis; --axis)
    rank /= parts_of(team, partition->axes, axis);
  return rank % partition->parts;
}

const int64_t* strata_team_cuts(const strata_team* team, int which) {
  return &team->numbers[team->partitions[which].first_cut];
}

int64_t strata_team_cut(const strata_team* team, int which, int part) {
  return strata_team_cuts(team, which)[part];
}
