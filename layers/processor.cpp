#include "layers/processor.h"

#include <algorithm>
#include <vector>

namespace strata {

namespace {

const std::vector<ProcessorTraits>& table() {
  static const std::vector<ProcessorTraits> rows{
      // processor, name, iterations, constant_extent, stays_loop, of_launch, of_ranks
      {Processor::sequential, "sequential", Iterations::in_order, false, true, false, false},
      {Processor::parallel, "parallel", Iterations::at_once, false, true, false, false},
      {Processor::vector, "vector", Iterations::lockstep, true, false, false, false},
      {Processor::unrolled, "unrolled", Iterations::in_order, true, false, false, false},
      {Processor::block, "block", Iterations::at_once, false, true, true, false},
      {Processor::thread, "thread", Iterations::at_once, true, true, true, false},
      {Processor::node, "node", Iterations::in_order, false, true, false, true},
  };
  return rows;
}

}  // namespace

const ProcessorTraits& traits(Processor processor) {
  return *std::find_if(table().begin(), table().end(),
                       [&](const ProcessorTraits& row) { return row.processor == processor; });
}

std::string to_string(Processor processor) { return traits(processor).name; }

std::optional<Processor> processor_named(const std::string& name) {
  for (const ProcessorTraits& row : table())
    if (row.name == name) return row.processor;
  return std::nullopt;
}

std::string names_of_processors() {
  std::string names;
  for (const ProcessorTraits& row : table())
    names += (&row == &table().front() ? "" : &row == &table().back() ? " or " : ", ") + row.name;
  return names;
}

}  // namespace strata
