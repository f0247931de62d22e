#include "core/remark.h"

#include "core/json.h"

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

std::string object_of(const Remark& r) {
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
  for (const Remark& remark : *this) out += (out.empty() ? "" : ",\n") + object_of(remark);
  return "[\n" + out + (out.empty() ? "" : "\n") + "]\n";
}

}  // namespace strata
