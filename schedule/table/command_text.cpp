#include "schedule/table/command_text.h"

#include <charconv>

#include "core/expr/expr_text.h"
#include "layers/flow/reads.h"
#include "schedule/table/command_table.h"

namespace strata {

namespace {

// Parses one operand of a given kind, with a function per notation; std::nullopt if the text is not
// of that kind.
class OperandReader {
 public:
  OperandReader(TextScanner& scanner, const ExprNames& names) : scanner_(scanner), names_(names) {}

  std::optional<CommandOperand> operand(OperandKind kind) {
    switch (kind) {
      case OperandKind::branch: return either(piece(), [&] { return name(); });
      case OperandKind::loop:
      case OperandKind::other_loop: return loop();
      case OperandKind::other_loop_or_root: return either(root(), [&] { return loop(); });
      case OperandKind::loop_name_or_root:
      case OperandKind::loop_name_or_none: return either(root(), [&] { return name(); });
      case OperandKind::root: return root();
      case OperandKind::size: return either(number(), [&] { return parameter(); });
      case OperandKind::number: return number();
      case OperandKind::index: return CommandOperand(parse_expr(scanner_, names_));
      case OperandKind::relation: return relation();
      case OperandKind::memory: return memory();
      case OperandKind::iterators: return iterators();
      default: return name();
    }
  }

 private:
  template <typename Other>
  static std::optional<CommandOperand> either(std::optional<CommandOperand> one, Other other) {
    return one ? one : other();
  }

  bool is_name() const { return scanner_.peek().kind == Token::Kind::name; }

  std::optional<CommandOperand> name() {
    const bool plain = is_name() && (scanner_.peek().quoted ||
                                     scanner_.peek().text.find('.') == std::string::npos);
    if (!plain || scanner_.is_keyword("root")) return std::nullopt;
    return CommandOperand(scanner_.next().text);
  }

  // The "count" parts of a name with so many dots less one.
  std::vector<std::string> parts(std::size_t count) {
    if (!is_name() || scanner_.peek().quoted) return {};
    std::vector<std::string> parts{""};
    for (const char c : scanner_.peek().text)
      if (c == '.')
        parts.push_back("");
      else
        parts.back() += c;
    if (parts.size() != count) return {};
    scanner_.next();
    return parts;
  }

  std::optional<CommandOperand> piece() {
    const auto names = parts(2);
    if (names.empty()) return std::nullopt;
    return CommandOperand(BranchRef(names[0], names[1]));
  }

  std::optional<CommandOperand> loop() {
    if (const auto names = parts(2); !names.empty())
      return CommandOperand(LoopRef{names[0], names[1]});
    if (const auto names = parts(3); !names.empty())
      return CommandOperand(LoopRef{names[0], names[2], names[1]});
    return std::nullopt;
  }

  std::optional<CommandOperand> root() {
    if (!scanner_.accept_keyword("root")) return std::nullopt;
    return CommandOperand(OutsideLoops{});
  }

  std::optional<CommandOperand> number() {
    const std::string sign = scanner_.accept("-") ? "-" : "";
    if (scanner_.peek().kind != Token::Kind::number) return std::nullopt;
    const std::string text = sign + scanner_.next().text;
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return CommandOperand(value);
  }

  std::optional<CommandOperand> parameter() {
    if (!is_name()) return std::nullopt;
    return CommandOperand(TileSize(Param(scanner_.next().text)));
  }

  std::optional<CommandOperand> relation() {
    if (scanner_.peek().kind != Token::Kind::string) return std::nullopt;
    return CommandOperand(IslNotation{scanner_.next().text});
  }

  std::optional<CommandOperand> memory() {
    if (scanner_.accept_keyword(to_string(Memory::automatic)))
      return CommandOperand(Memory::automatic);
    for (const Memory memory : all_memories())
      if (scanner_.accept_keyword(to_string(memory))) return CommandOperand(memory);
    return std::nullopt;
  }

  std::optional<CommandOperand> iterators() {
    if (!scanner_.accept("{")) return std::nullopt;
    CommandOperand::Names names;
    while (!scanner_.accept("}")) {
      if (!names.empty() && !scanner_.accept(",")) return std::nullopt;
      if (!is_name()) return std::nullopt;
      names.push_back(scanner_.next().text);
    }
    return CommandOperand(names);
  }

  TextScanner& scanner_;
  const ExprNames& names_;
};

// Parses "(" operands ")" of the form. If the text does not match, returns std::nullopt and leaves
// the scanner where it was.
std::optional<std::vector<CommandOperand>> operands_of(const Form& form, TextScanner& scanner,
                                                       const ExprNames& names) {
  TextScanner ahead = scanner;
  OperandReader reader(ahead, names);
  std::vector<CommandOperand> operands;
  ahead.expect("(");
  while (!ahead.accept(")")) {
    if (!operands.empty() && !ahead.accept(",")) return std::nullopt;
    const auto kind = form.kind(operands.size());
    const auto operand = kind ? reader.operand(*kind) : std::nullopt;
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  if (operands.size() < form.operands.size()) return std::nullopt;
  scanner = ahead;
  return operands;
}

ExprNames names_in(const Algorithm& algorithm) {
  ExprNames names;
  names.type_of = [&](const std::string& name) -> std::optional<Type> {
    const InputArray* input = algorithm.find_input(name);
    if (input) return input->type;
    if (algorithm.definitions_of(name).empty()) return std::nullopt;
    return type_of(algorithm, name);
  };
  names.parameters = {algorithm.parameters.begin(), algorithm.parameters.end()};
  return names;
}

}  // namespace

std::string command_line(const Command& command) {
  return (command.given.check == Check::waived ? "unchecked " : "") + command.text();
}

Command parse_command(TextScanner& scanner, const Algorithm& algorithm) {
  Command command;
  if (scanner.accept_keyword("unchecked")) command.given.check = Check::waived;
  const Token at = scanner.peek();
  command.name = scanner.expect_name("a command");
  const CommandRow* row = find_row(command.name);
  if (!row)
    scanner.fail(at, Code::E0108_unreadable_text,
                 "there is no command '" + command.name + "'; there are " + names_of_commands());
  const ExprNames names = names_in(algorithm);
  for (const Form& form : row->forms)
    if (auto operands = operands_of(form, scanner, names)) {
      command.operands = std::move(*operands);
      return command;
    }
  scanner.fail(at, Code::E0108_unreadable_text, "expected " + forms_text(*row));
}

Command parse_command(std::string_view text, const Algorithm& algorithm) {
  TextScanner scanner(text);
  Command command = parse_command(scanner, algorithm);
  scanner.expect_end();
  return command;
}

}  // namespace strata
