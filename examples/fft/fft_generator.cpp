// fft_generator FOLDER: writes fft.o, fft.h and fft.txt.
#include "examples/fft/fft_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return fft_example::scheduled(); });
}
