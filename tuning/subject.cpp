#include "tuning/subject.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "driver/kernel.h"
#include "tuning/sizes.h"

namespace strata::tuning {

namespace {

Arguments arguments_of(const Setup& setup) {
  CompilationUnit unit{setup.state.program};
  unit.code_limit = setup.state.code_limit;
  CodegenOptions options;
  options.floats = setup.options.floats;
  StageRun stages(unit.program.name);
  Arguments arguments{kernel_of(unit, setup.names, options, stages, setup.request.where), {}};
  for (const ArgumentBuffer& buffer : arguments.kernel.buffers) {
    const auto input = setup.state.input_extents.find(buffer.name);
    const LayoutBuffer* const layout = setup.state.program.layout.find(buffer.name);
    if (input != setup.state.input_extents.end())
      arguments.extents.push_back(input->second);
    else
      arguments.extents.push_back(layout ? layout->extents : std::vector<Expr>());
  }
  return arguments;
}

void require_fitting(const Arguments& arguments, const Setup& setup) {
  const double bytes = CallArguments::bytes_of(arguments, setup.sizes);
  const double most = 0.5 * double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  if (bytes <= most) return;
  if (!std::isfinite(bytes))
    throw setup.request.refused(Code::E0106_bad_argument,
                                "the extents of an argument depend on what only a call has",
                                "give its buffer extents over parameters");
  throw setup.request.refused(
      Code::E0106_bad_argument,
      fmt::format("arrays of these sizes take {:.3g} GB, more than half of the memory",
                  1e-9 * bytes),
      "give smaller sizes");
}

void require_arrays(const Arguments& arguments, const Setup& setup) {
  const auto refused = [&](const std::string& what) {
    return setup.request.refused(Code::E0106_bad_argument, what,
                                 "give the array of each argument, in their order, or none");
  };
  const auto& given = setup.options.arrays;
  const auto& buffers = arguments.kernel.buffers;
  if (given.size() != buffers.size())
    throw refused(
        fmt::format("{} arrays are given for {} arguments", given.size(), buffers.size()));
  for (std::size_t n = 0; n < given.size(); ++n) {
    const auto* const buffer = static_cast<const strata_buffer*>(static_cast<void*>(given[n]));
    if (!buffer || !buffer->host || !buffer->dim)
      throw refused("the array of " + buffers[n].name + " has no memory");
    if (std::size_t(buffer->dimensions) != buffers[n].uppers.size())
      throw refused(fmt::format("the array of {} has {} dimensions, not {}", buffers[n].name,
                                buffer->dimensions, buffers[n].uppers.size()));
  }
}

}  // namespace

Subject make_subject(const Setup& setup) {
  Subject subject{setup.names,
                  {},
                  setup.state.code_limit,
                  setup.threads,
                  setup.request.where,
                  arguments_of(setup),
                  {},
                  {}};
  subject.codegen.floats = setup.options.floats;
  subject.codegen.print_notes = false;
  subject.codegen.functions = setup.options.functions;
  const Arguments& arguments = subject.arguments;
  require_fitting(arguments, setup);
  const Values small = sizes_to_compare(setup.state.program, setup.machine, setup.sizes);
  for (const std::uint64_t seed : {1, 2})
    subject.comparisons.push_back({CallArguments(arguments, small, seed)});
  if (setup.options.arrays.empty()) {
    subject.timed.emplace(arguments, setup.sizes, 3);
  } else {
    require_arrays(arguments, setup);
    subject.comparisons.front() = {CallArguments(arguments, setup.sizes, setup.options.arrays)};
    subject.timed.emplace(arguments, setup.sizes, setup.options.arrays);
  }
  return subject;
}

}  // namespace strata::tuning
