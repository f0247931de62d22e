// spmm_generator FOLDER: writes spmm.o, spmm.h and spmm.txt.
#include "examples/spmm/spmm_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return spmm_example::scheduled(); });
}
