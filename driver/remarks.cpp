// Remarks with the places in the author's program, and STRATA_REMARKS.
#include "driver/remarks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>

#include "codegen/lower.h"
#include "driver/guard.h"
#include "schedule/finish.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

void write(const Remarks& all, std::ostream& out) {
  for (const Remark& remark : all) out << render(remark);
}

// Adds text to a file.
bool append(const std::string& file, const Remarks& all) {
  std::ofstream out(file, std::ios::app);
  write(all, out);
  out.close();
  return bool(out);
}

// Adds to a list in JSON. The end of the list, "\n]\n", moves. Other processes may add at the same
// time.
bool append_to_list(const std::string& file, const Remarks& all) {
  const std::string list = all.json(), none = Remarks().json(), end = "\n]\n";
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  const auto size = flock(descriptor, LOCK_EX) == 0 ? lseek(descriptor, 0, SEEK_END) : off_t(-1);
  std::string tail(end.size(), ' ');
  bool done = size == 0;
  std::string added = list;
  off_t at = 0;
  if (size > 0) {
    at = size - off_t(end.size());
    done = at > 0 && pread(descriptor, tail.data(), tail.size(), at) == ssize_t(tail.size()) &&
           tail == end;
    const bool first = size == off_t(none.size());
    added = list == none ? end : (first ? "\n" : ",\n") + list.substr(2);
  }
  done = done && pwrite(descriptor, added.data(), added.size(), at) == ssize_t(added.size());
  return close(descriptor) == 0 && done;
}

}  // namespace

Remarks placed_remarks(const CompilationUnit& unit, const Kernel& kernel,
                       const std::vector<std::string>& arguments, RemarkOptions options,
                       const Where& where) {
  const Masks masks = masks_of(options.machine);
  options.after = [&](const std::string& command) -> std::optional<Kernel> {
    try {
      const Given given{where, Check::now};
      const Program after = finished(replayed(unit.program, command, given), arguments, given);
      LowerOptions how;
      how.arguments = arguments;
      how.floats = kernel.floats;
      how.masks = masks;
      return lower(after, how);
    } catch (const Error&) {
      return std::nullopt;
    }
  };
  return guarded("remarks", where, [&] {
    Remarks all = remarks(kernel, *unit.program.algorithm, options);
    for (Remark& remark : all) remark.where = unit.places.of(remark.computation, remark.loop);
    return all;
  });
}

void print_remarks(const CompilationUnit& unit, const Kernel& kernel,
                   const std::vector<std::string>& arguments, const std::string& target,
                   const Request& request) {
  if (!is_set("STRATA_REMARKS")) return;
  const Remarks all = placed_remarks(unit, kernel, arguments, {machine(target)}, request.where);
  const std::string file = std::getenv("STRATA_REMARKS");
  if (file == "1") return write(all, std::cerr);
  const bool is_list = file.ends_with(".json");
  if (is_list ? append_to_list(file, all) : append(file, all)) return;
  throw request.refused(
      Code::E0503_cannot_write_file,
      "cannot write the remarks to " + file + ", which STRATA_REMARKS names",
      is_list ? "name a file that can be written, and is new or a list of remarks"
              : "name a file that can be written, or STRATA_REMARKS=1 for standard error");
}

}  // namespace strata
