#include "tuning/log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace strata::tuning {

namespace {

std::string reason(int number) { return std::strerror(number); }

// Holds the lock of an open file.
class Locked {
 public:
  Locked(int file, int kind) : file_(file) {
    while (flock(file_, kind) != 0 && errno == EINTR) {
    }
  }
  ~Locked() { flock(file_, LOCK_UN); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  int file_;
};

// Is the text a log? Its first line may be torn.
bool is_log(const std::string& text, bool has_records) {
  if (text.empty() || text.starts_with(record_begin)) return true;
  const std::size_t end = text.find('\n');
  const std::string first = text.substr(0, end);
  const bool is_alone = end == std::string::npos;
  return !first.empty() && record_begin.starts_with(first) && (is_alone || has_records);
}

}  // namespace

Log::Log(const std::string& path, bool reads, const Request& request)
    : path_(path), request_(request) {
  open_file(reads);
  try {
    if (file_ >= 0) read_all();
  } catch (...) {
    close(file_);
    throw;
  }
}

Error Log::refused(const std::string& what) const {
  return request_.refused(Code::E0106_bad_argument, "the log " + path_ + " " + what,
                          "name a file that tune made, or one that can be made");
}

void Log::open_file(bool reads) {
  struct stat kind{};
  if (stat(path_.c_str(), &kind) == 0 && !S_ISREG(kind.st_mode))
    throw refused(S_ISDIR(kind.st_mode) ? "is a folder" : "is not an ordinary file");
  file_ = open(path_.c_str(), (reads ? O_RDONLY : O_RDWR | O_APPEND) | O_CLOEXEC);
  if (file_ >= 0) return;
  if (errno != ENOENT || reads) throw refused("cannot be opened: " + reason(errno));
  const std::string parent = std::filesystem::path(path_).parent_path().string();
  if (::access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0)
    throw refused("cannot be made: " + reason(errno));
}

Log::~Log() {
  if (file_ >= 0) close(file_);
}

void Log::read_all() {
  const Locked lock(file_, LOCK_SH);
  std::string text;
  char bytes[1 << 16];
  for (ssize_t count; (count = pread(file_, bytes, sizeof bytes, off_t(text.size()))) != 0;) {
    if (count > 0) text.append(bytes, std::size_t(count));
    if (count < 0 && errno != EINTR) throw refused("cannot be read: " + reason(errno));
  }
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto record = find_record(std::string_view(text).substr(at, end - at));
    ++number;
    // The last line may be whole without its newline.
    if (record)
      records_.emplace_back(number, *record);
    else if (end > at)
      ++torn_;
    at = end + 1;
  }
  if (!is_log(text, !records_.empty())) throw refused("has another format");
}

void Log::choose(const std::string& key) {
  const auto is_other = [&](const auto& entry) { return entry.second.key != key; };
  others_ = std::erase_if(records_, is_other);
}

void Log::append(const Record& record) {
  if (file_ < 0) file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  bool written = false;
  if (file_ >= 0) {
    const Locked lock(file_, LOCK_EX);
    written = write_line(to_line(record));
  }
  if (written) return;
  throw request_.refused(Code::E0503_cannot_write_file,
                         "the log " + path_ + " cannot be written: " + reason(errno),
                         "make room, or name another file; the lines that it has stay usable");
}

// Needs the lock, so that nobody else writes behind the former end of the file. False, with errno,
// if there is no room for the whole line; then the file is as before.
bool Log::write_line(std::string line) {
  struct stat before{};
  char last = '\n';
  if (fstat(file_, &before) != 0) return false;
  if (before.st_size > 0 && pread(file_, &last, 1, before.st_size - 1) != 1) return false;
  if (last != '\n') line = '\n' + line;
  ssize_t count = 0;
  do count = ::write(file_, line.data(), line.size());
  while (count < 0 && errno == EINTR);
  if (count == ssize_t(line.size())) return true;
  const bool shortened = count <= 0 || ftruncate(file_, before.st_size) == 0;
  if (count >= 0 || !shortened) errno = ENOSPC;
  return false;
}

}  // namespace strata::tuning
