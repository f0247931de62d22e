// spmv_generator FOLDER: writes spmv.o, spmv.h and spmv.txt.
#include "examples/spmv/spmv_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return spmv_example::scheduled(); });
}
