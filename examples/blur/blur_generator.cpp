// blur_generator FOLDER: writes blur.o, blur.h and blur.txt.
#include "examples/blur/blur_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return blur_example::scheduled(); });
}
