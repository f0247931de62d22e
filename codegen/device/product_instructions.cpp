#include <array>
#include <map>

#include "codegen/device/marker_calls.h"

namespace strata::device {

namespace {

constexpr std::size_t words_of_a = 4, words_of_b = 2, words_of_c = 4;

std::string instruction_of(const std::string& shape) {
  static const std::map<std::string, std::string> all{
      {"m16n8k8_tf32", "m16n8k8.row.col.f32.tf32.tf32.f32"},
      {"m16n8k16_bf16", "m16n8k16.row.col.f32.bf16.bf16.f32"},
      {"m16n8k16_f16", "m16n8k16.row.col.f32.f16.f16.f32"}};
  const auto found = all.find(shape);
  return found == all.end() ? "" : "mma.sync.aligned." + found->second;
}

// "{a, b, ..}" of the operands from "first". The instruction has registers as operands: "moves"
// gets a register x<n> for each constant.
std::string list(const std::vector<std::string>& operands, std::size_t first, std::size_t count,
                 std::string& moves) {
  std::string text;
  for (std::size_t n = first; n < first + count; ++n) {
    std::string name = operands[n];
    if (name[0] != '%') {
      name = "x" + std::to_string(n);
      moves += "\tmov.b32 \t" + name + ", " + operands[n] + ";\n";
    }
    text += (text.empty() ? "{" : ", ") + name;
  }
  return text + "}";
}

}  // namespace

std::string product_instruction(std::vector<std::string>&, const MarkerCall& call) {
  const std::string name = instruction_of(call.function.substr(std::string(product_marker).size()));
  constexpr std::size_t words = words_of_a + words_of_b + words_of_c;
  const bool has_form = !name.empty() && call.arguments.size() == words && call.results.size() == 2;
  if (!has_form) return "";
  std::string moves;
  const std::string a = list(call.arguments, 0, words_of_a, moves),
                    b = list(call.arguments, words_of_a, words_of_b, moves),
                    c = list(call.arguments, words_of_a + words_of_b, words_of_c, moves);
  const std::string constants =
      moves.empty() ? "" : "\t.reg .b32 \tx<" + std::to_string(words) + ">;\n" + moves;
  return "\t{\n\t.reg .b32 \td<4>;\n" + constants + "\t" + name + " \t{d0, d1, d2, d3}, " + a +
         ", " + b + ", " + c + ";\n\tmov.b64 \t" + call.results[0] + ", {d0, d1};\n\tmov.b64 \t" +
         call.results[1] + ", {d2, d3};\n\t}\n";
}

}  // namespace strata::device
