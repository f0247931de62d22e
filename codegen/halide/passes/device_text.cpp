#include "codegen/halide/passes/device_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "codegen/halide/refusal.h"

namespace strata::halide {

namespace {

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$';
}

std::string with_name(const std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    const std::size_t end = at + from.size();
    const bool ends = end == text.size() || !is_part_of_name(text[end]);
    const bool is_parameter = text.compare(end, 7, "_param_") == 0;
    const bool begins = at == 0 || !is_part_of_name(text[at - 1]);
    if (!begins || !(ends || is_parameter)) continue;
    out += text.substr(done, at - done) + to;
    done = end;
  }
  return out + text.substr(done);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    lines.back() += c;
    if (c == '\n') lines.emplace_back();
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

//     old_val = PLACE;  ..  int _7 = PLACE;  ..  } while(atomic_cmpxchg((..)&BUFFER[_2], old_val
// The second PLACE ~> old_val. BUFFER[_2] ~> PLACE, which has the right type also where the buffer
// is an array of bytes.
bool single_look_in_opencl(std::vector<std::string>& lines, std::size_t end) {
  std::size_t start = end;
  while (start > 0 && lines[start].find("do {") == std::string::npos) --start;
  std::string old, place;
  int looks = 0;
  for (std::size_t at = start; at < end; ++at) {
    const std::size_t equals = lines[at].find(" = ");
    if (equals == std::string::npos) continue;
    const std::string right = lines[at].substr(equals + 3);
    const std::size_t name = lines[at].find("old_val");
    if (name < equals) {
      old = lines[at].substr(name, equals - name);
      place = right;
    } else if (right == place) {
      lines[at] = lines[at].substr(0, equals + 3) + old + ";\n";
      ++looks;
    }
  }
  const std::size_t exchanged = lines[end].find(")&"), then = lines[end].find(", old_val");
  if (looks != 1 || exchanged == std::string::npos || then == std::string::npos) return false;
  lines[end].replace(exchanged + 2, then - exchanged - 2, place.substr(0, place.find(';')));
  return true;
}

// The text from "from" up to "to", both not included.
std::string between(const std::string& line, const std::string& from, const std::string& to) {
  const std::size_t start = line.find(from);
  if (start == std::string::npos) return "";
  const std::size_t after = start + from.size();
  return line.substr(after, line.find(to, after) - after);
}

//     ld.global.b32 %r5, [PLACE];  ..  atom.global.cas.b32 %r7, [PLACE], %r4, %r6;
// The load ~> mov.b32 %r5, %r4, which has what is compared with.
bool single_look_in_ptx(std::vector<std::string>& lines, std::size_t end) {
  const std::string place = between(lines[end], "[", "]"), old = between(lines[end], "], ", ",");
  const std::string type = between(lines[end], ".cas.", " ");
  int looks = 0;
  for (std::size_t at = end; at-- > 0 && lines[at][0] != '$';) {
    const bool loads = lines[at].find("\tld.") == 0;
    if (!loads || between(lines[at], "[", "]") != place) continue;
    lines[at] = "\tmov." + type + " \t" + between(lines[at], " \t", ",") + ", " + old + ";\n";
    ++looks;
  }
  return looks == 1 && !place.empty() && !old.empty();
}

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

const char* const copy_marker = "strata_cp_async_";

// The lines of one kernel in PTX, in which calls of markers are replaced.
class CopyInstructions {
 public:
  explicit CopyInstructions(std::vector<std::string>& lines) : lines_(lines) {}

  // Replaces the call that begins in a line; false if it has another form than expected.
  bool replace(std::size_t first) {
    std::size_t last = first, call = first;
    for (; last < lines_.size() && lines_[last].find("} // callseq") == std::string::npos; ++last)
      if (lines_[last].find(copy_marker) != std::string::npos) call = last;
    if (call == first) return true;
    if (last == lines_.size()) return false;
    const std::string size = between(lines_[call], copy_marker, ",");  // or "wait_all"
    if (size == "wait_all") {
      put(first, last, "cp.async.wait_all;");
      return true;
    }
    const std::string to = operand(first, last, "[param0], "),
                      value = operand(first, last, "[param1], ");
    const auto load = find_load(first, value);
    if (to.empty() || !load) return false;
    const std::string from = between(lines_[*load], "[", "]");
    put(first, last,
        std::string("cp.async.") + (size == "16" ? "cg" : "ca") + ".shared.global \t[" + to +
            "], [" + from + "], " + size + ";");
    if (count(value) == 1) lines_[*load].clear();
    return true;
  }

 private:
  std::string operand(std::size_t first, std::size_t last, const std::string& parameter) const {
    for (std::size_t at = first; at < last; ++at)
      if (lines_[at].find("st.param.b32") != std::string::npos &&
          lines_[at].find(parameter) != std::string::npos)
        return between(lines_[at], parameter, ";");
    return "";
  }

