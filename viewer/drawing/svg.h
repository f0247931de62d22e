// Pictures as SVG text: elements, escaping, and the sizes of texts.
//
// Only presentation attributes are used: no style sheet and no ids, so pictures can be put into one
// page without meeting. All coordinates are integers, so the text of a picture is deterministic.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace strata {

// A rectangle, in pixels.
struct PictureBox {
  int x = 0, y = 0, width = 0, height = 0;

  int right() const { return x + width; }
  int bottom() const { return y + height; }
};
bool overlap(const PictureBox& a, const PictureBox& b);

struct SvgAttribute {
  std::string name, value;

  SvgAttribute(std::string attribute, std::string text)
      : name(std::move(attribute)), value(std::move(text)) {}
  SvgAttribute(std::string attribute, int number)
      : name(std::move(attribute)), value(std::to_string(number)) {}
};
using SvgAttributes = std::vector<SvgAttribute>;
// x, y, width and height, and more.
SvgAttributes attributes_of(const PictureBox& box, const SvgAttributes& more);

// What texts in pictures are made of: characters of one width.
inline constexpr int text_size = 12;
inline constexpr int line_height = 17;
inline constexpr int picture_margin = 20;
// The number of pixels that a line of text takes at most; its characters are UTF-8.
int text_width(std::string_view text, int size = text_size);
// The first "characters" characters of a text, the last of them "…" if it is longer.
std::string shortened(const std::string& text, int characters);
// The words of a text in lines of at most "characters" characters, if its words are not longer.
std::vector<std::string> wrapped(const std::string& text, int characters);

// Colours that differ in lightness, too.
inline constexpr const char* ink = "#1b2530";
inline constexpr const char* faint_ink = "#5b6773";
inline constexpr const char* paper = "#ffffff";

class Svg {
 public:
  // <name attributes><title>title</title></name>, without the title if it is empty
  void add(const std::string& name, const SvgAttributes& attributes, const std::string& title = "");
  // A line of text whose base line begins at x, y.
  void text(int x, int y, const std::string& line, const SvgAttributes& attributes = {});
  void open(const SvgAttributes& attributes);  // <g ..>
  void close();

  // The whole picture on white paper; "title" says what it shows.
  std::string picture(int width, int height, const std::string& title) const;

 private:
  std::string body_;
};

}  // namespace strata
