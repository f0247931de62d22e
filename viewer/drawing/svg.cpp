#include "viewer/drawing/svg.h"

#include <algorithm>

namespace strata {

namespace {

// Control characters have no place in XML.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ')
      result += ' ';
    else
      result += c;
  }
  return result;
}

std::string opening(const std::string& name, const SvgAttributes& attributes) {
  std::string text = "<" + name;
  for (const SvgAttribute& a : attributes) text += " " + a.name + "=\"" + escaped(a.value) + "\"";
  return text;
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

int characters_of(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace

bool overlap(const PictureBox& a, const PictureBox& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

SvgAttributes attributes_of(const PictureBox& box, const SvgAttributes& more) {
  SvgAttributes all = {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// The common monospaced fonts are 0.600 to 0.602 of their size wide.
int text_width(std::string_view text, int size) {
  return (characters_of(text) * size * 61 + 99) / 100;
}

std::string shortened(const std::string& text, int characters) {
  if (characters_of(text) <= characters) return text;
  std::string result;
  int taken = 0;
  for (const char c : text) {
    if (begins_character(c) && ++taken == characters) break;
    result += c;
  }
  return result + "…";
}

std::vector<std::string> wrapped(const std::string& text, int characters) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.empty() && characters_of(lines.back()) + 1 + characters_of(word) <= characters)
      lines.back() += " " + word;
    else
      lines.push_back(word);
    begin = end + 1;
  }
  return lines;
}

void Svg::add(const std::string& name, const SvgAttributes& attributes, const std::string& title) {
  body_ += opening(name, attributes);
  body_ += title.empty() ? "/>\n" : "><title>" + escaped(title) + "</title></" + name + ">\n";
}

void Svg::text(int x, int y, const std::string& line, const SvgAttributes& attributes) {
  if (line.empty()) return;
  SvgAttributes all = {{"x", x}, {"y", y}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  body_ += opening("text", all) + ">" + escaped(line) + "</text>\n";
}

void Svg::open(const SvgAttributes& attributes) { body_ += opening("g", attributes) + ">\n"; }

void Svg::close() { body_ += "</g>\n"; }

std::string Svg::picture(int width, int height, const std::string& title) const {
  const std::string size = std::to_string(width) + " " + std::to_string(height);
  return opening("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                         {"width", width},
                         {"height", height},
                         {"viewBox", "0 0 " + size},
                         {"role", "img"},
                         {"font-family", "monospace"},
                         {"font-size", text_size},
                         {"fill", ink}}) +
         ">\n<title>" + escaped(title) + "</title>\n" +
         opening("rect", {{"width", width}, {"height", height}, {"fill", paper}}) + "/>\n" + body_ +
         "</svg>\n";
}

}  // namespace strata
