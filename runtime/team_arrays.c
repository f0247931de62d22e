/* Copies whole arrays to parts and back. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/transport.h"

static strata_buffer* fields_of(struct halide_buffer_t* argument) {
  return (strata_buffer*)(void*)argument;
}

static int64_t element_size(const strata_buffer* b) { return (b->type.bits + 7) / 8; }

static int64_t elements_of(const strata_buffer* b) {
  int64_t count = 1;
  for (int d = 0; d < b->dimensions; ++d) count *= b->dim[d].extent;
  return count;
}

static int is_within(const strata_dimension* part, const strata_dimension* whole) {
  return part->min >= whole->min &&
         (int64_t)part->min + part->extent <= (int64_t)whole->min + whole->extent;
}

/* The address in the buffer of the first element of a box. */
static uint8_t* place_of(const strata_buffer* b, const strata_dimension* box) {
  int64_t position = 0;
  for (int d = 0; d < b->dimensions; ++d)
    position += ((int64_t)box[d].min - b->dim[d].min) * b->dim[d].stride;
  return b->host + position * element_size(b);
}

int strata_crop(strata_buffer* crop, strata_dimension* dimensions, struct halide_buffer_t* of,
                const int64_t* min, const int64_t* extent) {
  static const char name[] = "strata_crop";
  if (!of) return strata_fail(strata_error_null_buffer, "%s: the buffer is a null pointer", name);
  const strata_buffer* const b = fields_of(of);
  for (int d = 0; d < b->dimensions; ++d) {
    const int i = b->dimensions - 1 - d;
    const int64_t first = b->dim[d].min, end = first + b->dim[d].extent;
    if (extent[i] < 0 || min[i] < first || min[i] > end || extent[i] > end - min[i])
      return strata_fail(strata_error_out_of_bounds,
                         "%s: %" PRId64 " elements from %" PRId64
                         " are not in dimension %d, which has %" PRId64 " to %" PRId64,
                         name, extent[i], min[i], i, first, end - 1);
    dimensions[d] = b->dim[d];
    dimensions[d].min = (int32_t)min[i];
    dimensions[d].extent = (int32_t)extent[i];
  }
  *crop = *b;
  crop->dim = dimensions;
  if (b->host) crop->host = place_of(b, dimensions);
  return 0;
}

/* Copies a box of a buffer to dense memory, or back, row by row. */
static void copy_box(const strata_buffer* b, const strata_dimension* box, uint8_t* dense,
                     int back) {
  const int64_t size = element_size(b);
  int32_t index[STRATA_MAX_RANK] = {0};
  uint8_t* place = place_of(b, box);
  for (int d = 0; d < b->dimensions; ++d)
    if (box[d].extent == 0) return;
  for (;;) {
    const int is_dense = b->dimensions > 0 && b->dim[0].stride == 1;
    const int64_t run = is_dense ? box[0].extent * size : size;
    memcpy(back ? place : dense, back ? dense : place, (size_t)run);
    dense += run;
    int d = is_dense;
    for (; d < b->dimensions; ++d) {
      place += b->dim[d].stride * size;
      if (++index[d] < box[d].extent) break;
      place -= (int64_t)box[d].extent * b->dim[d].stride * size;
      index[d] = 0;
    }
    if (d >= b->dimensions) return;
  }
}

/* ---- the protocol of both functions ---- */

struct copying {
  strata_team* team;
  const char* name;
  int root, is_gather;
  const strata_buffer *whole, *part;
  uint8_t* dense; /* memory for this rank's part; on root for the largest part */
};

/* A part, as its rank describes it to root. */
struct told {
  int64_t bytes;
  strata_type type;
  int32_t dimensions;
  strata_dimension box[STRATA_MAX_RANK];
};

static int check_buffer(const struct copying* c, const strata_buffer* b, const char* what) {
  if (!b)
    return strata_fail(strata_error_null_buffer, "%s: the %s is a null pointer", c->name, what);
  if (b->dimensions < 0 || b->dimensions > STRATA_MAX_RANK || (b->dimensions && !b->dim))
    return strata_fail(strata_error_bad_shape, "%s: the %s has %d dimensions", c->name, what,
                       b->dimensions);
  int64_t bytes = element_size(b);
  for (int d = 0; d < b->dimensions; ++d)
    if (b->dim[d].extent < 0 || __builtin_mul_overflow(bytes, b->dim[d].extent, &bytes))
      return strata_fail(strata_error_bad_shape, "%s: an extent of the %s is %" PRId32, c->name,
                         what, b->dim[d].extent);
  if (bytes && !b->host)
    return strata_fail(strata_error_null_host, "%s: the %s has no host memory", c->name, what);
  return 0;
}

static int check_own(const struct copying* c) {
  if (c->root < 0 || c->root >= c->team->size)
    return strata_fail(strata_error_team_size, "%s: there is no rank %d", c->name, c->root);
  const int code = check_buffer(c, c->part, "part");
  if (code || c->team->rank != c->root) return code;
  return check_buffer(c, c->whole, "whole array");
}

/* Checks that the part of a rank is a part of the whole. */
static int check_part(const struct copying* c, const struct told* told, int rank) {
  const strata_buffer* const whole = c->whole;
  if (told->type.code != whole->type.code || told->type.bits != whole->type.bits)
    return strata_fail(
        strata_error_wrong_type,
        "%s: the elements of rank %d have another type than those of the whole array", c->name,
        rank);
  if (told->dimensions != whole->dimensions)
    return strata_fail(strata_error_wrong_rank,
                       "%s: the part of rank %d has %" PRId32
                       " dimensions, the whole array %" PRId32,
                       c->name, rank, told->dimensions, whole->dimensions);
  for (int d = 0; told->bytes && d < whole->dimensions; ++d)
    if (!is_within(&told->box[d], &whole->dim[d]))
      return strata_fail(strata_error_out_of_bounds,
                         "%s: the part of rank %d has elements %" PRId32 " to %" PRId32
                         " in dimension %d, the whole array %" PRId32 " to %" PRId32,
                         c->name, rank, told->box[d].min,
                         told->box[d].min + told->box[d].extent - 1, whole->dimensions - 1 - d,
                         whole->dim[d].min, whole->dim[d].min + whole->dim[d].extent - 1);
  return 0;
}

