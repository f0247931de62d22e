// matmul_generator FOLDER: writes matmul.o, matmul.h and matmul.txt.
#include "examples/matmul/matmul_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return matmul_example::scheduled(); });
}
