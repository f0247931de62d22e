// seidel_generator FOLDER: writes seidel.o, seidel.h, seidel.txt, and to refusal.txt Strata's
// refusal to run rows in parallel.
#include <fstream>
#include <string>

#include "examples/seidel/seidel_algorithm.h"

int main(int argc, char** argv) {
  const std::string refusal = seidel_example::refusal_without_skew();
  if (refusal.empty()) {
    std::fprintf(stderr, "rows were allowed to run in parallel\n");
    return 1;
  }
  if (argc > 1) std::ofstream(std::string(argv[1]) + "/refusal.txt") << refusal << "\n";
  strata::CodegenOptions options;
  options.floats = strata::Floats::exact;
  return examples::generator_main(argc, argv, [] { return seidel_example::scheduled(); }, options);
}
