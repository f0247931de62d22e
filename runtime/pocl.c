/* PoCL is OpenCL on the CPU. With their default method, loopvec, its releases up to 3.1 compute
 * some sequential loops of a thread wrongly. */
#include "runtime/pocl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is used of CL/cl.h. */
typedef int32_t get_info(void* object, uint32_t name, size_t bytes, void* value, size_t* needed);
enum {
  platform_version = 0x0901,
  device_platform = 0x1031,
  context_devices = 0x1081,
  memory_context = 0x1106
};

/* Replaces "object" by what it has under the name. Returns 0 if that is not known. */
static int follow(void* library, const char* function, uint32_t name, void** object) {
  get_info* const get = (get_info*)(uintptr_t)dlsym(library, function);
  void* found[64] = {0};
  if (!get || get(*object, name, sizeof found, found, NULL)) return 0;
  *object = found[0];
  return *object != NULL;
}

/* The text of the platform that has the memory, such as "OpenCL 3.0 PoCL 3.1+debian ..". */
static int version_of(void* library, void* memory, char* text, size_t bytes) {
  void* object = memory;
  if (!follow(library, "clGetMemObjectInfo", memory_context, &object) ||
      !follow(library, "clGetContextInfo", context_devices, &object) ||
      !follow(library, "clGetDeviceInfo", device_platform, &object))
    return 0;
  get_info* const get = (get_info*)(uintptr_t)dlsym(library, "clGetPlatformInfo");
  return get && !get(object, platform_version, bytes, text, NULL);
}

static int has_safe_method(void) {
  const char* const method = getenv("POCL_WORK_GROUP_METHOD");
  return method && *method && strcmp(method, "loopvec") && strcmp(method, "auto");
}

void strata_tell_of_pocl(uintptr_t memory) {
  void* const library =
      has_safe_method() ? NULL : dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return;
  char text[512] = "";
  const int known = version_of(library, (void*)memory, text, sizeof text - 1);
  const char* const name = known ? strstr(text, "PoCL ") : NULL;
  if (name && strtol(name + strlen("PoCL "), NULL, 10) <= 3)
    fprintf(stderr,
            "PoCL computes some loops wrongly by its default method: set "
            "POCL_WORK_GROUP_METHOD=loops before the program starts\n");
  dlclose(library);
}
