#include "tuning/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tuning/hooks.h"

namespace strata::tuning {

namespace {

using Clock = std::chrono::steady_clock;

// A message is its kind, the length of its text, and the text.
constexpr std::size_t head_size = 1 + sizeof(std::uint64_t);

// Bytes of this process's address space.
std::int64_t mapped() {
  long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return std::int64_t(pages) * sysconf(_SC_PAGESIZE);
}

// Leaves RLIMIT_CPU alone: with this limit, the CPU clock of a process ticks in 4 ms.
void limit_resources() {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) != 0) return;
  const rlim_t wanted = rlim_t(mapped() + hooks().memory);
  memory.rlim_cur = std::min(wanted, memory.rlim_max);
  setrlimit(RLIMIT_AS, &memory);
}

// Gives the child a process group of its own, so that compilers that it starts end with it.
void become_child(pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM, SIGALRM, SIGCHLD})
    signal(number, SIG_DFL);
  for (const int number : {SIGINT, SIGPIPE}) signal(number, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, file);
  unsetenv("STRATA_REMARKS");
  limit_resources();
}

// Collects messages as they come through a pipe.
class Inbox {
 public:
  explicit Inbox(int pipe) : pipe_(pipe) {}

  // Reads what is there; false at the end.
  bool read_some() {
    char bytes[1 << 16];
    const ssize_t count = ::read(pipe_, bytes, sizeof bytes);
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    text_.append(bytes, std::size_t(count));
    return count > 0;
  }

  // Takes the first whole message.
  bool take(char& kind, std::string& text) {
    if (text_.size() < head_size) return false;
    std::uint64_t length = 0;
    std::memcpy(&length, text_.data() + 1, sizeof length);
    if (text_.size() - head_size < length) return false;
    kind = text_[0];
    text = text_.substr(head_size, length);
    text_.erase(0, head_size + length);
    return true;
  }

 private:
  int pipe_;
  std::string text_;
};

Clock::time_point in(double seconds) {
  const double most = std::min(std::max(seconds, 0.0), 1e6);
  return Clock::now() + std::chrono::microseconds(std::int64_t(1e6 * most));
}

int milliseconds_until(Clock::time_point time) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(time - Clock::now());
  return int(std::clamp<std::int64_t>(left.count() + 1, 0, 100));
}

// Receives messages until the child ends, is late or is stopped.
Ending attended(int pipe, const Supervision& supervision) {
  Inbox inbox(pipe);
  Clock::time_point limit = in(supervision.first);
  for (;;) {
    if (supervision.is_stopped()) return Ending::stopped;
    pollfd waiting{pipe, POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(limit));
    if (ready > 0) {
      const bool more = inbox.read_some();
      char kind = 0;
      std::string text;
      while (inbox.take(kind, text)) limit = in(supervision.receive(kind, text));
      if (!more) return Ending::done;
    } else if (Clock::now() >= limit) {
      return Ending::late;
    }
  }
}

// The status of a child that has closed its pipe. A child that hangs after that is killed. 0 if the
// program ignores SIGCHLD, so that there is no status.
int status_of(pid_t child) {
  int status = 0;
  for (int tenths = 0; tenths < 10; ++tenths)
    for (int look = 0; look < 100; ++look) {
      const pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended == child) return status;
      if (ended < 0 && errno != EINTR) return 0;
      usleep(1000);
    }
  kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Ended ended(pid_t child, Ending how) {
  if (how != Ending::done) kill(-child, SIGKILL);
  const int status = status_of(child);
  kill(-child, SIGKILL);  // also kills what the child has started
  if (how != Ending::done) return {how, 0};
  if (WIFSIGNALED(status)) return {Ending::signalled, WTERMSIG(status)};
  return {WEXITSTATUS(status) == 0 ? Ending::done : Ending::exited, WEXITSTATUS(status)};
}

[[noreturn]] void be_child(pid_t parent, int pipe, const std::function<void(const Sender&)>& work) {
  become_child(parent);
  try {
    work(Sender(pipe));
  } catch (...) {
    _exit(2);
  }
  _exit(0);
}

}  // namespace

Hooks& hooks() {
  static Hooks all;
  return all;
}

void Sender::send(char kind, const std::string& text) const {
  const std::uint64_t length = text.size();
  std::string message(head_size, kind);
  std::memcpy(message.data() + 1, &length, sizeof length);
  message += text;
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t count = ::write(pipe_, message.data() + sent, message.size() - sent);
    if (count < 0 && errno != EINTR) _exit(3);
    if (count > 0) sent += std::size_t(count);
  }
}

Ended run_in_child(const std::function<void(const Sender&)>& work, const Supervision& supervision) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {Ending::not_started, errno};
  const pid_t parent = getpid();
  const pid_t child = hooks().fork ? hooks().fork() : fork();
  if (child == 0) {
    close(ends[0]);
    be_child(parent, ends[1], work);
  }
  const int failure = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {Ending::not_started, failure};
  }
  setpgid(child, child);
  const Ending how = attended(ends[0], supervision);
  const Ended result = ended(child, how);
  close(ends[0]);
  return result;
}

}  // namespace strata::tuning
