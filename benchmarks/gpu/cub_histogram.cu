// libstrata_cub.so: CUB's histogram of bytes.
#include <cub/cub.cuh>

// Counts "size" bytes into 256 counts.  The first call, with temporary == null, sets "bytes" to the
// temporary memory that is needed.  Returns CUDA's code.
extern "C" int strata_cub_histogram(void *temporary, size_t *bytes, const unsigned char *image,
                                    long long size, int *counts) {
  return cub::DeviceHistogram::HistogramEven(temporary, *bytes, image, counts, 257, 0, 256, size);
}
