// Remarks with the places in the author's program, and STRATA_REMARKS.
#include "dsl/remarks.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string_view>

#include "dsl/author.h"
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

void write(const std::vector<Remark>& all, std::ostream& out) {
  for (const Remark& remark : all) out << render(remark);
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

std::vector<Remark> placed_remarks(const FunctionState& state, const Kernel& kernel,
                                   const RemarkOptions& asked, const Where& where) {
  RemarkOptions options = asked;
  options.is_legal = [&](const std::string& command) {
    try {
      replayed(state.program, command, {where, Check::now});
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  return guarded("remarks", where, [&] {
    std::vector<Remark> all = remarks(kernel, *state.program.algorithm, options);
    for (Remark& remark : all) remark.where = state.places.of(remark.computation, remark.loop);
    return all;
  });
}

void print_remarks(const FunctionState& state, const Kernel& kernel, const std::string& target,
                   const Request& request) {
  if (!is_set("STRATA_REMARKS")) return;
  const std::vector<Remark> all =
      placed_remarks(state, kernel, {machine(target)}, request.where);
  const std::string file = std::getenv("STRATA_REMARKS");
  if (file == "1") return write(all, std::cerr);
  std::ofstream out(file, std::ios::app);
  write(all, out);
  out.close();
  if (!out)
    throw request.refused(
        Code::E0503_cannot_write_file,
        "cannot write the remarks to " + file + ", which STRATA_REMARKS names",
        "name a file that can be written, or STRATA_REMARKS=1 for standard error");
}

}  // namespace strata
