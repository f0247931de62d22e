#include <fmt/format.h>

#include <algorithm>

#include "graph/evaluate/element.h"
#include "graph/library/c_text.h"

namespace strata::graph {

namespace {

std::string kernel_prototypes(const CModel& model) {
  std::string text;
  for (const CKernel& kernel : model.called) {
    std::string list;
    for (std::size_t k = 0; k < kernel.order.size(); ++k) list += "int64_t, ";
    for (std::size_t k = 0; k < kernel.buffers; ++k) list += "struct halide_buffer_t*, ";
    if (!list.empty()) list.resize(list.size() - 2);
    text += wrapped(fmt::format("int {}({});", kernel.name, list), 4) + "\n";
  }
  return text + "\n";
}

std::size_t ranks_of(const std::vector<NDArray>& arrays) {
  std::size_t ranks = 0;
  for (const NDArray& array : arrays) ranks += std::size_t(array.rank());
  return ranks;
}

std::string struct_of(const CModel& model) {
  std::string text =
      fmt::format("struct {} {{\n  strata_weights weights;\n  strata_arena arena;\n", model.name);
  if (!model.constants.empty())
    text += fmt::format(
        "  strata_buffer c[{}]; /* the weights as arrays */\n  strata_dimension c_d[{}];\n",
        model.constants.size(), std::max<std::size_t>(ranks_of(model.constants), 1));
  for (const auto& [name, f] : model.functions)
    if (is_public(f))
      text += fmt::format(
          "  /* The sizes of the last call. */\n  struct sizes_{0} sizes_{0};\n  int has_{0};\n",
          f.c_name);
  return text + "};\n\n";
}

std::string constants(const CModel& model, const WeightsLayout& weights) {
  std::string text;
  std::size_t dims = 0;
  for (std::size_t k = 0; k < model.constants.size(); ++k) {
    const NDArray& array = model.constants[k];
    std::string extents;
    for (const std::int64_t extent : array.extents())
      extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
    text += wrapped(fmt::format(
                        "  strata_buffer_init(&self->c[{}], strata_type_of({}, {}), w + {}, {}, "
                        "self->c_d + {}, {});",
                        k, int(array.type().code), int(array.type().bits), weights.offsets[k],
                        array.rank(), dims,
                        extents.empty() ? "NULL" : "(const int64_t[]){" + extents + "}"),
                    6) +
            "\n";
    dims += std::size_t(array.rank());
  }
  if (text.empty()) return "";
  return "  unsigned char* const w = (unsigned char*)(uintptr_t)self->weights.begin;\n" + text;
}

std::string open_and_close(const CModel& model, const WeightsLayout& weights) {
  return fmt::format(
      "struct {0}* {0}_open(const char* weights) {{\n"
      "  struct {0}* const self = (struct {0}*)calloc(1, sizeof *self);\n"
      "  if (!self) {{\n"
      "    strata_out_of_memory(\"{0}_open\", \"struct {0}\", (int64_t)sizeof *self);\n"
      "    return NULL;\n"
      "  }}\n"
      "  if (strata_open_weights(&self->weights, \"{0}\", weights, UINT64_C(0x{1:016x}), {2}) != "
      "0) {{\n"
      "    free(self);\n"
      "    return NULL;\n"
      "  }}\n"
      "{3}"
      "  return self;\n"
      "}}\n\n"
      "void {0}_close(struct {0}* self) {{\n"
      "  if (!self) return;\n"
      "  strata_free_arena(&self->arena);\n"
      "  strata_close_weights(&self->weights);\n"
      "  free(self);\n"
      "}}\n",
      model.name, weights.key, weights.bytes, constants(model, weights));
}

}  // namespace

std::string source_in_c(const CModel& model, const WeightsLayout& weights) {
  std::string text = fmt::format(
      "/* Made by Strata: the model {0} (docs/models.md). Comments are the instructions of its\n"
      " * executable. d has dims, b0, b1, .. are the memory of arrays, r0, r1, .. describe them. "
      "*/\n"
      "#include \"{0}.h\"\n\n#include <stdlib.h>\n#include <string.h>\n\n#include "
      "<strata/model.h>\n\n",
      model.name);
  text += kernel_prototypes(model);
  for (const std::string& name : model.order) text += sizes_in_c(model.functions.at(name));
  text += struct_of(model);
  for (const std::string& name : model.order) {
    const CFunction& f = model.functions.at(name);
    text += body_in_c(model, f);
    if (is_public(f)) text += entries_in_c(model, f);
  }
  return text + open_and_close(model, weights);
}

}  // namespace strata::graph
