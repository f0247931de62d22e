#include "reference/loop_tree_interpreter.h"

#include <fmt/format.h>

#include "reference/loop_tree_machine.h"

namespace strata::reference {

TreeRun run_tree(const Kernel& kernel, const Parameters& parameters, const Arrays& arguments,
                 const RunOptions& options, const Externs& externs) {
  TreeInterpreter interpreter(kernel, parameters, options, externs);
  try {
    return interpreter.run(arguments);
  } catch (const std::exception& mistake) {
    interpreter.find(mistake.what());
    return std::move(interpreter.result());
  }
}

std::vector<Kernel> versions(const Kernel& kernel) {
  std::vector<Kernel> all{kernel};
  all.front().fallback = nullptr;
  if (!kernel.fallback) return all;
  all.push_back(all.front());
  all.back().body = kernel.fallback;
  return all;
}

std::string first_wrong_place(const Arrays& expected, const TreeRun& run) {
  for (const auto& [buffer, contents] : expected) {
    if (!run.buffers.contains(buffer)) continue;
    const Array& actual = run.buffers[buffer];
    for (const Point& p : contents.elements()) {
      const std::string place = reference::to_string(buffer, p);
      if (!actual.contains(p) && contents.step(p) >= 0)
        return place + " is outside the box and is to be written";
      if (!actual.contains(p)) continue;
      if (!actual.defined(p)) return place + " has no value";
      if (!same(contents[p], actual[p]))
        return fmt::format("{} is {} and should be {}", place, reference::to_string(actual[p]),
                           reference::to_string(contents[p]));
    }
  }
  return "";
}

}  // namespace strata::reference
