// lstm_generator FOLDER: writes lstm.o, lstm.h and lstm.txt.
#include "examples/lstm/lstm_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return lstm_example::scheduled(); });
}
