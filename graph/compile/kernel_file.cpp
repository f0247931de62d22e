#include "graph/compile/kernel_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/record.h"
#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

namespace fs = std::filesystem;

// Of the folder that the author asked for.
std::optional<fs::path> file_of(const std::string& key) {
  const char* const folder = std::getenv("STRATA_CACHE");
  const std::string& kind = JitFunction::code_kind();
  if (!folder || !*folder || kind.empty()) return std::nullopt;
  return fs::path(folder) / fmt::format("{:016x}.kernel", hash_of_text(recorded({kind, key})));
}

std::vector<std::string> texts_of(const std::vector<Expr>& dims) {
  std::vector<std::string> texts;
  for (const Expr& dim : dims) texts.push_back(dim_text(dim));
  return texts;
}

// The dims in the order of the texts; nothing if those are of others.
std::optional<std::vector<Expr>> in_order(const std::vector<Expr>& dims,
                                          const std::vector<std::string>& texts) {
  std::map<std::string, Expr> by_text;
  for (const Expr& dim : dims) by_text.emplace(dim_text(dim), dim);
  std::vector<Expr> ordered;
  for (const std::string& text : texts) {
    const auto found = by_text.find(text);
    if (found == by_text.end()) return std::nullopt;
    ordered.push_back(found->second);
  }
  return ordered;
}

}  // namespace

bool find_stored(const std::string& key, SharedKernel& kernel) {
  const auto file = file_of(key);
  if (!file) return false;
  std::ifstream in(*file, std::ios::binary);
  const auto entry = find_texts(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!entry || entry->size() != 4 || (*entry)[0] != key) return false;
  const auto names = find_texts((*entry)[1]), dims = find_texts((*entry)[2]);
  auto code = JitFunction::find_saved((*entry)[3]);
  auto parameters = dims ? in_order(kernel.parameters, *dims) : std::nullopt;
  if (!names || names->size() != kernel.names.size() || !parameters || !code) return false;
  kernel = {*std::move(code), *std::move(parameters), *names};
  return true;
}

// Under a name of its own first: who reads the file sees all of it, or what was there before.
void store(const std::string& key, const SharedKernel& kernel, const Where& where) {
  static std::atomic<int> files = 0;
  const auto file = file_of(key);
  const std::string code = file ? kernel.code.saved() : "";
  if (code.empty()) return;
  std::error_code failed;
  fs::create_directories(file->parent_path(), failed);
  const fs::path own = fmt::format("{}.{}.{}", file->string(), getpid(), ++files);
  std::ofstream out(own, std::ios::binary);
  out << recorded({key, recorded(kernel.names), recorded(texts_of(kernel.parameters)), code});
  out.close();
  if (out) fs::rename(own, *file, failed);
  if (out && !failed) return;
  fs::remove(own, failed);
  throw Request{"compile", where}.refused(
      Code::E0503_cannot_write_file, "the file " + file->string() + " cannot be written",
      "name a folder in STRATA_CACHE where files can be made, or unset it");
}

}  // namespace strata::graph
