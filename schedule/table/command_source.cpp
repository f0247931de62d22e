#include "schedule/table/command_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/expr/expr_text.h"
#include "core/text_scanner.h"
#include "schedule/edit/command_operands.h"
#include "schedule/table/command_table.h"
#include "schedule/table/command_text.h"

namespace strata {

namespace {

std::string literal(const std::string& text) {
  std::string out;
  for (const char c : quoted_string(text)) out += c == '\n' ? "\\n" : std::string(1, c);
  return out;
}

std::string braced(const std::vector<std::string>& texts) {
  return fmt::format("{{{}}}", fmt::join(texts, ", "));
}

// The expression as C++, with iterators written as Var("i").
std::string source_of(const Expr& e) {
  std::string text = to_text(substitute(
      e, [](const std::string& iterator) { return variable("Var(\"" + iterator + "\")"); }));
  std::erase(text, '`');
  return text;
}

std::string source_of(const CommandOperand::Names& names) {
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(literal(name));
  return braced(texts);
}

class Source {
 public:
  Source(const Command& command, const Algorithm& algorithm)
      : command_(command), row_(*find_row(command.name)), operands_(command) {
    const Form& form = *find_form(row_, command.operands);
    const std::size_t fixed = form.operands.size();
    for (std::size_t n = 0; n < fixed; ++n) add(n, form.operands[n]);
    if (form.further == OperandKind::loop)
      add_list_of_loops(fixed);
    else if (form.further == OperandKind::index)
      add_places(fixed);
    else if (form.further)
      add_loops(fixed);
    is_about_input_ = algorithm.find_input(about_);
  }

  std::string text() const {
    if (row_.method.starts_with("f.")) {
      std::vector<std::string> all = arguments_;
      all.insert(all.begin(), about_);
      return fmt::format("{}({});", row_.method, fmt::join(all, ", "));
    }
    const std::string unchecked = command_.given.check == Check::waived ? ".unchecked()" : "";
    const std::string handle = is_about_input_ ? about_ + ".buffer()" : about_ + unchecked;
    return fmt::format("{}{}.{}({});", made_, handle, row_.method, fmt::join(arguments_, ", "));
  }

 private:
  // Operand 0 names the computation whose method is called.
  void add(std::size_t n, OperandKind kind) {
    if (n == 0)
      about_ = operands_.is<LoopRef>(0) ? handle_text(operands_.loop(0).branch())
                                        : handle_text(operands_.branch(0));
    if (n == 0 && !operands_.is<LoopRef>(0)) return;
    if (kind == OperandKind::new_computation) made_ = "Computation " + operands_.name(n) + " = ";
    if (kind == OperandKind::buffer && operands_.name(n) == about_) return;
    arguments_.push_back(argument(n, kind));
  }

  std::string argument(std::size_t n, OperandKind kind) const {
    switch (kind) {
      case OperandKind::buffer: return "Buffer(" + literal(operands_.name(n)) + ")";
      case OperandKind::partition: return "Partition(" + literal(operands_.name(n)) + ")";
      case OperandKind::branch: return handle_text(operands_.branch(n));
      case OperandKind::loop: return literal(operands_.loop(n).loop);
      case OperandKind::other_loop:
      case OperandKind::other_loop_or_root:
        return operands_.is<LoopRef>(n) ? other_loop(n) : "root";
      case OperandKind::loop_name_or_root:
        return operands_.is<OutsideLoops>(n) ? "root" : literal(operands_.name(n));
      case OperandKind::loop_name_or_none:
        return operands_.is<OutsideLoops>(n) ? "std::nullopt" : literal(operands_.name(n));
      case OperandKind::index: return source_of(operands_.index(n));
      case OperandKind::relation: return literal(operands_.relation(n));
      case OperandKind::memory: return "Memory::" + to_string(operands_.memory_or_automatic(n));
      case OperandKind::iterators: return source_of(operands_.iterators(n));
      case OperandKind::new_loop:
      case OperandKind::new_computation:
      case OperandKind::new_piece:
      case OperandKind::shape: return literal(operands_.name(n));
      default: return to_text(command_.operands[n]);
    }
  }

  std::string other_loop(std::size_t n) const {
    return handle_text(operands_.loop(n).branch()) + ", " + literal(operands_.loop(n).loop);
  }

  void add_places(std::size_t first) {
    std::vector<std::string> places;
    for (std::size_t n = first; n < operands_.size(); ++n)
      places.push_back(source_of(operands_.index(n)));
    arguments_.push_back(places.empty() ? "std::vector<Expr>{}" : braced(places));
  }

  // The loops of this computation are one argument, a list.
  void add_list_of_loops(std::size_t first) {
    for (std::size_t n = first; n < operands_.size(); ++n)
      arguments_.push_back(argument(n, OperandKind::loop));
    arguments_ = {braced(arguments_)};
  }

  void add_loops(std::size_t first) {
    std::vector<std::string> loops;
    for (std::size_t n = first; n < operands_.size(); ++n) loops.push_back(other_loop(n));
    for (std::string& loop : loops)
      if (loops.size() > 1) loop = "{" + loop + "}";
    arguments_.push_back(loops.size() == 1 ? loops.front() : braced(loops));
  }

  const Command& command_;
  const CommandRow& row_;
  const CommandOperands operands_;
  std::string made_, about_;
  bool is_about_input_ = false;
  std::vector<std::string> arguments_;
};

}  // namespace

std::string source_of(const Command& command, const Algorithm& algorithm) {
  return Source(command, algorithm).text();
}

std::string source_of_history(const Program& program) {
  std::string text, indent;
  for (const std::string& line : program.history) {
    if (line == group_begin) {
      text += "f.together([&] {\n";
      indent = "  ";
    } else if (line == group_end) {
      text += "});\n";
      indent = "";
    } else {
      const Algorithm& algorithm = *program.algorithm;
      text += indent + source_of(parse_command(line, algorithm), algorithm) + "\n";
    }
  }
  return text;
}

}  // namespace strata
