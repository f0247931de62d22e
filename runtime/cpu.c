/* What this CPU can execute, and the choice of a kernel's version. */
#include "runtime/cpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/error.h"

#define BIT(name) ((int64_t)1 << strata_cpu_##name)

static const char* const feature_names[] = {
#define STRATA_CPUID(name, leaf, subleaf, where, bit, state) #name,
#define STRATA_HWCAP(name, bit) #name,
#include "runtime/cpu_features.inc"
#undef STRATA_CPUID
#undef STRATA_HWCAP
};

#if defined __x86_64__
#include <cpuid.h>

enum { eax, ebx, ecx, edx };                 /* registers */
enum { general = 0, ymm = 0x6, zmm = 0xe6 }; /* bits of XCR0, the states that are saved */

static uint32_t cpuid(uint32_t leaf, uint32_t subleaf, int which) {
  uint32_t found[4] = {0, 0, 0, 0};
  __get_cpuid_count(leaf, subleaf, &found[eax], &found[ebx], &found[ecx], &found[edx]);
  return found[which];
}

static uint32_t saved_states(void) {
  const uint32_t osxsave = 1u << 27;
  if (!(cpuid(1, 0, ecx) & osxsave)) return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int64_t ask_cpu(void) {
  const uint32_t saved = saved_states();
  int64_t features = 0;
#define STRATA_CPUID(name, leaf, subleaf, where, bit, state)                      \
  if ((cpuid(leaf, subleaf, where) >> (bit) & 1) && (saved & (state)) == (state)) \
    features |= BIT(name);
#define STRATA_HWCAP(name, bit)
#include "runtime/cpu_features.inc"
#undef STRATA_CPUID
#undef STRATA_HWCAP
  return features;
}

#elif defined __aarch64__ && defined __linux__
#include <sys/auxv.h>

static int64_t ask_cpu(void) {
  const unsigned long found = getauxval(AT_HWCAP);
  int64_t features = 0;
#define STRATA_CPUID(name, leaf, subleaf, where, bit, state)
#define STRATA_HWCAP(name, bit) \
  if (found >> (bit) & 1) features |= BIT(name);
#include "runtime/cpu_features.inc"
#undef STRATA_CPUID
#undef STRATA_HWCAP
  return features;
}

#else
static int64_t ask_cpu(void) { return 0; }
#endif

int64_t strata_cpu_features(void) {
  static _Atomic int64_t known;
  const int64_t asked = (int64_t)1 << strata_cpu_feature_count;
  int64_t features = atomic_load_explicit(&known, memory_order_relaxed);
  if (!features) {
    features = asked | ask_cpu();
    atomic_store_explicit(&known, features, memory_order_relaxed);
  }
  return features & ~asked;
}

/* The message under construction. What does not fit is cut off. */
struct text {
  char chars[strata_message_size];
  size_t length;
};

static void add(struct text* text, const char* from, size_t length) {
  const size_t room = sizeof text->chars - 1 - text->length;
  if (length > room) length = room;
  memcpy(text->chars + text->length, from, length);
  text->length += length;
  text->chars[text->length] = 0;
}

/* "x86-64-v4 (it lacks avx512f, avx512cd)" */
static void add_version(struct text* text, const char* target, size_t length, int64_t missing) {
  const char* before = " (it lacks ";
  add(text, target, length);
  for (int n = 0; n < strata_cpu_feature_count; ++n) {
    if (!(missing >> n & 1)) continue;
    add(text, before, strlen(before));
    add(text, feature_names[n], strlen(feature_names[n]));
    before = ", ";
  }
  add(text, ")", 1);
}

/* A target that a CPU with these features can execute. */
static const char* target_for(int64_t features) {
#ifdef __aarch64__
  (void)features;
  return "arm-64";
#else
  const int64_t v2 = BIT(sse3) | BIT(ssse3) | BIT(cx16) | BIT(sse4_1);
  const int64_t v3 = v2 | BIT(sse4_2) | BIT(popcnt) | BIT(avx) | BIT(f16c) | BIT(fma) | BIT(movbe) |
                     BIT(abm) | BIT(bmi1) | BIT(bmi2) | BIT(avx2);
  if ((features & v3) == v3) return "x86-64-v3";
  return (features & v2) == v2 ? "x86-64-v2" : "x86-64";
#endif
}

static int no_version(int64_t features, const char* names, const int64_t* needs, int count) {
  const size_t kernel = strcspn(names, "\n");
  struct text versions = {{0}, 0};
  const char* target = names + kernel;
  for (int v = 0; v < count; ++v) {
    if (*target) ++target;
    const size_t length = strcspn(target, "\n");
    if (v) add(&versions, ", ", 2);
    add_version(&versions, target, length, needs[v] & ~features);
    target += length;
  }
  return strata_fail(strata_error_wrong_cpu,
                     "%.*s: compiled for other CPUs than this one; add %s to its targets, which "
                     "are %s",
                     (int)kernel, names, target_for(features), versions.chars);
}

int strata_choose_version_for(int64_t features, const char* names, const int64_t* needs,
                              int count) {
  for (int v = 0; v < count; ++v)
    if (!(needs[v] & ~features)) return v;
  return no_version(features, names, needs, count);
}

int strata_choose_version(const char* names, const int64_t* needs, int count) {
  return strata_choose_version_for(strata_cpu_features(), names, needs, count);
}
