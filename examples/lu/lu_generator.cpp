// lu_generator FOLDER: writes lu.o, lu.h and lu.txt.
#include "examples/lu/lu_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return lu_example::scheduled(); });
}
