// cholesky_generator FOLDER: writes cholesky.o, cholesky.h and cholesky.txt.
#include "examples/cholesky/cholesky_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return cholesky_example::scheduled(); });
}
