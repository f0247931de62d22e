/* From red, green and blue to grey: in[n][3 m], grey[n][m]. */
#include <stdint.h>

void plain_cvtcolor(int64_t n, int64_t m, const uint8_t* restrict in, uint8_t* restrict grey) {
#pragma omp parallel for
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      grey[i * m + j] = (uint8_t)((in[(i * m + j) * 3] * 4899 + in[(i * m + j) * 3 + 1] * 9617 +
                                   in[(i * m + j) * 3 + 2] * 1868 + 8192) >>
                                  14);
}
