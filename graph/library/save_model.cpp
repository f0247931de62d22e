// strata_save_model MODEL.onnx FOLDER [name=NAME] [target=TARGET] [backend=NAME] [DIM=NUMBER]..
//
// Writes the model as a C library: NAME.h, NAME.c, NAME_kernels.a and NAME.weights
// (docs/models.md).
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "graph/library/library.h"
#include "graph/onnx/load.h"

namespace strata::graph {

namespace {

struct Arguments {
  std::filesystem::path model, folder;
  std::string name = {};
  LibraryOptions saving = {};
  OnnxOptions onnx = {};
};

// The number of a dim; std::invalid_argument for other texts.
std::int64_t number(const std::string& argument, const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, value);
  if (failed != std::errc() || at != end || value < 0)
    throw std::invalid_argument(argument + ": a dim is a number of 0 or more");
  return value;
}

void add(Arguments& all, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos)
    throw std::invalid_argument(argument + ": expected name=, target=, backend= or DIM=NUMBER");
  const std::string key = argument.substr(0, equals), value = argument.substr(equals + 1);
  if (key == "name")
    all.name = value;
  else if (key == "target")
    all.saving.target = value;
  else if (key == "backend")
    all.saving.backend = value;
  else
    all.onnx.dims[key] = number(argument, value);
}

// Only kernels for the target are compiled, and nothing runs here.
void save(const Arguments& arguments) {
  const Module module = load_onnx(arguments.model, arguments.onnx);
  const CompiledModule built = build(module, {RunBy::interpreter});
  built.save_library(arguments.folder, arguments.name, arguments.saving);
}

}  // namespace

}  // namespace strata::graph

int main(int count, char** list) try {
  if (count < 3) {
    std::fputs(
        "strata_save_model MODEL.onnx FOLDER [name=NAME] [target=TARGET] [backend=NAME] "
        "[DIM=NUMBER]..\n",
        stderr);
    return 2;
  }
  strata::graph::Arguments arguments{list[1], list[2]};
  arguments.name = arguments.model.stem().string();
  for (int k = 3; k < count; ++k) add(arguments, list[k]);
  save(arguments);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
