// photo_host PHOTO: the blur of the Tiramisu paper (blur of memory_generator.cpp) of a photograph
// on the GPU at hand, all pixels compared with a plain loop. Exit status 1 if anything is wrong.
#include <strata/buffer.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "blur.h"
#include "examples/blur/photo.h"
#include "tests/gpu/wrong.h"

namespace {

using strata::Array;
using Size = std::int64_t;

// The planes red, green, blue, as numbers 0 to 255.
Array<float> planes_of(const blur_example::Photo& photo) {
  Array<float> planes({3, photo.height, photo.width});
  for (Size c = 0; c < 3; ++c)
    for (Size i = 0; i < photo.height; ++i)
      for (Size j = 0; j < photo.width; ++j)
        planes(c, i, j) = photo.bytes[std::size_t((i * photo.width + j) * 3 + c)];
  return planes;
}

void test(const blur_example::Photo& photo) {
  const Array<float> in = planes_of(photo);
  Array<float> out({3, photo.height - 2, photo.width - 2}, -1.0f);
  require(blur(photo.height, photo.width, in, out) == 0, "blur");
  // Of values up to 255 the rounding of float32 is 1e-5, six times.
  constexpr double bound = 1e-4;
  double most = 0;
  std::int64_t apart = 0;
  for (Size c = 0; c < 3; ++c)
    for (Size i = 0; i < out.extent(1); ++i)
      for (Size j = 0; j < out.extent(2); ++j) {
        double sum = 0;
        for (Size y = 0; y < 3; ++y)
          for (Size x = 0; x < 3; ++x) sum += in(c, i + y, j + x);
        const double error = std::abs(out(c, i, j) - sum / 9);
        most = std::fmax(most, error);
        if (!(error <= bound)) ++apart;
      }
  std::printf("%ld x %ld pixels, largest error %g\n", long(photo.width), long(photo.height), most);
  require(apart == 0, "blur: " + std::to_string(apart) + " values");
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2 || !std::filesystem::exists(argv[1])) {
    std::printf("SKIPPED: no photograph (%s); configure with -DSTRATA_PHOTO=FILE\n",
                argc == 2 ? argv[1] : "none is given");
    return 0;
  }
  test(blur_example::read_photo(argv[1]));
  std::printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
} catch (const std::runtime_error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
