// blur_demo PHOTO FOLDER: blurs a photograph, checks the result, compares the speed with
// hand-written blurs, and writes FOLDER/input.png and FOLDER/output.png. It fails only if the
// result is wrong: the speed depends on the machine and its load.
#include <strata/buffer.h>
#include <strata/runtime.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "blur.h"
#include "examples/blur/blur_error.h"
#include "examples/blur/by_hand.h"
#include "examples/blur/photo.h"
#include "examples/common/demo.h"

namespace {

using strata::Array;
using namespace blur_example;

constexpr double least_megapixels = 6;
constexpr int rounds = 15;

Photo photo_of_size(const std::string& path) {
  Photo photo = read_photo(path);
  std::printf("photograph: %s, %ld x %ld\n", path.c_str(), long(photo.width), long(photo.height));
  if (photo.megapixels() >= least_megapixels) return photo;
  photo = enlarged(photo, least_megapixels);
  std::printf("enlarged to %ld x %ld\n", long(photo.width), long(photo.height));
  return photo;
}

void run_kernel(int threads, const Array<float>& in, Array<float>& by) {
  strata_set_number_of_threads(threads);
  if (blur(in.extent(0), in.extent(1), in, by) != 0) throw std::runtime_error(strata_last_error());
}

struct Seconds {
  double plain, openmp_1, openmp_2, ours_1, ours_2;
};

Seconds measured(const Array<float>& in, Array<float>& by) {
  const std::int64_t n = in.extent(0), w = in.extent(1);
  Array<float> between({n, w - 6}), by_hand({n - 2, w - 6});
  const std::vector<double> medians = examples::interleaved_medians(
      rounds,
      {[&] { plain_blur(n, w, in.data(), between.data(), by_hand.data()); },
       [&] { openmp_blur(1, n, w, in.data(), by_hand.data()); },
       [&] { openmp_blur(2, n, w, in.data(), by_hand.data()); }, [&] { run_kernel(1, in, by); },  //
       [&] { run_kernel(2, in, by); }});
  return {medians[0], medians[1], medians[2], medians[3], medians[4]};
}

void print(const Seconds& s) {
  std::printf("\nmedian of %d rounds, each version in turn in every one:\n", rounds);
  std::printf("%26s %12s\n", "1 thread", "2 threads");
  std::printf("plain C     %11.1f ms\n", s.plain * 1e3);
  std::printf("OpenMP      %11.1f ms %9.1f ms\n", s.openmp_1 * 1e3, s.openmp_2 * 1e3);
  std::printf("Strata      %11.1f ms %9.1f ms\n", s.ours_1 * 1e3, s.ours_2 * 1e3);
  std::printf("Strata is   %11.2f x  %9.2f x   as fast as plain C on 1 thread\n",
              s.plain / s.ours_1, s.plain / s.ours_2);
  std::printf("            %11.2f x  %9.2f x   as fast as OpenMP\n\n", s.openmp_1 / s.ours_1,
              s.openmp_2 / s.ours_2);
}

int demo(const std::string& path, const std::filesystem::path& folder) {
  const Photo photo = photo_of_size(path);
  const Array<float> in = to_floats(photo);
  if (in.extent(0) < 3 || in.extent(1) < 9) throw std::runtime_error("the photograph is too small");
  examples::print_commands(BLUR_SCHEDULE);

  Array<float> by({in.extent(0) - 2, in.extent(1) - 6});
  const Seconds seconds = measured(in, by);
  const double error = largest_error(in, by);
  std::filesystem::create_directories(folder);
  write_png(photo, folder / "input.png");
  write_png(to_photo(by), folder / "output.png");
  print(seconds);

  const double ratio_1 = seconds.plain / seconds.ours_1, ratio_2 = seconds.plain / seconds.ours_2;
  if (!(error <= error_bound)) std::printf("the error is above its bound, %.3g\n", error_bound);
  std::printf(
      "blur: speed-up over plain C (%s): %.2f x on 1 thread, %.2f x on 2 threads, "
      "max error %.2g\n",
      plain_blur_compiler, ratio_1, ratio_2, error);
  return error <= error_bound ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s PHOTO FOLDER\n", argv[0]);
    return 2;
  }
  return demo(argv[1], argv[2]);
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
