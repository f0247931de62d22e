#include <string.h>

#include <strata/runtime.h>

static int32_t narrowed(int64_t value) {
  return value < 0 || value > INT32_MAX ? -1 : (int32_t)value;
}

void strata_buffer_init(strata_buffer* buffer, strata_type type, void* host, int rank,
                        strata_dimension* dimensions, const int64_t* extents) {
  int64_t stride = 1;
  memset(buffer, 0, sizeof *buffer);
  buffer->type = type;
  buffer->host = (uint8_t*)host;
  buffer->dimensions = rank;
  buffer->dim = dimensions;
  for (int d = 0; d < rank; ++d) {
    strata_dimension* dimension = &dimensions[d];
    const int64_t extent = extents[rank - 1 - d];
    dimension->min = 0;
    dimension->extent = narrowed(extent);
    dimension->stride = narrowed(stride);
    dimension->flags = 0;
    if (dimension->stride < 0) dimension->extent = -1;
    if (__builtin_mul_overflow(stride, extent, &stride)) stride = -1;
  }
}