static void tell(const strata_buffer* part, struct told* told) {
  memset(told, 0, sizeof *told);
  told->bytes = elements_of(part) * element_size(part);
  told->type = part->type;
  told->dimensions = part->dimensions;
  if (part->dimensions) memcpy(told->box, part->dim, (size_t)part->dimensions * sizeof *told->box);
}

/* Moves memory of this rank to root, or memory of root to this rank. */
static int move(const struct copying* c, int to_root, int rank, void* memory, int64_t bytes) {
  const struct strata_transport* const transport = c->team->transport;
  if (!bytes) return 0;
  const int on_root = c->team->rank == c->root, other = on_root ? rank : c->root;
  int code = on_root == to_root
                 ? transport->receive(c->team, strata_whole_message, other, memory, bytes)
                 : transport->send(c->team, strata_whole_message, other, memory, bytes, 0);
  const int failed = transport->wait(c->team, strata_whole_message, strata_sends | strata_receives);
  return code ? code : failed;
}

/* Root's side for one rank, which may be root. "dense" holds the part of that rank. */
static int copy_on_root(const struct copying* c, const struct told* told, int rank) {
  const int own = rank == c->root;
  int code = 0;
  if (!c->is_gather) copy_box(c->whole, told->box, c->dense, 0);
  if (own)
    copy_box(c->part, told->box, c->dense, !c->is_gather);
  else
    code = move(c, c->is_gather, rank, c->dense, told->bytes);
  if (c->is_gather && !code) copy_box(c->whole, told->box, c->dense, 1);
  return code;
}

static int copy_on_other(const struct copying* c, const struct told* told) {
  if (c->is_gather) copy_box(c->part, told->box, c->dense, 0);
  const int code = move(c, c->is_gather, c->root, c->dense, told->bytes);
  if (!c->is_gather && !code) copy_box(c->part, told->box, c->dense, 1);
  return code;
}

/* Root learns of all parts and checks them. "parts" has room for all on root, and for one on
 * another rank. */
static int tell_root(const struct copying* c, struct told* parts) {
  const int me = c->team->rank, on_root = me == c->root;
  tell(c->part, on_root ? &parts[me] : parts);
  int code = 0;
  if (!on_root) return move(c, 1, c->root, parts, sizeof *parts);
  for (int rank = 0; rank < c->team->size; ++rank) {
    int wrong = rank == me ? 0 : move(c, 1, rank, &parts[rank], sizeof *parts);
    if (!wrong) wrong = check_part(c, &parts[rank], rank);
    if (!code) code = wrong;
  }
  return code;
}

static int copy_all(struct copying* c, struct told* parts) {
  const int on_root = c->team->rank == c->root;
  int code = tell_root(c, parts);
  int64_t bytes = 1;
  for (int rank = 0; rank < (on_root ? c->team->size : 1); ++rank)
    if (parts[rank].bytes > bytes) bytes = parts[rank].bytes;
  if (!code && !(c->dense = malloc((size_t)bytes)))
    code = strata_out_of_memory(c->name, "a part", bytes);
  code = strata_agree_on(c->team, c->name, code);
  if (code) return code;
  if (!on_root) code = copy_on_other(c, parts);
  for (int rank = 0; on_root && rank < c->team->size; ++rank) {
    const int failed = copy_on_root(c, &parts[rank], rank);
    if (!code) code = failed;
  }
  return strata_agree_on(c->team, c->name, code);
}

/* Checks that the root is the same on all ranks. */
static int agree_on_root(const struct copying* c) {
  int64_t roots[] = {c->root, ~(int64_t)c->root};
  const int code = c->team->size > 1 ? c->team->transport->minimum(c->team, roots, 2) : 0;
  if (code || roots[0] == ~roots[1]) return code;
  return strata_fail(strata_error_ranks_differ,
                     "%s: the root is %" PRId64 " on one rank and %" PRId64 " on another", c->name,
                     roots[0], ~roots[1]);
}

static int copy(struct copying* c) {
  int code = strata_check_team(c->team, c->name);
  if (code) return code;
  strata_forget_call(c->team);
  const int count = c->team->rank == c->root ? c->team->size : 1;
  struct told* const parts = calloc((size_t)count, sizeof *parts);
  code = parts ? check_own(c) : strata_out_of_memory(c->name, "parts", (int64_t)sizeof *parts);
  if (!code) code = c->team->transport->reserve(c->team, 1);
  code = strata_agree_on(c->team, c->name, code);
  if (!code) code = agree_on_root(c);
  if (!code) code = copy_all(c, parts);
  free(c->dense);
  free(parts);
  strata_forget_call(c->team);
  return code;
}

int strata_scatter(strata_team* team, int root, struct halide_buffer_t* whole,
                   struct halide_buffer_t* part) {
  struct copying c = {team, "strata_scatter", root, 0, fields_of(whole), fields_of(part), NULL};
  return copy(&c);
}

int strata_gather(strata_team* team, int root, struct halide_buffer_t* part,
                  struct halide_buffer_t* whole) {
  struct copying c = {team, "strata_gather", root, 1, fields_of(whole), fields_of(part), NULL};
  return copy(&c);
}
