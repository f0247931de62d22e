// histogram_generator FOLDER: writes histogram.o, histogram.h and histogram.txt.
#include "examples/histogram/histogram_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return histogram_example::scheduled(); });
}
