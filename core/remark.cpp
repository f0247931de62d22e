#include "core/remark.h"

#include <cstdio>

namespace strata {

std::string render(const Remark& remark) {
  std::string place = "computation " + remark.computation;
  if (!remark.loop.empty()) place += ", loop " + remark.loop;
  if (!remark.where.file.empty())
    place += ", at " + remark.where.file + ":" + std::to_string(remark.where.line);
  return "remark: " + remark.kind + "\n  in " + place + "\n  " + remark.seen +
         "\n  what to do: " + remark.advice + "\n";
}

namespace {

// RFC 8259, section 7: quotes, backslashes and control characters are escaped.
std::string in_json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string in_json(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + in_json(text);
  return "[" + out + "]";
}

std::string in_json(const Remark& r) {
  const auto field = [](const std::string& name, const std::string& text) {
    return in_json(name) + ": " + in_json(text) + ", ";
  };
  return "{" + field("kernel", r.kernel) + field("kind", r.kind) +
         field("computation", r.computation) + field("loop", r.loop) + field("file", r.where.file) +
         "\"line\": " + std::to_string(r.where.line) + ", " + field("seen", r.seen) +
         field("advice", r.advice) + "\"commands\": " + in_json(r.commands) + "}";
}

}  // namespace

std::string Remarks::json() const {
  std::string out;
  for (const Remark& remark : *this) out += (out.empty() ? "" : ",\n") + in_json(remark);
  return "[\n" + out + (out.empty() ? "" : "\n") + "]\n";
}

}  // namespace strata
