#include "graph/page/kernel_pages.h"

#include <map>
#include <sstream>

#include "dsl/page.h"
#include "graph/fuse/primitive.h"
#include "graph/page/body_trees.h"
#include "graph/run/compute.h"

namespace strata::graph {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A group that is compiled. Its operators are asked in the thread of the caller.
struct Wanted {
  std::size_t group;
  TensorKernel given, parametric;
};

// Adds the kernels, or why there are none.
void add_pages(ModulePage::Group& group, const Wanted& wanted, const Where& where) try {
  const CompiledKernel compiled =
      compiled_kernel(wanted.given, wanted.parametric, {.name = group.name}, where);
  group.why = lines_of(compiled.why());
  const std::vector<TensorFunction> functions = compiled.tensors.functions(where);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    const std::string number = functions.size() > 1 ? " " + std::to_string(k + 1) : "";
    group.kernels.push_back({"Kernel" + number + " of " + group.name,
                             page_of({functions[k].function, functions[k].arguments}, where)});
  }
} catch (const Error& error) {
  group.kernels = {{"Kernel of " + group.name, {}, error.what()}};
}

}  // namespace

void add_kernels(ModulePage& page, const std::vector<GraphFunction>& functions, bool compiled,
                 const Where& where) {
  std::vector<Wanted> all;
  std::map<std::string, int> known;
  for (std::size_t n = 0; n < functions.size(); ++n) {
    const TensorKernel kernel = kernel_of(functions[n]);
    const auto [found, fresh] = known.emplace(what_computes(kernel), int(n));
    if (!fresh) {
      page.groups[n].same_as = found->second;
      continue;
    }
    page.groups[n].operations = operations_on_page(kernel);
    if (compiled) all.push_back({n, kernel, parametric_kernel_of(functions[n], kernel)});
  }
  side_by_side(all.size(),
               [&](std::size_t k) { add_pages(page.groups[all[k].group], all[k], where); });
}

}  // namespace strata::graph
