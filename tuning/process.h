// Work in a child process. The work may crash, hang or run out of memory.
#pragma once

#include <functional>
#include <string>

namespace strata::tuning {

// Sends messages from a child to its parent: a kind and a text each.
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
  // Takes a message. Returns the seconds in which the next message, or the end, must come.
  std::function<double(char kind, const std::string& text)> receive;
  double first = 0;                  // the same seconds, for the first message
  std::function<bool()> is_stopped;  // called at least ten times a second, and at each signal
};

// Runs "work" in a child made by fork, and returns when the child has ended. A late child is
// killed. The child has only this thread, default reactions to signals, and a limit of memory
// (tuning/hooks.h). It writes to no terminal, and dies with this thread.
Ended run_in_child(const std::function<void(const Sender&)>& work, const Supervision& supervision);

}  // namespace strata::tuning
