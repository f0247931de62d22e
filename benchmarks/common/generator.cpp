// NAME_generator FOLDER: writes NAME.o, NAME.h and NAME.txt.
#include BENCHMARK_ALGORITHM

int main(int argc, char** argv) {
  return examples::generator_main(argc, argv,
                                  [] { return BENCHMARK_NAMESPACE::BENCHMARK_PROGRAM(); });
}
