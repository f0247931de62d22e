#include "codegen/passes/code_limit.h"

#include <cctype>
#include <iostream>
#include <sstream>
#include <string_view>

#include "codegen/tree/code_size.h"
#include "core/stage.h"

namespace strata {

namespace {

// Does "text" contain "name" as a whole word?
bool mentions(const std::string& text, const std::string& name) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || !is_part(text[at - 1]);
    if (begins && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

// The command that tagged the loop, if its text shows that: a loop without a name given by the
// author is called i_unroll or i_lane after the i in the command.
std::string command_for(const CopyingLoop& loop, const std::vector<std::string>& history) {
  const bool lanes = has_lanes(loop.processor);
  const std::string_view suffix = lanes ? "_lane" : "_unroll";
  const auto stem = loop.name.rfind(suffix);
  for (auto command = history.rbegin(); command != history.rend(); ++command) {
    if (command->find(lanes ? "vectorize(" : "unroll(") == std::string::npos) continue;
    if (mentions(*command, loop.name)) return *command;
    if (stem != std::string::npos && mentions(*command, loop.name.substr(0, stem))) return *command;
  }
  return "";
}

std::string number(double count) {
  std::ostringstream text;
  if (count < 1e15)
    text << static_cast<std::int64_t>(count);
  else
    text << count;
  return text.str();
}

std::string described(const CopyingLoop& loop, const std::vector<std::string>& history) {
  const std::string command = command_for(loop, history);
  const bool lanes = has_lanes(loop.processor);
  return loop.name + ", " + std::to_string(loop.copies) + (lanes ? " lanes" : " copies") +
         (command.empty() ? "" : " (" + command + ")");
}

std::string explained(const CodeSize& size, double limit, const std::vector<std::string>& history) {
  std::string text = "the code would have " + number(size.units) +
                     " operations on registers, but the limit is " + number(limit);
  if (size.loops.empty()) return text;
  double copies = 1;
  for (const CopyingLoop& loop : size.loops) copies *= double(loop.copies);
  text += "; most of it is " + number(copies) + " instances of " + size.computation +
          " expanded by the loop" + (size.loops.size() > 1 ? "s " : " ");
  for (std::size_t n = 0; n < size.loops.size(); ++n)
    text += (n ? "; " : "") + described(size.loops[n], history);
  return text;
}

}  // namespace

void require_small(const Kernel& kernel, const std::vector<std::string>& history, double limit,
                   const Request& request) {
  const CodeSize size = code_size(kernel);
  if (is_set("STRATA_TIME"))
    std::cerr << kernel.name << ": code of " << number(size.units) << " operations\n";
  if (size.units <= limit) return;
  throw request.refused(
      Code::E0903_too_much_code, explained(size, limit, history),
      size.loops.empty()
          ? "raise the limit with set_code_limit, or split it into several kernels"
          : "unroll less or take fewer lanes, or raise the limit with set_code_limit");
}

}  // namespace strata
