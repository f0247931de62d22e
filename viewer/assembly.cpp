#include "viewer/assembly.h"

#include <cctype>
#include <optional>
#include <set>
#include <sstream>

namespace strata::viewer {

namespace {

// A block of LLVM's text, from its label or the comment that begins it to the next.
struct BasicBlock {
  std::string function, label, name;
  std::string inner_of;  // the label of the inner loop that it is in
  std::vector<std::string> lines;
};

// What stands between "before" and the next character that is not of a name.
std::string word_after(const std::string& line, const std::string& before) {
  const auto found = line.find(before);
  if (found == std::string::npos) return "";
  const std::size_t at = found + before.size();
  std::size_t end = at;
  while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) ||
                               line[end] == '_' || line[end] == '.' || line[end] == '$'))
    ++end;
  return line.substr(at, end - at);
}

// "1_for_step.w0" of `.LBB0_27:    # %"1_for_step.w0"`.
std::string block_name(const std::string& line) {
  for (const char* before : {"# %\"", "// %\"", "# %", "// %"}) {
    const std::string name = word_after(line, before);
    if (!name.empty()) return name;
  }
  return "";
}

bool is_comment(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first == std::string::npos || line[first] == '#' || line.compare(first, 2, "//") == 0;
}

bool is_directive(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && first > 0 && line[first] == '.';
}

// The label that a line begins with.
std::string label_of(const std::string& line) {
  if (line.empty() || line[0] == ' ' || line[0] == '\t' || is_comment(line)) return "";
  const auto colon = line.find(':');
  return colon == std::string::npos ? "" : line.substr(0, colon);
}

// The bytes that `.asciz "a\n\001"` stands for; empty for other lines.
std::string bytes_of(const std::string& line) {
  const std::string before = ".asciz\t\"", control = "b\bf\fn\nr\rt\t";
  const auto found = line.find(before);
  if (found == std::string::npos) return "";
  std::string bytes;
  for (std::size_t at = found + before.size(); at + 1 < line.size(); ++at) {
    if (line[at] != '\\') {
      bytes += line[at];
    } else if (const char c = line[++at]; '0' <= c && c <= '7') {
      bytes += char(std::stoi(line.substr(at, 3), nullptr, 8));
      at += 2;
    } else {
      const auto meant = control.find(c);
      bytes += meant == std::string::npos ? c : control[meant + 1];
    }
  }
  return bytes;
}

class Reader {
 public:
  // "local" begins the labels inside of functions.
  explicit Reader(std::string local) : local_(std::move(local)) {}

  std::vector<BasicBlock> read(const std::string& assembly) {
    std::istringstream text(assembly);
    for (std::string line; std::getline(text, line);) take(line);
    end_block();
    return std::move(blocks_);
  }

 private:
  void take(const std::string& line) {
    const std::string label = label_of(line), kernel = word_after(line, ".entry ");
    if (!kernel.empty()) function_ = kernel;
    const bool unlabelled = line.find("%bb.") != std::string::npos && is_comment(line);
    if (!label.empty() || unlabelled) {
      end_block();
      if (!label.empty() && label.compare(0, local_.size(), local_) != 0) function_ = label;
      block_ = {
          function_, label, label == function_ ? "" : block_name_of(line, unlabelled), "", {}};
    }
    note_loop(line);
    if (!unlabelled && label.empty() && !is_comment(line) && !is_directive(line))
      block_.lines.push_back(instruction(line));
  }

  // "# %bb.25:      # %then_bb" has its name in the second comment.
  static std::string block_name_of(const std::string& line, bool unlabelled) {
    const auto colon = line.find(':');
    return block_name(unlabelled && colon != std::string::npos ? line.substr(colon) : line);
  }

  void note_loop(const std::string& line) {
    if (line.find("This Inner Loop Header") != std::string::npos) block_.inner_of = block_.label;
    const std::string header = word_after(line, "in Loop: Header=");
    if (!header.empty() && block_.inner_of.empty()) block_.inner_of = local_ + header;
  }

