// Remarks with the places in the author's program, and STRATA_REMARKS.
#include "dsl/remarks.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>

#include "codegen/lower.h"
#include "dsl/author.h"
#include "schedule/finish.h"
#include "schedule/table/replay.h"

namespace strata {

namespace {

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Is "word" a whole name in the text of a command?
bool names(const std::string& text, const std::string& word) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool starts = at == 0 || !is_part_of_name(text[at - 1]);
    if (starts && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

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

// Adds to a list in JSON, which other processes may extend at the same time: the end of the list,
// "\n]\n", moves.
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

void Places::note_definitions(const Program& before, const Program& after, const Where& where) {
  if (before.algorithm == after.algorithm) return;
  const Definitions& now = after.algorithm->definitions;
  for (const std::size_t n : now.missing_in(before.algorithm->definitions))
    if (!before.algorithm->find(now[n].name)) definitions[now[n].name] = where;
}

Where Places::of(const std::string& computation, const std::string& loop) const {
  for (auto given = commands.rbegin(); given != commands.rend(); ++given)
    if (!loop.empty() && given->computation == computation && names(given->text, loop))
      return given->where;
  const auto found = definitions.find(computation);
  return found == definitions.end() ? Where{"", 0} : found->second;
}

Remarks placed_remarks(const FunctionState& state, const Kernel& kernel,
                       const std::vector<std::string>& arguments, RemarkOptions options,
                       const Where& where) {
  const Masks masks = masks_of(options.machine);
  options.after = [&](const std::string& command) -> std::optional<Kernel> {
    try {
      const Given given{where, Check::now};
      const Program after = finished(replayed(state.program, command, given), arguments, given);
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
    Remarks all = remarks(kernel, *state.program.algorithm, options);
    for (Remark& remark : all) remark.where = state.places.of(remark.computation, remark.loop);
    return all;
  });
}

void print_remarks(const FunctionState& state, const Kernel& kernel,
                   const std::vector<std::string>& arguments, const std::string& target,
                   const Request& request) {
  if (!is_set("STRATA_REMARKS")) return;
  const Remarks all = placed_remarks(state, kernel, arguments, {machine(target)}, request.where);
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
