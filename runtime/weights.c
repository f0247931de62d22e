/* The weights of a model, from a file. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <strata/model.h>

#include "runtime/error.h"

/* The head: magic, key, number of bytes, zeros. */
static const char magic[8] = {'S', 'T', 'R', 'A', 'T', 'A', 'W', '1'};
enum { key_at = 8, bytes_at = 16 };

static uint64_t word_at(const unsigned char* bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/* A bijection in each of its operands, so that a change of one word changes the key. */
static uint64_t mixed(uint64_t state, uint64_t word) {
  state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return state ^ state >> 32;
}

/* Four chains, which the CPU follows at once. */
uint64_t strata_weights_key(const unsigned char* file, int64_t bytes) {
  enum { lanes = 4, step = 8 * lanes };
  uint64_t state[lanes] = {1, 2, 3, 4};
  int64_t at = bytes_at;
  for (; at + step <= bytes; at += step)
    for (int lane = 0; lane < lanes; ++lane)
      state[lane] = mixed(state[lane], word_at(file + at + 8 * lane));
  uint64_t key = (uint64_t)bytes;
  for (; at < bytes; ++at) key = mixed(key, file[at]);
  for (int lane = 0; lane < lanes; ++lane) key = mixed(key, state[lane]);
  return key;
}

void strata_write_weights_head(unsigned char* file, int64_t bytes) {
  memset(file, 0, strata_weights_head);
  memcpy(file, magic, sizeof magic);
  memcpy(file + bytes_at, &bytes, sizeof bytes);
  const uint64_t key = strata_weights_key(file, bytes);
  memcpy(file + key_at, &key, sizeof key);
}

static int fail(const char* model, const char* path, const char* why) {
  return strata_fail(strata_error_weights, "%s_open: %s: %s", model, path, why);
}

static int wrong_size(const char* model, const char* path, int64_t found, int64_t expected) {
  return strata_fail(strata_error_weights,
                     "%s_open: %s: it has %" PRId64 " bytes, and %" PRId64 " are expected", model,
                     path, found, expected);
}

static int64_t size_of(int file) {
  struct stat status;
  if (fstat(file, &status) != 0) return -1;
  if (S_ISREG(status.st_mode)) return status.st_size;
  errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  return -1;
}

static int map_file(strata_weights* weights, int file, const char* model, const char* path) {
  const int64_t found = size_of(file);
  if (found < 0) return fail(model, path, strerror(errno));
  if (found < strata_weights_head) return wrong_size(model, path, found, strata_weights_head);
  void* const begin = mmap(NULL, (size_t)found, PROT_READ, MAP_PRIVATE, file, 0);
  if (begin == MAP_FAILED) return fail(model, path, strerror(errno));
  weights->begin = (const unsigned char*)begin;
  weights->bytes = found;
  return 0;
}

static int check(const strata_weights* weights, const char* model, const char* path, uint64_t key,
                 int64_t bytes) {
  const unsigned char* const file = weights->begin;
  if (memcmp(file, magic, sizeof magic) != 0)
    return fail(model, path, "it is not a file of weights");
  if (word_at(file + key_at) != key)
    return fail(model, path, "it has the weights of another model");
  if (weights->bytes != bytes) return wrong_size(model, path, weights->bytes, bytes);
  return strata_weights_key(file, bytes) == key ? 0 : fail(model, path, "it is damaged");
}

int strata_open_weights(strata_weights* weights, const char* model, const char* path, uint64_t key,
                        int64_t bytes) {
  weights->begin = NULL;
  weights->bytes = 0;
  if (!path) return fail(model, "the path", "it is a null pointer");
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(model, path, strerror(errno));
  int code = map_file(weights, file, model, path);
  close(file);
  if (code == 0) code = check(weights, model, path, key, bytes);
  if (code != 0) strata_close_weights(weights);
  return code;
}

void strata_close_weights(strata_weights* weights) {
  if (weights->begin) munmap((void*)weights->begin, (size_t)weights->bytes);
  weights->begin = NULL;
  weights->bytes = 0;
}
