#include "codegen/halide/product/compile.h"

#include <fstream>
#include <map>

#include "codegen/halide/product/llvm_options.h"
#include "codegen/halide/product/module.h"
#include "codegen/halide/refusal.h"

namespace strata {

namespace {

using Halide::OutputFileType;

void make_sure_of(const std::string& file) {
  if (!std::ofstream(file, std::ios::app))
    throw halide::refused(Code::E0503_cannot_write_file, "the file " + file + " cannot be written",
                          "create its folder, or choose another path");
}

void write_text(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out)
    throw halide::refused(Code::E0503_cannot_write_file, "the file " + file + " cannot be written",
                          "check the free disk space");
}

}  // namespace

void compile(const std::vector<Kernel>& kernels, const std::string& target,
             const Outputs& outputs, StageRun& stages) {
  const Halide::Target chosen = halide::target_named(target);
  std::map<OutputFileType, std::string> files;
  if (!outputs.object.empty()) files[OutputFileType::object] = outputs.object;
  if (!outputs.assembly.empty()) files[OutputFileType::assembly] = outputs.assembly;
  if (!outputs.statement.empty()) files[OutputFileType::stmt] = outputs.statement;
  for (const auto& [type, file] : files) make_sure_of(file);
  if (!outputs.header.empty()) make_sure_of(outputs.header);

  const Halide::Module module = halide::make_module(kernels, chosen, halide::Callers::c, stages);
  stages.timed("machine code", "LLVM", [&] {
    halide::with_halide_errors("the object", [&] {
      const halide::LlvmOptions options;
      if (!files.empty()) module.compile(files);
    });
  });
  if (!outputs.header.empty()) write_text(outputs.header, c_header(kernels));
}

void compile(const std::vector<Kernel>& kernels, const std::string& target,
             const Outputs& outputs) {
  StageRun stages(kernels.empty() ? "" : kernels.front().name);
  compile(kernels, target, outputs, stages);
}

}  // namespace strata
