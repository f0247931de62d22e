#include <strata/runtime.h>

#define STRATA_TEXT(x) #x
#define STRATA_NUMBER(x) STRATA_TEXT(x)

const char* strata_version(void) {
  return STRATA_NUMBER(STRATA_VERSION_MAJOR) "." STRATA_NUMBER(
      STRATA_VERSION_MINOR) "." STRATA_NUMBER(STRATA_VERSION_PATCH);
}
