// Random programs: the C computes the bits of the machine, at three sizes each.
#include "tests/graph/random_program.h"
#include "tests/library/model_library.h"

namespace strata::test::random_library_test {

using namespace strata::graph;

void check_program(unsigned seed) {
  const std::string text = ProgramText(seed, {false, false})();
  INFO(text << "seed " << seed);
  const Module module = parsed(text);
  const CompiledModule model = build(module);
  const ModelLibrary library(model);
  INFO(contents(library.folder / "m.c"));
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{2, 3}, {1, 1}, {0, 4}, {7, 2}})
    for (const bool side : {true, false})
      check_as_machine(model, module, library, "main", extents,
                       {counted(extents, 7), counted(extents, 5), counted({extents[1]}, 3),
                        NDArray::scalar(side)});
}

TEST_CASE("random programs in C", "[library][halide]") {
  for (unsigned seed = 0; seed < 6; ++seed) check_program(seed);
}

TEST_CASE("many random programs in C", "[.][long]") {
  for (unsigned seed = 100; seed < 400; ++seed) check_program(seed);
}

}  // namespace strata::test::random_library_test
