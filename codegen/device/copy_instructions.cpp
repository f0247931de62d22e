#include <algorithm>
#include <optional>

#include "codegen/device/marker_calls.h"
#include "codegen/device/text_lines.h"

namespace strata::device {

namespace {

// The register that a line of PTX sets: "%r5" of "ld.global.b32 %r5, [%rd7];", "{%r5, %r6}" of a
// vector.
std::string set_by(const std::string& line) {
  const std::string all = between(line, " \t", ";");
  return all.substr(0, all[0] == '{' ? all.find('}') + 1 : all.find(','));
}

bool mentions(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); at != std::string::npos; at = line.find(name, at + 1))
    if (!is_part_of_name(line[at + name.size()])) return true;
  return false;
}

// The loads in the lines of one kernel.
class Loads {
 public:
  explicit Loads(const std::vector<std::string>& lines) : lines_(lines) {}

  // How many lines name the register?
  std::ptrdiff_t count(const std::string& name) const {
    return std::count_if(lines_.begin(), lines_.end(),
                         [&](const std::string& line) { return mentions(line, name); });
  }

  // The load of the register, whose address is still the same in line "end": no line of this part
  // of straight code sets it in between, or nothing else in the kernel ever does.
  std::optional<std::size_t> find(std::size_t end, const std::string& value) const {
    bool same_part = true;
    std::vector<std::string> set;
    for (std::size_t at = end; at-- > 0;) {
      const std::string name = set_by(lines_[at]);
      if (!name.empty() && name == value) {
        if (lines_[at].find("\tld.global") != 0) return std::nullopt;
        const std::string place = between(lines_[at], "[", "]");
        const std::string base = place.substr(0, place.find('+'));
        const bool unchanged = std::find(set.begin(), set.end(), base) == set.end();
        const bool same = unchanged && (same_part || (is_set_once(value) && is_set_once(base)));
        return same ? std::optional(at) : std::nullopt;
      }
      set.push_back(name);
      same_part = same_part && lines_[at][0] != '$' && lines_[at].find("\tbra") != 0;
    }
    return std::nullopt;
  }

 private:
  bool is_set_once(const std::string& name) const {
    return 1 == std::count_if(lines_.begin(), lines_.end(),
                              [&](const std::string& line) { return set_by(line) == name; });
  }

  const std::vector<std::string>& lines_;
};

}  // namespace

std::string copy_instruction(std::vector<std::string>& lines, const MarkerCall& call) {
  const std::string size = call.function.substr(std::string(copy_marker).size());
  if (size == "wait_all") return "\tcp.async.wait_all;\n";
  if (call.arguments.size() != 2 || call.results.size() != 1) return "";
  const std::string &place = call.arguments[0], &value = call.arguments[1];
  // cp.async knows no constant places: the register of the call's result, which nothing reads, has
  // one.
  const bool is_constant = place[0] != '%';
  const std::string& to = is_constant ? call.results[0] : place;
  const std::string set = is_constant ? "\tmov.b32 \t" + to + ", " + place + ";\n" : "";
  const Loads loads(lines);
  const auto load = loads.find(call.first, value);
  if (!load) return "";
  const std::string from = between(lines[*load], "[", "]");
  const bool is_only_use = loads.count(value) == 2;  // the load, and the call
  if (is_only_use) lines[*load].clear();
  return set + "\tcp.async." + (size == "16" ? "cg" : "ca") + ".shared.global \t[" + to + "], [" +
         from + "], " + size + ";\n";
}

}  // namespace strata::device
