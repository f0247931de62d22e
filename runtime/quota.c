#include "runtime/quota.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { longest_path = 4096 };

/* The processor time in each period, and the period, in microseconds. No quota: 0. */
struct limit {
  long long quota, period;
};

/* Up to two numbers at the start of a file. They are 0 if the file is missing or has another text,
 * such as "max". */
static struct limit numbers_in(const char* folder, const char* file) {
  struct limit read = {0, 0};
  char path[longest_path];
  if (snprintf(path, sizeof path, "%s/%s", folder, file) >= (int)sizeof path) return read;
  FILE* const text = fopen(path, "re");
  if (!text) return read;
  if (fscanf(text, "%lld %lld", &read.quota, &read.period) < 1) read.quota = 0;
  fclose(text);
  return read;
}

static struct limit limit_of(const char* folder) {
  const struct limit v2 = numbers_in(folder, "cpu.max");
  if (v2.quota > 0) return v2;
  const long long quota = numbers_in(folder, "cpu.cfs_quota_us").quota;
  const long long period = numbers_in(folder, "cpu.cfs_period_us").quota;
  return (struct limit){quota, period};
}

static int lower(int a, int b) { return a == 0 || (b != 0 && b < a) ? b : a; }

static int cores_of(struct limit limit) {
  if (limit.quota <= 0 || limit.period <= 0) return 0;
  const long long cores = limit.quota / limit.period + (limit.quota % limit.period != 0);
  return cores < INT_MAX ? (int)cores : INT_MAX;
}

/* The lowest limit of the groups from "group" up to the root. Changes "group". */
static int least_upwards(const char* mount, char* group) {
  int least = 0;
  for (;;) {
    char folder[longest_path];
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) < (int)sizeof folder)
      least = lower(least, cores_of(limit_of(folder)));
    char* const slash = strrchr(group, '/');
    if (!slash) return least;
    *slash = '\0';
  }
}

/* True if "cpu" is one of the controllers, which are separated by commas. */
static int has_cpu(const char* controllers) {
  for (;; ++controllers) {
    const size_t length = strcspn(controllers, ",");
    if (length == 3 && strncmp(controllers, "cpu", length) == 0) return 1;
    controllers += length;
    if (!*controllers) return 0;
  }
}

/* The lowest limit for a line "ID:CONTROLLERS:GROUP". Version 2 has no controllers. GROUP may have
 * colons. */
static int least_of_line(char* line, const char* mounted) {
  char* const controllers = strchr(line, ':');
  char* const group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group) return 0;
  line[strcspn(line, "\n")] = '\0';
  *group = '\0';
  static const char* const mounts[] = {"", "/unified", "/cpu", "/cpu,cpuacct"};
  const int is_v2 = controllers[1] == '\0';
  if (!is_v2 && !has_cpu(controllers + 1)) return 0;
  int least = 0;
  for (int n = is_v2 ? 0 : 2; n < (is_v2 ? 2 : 4); ++n) {
    char mount[longest_path], names[longest_path];
    if (snprintf(mount, sizeof mount, "%s%s", mounted, mounts[n]) >= (int)sizeof mount) continue;
    if (snprintf(names, sizeof names, "%s", group + 1) >= (int)sizeof names) continue;
    least = lower(least, least_upwards(mount, names));
  }
  return least;
}

int strata_quota(const char* groups, const char* mounted) {
  FILE* const list = fopen(groups, "re");
  if (!list) return 0;
  char line[longest_path];
  int least = 0;
  while (fgets(line, sizeof line, list)) least = lower(least, least_of_line(line, mounted));
  fclose(list);
  return least;
}
