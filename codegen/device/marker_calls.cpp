#include "codegen/device/marker_calls.h"

#include <optional>

#include "codegen/device/text_lines.h"
#include "codegen/device/warp_paths.h"
#include "codegen/refusal.h"

namespace strata::device {

namespace {

struct Marker {
  const char* function;  // how its name begins
  const char* meaning;
  std::string (*instruction)(std::vector<std::string>& lines, const MarkerCall& call);
  bool of_warps;  // must all threads of a warp be there?
};

const Marker* marker_in(const std::string& text) {
  static const Marker all[] = {
      {copy_marker, "an asynchronous copy", copy_instruction, false},
      {product_marker, "a matrix product", product_instruction, true},
  };
  for (const Marker& one : all)
    if (text.find(one.function) != std::string::npos) return &one;
  return nullptr;
}

Error malformed(const std::string& kernel, const Marker& marker) {
  return cannot_generate("the text of the launches of " + kernel + " has " + marker.meaning +
                         " of another form than expected");
}

// "%r5, %r6" ~> both
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = list.find('%'); at != std::string::npos; at = list.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < list.size() && is_part_of_name(list[end])) ++end;
    names.push_back(list.substr(at, end - at));
  }
  return names;
}

// Reads one line of a call; false if it is none of those that a call has.
bool read_line(const std::string& line, MarkerCall& call) {
  if (line.find("\t.param ") == 0) return true;
  if (line.find("\tst.param.b32") == 0) {
    const std::string parameter = "[param" + std::to_string(call.arguments.size()) + "], ";
    call.arguments.push_back(between(line, parameter, ";"));
    return !call.arguments.back().empty();
  }
  if (line.find("\tcall.uni") == 0) {
    call.function = between(line, "(retval0), ", ",");
    return !call.function.empty();
  }
  if (line.find("\tld.param.") != 0 || !call.results.empty()) return false;
  call.results = names_in(line.substr(0, line.find('[')));
  return line.find("[retval0]") != std::string::npos;
}

// The call of the marker in these lines.
std::optional<MarkerCall> call_in(const std::vector<std::string>& lines, std::size_t first,
                                  std::size_t last) {
  MarkerCall call;
  call.first = first;
  call.last = last;
  for (std::size_t at = first + 1; at < last; ++at)
    if (!read_line(lines[at], call)) return std::nullopt;
  return call;
}

class KernelText {
 public:
  KernelText(const std::string& text, const std::string& name)
      : lines_(lines_of(text)), name_(name) {}

  std::string with_instructions() {
    for (std::size_t first = 0; first < lines_.size(); ++first) {
      if (lines_[first].find("{ // callseq") == std::string::npos) continue;
      std::size_t last = first;
      const Marker* marker = nullptr;
      for (; last + 1 < lines_.size() && !ends_call(lines_[last]); ++last)
        if (const Marker* found = marker_in(lines_[last])) marker = found;
      if (marker) replace(*marker, first, last);
    }
    return joined(lines_);
  }

 private:
  static bool ends_call(const std::string& line) {
    return line.find("} // callseq") != std::string::npos;
  }

  void replace(const Marker& marker, std::size_t first, std::size_t last) {
    const auto call = call_in(lines_, first, last);
    if (!call || !ends_call(lines_[last])) throw malformed(name_, marker);
    if (marker.of_warps) require_whole_warps(marker, *call);
    const std::string instruction = marker.instruction(lines_, *call);
    if (instruction.empty()) throw malformed(name_, marker);
    for (std::size_t at = first; at <= last; ++at) lines_[at].clear();
    lines_[first] = instruction;
  }

  void require_whole_warps(const Marker& marker, const MarkerCall& call) {
    if (branches_.empty()) branches_ = parting_branches(lines_);
    for (std::size_t at = call.first; at <= call.last; ++at)
      if (!branches_[at].empty())
        throw refused(
            Code::E0502_code_generation_failed,
            "the text of the launches of " + name_ + " has " + marker.meaning +
                " behind a branch that threads of a warp may take differently: " + branches_[at],
            "move conditions and bounds that depend on threads y and x out of the loops around it, "
            "or leave out mma");
  }

  std::vector<std::string> lines_;
  const std::string& name_;
  std::vector<std::string> branches_;  // of each line, once they are needed
};

// The text without the declarations of markers.
std::string without_markers(std::string text) {
  const std::string declared = ".extern .func";
  for (std::size_t at = text.find(declared); at != std::string::npos;) {
    const std::size_t semicolon = text.find(";\n", at);
    if (semicolon == std::string::npos) break;
    const std::size_t end = semicolon + 2;
    const bool is_marker = marker_in(text.substr(at, end - at)) != nullptr;
    if (is_marker) text.erase(at, end - at);
    at = text.find(declared, is_marker ? at : end);
  }
  return text;
}

}  // namespace

std::string with_instructions(const std::string& text, const std::string& kernel) {
  const std::string body = without_markers(text), end = "// -- End function";
  std::string out;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t last = body.find(end, at);
    const std::size_t next = last == std::string::npos ? body.size() : last + end.size();
    out += KernelText(body.substr(at, next - at), kernel).with_instructions();
    at = next;
  }
  return out;
}

}  // namespace strata::device