  // Without the indentation and the comment.
  static std::string instruction(const std::string& line) {
    std::string text = line.substr(line.find_first_not_of(" \t"));
    for (const char* comment : {" # ", "\t# ", " // "}) text = text.substr(0, text.find(comment));
    for (char& c : text)
      if (c == '\t') c = ' ';
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

  void end_block() {
    if (!block_.label.empty() || !block_.name.empty() || !block_.lines.empty())
      blocks_.push_back(std::move(block_));
    block_ = {};
  }

  std::vector<BasicBlock> blocks_;
  BasicBlock block_;
  std::string function_, local_;
};

// The number and the variable of "12_for_step.w0", without LLVM's suffixes.
struct Named {
  std::string number, variable;
};
std::optional<Named> named(const std::string& block) {
  const std::string step = "_for_step.";
  const auto found = block.find(step);
  if (found == std::string::npos) return std::nullopt;
  std::string number = block.substr(0, found);
  const std::string end = "_end";  // "12_end_for_step.w0"
  if (number.size() > end.size() && number.substr(number.size() - end.size()) == end)
    number.resize(number.size() - end.size());
  if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  const std::string rest = block.substr(found + step.size());
  return Named{number, rest.substr(0, rest.find('.'))};
}

// The variable of each number: LLVM may add digits to the name of a copy, so the shortest one, if
// all others begin with it.
std::map<std::string, std::string> variables_of(const std::vector<BasicBlock>& blocks) {
  std::map<std::string, std::set<std::string>> found;
  for (const BasicBlock& block : blocks)
    if (const auto name = named(block.name)) found[name->number].insert(name->variable);
  std::map<std::string, std::string> variables;
  for (const auto& [number, names] : found) {
    const std::string& shortest = *names.begin();  // a prefix comes first
    bool one = true;
    for (const std::string& name : names)
      one = one && name.compare(0, shortest.size(), shortest) == 0;
    if (one) variables[number] = shortest;
  }
  return variables;
}

// The inner loops of one text, whose numbers are its own.
std::vector<AssemblyLoop> loops_of(const std::string& assembly, const std::string& local) {
  const std::vector<BasicBlock> blocks = Reader(local).read(assembly);
  const auto variables = variables_of(blocks);
  std::vector<AssemblyLoop> loops;
  std::map<std::string, std::size_t> by_label;
  for (const BasicBlock& block : blocks) {
    if (block.inner_of.empty() || block.inner_of != block.label) continue;
    by_label[block.label] = loops.size();
    AssemblyLoop loop{block.function, block.name.empty() ? block.label : block.name, {}, ""};
    const auto name = named(block.name);
    const bool begins = name && block.name.find("_end_for_step.") == std::string::npos;
    if (begins && variables.count(name->number)) loop.variable = variables.at(name->number);
    loops.push_back(loop);
  }
  for (const BasicBlock& block : blocks) {
    const auto loop = by_label.find(block.inner_of);
    if (loop == by_label.end()) continue;
    std::vector<std::string>& lines = loops[loop->second].lines;
    if (!block.label.empty()) lines.push_back(block.label + ":");
    lines.insert(lines.end(), block.lines.begin(), block.lines.end());
  }
  return loops;
}

}  // namespace

std::vector<AssemblyLoop> inner_loops(const std::string& assembly) {
  std::vector<AssemblyLoop> loops = loops_of(assembly, ".L");
  std::istringstream text(assembly);
  for (std::string line; std::getline(text, line);) {
    const std::string ptx = bytes_of(line);
    if (ptx.find(".target sm_") == std::string::npos) continue;
    const std::vector<AssemblyLoop> of_device = loops_of(ptx, "$L__");
    loops.insert(loops.end(), of_device.begin(), of_device.end());
  }
  return loops;
}

}  // namespace strata::viewer