  // In the place of lines.
  void put(std::size_t first, std::size_t last, const std::string& instruction) {
    for (std::size_t at = first; at <= last; ++at) lines_[at].clear();
    lines_[first] = "\t" + instruction + "\n";
  }

  std::ptrdiff_t count(const std::string& name) const {
    return std::count_if(lines_.begin(), lines_.end(),
                         [&](const std::string& line) { return mentions(line, name); });
  }

  bool is_set_once(const std::string& name) const {
    return 1 == std::count_if(lines_.begin(), lines_.end(),
                              [&](const std::string& line) { return set_by(line) == name; });
  }

  // The load of the register, whose address is still the same in line "end": no line of this part
  // of straight code sets it in between, or nothing else in the kernel ever does.
  std::optional<std::size_t> find_load(std::size_t end, const std::string& value) const {
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

  std::vector<std::string>& lines_;
};

// The text without the declarations of markers.
std::string without_markers(std::string text) {
  const std::string declared = ".extern .func";
  for (std::size_t at = text.find(declared); at != std::string::npos;) {
    const std::size_t semicolon = text.find(";\n", at);
    if (semicolon == std::string::npos) break;
    const std::size_t end = semicolon + 2;
    const bool is_marker = text.substr(at, end - at).find(copy_marker) != std::string::npos;
    if (is_marker) text.erase(at, end - at);
    at = text.find(declared, is_marker ? at : end);
  }
  return text;
}

}  // namespace

std::string with_canonical_numbers(const std::string& text) {
  std::string out;
  std::map<std::string, std::size_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part_of_name(text[end])) ++end;
    const std::string name = text.substr(at, std::max<std::size_t>(end - at, 1));
    const bool is_number = name.size() > 1 && name[0] == '_' &&
                           name.find_first_not_of("0123456789", 1) == std::string::npos;
    out += is_number ? "_" + std::to_string(numbers.emplace(name, numbers.size()).first->second)
                     : name;
    at += name.size();
  }
  return out;
}

std::string with_kernel(const std::string& text, const DeviceKernel& kernel) {
  std::string out = with_name(text, kernel.name, kernel.renamed);
  const std::size_t entry = out.find(".entry " + kernel.renamed + "(");
  if (entry == std::string::npos) return out;
  const auto& [x, y, z] = kernel.threads;
  std::string bounds =
      "\n.maxntid " + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z);
  if (kernel.min_blocks) bounds += "\n.minnctapersm " + std::to_string(kernel.min_blocks);
  return out.insert(out.find(')', entry) + 1, bounds);
}

std::string with_single_looks(const std::string& text, const std::string& kernel) {
  std::vector<std::string> lines = lines_of(text);
  const bool is_ptx = text.find(".entry ") != std::string::npos;
  for (std::size_t end = 0; end < lines.size(); ++end) {
    const bool exchanges = is_ptx ? lines[end].find(".cas.b") != std::string::npos
                                  : lines[end].find("while(atomic_cmpxchg(") != std::string::npos;
    if (!exchanges) continue;
    const bool done = is_ptx ? single_look_in_ptx(lines, end) : single_look_in_opencl(lines, end);
    if (!done)
      throw cannot_generate("the text of the launches of " + kernel +
                            " has an atomic step of another form than expected: " + lines[end]);
  }
  return joined(lines);
}

std::string with_constant_buffers(const std::string& text, std::vector<ConstantBuffer> buffers) {
  std::stable_sort(buffers.begin(), buffers.end(),
                   [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  std::vector<std::string> lines = lines_of(text);
  std::int64_t bytes = 0;
  for (std::size_t n = 0; n < buffers.size(); ++n) {
    const std::string define = "#define __address_space_" + buffers[n].symbol + " ";
    if (__builtin_add_overflow(bytes, buffers[n].bytes, &bytes)) break;
    const std::string room = "#if " + std::to_string(bytes) + " <= MAX_CONSTANT_BUFFER_SIZE && " +
                             std::to_string(n) + " < MAX_CONSTANT_ARGS\n";
    for (std::string& line : lines)
      if (line == define + "__global\n")
        line = room + define + "__constant\n#else\n" + line + "#endif\n";
  }
  return joined(lines);
}

std::string with_copy_instructions(const std::string& text, const std::string& kernel) {
  const std::string body = without_markers(text);
  std::string out;
  const std::string end = "// -- End function";
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t last = body.find(end, at);
    const std::size_t next = last == std::string::npos ? body.size() : last + end.size();
    std::vector<std::string> lines = lines_of(body.substr(at, next - at));
    for (std::size_t first = 0; first < lines.size(); ++first)
      if (lines[first].find("{ // callseq") != std::string::npos &&
          !CopyInstructions(lines).replace(first))
        throw cannot_generate("the text of the launches of " + kernel +
                              " has an asynchronous copy of another form than expected");
    out += joined(lines);
    at = next;
  }
  return out;
}

std::string with_nothing_joined(const std::string& text) {
  return with_name(text, "FP_CONTRACT ON", "FP_CONTRACT OFF");
}

}  // namespace strata::halide
