#include "graph/library/library.h"

#include <fstream>
#include <system_error>

#include "graph/library/c_names.h"
#include "graph/library/c_text.h"
#include "graph/library/objects.h"
#include "graph/library/weights.h"

namespace strata::graph {

namespace {

namespace fs = std::filesystem;

// Functions that nobody else calls are there for other programs.
void require_public(const CModel& model, const Request& request) {
  std::set<std::string> called;
  for (const auto& [name, f] : model.functions)
    for (const CCall& call : f.calls) called.insert(call.callee->name);
  for (const auto& [name, f] : model.functions)
    if (!is_public(f) && (name == "main" || !called.contains(name)))
      throw request.refused(Code::E0601_malformed_graph,
                            "@" + name + " returns what is neither an array nor a tuple of arrays",
                            "a VirtualMachine returns it");
}

Error cannot_write(const Request& request, const fs::path& file, const std::string& why) {
  return request.refused(Code::E0503_cannot_write_file,
                         file.string() + " cannot be written: " + why, "choose another folder");
}

void require_folder(const fs::path& folder, const Request& request) {
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
    throw cannot_write(request, folder, "it is a file, and a folder is needed");
}

void write_files(const std::map<std::string, std::string>& files, const fs::path& folder,
                 const Request& request) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw cannot_write(request, folder, failed.message());
  for (const auto& [name, bytes] : files) {
    std::ofstream out(folder / name, std::ios::binary);
    out << bytes;
    out.close();
    if (!out)
      throw cannot_write(request, folder / name, "check the folder and the free disk space");
  }
}

}  // namespace

std::map<std::string, std::string> library_files(const CompiledModule& model,
                                                 const std::string& name,
                                                 const LibraryOptions& options,
                                                 const Where& where) {
  const Request request{"save_library(" + name + ")", where};
  if (!is_name_of_c(name))
    throw request.refused(Code::E0105_bad_name, "\"" + name + "\" is not a name in C",
                          "take letters, digits and _, and not a keyword");
  const CModel traced_model = traced(model, name, where);
  require_public(traced_model, request);
  const Weights weights = weights_of(traced_model.constants);
  return {{name + ".h", header_in_c(traced_model)},
          {name + ".c", source_in_c(traced_model, weights.layout)},
          {name + "_kernels.a", archive_of_kernels(traced_model, options, where)},
          {name + ".weights", weights.bytes}};
}

void CompiledModule::save_library(const std::filesystem::path& folder, const std::string& name,
                                  const LibraryOptions& options, const Where& where) const {
  const Request request{"save_library(" + name + ")", where};
  require_folder(folder, request);
  write_files(library_files(*this, name, options, where), folder, request);
}

}  // namespace strata::graph
