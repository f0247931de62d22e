#include "tests/gpu/emulator/kernel.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tests/gpu/emulator/steps.h"

namespace strata::emulator {

namespace {

// What a register without a value has.
constexpr std::uint64_t garbage = 0xd1a5c0ded1a5c0de;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Parts split(const std::string& text, char at) {
  Parts parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(trimmed(part));
  return parts;
}

// "{%r1, %r2}, [%rd3+4], 5" ~> %r1, %r2, [%rd3+4], 5
Parts operands_of(std::string text) {
  for (char& c : text)
    if (c == '{' || c == '}') c = ',';
  Parts parts = split(text, ',');
  std::erase(parts, "");
  return parts;
}

int bytes_of(const std::string& type) { return std::stoi(type.substr(1)) / 8; }

class Reader {
 public:
  explicit Reader(const std::string& name) {
    kernel_.name = name;
    slot("0");  // slot 0
  }

  Kernel read(const std::string& head, const std::string& body) {
    read_head(head);
    std::istringstream in(body);
    for (std::string line; std::getline(in, line);)
      read_line(trimmed(line.substr(0, line.find("//"))));
    for (const auto& [instruction, label] : branches_) {
      if (!labels_.count(label)) throw std::runtime_error("there is no label " + label);
      kernel_.code[instruction].target = labels_[label];
    }
    return std::move(kernel_);
  }

 private:
  void read_head(const std::string& head) {
    static const std::regex parameter(
        R"(\.param\s+(?:\.align\s+\d+\s+)?\.([usbf]\d+)[^,\n]*?(\w+)\s*[,\n])");
    int offset = 0;
    for (std::sregex_iterator at(head.begin(), head.end(), parameter), end; at != end; ++at) {
      const int bytes = bytes_of((*at)[1]);
      offset = (offset + bytes - 1) / bytes * bytes;
      parameters_[(*at)[2]] = offset;
      kernel_.parameter_bytes.push_back(bytes);
      kernel_.parameter_offsets.push_back(offset);
      offset += bytes;
    }
    std::smatch found;
    if (!std::regex_search(head, found, std::regex(R"(\.maxntid (\d+), (\d+), (\d+))")))
      throw std::runtime_error(kernel_.name + " does not say its number of threads");
    for (std::size_t axis = 0; axis < 3; ++axis)
      kernel_.threads[axis] = unsigned(std::stoul(found[axis + 1]));
  }

  void read_line(const std::string& line) {
    std::smatch found;
    static const std::regex label(R"((\$\w+):)"),
        memory(R"(\.(local|shared)\s.*\.b8\s+(\w+)\[(\d*)\];)");
    if (std::regex_match(line, found, label)) {
      labels_[found[1]] = kernel_.code.size();
      return;
    }
    if (std::regex_match(line, found, memory)) return read_memory(found);
    for (std::string statement : split(line, ';')) {
      while (!statement.empty() && (statement[0] == '{' || statement[0] == '}'))
        statement = trimmed(statement.substr(1));
      if (!statement.empty() && statement[0] != '.') read_statement(statement);
    }
  }

  void read_memory(const std::smatch& found) {
    std::size_t& bytes = found[1] == "local" ? kernel_.local_bytes : kernel_.shared_bytes;
    symbols_[found[2]] = bytes;
    if (found[3].length() > 0) bytes += std::stoul(found[3]);
  }

  void read_statement(const std::string& statement) {
    static const std::regex form(R"((@!?[%\w]+\s+)?([a-z][\w.]*)\s*(.*))");
    std::smatch found;
    if (!std::regex_match(statement, found, form)) throw unknown(statement);
    now_ = Instruction();
    now_.text = statement;
    if (found[1].matched) {
      const std::string predicate = trimmed(found[1]);
      now_.unless = predicate[1] == '!';
      now_.guard = slot(predicate.substr(now_.unless ? 2 : 1));
    }
    read_operation(split(found[2], '.'), operands_of(found[3]));
    kernel_.code.push_back(now_);
  }

  std::runtime_error unknown(const std::string& statement) const {
    return std::runtime_error("the emulator does not know \"" + statement + "\" of " +
                              kernel_.name);
  }

