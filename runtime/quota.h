/* How much time on the cores the system's control groups leave to this process. */
#ifndef STRATA_RUNTIME_QUOTA_H
#define STRATA_RUNTIME_QUOTA_H

/* The cores that a process in these groups may keep busy, rounded up, at least 1; 0 if no group
 * sets a limit. "groups" is the path of the process's list of groups (/proc/self/cgroup), "mounted"
 * the folder of the group file systems (/sys/fs/cgroup). Reads cpu.max (version 2), or
 * cpu.cfs_quota_us and cpu.cfs_period_us (version 1), of the process's group and all groups around
 * it. */
int strata_quota(const char* groups, const char* mounted);

#endif
