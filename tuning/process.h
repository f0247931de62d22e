// Work in a child process, which may crash, hang or run out of memory.
#pragma once

#include <functional>
#include <string>

namespace strata::tuning {

// What a child tells its parent: texts of a kind.
class Sender {
 public:
  explicit Sender(int pipe) : pipe_(pipe) {}
  void send(char kind, const std::string& text = {}) const;

 private:
  int pipe_;
};

enum class Ending {
  done,         // the work returned
  not_started,  // no process: "number" is errno
  late,         // no message in time
  signalled,    // "number" is the signal
  exited,       // "number" is the status, not 0
  stopped,      // "is_stopped" said so
};

struct Ended {
  Ending how = Ending::done;
  int number = 0;
};

struct Supervision {
  // Takes a message; returns the seconds in which the next one, or the end, must come.
  std::function<double(char kind, const std::string& text)> receive;
  double first = 0;                  // seconds, for the first message
  std::function<bool()> is_stopped;  // asked at least ten times a second, and at each signal
};

// Runs "work" in a child made by fork, and returns when that has ended: it is killed when it is
// late. The child has no other threads than this one, default reactions to signals, a limit of
// memory (tuning/hooks.h), and writes to no terminal. It dies with this thread.
Ended run_in_child(const std::function<void(const Sender&)>& work, const Supervision& supervision);

}  // namespace strata::tuning
