#include "driver/places.h"

#include <cctype>

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

}  // namespace strata
