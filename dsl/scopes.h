// f.loop and f.together as objects, for callers whose bodies are not functions.
#pragma once

#include <memory>
#include <string>

#include "core/error.h"
#include "dsl/state.h"

namespace strata {

// Definitions made while it lives share the loop.
class OpenLoop {
 public:
  OpenLoop(std::shared_ptr<FunctionState> state, const std::string& loop);
  ~OpenLoop();
  OpenLoop(const OpenLoop&) = delete;
  OpenLoop& operator=(const OpenLoop&) = delete;

 private:
  std::shared_ptr<FunctionState> state_;
};

// Commands given before end() are checked there, as one. Without end(), or if the check fails, all
// of them are undone. A group inside of another one is a part of it.
class Group {
 public:
  Group(std::shared_ptr<FunctionState> state, const Where& where);
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  void end();

 private:
  void undo();

  std::shared_ptr<FunctionState> state_;
  Where where_;
  bool open_;  // not yet ended, and in no other group
  Program before_;
  bool command_before_;
  Places places_before_;
};

}  // namespace strata
