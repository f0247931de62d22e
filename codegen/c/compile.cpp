#include "codegen/c/compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "codegen/object/temporary_folder.h"
#include "codegen/refusal.h"

extern char** environ;

namespace strata::c {

namespace {

// A compiler that waits for something is killed after this time. A compiler that computes reaches
// its limit of processor time sooner.
constexpr auto longest_wait = std::chrono::minutes(10);

bool is_on_path(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

std::string compiler() {
  const char* const named = std::getenv("STRATA_CC");
  if (named && *named) return named;
  for (const char* const usual : {"cc", "gcc", "clang"})
    if (is_on_path(usual)) return usual;
  return "cc";
}

Error not_compiled(const std::string& why) {
  return refused(Code::E0502_code_generation_failed, "the C compiler " + compiler() + " " + why,
                 "install gcc or clang, or name a compiler with STRATA_CC");
}

int status_of(pid_t process) {
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  int status = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(process, SIGKILL);
      waitpid(process, &status, 0);
      throw not_compiled("does not end");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return status;
}

// Runs a program, and writes its messages to a file.
int run(const std::vector<std::string>& words, const std::string& messages) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, list[0], &actions, nullptr, list.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) throw not_compiled("cannot be started");
  return status_of(process);
}

// The shell sets the limit for the compiler and the programs that it starts.
void compile(const std::vector<std::string>& words, int seconds, const std::string& messages) {
  std::vector<std::string> limited{
      "/bin/sh", "-c", "ulimit -S -t " + std::to_string(seconds) + "; exec \"$@\"", "sh"};
  limited.insert(limited.end(), words.begin(), words.end());
  const int status = run(limited, messages);
  if (status == 0) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) >= 126) throw not_compiled("cannot be started");
  const std::string said = read_bytes(messages);
  const bool ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  if (ended || said.find("CPU time limit") != std::string::npos)
    throw not_compiled("takes more than " + std::to_string(seconds) + " s of a processor's time");
  throw not_compiled("fails: " + said.substr(0, 2000));
}

}  // namespace

std::string compiled(const std::string& text, const CompilerOptions& options) {
  const TemporaryFolder folder;
  std::ofstream(folder / "kernel.c") << text;
  const bool fused = options.floats == Floats::fast;
  const bool arm = options.cpu.starts_with("neoverse") || options.cpu.starts_with("cortex") ||
                   options.cpu.starts_with("apple");
  compile({compiler(), "-std=gnu11", "-O3", (arm ? "-mcpu=" : "-march=") + options.cpu, "-fPIC",
           "-fno-math-errno", fused ? "-ffp-contract=fast" : "-ffp-contract=off", "-w",
           options.product == Product::object ? "-c" : "-S", folder / "kernel.c", "-o",
           folder / "kernel.made"},
          options.seconds, folder / "messages");
  return read_bytes(folder / "kernel.made");
}

}  // namespace strata::c
