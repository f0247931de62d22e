// attention_generator FOLDER: writes attention.o, attention.h and attention.txt.
#include "examples/attention/attention_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return attention_example::scheduled(); });
}
