// unsharp_generator FOLDER: writes unsharp.o, unsharp.h and unsharp.txt.
#include "examples/unsharp/unsharp_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return unsharp_example::scheduled(); });
}
