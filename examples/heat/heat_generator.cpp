// heat_generator FOLDER: writes heat.o, heat.h and heat.txt.
#include "examples/heat/heat_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return heat_example::scheduled(); });
}
