/* Where the blocks of an arena lie. */
#include <strata/model.h>

enum { alignment = 64 };

/* What a block takes; -1 for a size that no block has. */
static int64_t aligned(int64_t bytes) {
  if (bytes < 0 || bytes > INT64_MAX - alignment) return -1;
  return (bytes + alignment - 1) / alignment * alignment;
}

/* Numbers of blocks by size, the largest first, equal ones as they come: Shell's sort, with the
 * number as the second key. */
static void sort_by_size(int count, const int64_t* bytes, int32_t* order) {
  for (int k = 0; k < count; ++k) order[k] = k;
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int k = gap; k < count; ++k) {
      const int32_t moved = order[k];
      int at = k;
      for (; at >= gap; at -= gap) {
        const int32_t other = order[at - gap];
        if (bytes[other] > bytes[moved] || (bytes[other] == bytes[moved] && other < moved)) break;
        order[at] = other;
      }
      order[at] = moved;
    }
}

static int live_at_once(const int64_t* lives, int a, int b) {
  return lives[2 * a] <= lives[2 * b + 1] && lives[2 * b] <= lives[2 * a + 1];
}

/* The beginning of the smallest gap for block k between the placed blocks that live with it, which
 * are in the order of their offsets; else their end. */
static int64_t best_gap(int k, int count, const int32_t* placed, const int64_t* bytes,
                        const int64_t* lives, const int64_t* offsets) {
  const int64_t wanted = aligned(bytes[k]);
  int64_t end = 0, best = -1, best_length = 0;
  for (int p = 0; p < count; ++p) {
    const int other = placed[p];
    if (!live_at_once(lives, k, other)) continue;
    const int64_t length = offsets[other] - end;
    if (length >= wanted && (best < 0 || length < best_length)) {
      best = end;
      best_length = length;
    }
    const int64_t other_end = offsets[other] + aligned(bytes[other]);
    if (other_end > end) end = other_end;
  }
  return best < 0 ? end : best;
}

int64_t strata_plan_blocks(int count, const int64_t* bytes, const int64_t* lives, int64_t* offsets,
                           int32_t* scratch) {
  int32_t *const order = scratch, *const placed = scratch + count;
  int64_t all = 0;
  for (int k = 0; k < count; ++k)
    if (aligned(bytes[k]) < 0) return -1;
  sort_by_size(count, bytes, order);
  for (int n = 0; n < count; ++n) {
    const int k = order[n];
    const int64_t offset = offsets[k] = best_gap(k, n, placed, bytes, lives, offsets);
    if (offset > INT64_MAX - aligned(bytes[k])) return -1;
    if (offset + aligned(bytes[k]) > all) all = offset + aligned(bytes[k]);
    int at = n;
    for (; at > 0 && offsets[placed[at - 1]] > offset; --at) placed[at] = placed[at - 1];
    placed[at] = k;
  }
  return all;
}
