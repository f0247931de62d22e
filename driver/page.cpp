#include "driver/page.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "codegen/object/temporary_folder.h"
#include "driver/back_end.h"
#include "driver/guard.h"
#include "driver/kernel.h"
#include "driver/profile_text.h"
#include "driver/remarks.h"
#include "schedule/finish.h"

namespace strata {

namespace {

Page page_of(const CompilationUnit& unit) {
  Page page{unit.program};
  if (unit.program.scheduled) page.reference = unit.unscheduled;
  return page;
}

// The assembly for the first target.
std::string assembly_of(const Kernel& kernel, const CodegenOptions& options, StageRun& stages) {
  const TemporaryFolder folder;
  const Version first{single_targets(options.target).front(), {kernel}};
  back_end_of(options, {}).write({first}, {"", "", folder / "kernel.s", ""}, stages);
  return read_bytes(folder / "kernel.s");
}

std::string profile_if_called(const std::string& kernel) {
  try {
    return profile_text(kernel, {});
  } catch (const Error&) {
    return "";
  }
}

// Adds the parts that depend on the arguments. If loops cannot be generated, adds the refusal.
void add_loops(Page& page, CompilationUnit& unit, const std::vector<std::string>& arguments,
               const std::string& target, bool with_assembly, const Where& where) try {
  StageRun stages(unit.program.name);
  CodegenOptions options;
  options.target = target;
  page.kernel = kernel_of(unit, arguments, options, stages, where);
  page.ready = finished(unit.program, arguments, {where, Check::now});
  page.remarks = placed_remarks(unit, *page.kernel, arguments, {machine(target), {}}, where);
  page.profile = profile_if_called(unit.program.name);
  if (with_assembly) try {
      page.assembly = assembly_of(*page.kernel, options, stages);
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

}  // namespace

void write_page(CompilationUnit& unit, std::vector<std::string> arguments,
                const std::string& target, const std::string& path, const Where& where) {
  if (arguments.empty())
    arguments = unit.last ? unit.last->arguments : usual_arguments(unit.program);
  Page page = page_of(unit);
  add_loops(page, unit, arguments, target, true, where);
  write(page, path, {"html(" + unit.program.name + ")", where});
}

Page page_of(CompilationUnit& unit, const std::vector<std::string>& arguments, const Where& where) {
  return guarded("html(" + unit.program.name + ")", where, [&] {
    Page page = page_of(unit);
    add_loops(page, unit, arguments, "host", false, where);
    return page;
  });
}

void write_page_of_refusal(const CompilationUnit& unit, const Error& refused,
                           const std::string& path, const Where& where) {
  Page page = page_of(unit);
  page.refusal = refused.refusal();
  write(page, path, {"html(" + unit.program.name + ")", where});
}

std::string page_part(const CompilationUnit& unit) {
  return guarded("html", {}, [&] { return to_html_part(page_of(unit)); });
}

}  // namespace strata
