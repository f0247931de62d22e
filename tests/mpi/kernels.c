#define _POSIX_C_SOURCE 200809L /* for nanosleep */
#include "tests/mpi/kernels.h"

#include <string.h>
#include <time.h>

#include "runtime/team.h"

static int64_t most(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t least(int64_t x, int64_t y) { return x < y ? x : y; }

/* ---- heat ---- */

/* First <= i < end. */
struct interval {
  int64_t first, end;
};

static struct interval owned(const strata_team* team, int rank) {
  return (struct interval){strata_team_cut(team, 0, rank), strata_team_cut(team, 0, rank + 1)};
}

/* What the rank computes and reads. */
static struct interval touched(const strata_team* team, int rank, int64_t N) {
  struct interval i = owned(team, rank);
  if (i.first == i.end) return i;
  return (struct interval){most(i.first - 1, 0), least(i.end + 1, N)};
}

static int enter_heat(strata_team* team, int64_t T, int64_t N, const int64_t* rows) {
  const int64_t facts[] = {2, T, N, 1, N, 1, 0, 1, 0};
  return strata_team_enter(team, "heat\nT\nN\nrows", facts, &rows);
}

/* The index of the neighbour's value on side 0 or 1 that the rank reads, or -1. */
static int64_t read_from(const strata_team* team, int rank, int side, int64_t N) {
  const struct interval i = owned(team, rank);
  if (i.first == i.end) return -1;
  const int64_t index = side ? i.end : i.first - 1;
  return index < N ? index : -1;
}

static int owns(const strata_team* team, int rank, int64_t index) {
  const struct interval i = owned(team, rank);
  return i.first <= index && index < i.end;
}

struct heat {
  strata_team* team;
  int64_t N, first; /* u[0] has index "first" */
  uint64_t *u, *next;
  uint64_t (*in)[2], (*out)[2]; /* of each rank: what is received and sent */
};

/* Packs what "to" reads of "from", or unpacks it; returns how many values it is. */
static int64_t exchange(const struct heat* h, int from, int to, uint64_t* packed, int unpacks) {
  int64_t count = 0;
  for (int side = 0; side < 2; ++side) {
    const int64_t index = read_from(h->team, to, side, h->N);
    if (index < 0 || !owns(h->team, from, index)) continue;
    if (unpacks)
      h->u[index - h->first] = packed[count];
    else if (packed)
      packed[count] = h->u[index - h->first];
    ++count;
  }
  return count;
}

static void send_and_receive(const struct heat* h) {
  const int me = strata_team_rank(h->team), size = strata_team_size(h->team);
  for (int other = 0; other < size; ++other)
    if (other != me)
      strata_team_receive(h->team, 0, other, h->in[other], 8 * exchange(h, other, me, NULL, 0));
  for (int other = 0; other < size; ++other)
    if (other != me)
      strata_team_send(h->team, 0, other, h->out[other],
                       8 * exchange(h, me, other, h->out[other], 0), 0);
  strata_team_wait(h->team, 0, 3);
  for (int other = 0; other < size; ++other)
    if (other != me) exchange(h, other, me, h->in[other], 1);
}

static void step(const struct heat* h) {
  const struct interval own = owned(h->team, strata_team_rank(h->team));
  const uint64_t* const u = h->u - h->first;
  uint64_t* const next = h->next - h->first;
  for (int64_t i = own.first; i < own.end; ++i)
    next[i] = i > 0 && i < h->N - 1 ? u[i - 1] + 2 * u[i] + 3 * u[i + 1] : u[i];
  for (int64_t i = own.first; i < own.end; ++i) h->u[i - h->first] = next[i];
}

static int check_u(const strata_team* team, int64_t T, int64_t N, struct halide_buffer_t* u) {
  const struct interval i = touched(team, strata_team_rank(team), N);
  const int64_t facts[] = {2, T, 0, INT64_C(1) << 40, N,     0, INT64_C(1) << 40, 0, 0, 1, 1, 64,
                           1, 2, 0, i.first,          i.end, 0};
  return strata_check_arguments("heat\nT\nN\nu", facts, &u);
}

static int take_memory(struct heat* h, struct halide_buffer_t* u) {
  const strata_buffer* const b = (const strata_buffer*)(const void*)u;
  const int size = strata_team_size(h->team);
  h->u = (uint64_t*)(void*)b->host;
  h->first = b->dim[0].min;
  h->next = strata_team_memory(h->team, "next", 8 * (int64_t)b->dim[0].extent);
  h->in = strata_team_memory(h->team, "in", 16 * size);
  h->out = strata_team_memory(h->team, "out", 16 * size);
  return 0;
}

int heat(strata_team* team, int64_t T, int64_t N, const int64_t* rows, struct halide_buffer_t* u) {
  struct heat h = {team, N, 0, NULL, NULL, NULL, NULL};
  int code = enter_heat(team, T, N, rows);
  if (!code) code = check_u(team, T, N, u);
  if (!code) code = take_memory(&h, u);
  code = strata_team_agree(team, code);
  if (code) return code;
  for (int64_t t = 0; t < T; ++t) {
    send_and_receive(&h);
    step(&h);
  }
  return strata_team_leave(team, 0);
}

int heat_box(strata_team* team, int64_t T, int64_t N, const int64_t* rows, int argument,
             int64_t* min, int64_t* extent) {
  (void)argument;
  const int code = enter_heat(team, T, N, rows);
  if (code) return code;
  const struct interval i = touched(team, strata_team_rank(team), N);
  *min = i.first;
  *extent = i.end - i.first;
  return 0;
}

int heat_owned(strata_team* team, int64_t T, int64_t N, const int64_t* rows, int argument,
               int64_t* min, int64_t* extent) {
  (void)argument;
  const int code = enter_heat(team, T, N, rows);
  if (code) return code;
  const struct interval i = owned(team, strata_team_rank(team));
  *min = i.first;
  *extent = i.end - i.first;
  return 0;
}

int heat_again(strata_team* team, int64_t T, int64_t N, const int64_t* rows) {
  const int64_t facts[] = {2, T, N, 1, N, 1, 0, 1, 0};
  const int code =
      strata_team_agree(team, strata_team_enter(team, "heat_again\nT\nN\nrows", facts, &rows));
  return code ? code : strata_team_leave(team, 0);
}

/* ---- others ---- */

/* No partitions; "messages" messages. */
static int begin(strata_team* team, const char* names, int64_t parameter, int64_t messages) {
  const int64_t facts[] = {1, parameter, 0, messages, 0};
  return strata_team_agree(team, strata_team_enter(team, names, facts, NULL));
}

static int after(const strata_team* team) {
  return (strata_team_rank(team) + 1) % strata_team_size(team);
}

static int before(const strata_team* team) {
  const int size = strata_team_size(team);
  return (strata_team_rank(team) + size - 1) % size;
}

int shift(strata_team* team, int64_t n, int64_t bytes, int synchronous, const void* from,
          void* to) {
  const int code = begin(team, "shift\nn", n, 2);
  if (code) return code;
  for (; n > 0; --n) {
    strata_team_receive(team, 1, before(team), to, bytes);
    strata_team_send(team, 1, after(team), from, bytes, synchronous);
    strata_team_wait(team, -1, 3);
  }
  return strata_team_leave(team, 0);
}

int in_turn(strata_team* team, int64_t* received) {
  const int64_t first = strata_team_rank(team), second = first + 100;
  const int code = begin(team, "in_turn\nn", 0, 2);
  if (code) return code;
  strata_team_receive(team, 1, before(team), received + 1, sizeof second);
  strata_team_receive(team, 0, before(team), received, sizeof first);
  strata_team_wait(team, 0, 1);
  strata_team_send(team, 0, after(team), &first, sizeof first, 0);
  strata_team_wait(team, 0, 3);
  strata_team_send(team, 1, after(team), &second, sizeof second, 1);
  strata_team_wait(team, 1, 2);
  strata_team_wait(team, 1, 1);
  return strata_team_leave(team, 0);
}

int grid(strata_team* team, int64_t N, int64_t M, const int64_t* rows, const int64_t* columns,
         int* parts, int* part) {
  const int64_t facts[] = {2, N, M, 2, N, 2, 0, M, 2, 1, 0, 0};
  const int64_t* const cuts[] = {rows, columns};
  const int code =
      strata_team_agree(team, strata_team_enter(team, "grid\nN\nM\nrows\ncolumns", facts, cuts));
  if (code) return code;
  for (int axis = 0; axis < 2; ++axis) {
    parts[axis] = strata_team_parts(team, axis);
    part[axis] = strata_team_part(team, axis, strata_team_rank(team));
  }
  return strata_team_leave(team, 0);
}

/* Rank 0 sends "sent" bytes to each other rank, which expects "expected" bytes. */
static void tell_others(strata_team* team, const int* value, int64_t sent, int* received,
                        int64_t expected) {
  if (strata_team_rank(team) == 0)
    for (int to = 1; to < strata_team_size(team); ++to)
      strata_team_send(team, 0, to, value, sent, 0);
  else
    strata_team_receive(team, 0, 0, received, expected);
  strata_team_wait(team, 0, 3);
}

int faulty(strata_team* team, int64_t fault, int where, int* received) {
  static const int value[2] = {42, 43};
  const int64_t facts[] = {1, fault, 0, 1, 0};
  const int64_t whole = sizeof value;
  int code = strata_team_enter(team, "faulty\nfault", facts, NULL);
  if (code) return strata_team_agree(team, code);
  const int me = strata_team_rank(team), here = me == where;
  if (fault == no_memory && here) strata_team_memory(team, "everything", INT64_MAX / 2);
  code = strata_team_agree(team, 0);
  if (code) return code;
  if ((fault == bad_index && here) || (fault == two_failures && (here || me == where + 1)))
    strata_team_fail(team, strata_index_out_of_range("faulty", "i", me, 100, 200));
  if (fault == two_failures && here)
    strata_team_fail(team, strata_out_of_memory("faulty", "something", 7));
  if (fault == wrong_partner && here)
    strata_team_send(team, 0, strata_team_size(team), value, whole, 0);
  tell_others(team, value, fault == too_short ? whole / 2 : whole, received,
              fault == too_long && here ? whole / 2 : whole);
  return strata_team_leave(team, 0);
}

int left_early(strata_team* team, int code, int agrees) {
  const int64_t facts[] = {0, 0, 0, 0};
  const int entered = strata_team_enter(team, "left_early", facts, NULL);
  if (entered) return strata_team_leave(team, entered);
  if (code) code = strata_index_out_of_range("left_early", "i", 7, 0, 3);
  return strata_team_leave(team, agrees ? strata_team_agree(team, code) : code);
}

int further(strata_team* team, int64_t steps, int64_t n, uint64_t large, double alpha) {
  int64_t bits;
  memcpy(&bits, &alpha, sizeof bits);
  const int64_t facts[] = {0,
                           0,
                           0,
                           4,
                           strata_number_signed,
                           n,
                           strata_number_unsigned,
                           (int64_t)large,
                           strata_number_float,
                           bits,
                           strata_number_read,
                           0};
  int code = strata_team_enter(team, "further\nn\nlarge\nalpha\nsteps", facts, NULL);
  if (!code) code = strata_team_number(team, 3, steps);
  code = strata_team_agree(team, code);
  return code ? code : strata_team_leave(team, 0);
}

int meet(strata_team* team) {
  const int code = begin(team, "meet\nn", 0, 0);
  if (code) return code;
  strata_team_barrier(team);
  return strata_team_leave(team, 0);
}

int overlapped(strata_team* team, int64_t work) {
  const int64_t out = strata_team_rank(team);
  int64_t in = -1;
  const int code = begin(team, "overlapped\nwork", work, 1);
  if (code) return code;
  strata_team_receive(team, 0, before(team), &in, sizeof in);
  strata_team_send(team, 0, after(team), &out, sizeof out, 0);
  const struct timespec t = {work / 1000000, work % 1000000 * 1000};
  nanosleep(&t, NULL);
  strata_team_wait(team, 0, 3);
  const int wrong = in != before(team);
  return strata_team_leave(team, wrong ? -1 : 0);
}
