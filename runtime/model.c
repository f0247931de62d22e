/* Extents, arguments and memory of models. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strata/model.h>

#include "runtime/error.h"

/* ---- extents ---- */

int64_t strata_dim_add(int64_t a, int64_t b, int* beyond) {
  int64_t made = 0;
  if (!__builtin_add_overflow(a, b, &made)) return made;
  *beyond = 1;
  return 0;
}

int64_t strata_dim_sub(int64_t a, int64_t b, int* beyond) {
  int64_t made = 0;
  if (!__builtin_sub_overflow(a, b, &made)) return made;
  *beyond = 1;
  return 0;
}

int64_t strata_dim_mul(int64_t a, int64_t b, int* beyond) {
  int64_t made = 0;
  if (!__builtin_mul_overflow(a, b, &made)) return made;
  *beyond = 1;
  return 0;
}

int64_t strata_dim_div(int64_t a, int64_t b, int* beyond) {
  if (b == 0) return 0;
  if (b == -1) return strata_dim_sub(0, a, beyond);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t strata_dim_mod(int64_t a, int64_t b, int* beyond) {
  if (b == 0 || b == -1) return 0;
  return a - strata_dim_div(a, b, beyond) * b;
}

/* ---- checks ---- */

static const char* kind_of(strata_type type) {
  if (type.code == 1 && type.bits == 1) return "bool";
  static const char* const kinds[] = {"int", "uint", "float", "handle", "bfloat"};
  return type.code < 5 ? kinds[type.code] : "unknown";
}

static int wrong_type(strata_type found, strata_type expected, const char* what) {
  char names[2][32];
  const strata_type types[2] = {found, expected};
  for (int k = 0; k < 2; ++k)
    snprintf(names[k], sizeof names[k], types[k].bits == 1 ? "%s" : "%s%d", kind_of(types[k]),
             types[k].bits);
  return strata_fail(strata_error_wrong_type, "%s: its elements are %s, and %s is expected", what,
                     names[0], names[1]);
}

int strata_check_extent(int64_t found, int64_t expected, int dimension, const char* what) {
  if (found == expected) return 0;
  return strata_fail(strata_error_wrong_extent,
                     "%s: dimension %d is %" PRId64 ", and %" PRId64 " is expected", what,
                     dimension, found, expected);
}

int strata_check_equal(int64_t one, int64_t other, const char* what) {
  if (one == other) return 0;
  return strata_fail(strata_error_wrong_extent,
                     "%s: extents %" PRId64 " and %" PRId64 " of operands differ", what, other,
                     one);
}

int strata_check_symbol(int64_t symbol, int64_t greatest, const char* what) {
  if (symbol < 0)
    return strata_fail(strata_error_wrong_extent, "%s is %" PRId64 ", and 0 or more is expected",
                       what, symbol);
  if (symbol > greatest)
    return strata_fail(strata_error_wrong_extent,
                       "%s: it is %" PRId64 ", and its bound is %" PRId64, what, symbol, greatest);
  return 0;
}

int strata_bad_extents(const char* what) {
  return strata_fail(strata_error_wrong_extent, "%s: an extent is negative, or beyond 64 bits",
                     what);
}

int strata_no_model(const char* what) {
  return strata_fail(strata_error_null_buffer, "%s: the model is a null pointer", what);
}

static int is_dense(const strata_buffer* array) {
  int64_t stride = 1;
  for (int d = 0; d < array->dimensions; ++d) {
    if (array->dim[d].extent == 0) return 1;
    if (array->dim[d].extent > 1 && array->dim[d].stride != stride) return 0;
    stride *= array->dim[d].extent;
  }
  return 1;
}

static int64_t elements_of(const strata_buffer* array) {
  int64_t count = 1;
  for (int d = 0; d < array->dimensions; ++d) count *= array->dim[d].extent;
  return count;
}

int strata_check_array(const struct halide_buffer_t* argument, strata_type type, int rank,
                       const int64_t* extents, const char* what) {
  const strata_buffer* const array = (const strata_buffer*)(const void*)argument;
  if (!array) return strata_fail(strata_error_null_buffer, "%s: it is a null pointer", what);
  if (array->type.code != type.code || array->type.bits != type.bits)
    return wrong_type(array->type, type, what);
  if (array->dimensions != rank)
    return strata_fail(strata_error_wrong_rank, "%s: %d dimensions are given, and %d are expected",
                       what, (int)array->dimensions, rank);
  if (rank > 0 && !array->dim)
    return strata_fail(strata_error_bad_shape, "%s: its list of dimensions is a null pointer",
                       what);
  for (int d = 0; d < rank; ++d) {
    const int code = strata_check_extent(array->dim[rank - 1 - d].extent, extents[d], d, what);
    if (code != 0) return code;
  }
  if (!is_dense(array))
    return strata_fail(strata_error_not_dense, "%s: its elements are not dense", what);
  if (!array->host && elements_of(array) > 0)
    return strata_fail(strata_error_null_host, "%s: it has no host memory", what);
  return 0;
}

static int64_t bytes_of(const strata_buffer* array) {
  return elements_of(array) * ((array->type.bits + 7) / 8);
}

int strata_check_apart(const struct halide_buffer_t* one, const struct halide_buffer_t* written,
                       const char* what, const char* other) {
  const strata_buffer* const a = (const strata_buffer*)(const void*)one;
  const strata_buffer* const b = (const strata_buffer*)(const void*)written;
  const int64_t of_a = bytes_of(a), of_b = bytes_of(b);
  if (of_a == 0 || of_b == 0 || a->host + of_a <= b->host || b->host + of_b <= a->host) return 0;
  return strata_fail(strata_error_overlap, "%s: its memory overlaps that of %s", what, other);
}

int strata_is_true(const strata_buffer* array) {
  for (int k = 0; k < (array->type.bits + 7) / 8; ++k)
    if (array->host[k] != 0) return 1;
  return 0;
}

/* ---- memory ---- */

enum { alignment = 64 };

int strata_reserve_arena(strata_arena* arena, const char* model, int64_t bytes) {
  if (arena->memory && bytes <= arena->bytes) return 0;
  strata_free_arena(arena);
  void* const memory = bytes < INT64_MAX - alignment ? malloc((size_t)bytes + alignment) : NULL;
  if (!memory)
    return strata_fail(strata_error_out_of_memory,
                       "%s: out of memory for the arena of %" PRId64 " bytes", model, bytes);
  arena->memory = memory;
  arena->begin = (unsigned char*)(((uintptr_t)memory + alignment - 1) / alignment * alignment);
  arena->bytes = bytes;
  return 0;
}

void strata_free_arena(strata_arena* arena) {
  free(arena->memory);
  arena->memory = NULL;
  arena->begin = NULL;
  arena->bytes = 0;
}
