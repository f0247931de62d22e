// Function: pages in HTML.
#include "viewer/page.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "codegen/halide/product/compile.h"
#include "codegen/halide/product/profile_text.h"
#include "codegen/halide/product/temporary_folder.h"
#include "dsl/author.h"
#include "dsl/kernel.h"
#include "dsl/page.h"
#include "dsl/remarks.h"
#include "schedule/finish.h"

namespace strata {

namespace {

Page page_of(const FunctionState& state) {
  Page page{state.program};
  if (state.program.scheduled) page.reference = state.unscheduled;
  return page;
}

// The buffers of all inputs and of the arrays that no other definition reads, each once.
std::vector<std::string> usual_arguments(const Program& program) {
  const Algorithm& algorithm = *program.algorithm;
  std::set<std::string> read;
  for (const Definition& d : algorithm.definitions)
    for (const Read& one : d.reads)
      if (algorithm.array_read(one) != d.array) read.insert(algorithm.array_read(one));
  std::vector<std::string> names;
  const auto add = [&](const std::string& array) {
    const std::string buffer = buffer_of(program.layout, array);
    if (std::find(names.begin(), names.end(), buffer) == names.end()) names.push_back(buffer);
  };
  for (const InputArray& input : algorithm.inputs) add(input.name);
  for (const Definition& d : algorithm.definitions)
    if (!d.is_initial && !read.count(d.array)) {
      add(d.array);
      for (const Component& c : d.others) add(c.name);
    }
  return names;
}

// For the first one of several targets.
std::string assembly_of(const Kernel& kernel, const std::string& target) {
  const halide::TemporaryFolder folder;
  const std::string first = single_targets(target).front();
  compile({kernel}, first, {"", "", folder / "kernel.s", ""});
  return halide::read_bytes(folder / "kernel.s");
}

std::string profile_if_called(const std::string& kernel) {
  try {
    return profile_text(kernel, {});
  } catch (const Error&) {
    return "";
  }
}

// Adds what follows from the arguments; a refusal if the program has no loops.
void add_loops(Page& page, FunctionState& state, const std::vector<Buffer>& arguments,
               const std::string& target, const Where& where) try {
  StageRun stages(state.program.name);
  CodegenOptions options;
  options.target = target;
  page.kernel = kernel_of(state, arguments, options, stages, where);
  const Request request{"html(" + state.program.name + ")", where};
  const std::vector<std::string> names = names_of(state.program, arguments, request);
  page.ready = finished(state.program, names, {where, Check::now});
  page.remarks = placed_remarks(state, *page.kernel, names, {machine(target), {}}, where);
  page.profile = profile_if_called(state.program.name);
  try {
    page.assembly = assembly_of(*page.kernel, target);
  } catch (const Error& error) {
    page.why_no_assembly = error.what();
  }
} catch (const Error& error) {
  page.refusal = error.refusal();
}

void write(const Page& page, const std::string& path, const Request& request) {
  const std::string html = guarded(request.text, request.where, [&] { return to_html(page); });
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << html;
  out.close();
  if (out) return;
  const std::string reason = errno ? std::string(": ") + std::strerror(errno) : "";
  throw request.refused(Code::E0503_cannot_write_file,
                        "the page " + path + " cannot be written" + reason,
                        "name a file in a folder that exists and may be written to");
}

void write_page_of(FunctionState& state, std::vector<Buffer> arguments, const std::string& target,
                   const std::string& path, const Where& where) {
  const Request request{"html(" + state.program.name + ")", where};
  names_of(state.program, arguments, request);
  if (arguments.empty())
    for (const std::string& name :
         state.last ? state.last->arguments : usual_arguments(state.program))
      arguments.push_back(Buffer(name));
  Page page = page_of(state);
  add_loops(page, state, arguments, target, where);
  write(page, path, request);
}

}  // namespace

void Pages::html(const std::string& path, const std::vector<Buffer>& arguments,
                 const Where& where) const {
  write_page_of(Author::state(static_cast<const Function&>(*this)), arguments, "host", path, where);
}

void Pages::html(const Error& refused, const std::string& path, const Where& where) const {
  const FunctionState& state = Author::state(static_cast<const Function&>(*this));
  Page page = page_of(state);
  page.refusal = refused.refusal();
  write(page, path, {"html(" + state.program.name + ")", where});
}

std::string Pages::html() const {
  const FunctionState& state = Author::state(static_cast<const Function&>(*this));
  return guarded("html", {}, [&] { return to_html_part(page_of(state)); });
}

void write_page(const Scheduled& scheduled, const std::string& target, const std::string& path,
                const Where& where) {
  write_page_of(Author::state(scheduled.function), scheduled.arguments, target, path, where);
}

}  // namespace strata
