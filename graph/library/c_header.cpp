#include <fmt/format.h>

#include <algorithm>

#include "codegen/entry/c_literals.h"
#include "graph/library/c_text.h"

namespace strata::graph {

namespace {

bool has_arrays_only(const CValue& value) {
  if (value.kind == CValue::Kind::array || value.kind == CValue::Kind::nothing) return true;
  return value.kind == CValue::Kind::tuple &&
         std::all_of(value.fields.begin(), value.fields.end(), has_arrays_only);
}

// "x: Tensor[(n, 4), float32]"
std::string described(const CParameter& p) {
  return p.name + ": " + in_comment(p.text.substr(p.text.find(", ") + 2));
}

std::string comment(const CFunction& f) {
  std::string text = "/* @" + in_comment(f.name) + "\n";
  for (const CParameter& p : f.parameters) text += " *   " + described(p) + "\n";
  for (const CParameter& p : f.results) text += " *   " + described(p) + ", written\n";
  for (const auto& [symbol, bound] : f.bounds)
    text += fmt::format(" *   {} is at most {}\n", in_comment(symbol), bound);
  return text + " */\n";
}

std::string declarations(const CModel& model, const CFunction& f) {
  std::string text = "\n" + comment(f) + wrapped(prototype(model, f) + ";", 4) + "\n";
  if (has_shape(f))
    text += "/* Writes the extents of the results. */\n" +
            wrapped(prototype_of_shape(model, f) + ";", 4) + "\n";
  return text + "/* The bytes of its arena, or a negative code. */\n" +
         wrapped(prototype_of_arena(model, f) + ";", 4) + "\n";
}

std::string with_void(const std::string& parameters) {
  return parameters.empty() ? "void" : parameters;
}

}  // namespace

bool is_public(const CFunction& f) { return has_arrays_only(f.result); }

bool has_shape(const CFunction& f) {
  return std::any_of(f.results.begin(), f.results.end(),
                     [](const CParameter& p) { return !p.array.dims.empty(); });
}

std::string symbol_parameters(const CFunction& f) {
  std::string text;
  for (const std::string& name : f.symbol_names)
    text += (text.empty() ? "" : ", ") + ("int64_t " + name);
  return text;
}

std::string prototype(const CModel& model, const CFunction& f) {
  std::string text = fmt::format("int {0}_{1}(struct {0}* self", model.name, f.c_name);
  if (!f.symbols.empty()) text += ", " + symbol_parameters(f);
  for (const auto* list : {&f.parameters, &f.results})
    for (const CParameter& p : *list) text += ", struct halide_buffer_t* " + p.name;
  return text + ")";
}

std::string prototype_of_shape(const CModel& model, const CFunction& f) {
  std::string list = symbol_parameters(f);
  for (const CParameter& p : f.results)
    if (!p.array.dims.empty()) list += (list.empty() ? "" : ", ") + ("int64_t* " + p.name);
  return fmt::format("int {}_{}_shape({})", model.name, f.c_name, list);
}

std::string prototype_of_arena(const CModel& model, const CFunction& f) {
  const std::string of = f.c_name == "main" ? "" : f.c_name + "_";
  return fmt::format("int64_t {}_{}arena({})", model.name, of, with_void(symbol_parameters(f)));
}

std::string header_in_c(const CModel& model) {
  std::string text = fmt::format(
      "/* Made by Strata: a model as C99. Link {0}.c and {0}_kernels.a with strata_runtime.\n"
      " * Extents are in the order of the model's dimensions. Buffers are dense, and results "
      "overlap\n"
      " * nothing else. Functions return 0, or a negative code of strata/runtime.h. A model has "
      "one\n"
      " * arena, so it takes one call at a time; threads open models of their own. */\n"
      "#ifndef STRATA_MODEL_{0}_H\n#define STRATA_MODEL_{0}_H\n\n#include <stdint.h>\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\nstruct halide_buffer_t;\nstruct {0};\n\n"
      "/* Maps the file of weights. NULL, with a message in strata_last_error(), if it cannot. */\n"
      "struct {0}* {0}_open(const char* weights);\n"
      "void {0}_close(struct {0}* self);\n",
      model.name);
  for (const auto& [name, f] : model.functions)
    if (is_public(f)) text += declarations(model, f);
  return text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

std::string wrapped(const std::string& line, std::size_t indent) {
  constexpr std::size_t columns = 100;
  std::string made;
  std::size_t begin = 0, room = columns;
  while (line.size() - begin > room) {
    std::size_t cut = 0;
    bool is_quoted = false;
    for (std::size_t at = begin; at < line.size() && (at < begin + room || cut == 0); ++at) {
      if (line[at] == '"') is_quoted = !is_quoted;
      if (line[at] == ',' && !is_quoted) cut = at + 1;
    }
    if (cut == 0) break;
    made += line.substr(begin, cut - begin) + "\n" + std::string(indent, ' ');
    begin = cut + 1;
    room = columns - indent;
    if (begin >= line.size()) return made;
  }
  return made + line.substr(begin);
}

}  // namespace strata::graph
