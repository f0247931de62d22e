#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/machine/cpu_table.h"
#include "core/machine/trimmed.h"

namespace strata {

namespace {

// A value between two bounds, or nothing.
std::optional<std::int64_t> number_in(const std::string& text, std::int64_t low,
                                      std::int64_t high) {
  std::istringstream in(text);
  std::int64_t value = 0;
  char rest = ' ';
  if (!(in >> value) || in >> rest || value < low || value > high) return std::nullopt;
  return value;
}

// "32768/1 1048576/1": bytes and sharing of each cache.
std::optional<std::vector<Cache>> caches_in(const std::string& text) {
  std::istringstream words(text);
  std::vector<Cache> caches;
  for (std::string word; words >> word;) {
    const auto slash = word.find('/');
    const auto bytes = number_in(word.substr(0, slash), 1, std::int64_t{1} << 40);
    const auto sharing = slash == std::string::npos ? std::optional<std::int64_t>(1)
                                                    : number_in(word.substr(slash + 1), 1, 4096);
    if (!bytes || !sharing) return std::nullopt;
    caches.push_back({*bytes, int(*sharing)});
  }
  return caches;
}

std::string caches_text(const std::vector<Cache>& caches) {
  std::string text;
  for (const Cache& c : caches)
    text += fmt::format("{}{}/{}", text.empty() ? "" : " ", c.bytes, c.sharing);
  return text;
}

// A line of the text: its name, the value that it prints, and how it is read; false if the value is
// not of the kind.
struct Field {
  const char* name;
  const char* expected;
  std::function<std::string(const Machine&)> print;
  std::function<bool(Machine&, const std::string&)> read;
};

Field word(const char* name, std::string Machine::* member) {
  return {name, "a word", [=](const Machine& m) { return m.*member; },
          [=](Machine& m, const std::string& value) {
            m.*member = value;
            return !value.empty();
          }};
}

Field number(const char* name, int Machine::* member, int low, int high) {
  return {name, "a whole number", [=](const Machine& m) { return std::to_string(m.*member); },
          [=](Machine& m, const std::string& value) {
            const auto read = number_in(value, low, high);
            if (read) m.*member = int(*read);
            return read.has_value();
          }};
}

Field truth(const char* name, bool Machine::* member) {
  return {name, "yes or no", [=](const Machine& m) { return m.*member ? "yes" : "no"; },
          [=](Machine& m, const std::string& value) {
            m.*member = value == "yes";
            return value == "yes" || value == "no";
          }};
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = {
      word("cpu", &Machine::cpu),
      word("target", &Machine::target),
      number("vector_bits", &Machine::vector_bits, 64, 4096),
      number("vector_registers", &Machine::vector_registers, 8, 256),
      number("issue_width", &Machine::issue_width, 1, 64),
      number("fma_units", &Machine::fma_units, 1, 64),
      number("fma_latency", &Machine::fma_latency, 1, 64),
      number("loads", &Machine::loads, 1, 64),
      number("line", &Machine::line, 8, 4096),
      {"caches", "sizes in bytes, each with the cores that share it: 32768/1 1048576/1",
       [](const Machine& m) { return caches_text(m.caches); },
       [](Machine& m, const std::string& value) {
         const auto caches = caches_in(value);
         if (caches) m.caches = *caches;
         return caches.has_value();
       }},
      number("cores", &Machine::cores, 1, 1 << 20),
      number("parallel_start", &Machine::parallel_start, 1, 1 << 30),
      truth("masks", &Machine::masks),
      truth("gathers", &Machine::gathers),
      truth("streaming_stores", &Machine::streaming_stores),
  };
  return all;
}

// A line "name = value" of a text, with its number.
struct Line {
  int number;
  std::string name, value;
};

Error broken(const std::string& name, int line, const std::string& what) {
  return Request{"reading " + name, {}}.refused(
      Code::E0108_unreadable_text, fmt::format("line {}: {}", line, what),
      "write one \"name = value\" per line, as to_text(machine()) prints them");
}

std::vector<Line> lines_of(const std::string& text, const std::string& name) {
  const char* const blanks = " \t\r";
  std::vector<Line> lines;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')), blanks);
    if (line.empty()) continue;
    const auto equals = line.find('=');
    if (equals == std::string::npos) throw broken(name, number, "'" + line + "' has no '='");
    lines.push_back({number, trimmed(line.substr(0, equals), blanks),
                     trimmed(line.substr(equals + 1), blanks)});
  }
  return lines;
}

void read_line(Machine& m, const Line& line, const std::string& name) {
  for (const Field& field : fields()) {
    if (line.name != field.name) continue;
    if (field.read(m, line.value)) return;
    throw broken(
        name, line.number,
        fmt::format("{} cannot be '{}': expected {}", line.name, line.value, field.expected));
  }
  throw broken(name, line.number, "a machine has no '" + line.name + "'");
}

}  // namespace

std::string to_text(const Machine& machine) {
  std::string text;
  for (const Field& field : fields())
    text += fmt::format("{} = {}\n", field.name, field.print(machine));
  return text;
}

Machine parse_machine(const std::string& text, const std::string& name) {
  const std::vector<Line> lines = lines_of(text, name);
  Machine m;
  std::map<std::string, int> seen;
  for (const Line& line : lines) {
    if (!seen.emplace(line.name, line.number).second)
      throw broken(name, line.number, line.name + " is set twice");
    if (line.name != "cpu") continue;
    const Machine* row = find_cpu(line.value);
    if (!row)
      throw broken(name, line.number, "'" + line.value + "' is not a CPU that Strata knows");
    m = *row;
  }
  if (!seen.count("cpu")) throw broken(name, 1, "no line sets cpu");
  for (const Line& line : lines) read_line(m, line, name);
  const TargetParts parts = target_parts(m.target);
  m.device = limits_of(parts.device, parts.capability);
  return m;
}

Machine read_machine(const std::string& path) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    throw Request{"read_machine(\"" + path + "\")", {}}.refused(
        Code::E0106_bad_argument, "the file " + path + " cannot be read",
        "name a file that to_text(machine()) was written to");
  return parse_machine(text, path);
}

}  // namespace strata
