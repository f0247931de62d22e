#include "graph/compile/kernel_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "core/record.h"
#include "graph/dim/dim.h"

namespace strata::graph {

namespace {

namespace fs = std::filesystem;

// The file of the key in the folder that the author asked for.
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

// The dims in the order of their texts; nothing if a text is not that of a dim.
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

bool is_full(int error) { return error == ENOSPC || error == EDQUOT; }

std::uintmax_t most_bytes() {
  const char* const limit = std::getenv("STRATA_CACHE_LIMIT");
  return limit && *limit ? std::strtoull(limit, nullptr, 10) : std::uintmax_t{1} << 30;
}

// Is it the file of a kernel, or an incomplete one that a killed process left behind?
bool is_ours(const fs::path& file) {
  return file.filename().string().find(".kernel") != std::string::npos;
}

// Removes files until the rest, with the newest one, keeps to the limit.
void remove_oldest(const fs::path& folder, const fs::path& newest) {
  struct File {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uintmax_t all = 0;
  std::error_code failed;  // another process may have removed the file
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    const File file{at->last_write_time(gone), at->file_size(gone), at->path()};
    if (gone || !is_ours(file.path)) continue;
    all += file.bytes;
    if (file.path != newest) files.push_back(file);
  }
  std::sort(files.begin(), files.end(),
            [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (all <= most_bytes()) return;
    fs::remove(file.path, failed);
    all -= file.bytes;
  }
}

}  // namespace

bool find_stored(const std::string& key, SharedKernel& kernel) {
  const auto file = file_of(key);
  if (!file) return false;
  std::ifstream in(*file, std::ios::binary);
  const auto entry = find_texts(std::string(std::istreambuf_iterator<char>(in), {}));
  if (!entry || entry->size() != 5 || (*entry)[0] != key) return false;
  const auto names = find_texts((*entry)[1]), dims = find_texts((*entry)[2]);
  auto code = JitFunction::find_saved((*entry)[4]);
  auto parameters = dims ? in_order(kernel.parameters, *dims) : std::nullopt;
  if (!names || names->size() != kernel.names.size() || !parameters || !code) return false;
  kernel = {*std::move(code), *std::move(parameters), *names, (*entry)[3]};
  std::error_code ignored;
  fs::last_write_time(*file, fs::file_time_type::clock::now(), ignored);
  return true;
}

// Writes under a name of its own first, so that readers see the whole new file, or the old one.
std::string store(const std::string& key, const SharedKernel& kernel, const Where& where) {
  static std::atomic<int> files = 0;
  const auto file = file_of(key);
  const std::string code = file ? kernel.code.saved() : "";
  if (code.empty()) return "";
  std::error_code failed;
  fs::create_directories(file->parent_path(), failed);
  const fs::path own = fmt::format("{}.{}.{}", file->string(), getpid(), ++files);
  errno = 0;
  std::ofstream out(own, std::ios::binary);
  if (!out && !is_full(errno))
    throw Request{"compile", where}.refused(
        Code::E0503_cannot_write_file, "the file " + file->string() + " cannot be written",
        "name a folder in STRATA_CACHE where files can be made, or unset it");
  out << recorded(
      {key, recorded(kernel.names), recorded(texts_of(kernel.parameters)), kernel.schedule, code});
  out.close();
  if (!out) failed = {errno, std::generic_category()};
  if (!failed) fs::rename(own, *file, failed);
  const std::string why = failed ? failed.message() : "";
  if (failed) fs::remove(own, failed);
  remove_oldest(file->parent_path(), *file);
  return why;
}

}  // namespace strata::graph
