/* The cores that threads may run on. Define _GNU_SOURCE before the first header. */
#ifndef STRATA_RUNTIME_CORES_H
#define STRATA_RUNTIME_CORES_H

#include <sched.h>

/* The number of cores that this process may use, at least 1. These are the cores that its threads
 * may run on, or fewer if a control group limits its time (quota.h). Asks the system once. */
int strata_cores(void);

/* Moves this thread off the core, if it is there and may use another. It may return later. */
void strata_leave_core(int core);

/* The cores that a thread may use again after it has avoided one. */
struct strata_avoided {
  int known; /* 0: nothing has changed, for example because the thread may use no other core */
  cpu_set_t all;
};

/* Keeps this thread off the core until strata_allow. With a negative core nothing changes. */
struct strata_avoided strata_avoid(int core);
void strata_allow(const struct strata_avoided* avoided);

#endif
