/* What the C of a model calls (docs/models.md): programs include the model's own header instead.
 *
 * This header is C99 and C++. Functions that return int return 0, or a negative code with a message
 * in strata_last_error().
 */
#ifndef STRATA_MODEL_H
#define STRATA_MODEL_H

#include <strata/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors of models, besides those of strata/runtime.h. After these, nothing was written. */
enum strata_model_code {
  /* An extent, or a symbol that gives extents, differs from what the model takes. */
  strata_error_wrong_extent = -201,
  /* An array's elements do not lie one after the other, the last dimension innermost. */
  strata_error_not_dense = -202,
  /* The file of weights cannot be read, is truncated or damaged, or is that of another model. */
  strata_error_weights = -203
};

/* ---- weights ---- */

/* A file of weights in memory: a head of strata_weights_head bytes, then the arrays. */
enum { strata_weights_head = 64 };
typedef struct strata_weights {
  const unsigned char* begin;
  int64_t bytes;
} strata_weights;

/* Maps the file of the model. strata_error_weights if it cannot be read, does not have this number
 * of bytes, or is damaged, and if its key is another one. */
int strata_open_weights(strata_weights* weights, const char* model, const char* path, uint64_t key,
                        int64_t bytes);
void strata_close_weights(strata_weights* weights);
/* The key of a file's bytes, after those that hold the key itself. */
uint64_t strata_weights_key(const unsigned char* file, int64_t bytes);
/* Writes the head of a file whose other bytes are there. */
void strata_write_weights_head(unsigned char* file, int64_t bytes);

/* ---- the arena: one memory for the arrays of a call ---- */

typedef struct strata_arena {
  void* memory;
  unsigned char* begin; /* aligned to 64 bytes */
  int64_t bytes;
} strata_arena;

/* Makes it at least that large. What it held is lost. strata_error_out_of_memory. */
int strata_reserve_arena(strata_arena* arena, const char* model, int64_t bytes);
void strata_free_arena(strata_arena* arena);
/* Offsets of blocks, so that blocks that live at once do not overlap: the largest block first, each
 * into the smallest gap that holds it. Block k lives from lives[2 k] to lives[2 k + 1]. "scratch"
 * has 2 count numbers. Returns the size of all; -1 if a size is negative, or the sum is beyond 63
 * bits. */
int64_t strata_plan_blocks(int count, const int64_t* bytes, const int64_t* lives, int64_t* offsets,
                           int32_t* scratch);

/* ---- extents ---- */

/* Results beyond 64 bits are 0 and set *beyond. "/" and "%" round towards minus infinity, and by 0
 * give 0. */
int64_t strata_dim_add(int64_t a, int64_t b, int* beyond);
int64_t strata_dim_sub(int64_t a, int64_t b, int* beyond);
int64_t strata_dim_mul(int64_t a, int64_t b, int* beyond);
int64_t strata_dim_div(int64_t a, int64_t b, int* beyond);
int64_t strata_dim_mod(int64_t a, int64_t b, int* beyond);
static inline int64_t strata_dim_min(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t strata_dim_max(int64_t a, int64_t b) { return a > b ? a : b; }

/* ---- checks: "what" begins the message, as "ocr_main: x, Tensor[(n, 4), float32]" ---- */

/* Is the argument an array of this type and rank, with these extents, dense and in host memory? */
int strata_check_array(const struct halide_buffer_t* argument, strata_type type, int rank,
                       const int64_t* extents, const char* what);
/* Do two arrays, the second of which is written, share no byte? */
int strata_check_apart(const struct halide_buffer_t* one, const struct halide_buffer_t* written,
                       const char* what, const char* other);
int strata_check_extent(int64_t found, int64_t expected, int dimension, const char* what);
/* Are two extents of operands equal? */
int strata_check_equal(int64_t one, int64_t other, const char* what);
/* 0 <= symbol <= greatest */
int strata_check_symbol(int64_t symbol, int64_t greatest, const char* what);
/* Reports that an extent is beyond 64 bits, or negative. */
int strata_bad_extents(const char* what);
/* Reports that a model is a null pointer. */
int strata_no_model(const char* what);
/* Is the one element of an array other than 0? */
int strata_is_true(const strata_buffer* array);

#ifdef __cplusplus
}
#endif

#endif
