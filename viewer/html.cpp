#include "viewer/html.h"

namespace strata::viewer {

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) switch (c) {
      case '&': html += "&amp;"; break;
      case '<': html += "&lt;"; break;
      case '>': html += "&gt;"; break;
      case '"': html += "&quot;"; break;
      default: html += c;
    }
  return html;
}

std::string element(const std::string& name, const std::string& kind, const std::string& marks,
                    const std::string& content) {
  std::string html = "<" + name;
  if (!kind.empty()) html += " class=\"" + kind + "\"";
  if (!marks.empty()) html += " data-mark=\"" + escaped(marks) + "\"";
  return html + ">" + content + "</" + name + ">";
}

std::string folded(const std::string& kind, const std::string& head, const std::string& content,
                   bool open) {
  return "<details class=\"" + kind + "\"" + (open ? " open" : "") + "><summary>" + head +
         "</summary>" + content + "</details>\n";
}

}  // namespace strata::viewer
