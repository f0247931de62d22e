#include <fmt/format.h>

#include "codegen/entry/c_literals.h"
#include "graph/library/c_text.h"

namespace strata::graph {

namespace {

std::string symbols_of(const CFunction& f) {
  std::string text;
  for (const std::string& name : f.symbol_names) text += ", " + name;
  return text;
}

std::string checked(const std::string& call) {
  return wrapped("  if ((error = " + call + ") != 0) return error;", 6) + "\n";
}

// sizes_f() for symbols from outside.
std::string symbols_checked(const CModel& model, const CFunction& f) {
  std::string text;
  for (std::size_t k = 0; k < f.symbols.size(); ++k) {
    if (!f.is_extent[k]) continue;
    const auto bound = f.bounds.find(f.symbols[k]);
    text += checked(
        fmt::format("strata_check_symbol({}, {}, {})", f.symbol_names[k],
                    bound == f.bounds.end() ? "INT64_MAX" : std::to_string(bound->second),
                    in_quotes(fmt::format("{}_{}: {}", model.name, f.c_name, f.symbols[k]))));
  }
  return text;
}

std::string checked_sizes(const CModel& model, const CFunction& f) {
  return fmt::format(
             "static int checked_sizes_{0}(struct sizes_{0}* z{1}{2}) {{\n  int error = 0;\n",
             f.c_name, f.symbols.empty() ? "" : ", ", symbol_parameters(f)) +
         symbols_checked(model, f) +
         checked(fmt::format("sizes_{}(z{})", f.c_name, symbols_of(f))) + "  return error;\n}\n\n";
}

std::string array_checks(const CModel& model, const CFunction& f) {
  std::string text;
  CFunction own = f;
  for (const auto* list : {&f.parameters, &f.results})
    for (const CParameter& p : *list)
      text += checked(
          fmt::format("strata_check_array({}, {}, {}, {}, {})", p.name, type_in_c(p.array.element),
                      p.array.dims.size(), own.extents_in_c(p.array.dims),
                      in_quotes(fmt::format("{}_{}: {}", model.name, f.c_name, p.text))));
  std::vector<std::string> others;
  for (const CParameter& p : f.parameters) others.push_back(p.name);
  for (const CParameter& p : f.results) {
    for (const std::string& other : others)
      text += checked(fmt::format("strata_check_apart({}, {}, {}, {})", other, p.name,
                                  in_quotes(fmt::format("{}_{}: {}", model.name, f.c_name, p.text)),
                                  in_quotes(other)));
    others.push_back(p.name);
  }
  return text;
}

std::string call(const CModel& model, const CFunction& f) {
  std::string is_known = "self->has_" + f.c_name;
  for (std::size_t k = 0; k < f.symbols.size(); ++k)
    is_known += fmt::format(" && d[{}] == {}", k, f.symbol_names[k]);
  std::string list;
  for (const auto* parameters : {&f.parameters, &f.results})
    for (const CParameter& p : *parameters) list += ", (strata_buffer*)(void*)" + p.name;
  std::string text = wrapped(prototype(model, f) + " {", 4);
  text += fmt::format(
      "\n  int error = 0;\n"
      "  if (!self) return strata_no_model(\"{0}_{1}\");\n"
      "  struct sizes_{1}* const z = &self->sizes_{1};\n"
      "  const int64_t* const d = z->d;\n  (void)d;\n",
      model.name, f.c_name);
  text += fmt::format(
      "  if (!({0})) {{\n    self->has_{1} = 0;\n  {2}    self->has_{1} = 1;\n  }}\n", is_known,
      f.c_name, checked(fmt::format("checked_sizes_{}(z{})", f.c_name, symbols_of(f))));
  text += array_checks(model, f) +
          checked(fmt::format("strata_reserve_arena(&self->arena, \"{}_{}\", z->arena)", model.name,
                              f.c_name));
  return text +
         wrapped(fmt::format("  return body_{}(self, z, self->arena.begin{});", f.c_name, list),
                 6) +
         "\n}\n\n";
}

std::string shape(const CModel& model, const CFunction& f) {
  CFunction own = f;
  std::string text = wrapped(prototype_of_shape(model, f) + " {", 4);
  text += fmt::format(
              "\n  struct sizes_{} z;\n  const int64_t* const d = z.d;\n  int error = 0;\n"
              "  (void)d;\n",
              f.c_name) +
          checked(fmt::format("checked_sizes_{}(&z{})", f.c_name, symbols_of(f)));
  for (const CParameter& p : f.results)
    for (std::size_t d = 0; d < p.array.dims.size(); ++d)
      text += fmt::format("  {}[{}] = {};\n", p.name, d, own.c(p.array.dims[d]));
  return text + "  return error;\n}\n\n";
}

std::string arena(const CModel& model, const CFunction& f) {
  return wrapped(prototype_of_arena(model, f) + " {", 4) +
         fmt::format(
             "\n  struct sizes_{0} z;\n  const int error = checked_sizes_{0}(&z{1});\n"
             "  return error != 0 ? error : z.arena;\n}}\n\n",
             f.c_name, symbols_of(f));
}

}  // namespace

std::string entries_in_c(const CModel& model, const CFunction& f) {
  return checked_sizes(model, f) + call(model, f) + (has_shape(f) ? shape(model, f) : "") +
         arena(model, f);
}

}  // namespace strata::graph
