#include "codegen/device/ptx_blocks.h"

#include <cctype>
#include <map>

#include "codegen/device/text_lines.h"

namespace strata::device {

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Up to the first white space; the rest stays in "text".
std::string first_word(std::string& text) {
  const std::size_t end = text.find_first_of(" \t");
  const std::string word = text.substr(0, end);
  text = end == std::string::npos ? "" : trimmed(text.substr(end));
  return word;
}

std::vector<std::string> operands_in(const std::string& text) {
  std::vector<std::string> operands;
  std::string operand;
  int depth = 0;
  for (const char c : text + ",") {
    depth += (c == '{' || c == '[' || c == '(') - (c == '}' || c == ']' || c == ')');
    if (c != ',' || depth > 0) {
      operand += c;
    } else {
      operands.push_back(trimmed(operand));
      operand.clear();
    }
  }
  return operands;
}

// "@%p1 bra $L__BB0_2;"
PtxInstruction instruction_in(std::string text, std::size_t line) {
  PtxInstruction made;
  made.line = line;
  text = text.substr(0, text.find(';'));
  if (text[0] == '@') {
    const std::string guard = first_word(text);
    made.predicate = guard.substr(guard.find('%'));
  }
  made.operation = first_word(text);
  if (!text.empty()) made.operands = operands_in(text);
  return made;
}

bool is_branch(const PtxInstruction& one) {
  return one.operation.starts_with("bra") || one.operation.starts_with("brx");
}

bool ends_thread(const PtxInstruction& one) {
  return one.operation == "ret" || one.operation == "exit" || one.operation == "trap";
}

class Blocks {
 public:
  explicit Blocks(const std::vector<std::string>& lines) : blocks_(1) {
    for (std::size_t line = 0; line < lines.size(); ++line)
      add(trimmed(lines[line].substr(0, lines[line].find("//"))), line);
  }

  std::vector<PtxBlock> linked() {
    blocks_.emplace_back();
    const std::size_t end = blocks_.size() - 1;
    for (std::size_t b = 0; b < end; ++b) {
      std::vector<std::size_t>& next = blocks_[b].next;
      const auto& all = blocks_[b].instructions;
      const bool leaves = !all.empty() && leaves_block(all.back());
      if (!leaves || !all.back().predicate.empty()) next.push_back(b + 1);
      if (leaves && ends_thread(all.back())) next.push_back(end);
      if (leaves && is_branch(all.back())) link(all.back(), next);
    }
    return blocks_;
  }

 private:
  void add(std::string text, std::size_t line) {
    // "{ .reg .b32 tmp; mov.b64 {tmp, %r5}, %rd1; }", as LLVM has it before PTX 7.1.
    if (text.starts_with("{ .reg ") && text.find(';') != std::string::npos)
      text = trimmed(text.substr(text.find(';') + 1));
    if (text[0] == '$' && text.back() == ':') {
      blocks_.emplace_back();
      labels_[text.substr(0, text.size() - 1)] = blocks_.size() - 1;
    }
    const bool is_instruction = std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '@';
    if (!is_instruction) return;
    blocks_.back().instructions.push_back(instruction_in(text, line));
    if (leaves_block(blocks_.back().instructions.back())) blocks_.emplace_back();
  }

  // A branch to one of several places may go to any.
  void link(const PtxInstruction& branch, std::vector<std::size_t>& next) const {
    const auto place = labels_.find(branch.operands.empty() ? "" : branch.operands[0]);
    if (place != labels_.end()) {
      next.push_back(place->second);
      return;
    }
    for (const auto& [label, block] : labels_) next.push_back(block);
  }

  std::vector<PtxBlock> blocks_;
  std::map<std::string, std::size_t> labels_;
};

}  // namespace

bool leaves_block(const PtxInstruction& instruction) {
  return is_branch(instruction) || ends_thread(instruction);
}

std::vector<PtxBlock> blocks_of(const std::vector<std::string>& lines) {
  return Blocks(lines).linked();
}

std::set<std::string> registers_in(const std::string& operand) {
  std::set<std::string> names;
  for (std::size_t at = operand.find('%'); at != std::string::npos;
       at = operand.find('%', at + 1)) {
    std::size_t end = at + 1;
    while (end < operand.size() && (is_part_of_name(operand[end]) || operand[end] == '.')) ++end;
    names.insert(operand.substr(at, end - at));
  }
  return names;
}

}  // namespace strata::device
