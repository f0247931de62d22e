#include "schedule/commands/storage/prefetch.h"

#include "layers/flow/reads.h"
#include "schedule/edit/prefetches.h"
#include "schedule/edit/verified.h"

namespace strata {

namespace {

constexpr std::int64_t most_ahead = 999'999'999;

void require_distance(std::int64_t distance, const Command& command) {
  require_positive(distance, "the distance", command);
  if (distance > most_ahead)
    throw command.refused(
        Code::E0106_bad_argument,
        "the distance is " + std::to_string(distance) + ", but no loop has that many iterations",
        "give a smaller one");
}

// Requires a read with affine indices and conditions. An index from data is known only when the
// data are, and reading them early may be out of bounds.
void require_read(const Algorithm& algorithm, const std::string& definition,
                  const std::string& array, const Command& command) {
  if (!reads_array(*algorithm.find(definition), array))
    throw command.refused(Code::E0101_unknown_computation, definition + " does not read " + array,
                          "name an array that it reads");
  if (algorithm.is_scalar(array))
    throw command.refused(Code::E0106_bad_argument,
                          array + " is a scalar, which is passed by value and in no memory",
                          "leave the prefetch out");
  if (!surely_reads(algorithm, definition, algorithm.array_of(array)))
    throw command.refused(
        Code::E0106_bad_argument,
        "the elements of " + array + " that " + definition +
            " reads are not known in advance: an index or a condition is not affine",
        "prefetch the array that the index is read from");
}

}  // namespace

Program prefetch(const Program& program, const LoopRef& loop, const std::string& array,
                 std::int64_t distance, Given given) {
  const Command command{"prefetch", {loop, array, distance}, given, ""};
  require_distance(distance, command);
  Program result = program;
  const Path path = loop_named(result, loop, command);
  require_read(*result.algorithm, loop.definition, array, command);

  add_prefetches(node_at(result.mapping, path).loop(),
                 {{loop.definition, result.algorithm->array_of(array), distance}});

  return verified(program, std::move(result), command);
}

}  // namespace strata
