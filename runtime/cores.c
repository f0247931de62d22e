#define _GNU_SOURCE /* for sched_getaffinity */
#include "runtime/cores.h"

#include <limits.h>
#include <stdatomic.h>
#include <unistd.h>

#include "runtime/quota.h"

static int affinity(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online < INT_MAX ? (int)online : INT_MAX;
}

static int count_cores(void) {
  const int cores = affinity(), quota = strata_quota("/proc/self/cgroup", "/sys/fs/cgroup");
  return quota && quota < cores ? quota : cores;
}

int strata_cores(void) {
  static atomic_int known;
  if (atomic_load(&known) == 0) atomic_store(&known, count_cores());
  return atomic_load(&known);
}

struct strata_avoided strata_avoid(int core) {
  struct strata_avoided avoided = {.known = 0};
  if (core < 0 || sched_getaffinity(0, sizeof avoided.all, &avoided.all) != 0) return avoided;
  cpu_set_t others = avoided.all;
  CPU_CLR((size_t)core, &others);
  if (CPU_COUNT(&others) == 0) return avoided;
  avoided.known = sched_setaffinity(0, sizeof others, &others) == 0;
  return avoided;
}

void strata_allow(const struct strata_avoided* avoided) {
  if (avoided->known) sched_setaffinity(0, sizeof avoided->all, &avoided->all);
}

void strata_leave_core(int core) {
  if (sched_getcpu() != core) return;
  const struct strata_avoided avoided = strata_avoid(core);
  strata_allow(&avoided);
}
