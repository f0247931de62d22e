#include "graph/library/objects.h"

#include <fstream>
#include <iterator>

#include "codegen/object/temporary_folder.h"
#include "strata/codegen_each.h"

namespace strata::graph {

namespace {

void write_object(const CKernel& kernel, const std::string& file, const LibraryOptions& options,
                  const Where& where) {
  CodegenOptions codegen;
  codegen.target = options.target;
  codegen.backend = options.backend;
  codegen.print_notes = false;
  const auto schedule = [&](const Machine& machine) -> Scheduled {
    TensorFunction f = kernel.tensors->function(kernel.step, {machine, kernel.name}, where);
    return {std::move(f.function), std::move(f.arguments)};
  };
  codegen_each(schedule, file, codegen, where);
}

// "12", padded to the width.
std::string field(std::string text, std::size_t width) {
  text.resize(width, ' ');
  return text;
}

std::string head_of_member(const std::string& name, std::size_t bytes) {
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8) +
         field(std::to_string(bytes), 10) + "`\n";
}

// The most significant byte first.
std::string word(std::size_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift & 0xFF);
  return bytes;
}

std::string even(std::string bytes) {
  if (bytes.size() % 2 == 1) bytes += '\n';
  return bytes;
}

}  // namespace

std::string archive_of(const std::vector<std::pair<std::string, std::string>>& members) {
  constexpr std::size_t head = 60;
  const std::string magic = "!<arch>\n";
  std::string names;
  for (const auto& [object, name] : members) names += name + '\0';
  const std::size_t index_bytes = 4 + 4 * members.size() + names.size();
  std::string index = word(members.size()), bodies;
  const std::size_t begin = magic.size() + head + index_bytes + index_bytes % 2;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::string& object = members[k].first;
    index += word(begin + bodies.size());
    bodies += head_of_member("k" + std::to_string(k) + ".o/", object.size()) + even(object);
  }
  return magic + head_of_member("/", index_bytes) + even(index + names) + bodies;
}

std::string archive_of_kernels(const CModel& model, const LibraryOptions& options,
                               const Where& where) {
  const TemporaryFolder folder;
  side_by_side(model.called.size(), [&](std::size_t k) {
    write_object(model.called[k], folder / (std::to_string(k) + ".o"), options, where);
  });
  std::vector<std::pair<std::string, std::string>> members;
  for (std::size_t k = 0; k < model.called.size(); ++k)
    members.emplace_back(read_bytes(folder / (std::to_string(k) + ".o")), model.called[k].name);
  return archive_of(members);
}

}  // namespace strata::graph
