#include "viewer/marks.h"

#include <cctype>

#include "viewer/html.h"

namespace strata::viewer {

namespace {

bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

void add_mark(std::string& marks, const std::string& mark) {
  marks += (marks.empty() || mark.empty() ? "" : " ") + mark;
}

std::string Marks::of_computation(const std::string& name) const {
  std::string marks = "c:" + name;
  for (const Definition& d : program_->algorithm->definitions)
    if (d.reduction && d.reduction->initial == name) add_mark(marks, "c:" + d.name);
  return marks;
}

std::string Marks::of_loop(const std::set<std::string>& owners, const std::string& loop) const {
  std::string marks;
  for (const std::string& owner : owners) add_mark(marks, "l:" + owner + "." + loop);
  return marks;
}

std::string Marks::of_loop(const Node& loop) const {
  const std::vector<std::string> names = owners(loop);
  return of_loop({names.begin(), names.end()}, loop.loop().name);
}

std::string Marks::of_value(const std::string& name) const {
  const Algorithm& algorithm = *program_->algorithm;
  if (algorithm.find_input(name)) return of_buffer(buffer_of(program_->layout, name));
  std::string marks;
  for (const Definition* d : algorithm.definitions_of(algorithm.array_of(name)))
    add_mark(marks, "c:" + d->name);
  if (marks.empty() && algorithm.find(name)) marks = "c:" + name;
  return marks;
}

std::string Marks::of_name(const std::string& name, Names names) const {
  std::string marks;
  if (names != Names::buffers) marks = of_value(name);
  const bool is_buffer = program_->layout.find(name) || program_->algorithm->find_input(name);
  if (names != Names::values && is_buffer && marks != of_buffer(name))
    add_mark(marks, of_buffer(name));
  return marks;
}

std::string Marks::linked(const std::string& text, Names names) const {
  std::string html;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_in_name(text[end])) ++end;
    if (end == at) {
      html += escaped(text.substr(at++, 1));
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const bool indexed = end < text.size() && text[end] == '[';
    const std::string marks = indexed ? of_name(word, names) : "";
    html += marks.empty() ? word : element("i", "", marks, word);
    at = end;
  }
  return html;
}

}  // namespace strata::viewer
