/* Emitted kernels with versions for several CPUs call these. */
#ifndef STRATA_RUNTIME_CPU_H
#define STRATA_RUNTIME_CPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets of features are the bits 1 << strata_cpu_NAME of an int64_t. */
enum strata_cpu_feature {
#define STRATA_CPUID(name, leaf, subleaf, where, bit, state) strata_cpu_##name,
#define STRATA_HWCAP(name, bit) strata_cpu_##name,
#include "runtime/cpu_features.inc"
#undef STRATA_CPUID
#undef STRATA_HWCAP
  strata_cpu_feature_count
};

/* The features of this CPU that programs can use: the operating system saves their registers. Asks
 * the CPU once. Thread-safe. */
int64_t strata_cpu_features(void);

/* The number of the first version that this CPU can execute, or strata_error_wrong_cpu. "names" has
 * a line for the kernel and one for the target of each version; needs[v] are the features that
 * version v uses. */
int strata_choose_version(const char* names, const int64_t* needs, int count);

/* The same for a CPU with these features. */
int strata_choose_version_for(int64_t features, const char* names, const int64_t* needs, int count);

#ifdef __cplusplus
}
#endif

#endif
