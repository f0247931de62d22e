// kmeans_generator FOLDER: writes kmeans.o, kmeans.h and kmeans.txt.
#include "examples/kmeans/kmeans_algorithm.h"

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv, [] { return kmeans_example::scheduled(); });
}
