#include "codegen/halide/passes/device_text.h"

#include <algorithm>
#include <cctype>
#include <map>

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

}  // namespace strata::halide