  void read_operation(const Parts& parts, const Parts& operands) {
    const std::string& name = parts[0];
    if (name == "bra") {
      now_.way = Way::branch;
      branches_.emplace_back(kernel_.code.size(), operands.at(0));
    } else if (name == "ret" || name == "exit") {
      now_.way = Way::end;
    } else if (parts == Parts{"bar", "sync"} && operands == Parts{"0"}) {
      now_.way = Way::barrier;
    } else if (name == "mma" || parts == Parts{"shfl", "sync", "bfly", "b32"} ||
               parts == Parts{"vote", "sync", "ballot", "b32"}) {
      now_.way = name == "mma" ? Way::product : Way::exchange;
      set_slots(operands);
    } else if (name == "ld" || name == "st" || name == "atom" || name == "cp") {
      now_.step = memory_step(parts);
      read_access(parts, operands);
    } else if (name == "mov" && operands.size() > 2) {
      const bool unpacks = now_.text.find('{') < now_.text.find(',');
      now_.step = arithmetic_step({"mov", unpacks ? "unpack" : "pack"});
      now_.count = int(operands.size()) - 1;
      now_.bytes = bytes_of(parts.back()) / now_.count;
      set_slots(operands);
    } else {
      now_.step = name == "cvt" ? conversion_step(parts) : arithmetic_step(parts);
      set_slots(operands);
    }
    if (now_.way == Way::on && !now_.step) throw unknown(now_.text);
  }

  void set_slots(const Parts& operands) {
    if (operands.size() > now_.at.size()) throw unknown(now_.text);
    for (std::size_t n = 0; n < operands.size(); ++n) now_.at[n] = slot(operands[n]);
  }

  static bool is_place(const std::string& operand) { return operand[0] == '['; }

  void read_access(const Parts& parts, const Parts& operands) {
    if (parts[0] == "cp") {
      if (operands.empty()) return;
      set_place(operands.at(0), now_.base, now_.offset);
      set_place(operands.at(1), now_.source, now_.source_offset);
      now_.bytes = std::stoi(operands.at(2));
      return;
    }
    now_.space = has_part(parts, "shared")  ? Space::shared
                 : has_part(parts, "local") ? Space::local
                 : has_part(parts, "param") ? Space::parameter
                                            : Space::global;
    now_.bytes = bytes_of(parts.back());
    now_.count = has_part(parts, "v4") ? 4 : has_part(parts, "v2") ? 2 : 1;
    now_.is_signed = parts.back()[0] == 's';
    Parts values = operands;
    const auto place = std::find_if(values.begin(), values.end(), is_place);
    if (place == values.end()) throw unknown(now_.text);
    set_place(*place, now_.base, now_.offset);
    values.erase(place);
    set_slots(values);
  }

  // "[%rd1+-8]", "[f_param_0]"
  void set_place(const std::string& operand, std::uint32_t& base, std::int64_t& offset) {
    const std::string text = trimmed(operand.substr(1, operand.size() - 2));
    const std::size_t plus = text.find('+');
    const std::string name = trimmed(text.substr(0, plus));
    if (plus != std::string::npos) offset = std::stoll(text.substr(plus + 1));
    if (const auto found = parameters_.find(name); found != parameters_.end())
      offset += found->second;
    else
      base = slot(name);
  }

  static bool is_number(const std::string& operand) {
    return std::isdigit(static_cast<unsigned char>(operand[0])) || operand[0] == '-';
  }

  static std::uint64_t number(const std::string& operand) {
    const bool is_float = operand[0] == '0' && (operand[1] == 'f' || operand[1] == 'd');
    if (is_float) return std::stoull(operand.substr(2), nullptr, 16);
    if (operand[0] == '-') return std::uint64_t(std::stoll(operand, nullptr, 0));
    return std::stoull(operand, nullptr, 0);
  }

  std::uint32_t slot(const std::string& operand) {
    const auto [known, is_new] = slots_.emplace(operand, std::uint32_t(kernel_.registers.size()));
    if (!is_new) return known->second;
    const auto symbol = symbols_.find(operand);
    const bool is_symbol = symbol != symbols_.end();
    kernel_.registers.push_back(is_number(operand) ? number(operand)
                                : is_symbol        ? symbol->second
                                                   : garbage);
    note_special(operand, known->second);
    return known->second;
  }

  void note_special(const std::string& operand, std::uint32_t slot) {
    static const char* const names[] = {"%tid.", "%ctaid.", "%ntid.", "%nctaid."};
    for (std::size_t n = 0; n < std::size(names); ++n)
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (operand == std::string(names[n]) + "xyz"[axis]) kernel_.places[3 * n + axis] = slot;
  }

  Kernel kernel_;
  Instruction now_;
  std::map<std::string, std::uint32_t> slots_;
  std::map<std::string, std::int64_t> parameters_;
  std::map<std::string, std::uint64_t> symbols_;
  std::map<std::string, std::size_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> branches_;
};

}  // namespace

std::map<std::string, Kernel> kernels_of(const std::string& text) {
  static const std::string entry = ".visible .entry ";
  std::map<std::string, Kernel> kernels;
  for (std::size_t at = text.find(entry); at != std::string::npos;) {
    const std::size_t next = text.find(entry, at + 1), begin = text.find("\n{", at);
    const std::string name = text.substr(at + entry.size(), text.find('(', at) - at - entry.size());
    kernels[name] =
        Reader(name).read(text.substr(at, begin - at), text.substr(begin + 2, next - begin - 2));
    at = next;
  }
  return kernels;
}

}  // namespace strata::emulator
