// strata_pictures FOLDER: draws README's pictures: blur.svg, seidel.svg and refusal.svg.
#include <cstdio>
#include <fstream>
#include <string>

#include "examples/blur/blur_algorithm.h"
#include "examples/seidel/seidel_algorithm.h"
#include "schedule/finish.h"
#include "viewer/drawing/refusal.h"
#include "viewer/drawing/schedule.h"

namespace {

// Each value needs the one above to the right, so columns cannot run one after the other.
std::string refused_interchange() {
  using namespace strata;
  Function f("antidiagonal");
  Param N = f.param("N");
  f.assume(N >= 5);
  Var i("i", 0, N), j("j", 0, N);
  Computation s = f.declare("s", {i, j}, f32);
  s.define(select(i > 0 && j < N - 1, s(i - 1, j + 1), 0.0f) + 1.0f);
  try {
    s.interchange(i, j);
  } catch (const Error& error) {
    return draw_refusal(f.program(), error.refusal());
  }
  return "";
}

// Of the kernel with these arguments.
std::string schedule(const strata::Function& function, const std::vector<std::string>& arguments) {
  return strata::draw_schedule(strata::finished(function.program(), arguments, {}));
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (file.flush()) return true;
  std::fprintf(stderr, "%s cannot be written\n", path.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: strata_pictures FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  // The sizes of tiles do not depend on the CPU at hand.
  const auto blur = blur_example::scheduled(7, 16);
  const auto seidel = seidel_example::scheduled(64, 256);
  const bool written = write(folder + "/blur.svg", schedule(blur.function, {"in", "by"})) &&
                       write(folder + "/seidel.svg", schedule(seidel.function, {"grid"})) &&
                       write(folder + "/refusal.svg", refused_interchange());
  return written ? 0 : 1;
}
