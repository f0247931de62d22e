#include "codegen/device/device_text.h"

#include <algorithm>
#include <map>
#include <vector>

#include "codegen/device/text_lines.h"
#include "codegen/refusal.h"

namespace strata::device {

namespace {

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

//     ld.global.b32 %r5, [PLACE];  ..  atom.global.cas.b32 %r7, [PLACE], %r4, %r6;
// The load ~> mov.b32 %r5, %r4, which has what is compared with. A step whose result is a constant,
// such as x * 0, has no load.
bool single_look_in_ptx(std::vector<std::string>& lines, std::size_t end) {
  const std::string place = between(lines[end], "[", "]"), old = between(lines[end], "], ", ",");
  const std::string type = between(lines[end], ".cas.", " ");
  const std::string made = lines[end].substr(lines[end].rfind(", ") + 2);
  int looks = 0;
  for (std::size_t at = end; at-- > 0 && lines[at][0] != '$';) {
    const bool loads = lines[at].find("\tld.") == 0;
    if (!loads || between(lines[at], "[", "]") != place) continue;
    lines[at] = "\tmov." + type + " \t" + between(lines[at], " \t", ",") + ", " + old + ";\n";
    ++looks;
  }
  return looks == (made[0] == '%' ? 1 : 0) && !place.empty() && !old.empty();
}

// The first version of PTX that has a capability.
struct PtxVersion {
  int capability;
  const char* version;
};
constexpr PtxVersion ptx_versions[] = {{87, "7.4"},  {89, "7.8"},  {90, "7.8"},  {100, "8.6"},
                                       {103, "8.8"}, {110, "9.0"}, {120, "8.7"}, {121, "8.8"}};

// The line that begins with "directive", with another value.
std::string with_directive(const std::string& text, const std::string& directive,
                           const std::string& value) {
  const std::size_t at = text.find("\n" + directive + " ");
  if (at == std::string::npos) return text;
  const std::size_t begin = at + directive.size() + 2;
  return text.substr(0, begin) + value + text.substr(text.find('\n', begin));
}

}  // namespace

std::string with_capability(const std::string& text, int capability) {
  for (const PtxVersion& known : ptx_versions)
    if (known.capability == capability)
      return with_directive(with_directive(text, ".version", known.version), ".target",
                            "sm_" + std::to_string(capability));
  return text;
}

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

std::string with_nothing_joined(const std::string& text) {
  return with_name(text, "FP_CONTRACT ON", "FP_CONTRACT OFF");
}

}  // namespace strata::device
