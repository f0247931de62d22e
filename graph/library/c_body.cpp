#include <fmt/format.h>

#include <algorithm>

#include "codegen/entry/c_literals.h"
#include "graph/evaluate/element.h"
#include "graph/library/c_text.h"

namespace strata::graph {

namespace {

std::string head(const CModel& model, const CFunction& f) {
  std::string text = fmt::format(
      "static int body_{0}(struct {1}* self, const struct sizes_{0}* z, unsigned char* arena",
      f.c_name, model.name);
  for (const auto* list : {&f.parameters, &f.results})
    for (const CParameter& p : *list) text += ", strata_buffer* " + p.name;
  return wrapped(text + ") {", 4) + "\n";
}

std::string variables(const CFunction& f) {
  const CPlan plan = plan_of(f);
  std::string text = "  const int64_t* const d = z->d;\n";
  for (std::size_t k = 0; k < f.blocks.size(); ++k) {
    const CBlock& block = f.blocks[k];
    const std::string memory = block.result < 0
                                   ? "arena + " + plan.offsets[k]
                                   : f.results[std::size_t(block.result)].name + "->host";
    text += fmt::format("  unsigned char* const b{} = {}; /* {} */\n", k, memory,
                        in_comment(block.comment));
  }
  for (const auto& [name, rank] : f.locals)
    text += fmt::format("  strata_buffer {};", name) +
            (rank == 0 ? "\n" : fmt::format(" strata_dimension {}_d[{}];\n", name, rank));
  text += "  int error = 0;\n  (void)self;\n  (void)arena;\n  (void)d;\n";
  for (const auto* list : {&f.parameters, &f.results})
    for (const CParameter& p : *list) text += "  (void)" + p.name + ";\n";
  return text;
}

// Results that are not in their memory yet.
std::string copies(const CFunction& f) {
  std::string text;
  CFunction own = f;
  for (std::size_t k = 0; k < f.results.size(); ++k) {
    const CArray& array = f.results[k].array;
    const bool is_there = std::any_of(f.blocks.begin(), f.blocks.end(), [&](const CBlock& block) {
      return block.result == int(k) && array.blocks.contains(std::size_t(&block - &f.blocks[0]));
    });
    Expr bytes = constant(i64, (element_type_of(array.element).bits + 7) / 8);
    for (const Expr& dim : array.dims) bytes = bytes * dim;
    const std::string count = own.c(normal(bytes));
    if (!is_there)
      text += fmt::format("  if ({0} > 0) memmove({1}->host, {2}, (size_t){0});\n", count,
                          f.results[k].name, array.memory);
  }
  return text;
}

}  // namespace

std::string type_in_c(Type element) {
  const strata_type type = element_type_of(element);
  return fmt::format("strata_type_of({}, {})", int(type.code), int(type.bits));
}

std::string body_in_c(const CModel& model, const CFunction& f) {
  std::string text = head(model, f) + variables(f) + "\n";
  for (const CLine& line : f.lines) switch (line.kind) {
      case CLine::Kind::comment: text += "  /* " + in_comment(line.text) + " */\n"; break;
      case CLine::Kind::statement: text += wrapped("  " + line.text, 6) + "\n"; break;
      case CLine::Kind::label: text += line.text + ":;\n"; break;
      case CLine::Kind::results: text += copies(f); break;
    }
  return text + "  return error;\n}\n\n";
}

}  // namespace strata::graph
