/* generator FOLDER FILE KERNEL: writes FOLDER/FILE.o and FOLDER/FILE.h for the kernel KERNEL. */
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  for (const char* end = "oh"; *end; ++end) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%c", argv[1], argv[2], *end);
    FILE* out = fopen(path, "w");
    if (!out) return 1;
    fprintf(out, "int %s(void);\n", argv[3]);
    fclose(out);
  }
  return 0;
}
