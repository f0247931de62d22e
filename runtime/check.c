/* The checks at the entry of every kernel.
 *
 * "facts" is a list of numbers; "names" has a line for each item that they describe:
 *   count of parameters,  then for each its value, the lowest and the highest allowed
 *   count of assumptions, then for each whether it holds
 *   count of loops,       then for each the maximum number of iterations, the most allowed, and the
 *                         axis of the grid that it runs over, counted from 1; 0: none
 *   count of buffers,     then for each: type code, bits, rank, access, place (buffer_checks.h),
 *                         and for each index of the program, lower and upper: lower <= i < upper
 *   count of pairs that may overlap, then for each the numbers of the two buffers
 * The first line of "names" is the kernel's. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "runtime/buffer_checks.h"
#include "runtime/error.h"

static int64_t next(struct strata_check* c) { return *c->facts++; }

/* The line for the next item. Names are not copied; messages print them by length. */
static struct strata_name next_name(struct strata_check* c) {
  const char* const end = strchr(c->names, '\n'); /* faster than strcspn */
  struct strata_name name = {c->names, (int)(end ? end - c->names : (ptrdiff_t)strlen(c->names))};
  c->names += name.length;
  if (*c->names) ++c->names;
  return name;
}

static int check_parameters(struct strata_check* c) {
  for (int64_t n = next(c); n > 0; --n) {
    const struct strata_name name = next_name(c);
    const int64_t value = next(c), lowest = next(c), highest = next(c);
    if (value < lowest || value > highest)
      return strata_fail(strata_error_parameter_range,
                         "%.*s: parameter %.*s is %" PRId64
                         ", but index arithmetic is free of "
                         "overflow only from %" PRId64 " to %" PRId64,
                         NAME(c->kernel), NAME(name), value, lowest, highest);
  }
  return 0;
}

static int check_assumptions(struct strata_check* c) {
  for (int64_t n = next(c); n > 0; --n) {
    const struct strata_name text = next_name(c);
    if (!next(c))
      return strata_fail(strata_error_assumption, "%.*s: the assumption %.*s does not hold",
                         NAME(c->kernel), NAME(text));
  }
  return 0;
}

static int check_loops(struct strata_check* c) {
  for (int64_t n = next(c); n > 0; --n) {
    const struct strata_name name = next_name(c);
    const int64_t steps = next(c), most = next(c), axis = next(c);
    if (steps > most && axis)
      return strata_fail(strata_error_grid_too_large,
                         "%.*s: a launch may have %" PRId64
                         " blocks on axis %c, loop %.*s, more "
                         "than %" PRId64,
                         NAME(c->kernel), steps, " xyz"[axis], NAME(name), most);
    if (steps > most)
      return strata_fail(strata_error_loop_too_long,
                         "%.*s: loop %.*s may run %" PRId64 " iterations, more than %" PRId64,
                         NAME(c->kernel), NAME(name), steps, most);
  }
  return 0;
}

static int check_buffers(struct strata_check* c, struct strata_argument* arguments, int count) {
  for (int i = 0; i < count; ++i) {
    struct strata_argument* a = &arguments[i];
    a->name = next_name(c);
    a->type.code = (uint8_t)next(c);
    a->type.bits = (uint8_t)next(c);
    a->type.lanes = 1;
    a->rank = (int)next(c);
    const int64_t access = next(c);
    a->written = access != 0;
    a->read = access != 1;
    a->place = (int)next(c);
    a->bounds = c->facts;
    c->facts += 2 * a->rank;
    const int code = strata_check_buffer(c->kernel, a, c->buffers[i]);
    if (code) return code;
  }
  return 0;
}

static int is_untouched(const struct strata_argument* a) { return a->first > a->last; }

static int check_handles(struct strata_check* c, const struct strata_argument* arguments,
                         int count) {
  int writes = 0, code = 0;
  for (int i = 0; i < count; ++i) writes |= arguments[i].written && !is_untouched(&arguments[i]);
  for (int i = 0; i < count && writes && !code; ++i)
    if (is_untouched(&arguments[i]))
      code = strata_check_handle(c->kernel, &arguments[i], c->buffers[i]);
  return code;
}

static int may_overlap(const struct strata_check* c, int i, int j) {
  const int64_t* pair = c->facts + 1;
  for (int64_t n = c->facts[0]; n > 0; --n, pair += 2)
    if ((pair[0] == i && pair[1] == j) || (pair[0] == j && pair[1] == i)) return 1;
  return 0;
}

static int check_overlaps(const struct strata_check* c, const struct strata_argument* arguments,
                          int count) {
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const struct strata_argument *a = &arguments[i], *b = &arguments[j];
      if (!a->written && !b->written) continue;
      if (a->last < b->first || b->last < a->first || may_overlap(c, i, j)) continue;
      return strata_fail(strata_error_overlap,
                         "%.*s: the memory of %.*s, %" PRIuPTR " to %" PRIuPTR
                         ", overlaps that of "
                         "%.*s, %" PRIuPTR " to %" PRIuPTR,
                         NAME(c->kernel), NAME(a->name), a->first, a->last, NAME(b->name), b->first,
                         b->last);
    }
  }
  return 0;
}

int strata_check_arguments(const char* names, const int64_t* facts,
                           struct halide_buffer_t* const* buffers) {
  struct strata_check c = {{0, 0}, names, facts, buffers};
  c.kernel = next_name(&c);
  int code = check_parameters(&c);
  if (!code) code = check_assumptions(&c);
  if (!code) code = check_loops(&c);
  if (code) return code;
  const int count = (int)next(&c);
  struct strata_argument arguments[count + 1];
  code = check_buffers(&c, arguments, count);
  if (!code) code = check_handles(&c, arguments, count);
  return code ? code : check_overlaps(&c, arguments, count);
}
