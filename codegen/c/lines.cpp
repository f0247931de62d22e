#include "codegen/c/lines.h"

#include <algorithm>

namespace strata::c {

namespace {

constexpr std::size_t columns = 100;

// The column of the space at which to break a text that may have "room" columns; 0 if there is
// none. The space is outside of strings, not in the first quarter of the room, and inside as few
// brackets as possible. Of several such spaces, the last space after a "," or ";" wins, else the
// last space.
std::size_t break_of(const std::string& text, std::size_t room) {
  std::size_t best = 0;
  int depth = 0, least = 0;
  bool in_string = false;
  for (std::size_t n = 0; n <= room && n < text.size(); ++n) {
    const char c = text[n];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++n;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ' ' || 4 * n < room || text.compare(n, std::string::npos, " {") == 0) continue;
    const int cost = 2 * depth + (text[n - 1] == ',' || text[n - 1] == ';' ? 0 : 1);
    if (best != 0 && cost > least) continue;
    best = n;
    least = cost;
  }
  return best;
}

std::string broken(std::string rest, std::size_t indentation) {
  std::string all;
  for (std::size_t indent = indentation;; indent = indentation + 4) {
    const std::size_t room = columns - std::min(columns / 2, indent);
    const std::size_t end = rest.size() > room ? break_of(rest, room) : 0;
    all += std::string(indent, ' ') + (end ? rest.substr(0, end) : rest) + "\n";
    if (end == 0) return all;
    rest = rest.substr(end + 1);
  }
}

}  // namespace

void Lines::open(const std::string& head) {
  line(head.empty() ? "{" : head + " {");
  ++depth_;
  open_.push_back({lines_.size(), 0, !head.empty()});
}

// Takes the innermost open block off. If one block without a head fills it, the braces of that
// block go, since its names may as well be names of this block.
Lines::Block Lines::taken_off() {
  const Block own = open_.back();
  open_.pop_back();
  --depth_;
  if (last_.has_head || last_.first != own.first + 1 || last_.end + 1 != lines_.size()) return own;
  lines_.pop_back();
  lines_.erase(lines_.begin() + std::ptrdiff_t(own.first));
  for (std::size_t n = own.first; n < lines_.size(); ++n)
    if (!lines_[n].directive) --lines_[n].depth;
  return own;
}

void Lines::close(const std::string& after) {
  last_ = taken_off();
  last_.end = lines_.size();
  line("}" + after);
}

void Lines::otherwise() {
  taken_off();
  line("} else {");
  ++depth_;
  open_.push_back({lines_.size(), 0, true});
}

void Lines::add(const Lines& other) {
  lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
}

std::string Lines::text() const {
  std::string all;
  for (const Line& one : lines_)
    all += one.directive ? one.content + "\n" : broken(one.content, 2 * one.depth);
  return all;
}

}  // namespace strata::c
