#include "codegen/halide/product/compile.h"

#include <filesystem>
#include <fstream>
#include <map>

#include "codegen/entry/c_header.h"
#include "codegen/halide/product/module.h"
#include "codegen/halide/product/versions.h"
#include "codegen/object/join_objects.h"
#include "codegen/object/temporary_folder.h"
#include "codegen/refusal.h"
#include "codegen/tree/shared_memory.h"

namespace strata {

namespace {

namespace fs = std::filesystem;
using Halide::OutputFileType;
using Files = std::map<OutputFileType, std::string>;

// The files of a version. The only version has an empty suffix.
Files files_of(const Outputs& outputs, const std::string& object, const std::string& suffix) {
  const auto named = [&](const std::string& file) {
    const fs::path path(file);
    return suffix.empty()
               ? file
               : fs::path(path).replace_extension().string() + suffix + path.extension().string();
  };
  Files files;
  if (!outputs.object.empty()) files[OutputFileType::object] = object;
  if (!outputs.assembly.empty()) files[OutputFileType::assembly] = named(outputs.assembly);
  if (!outputs.statement.empty()) files[OutputFileType::stmt] = named(outputs.statement);
  for (const auto& [type, file] : files) require_writable(file);
  return files;
}

void write(const Halide::Module& module, const Files& files, StageRun& stages) {
  std::map<OutputFileType, MemoryFile> memory;
  Files written = files;
  for (auto& [type, file] : written)
    if (memory[type].is_there()) file = memory[type].name();
  const auto compiled = [&] {
    if (!files.empty()) module.compile(written);
    std::uintmax_t bytes = 0;
    for (const auto& [type, file] : written) bytes += fs::file_size(file);
    return bytes;
  };
  halide::run_llvm("the object", compiled, stages);
  for (const auto& [type, file] : files)
    if (memory[type].is_there()) write_bytes(file, read_bytes(memory[type].name()));
}

void compile_one(const std::vector<Kernel>& kernels, const std::string& target,
                 const Outputs& outputs, StageRun& stages) {
  const Halide::Target chosen = halide::target_named(target);
  const Files files = files_of(outputs, outputs.object, "");
  if (!outputs.header.empty()) require_writable(outputs.header);
  write(halide::make_module(kernels, chosen, halide::capability_named(target), halide::Callers::c,
                            stages),
        files, stages);
  if (!outputs.header.empty()) write_bytes(outputs.header, c_header(kernels));
}

}  // namespace

void compile(const std::vector<Version>& versions, const Outputs& outputs, StageRun& stages) {
  for (const Version& version : versions)
    for (const Kernel& kernel : version.kernels)
      require_shared_memory_on(version.target, kernel, {});
  if (versions.size() == 1)
    return compile_one(versions[0].kernels, versions[0].target, outputs, stages);
  for (const Kernel& kernel : versions[0].kernels)
    if (!kernel.partitions.empty())
      throw refused(Code::E0402_not_on_ranks,
                    kernel.name +
                        " runs on several ranks, whose CPUs would choose "
                        "versions of it without knowing of each other",
                    "name one target");
  const std::vector<halide::Candidate> candidates = halide::candidates_of(versions);
  const TemporaryFolder folder;
  if (!outputs.object.empty()) require_writable(outputs.object);
  if (!outputs.header.empty()) require_writable(outputs.header);
  std::vector<std::string> objects{folder / "choice.o"};
  for (const halide::Candidate& candidate : candidates) {
    const std::string suffix = halide::suffix_of(candidate);
    objects.push_back(folder / ("version" + suffix + ".o"));
    const Files files = files_of(outputs, objects.back(), suffix);
    write(halide::make_module(*candidate.kernels, candidate.target,
                              halide::capability_named(candidate.name), halide::Callers::c, stages,
                              suffix),
          files, stages);
  }
  if (!outputs.object.empty()) {
    write(halide::choosing_module(candidates), {{OutputFileType::object, objects[0]}}, stages);
    for (std::string& object : objects) object = read_bytes(object);
    write_bytes(outputs.object, join_objects(objects));
  }
  if (!outputs.header.empty()) write_bytes(outputs.header, c_header(versions[0].kernels));
}

void compile(const std::vector<Kernel>& kernels, const std::string& target, const Outputs& outputs,
             StageRun& stages) {
  std::vector<Version> versions;
  for (const std::string& single : single_targets(target)) versions.push_back({single, kernels});
  compile(versions, outputs, stages);
}

void compile(const std::vector<Kernel>& kernels, const std::string& target,
             const Outputs& outputs) {
  StageRun stages(kernels.empty() ? "" : kernels.front().name);
  compile(kernels, target, outputs, stages);
}

}  // namespace strata
