// A program: the layers together, as one value.
//
// A command takes a Program and returns another; nothing is changed in place, so a refused
// command changes nothing.
#pragma once

#include <memory>

#include "core/sets/session.h"
#include "layers/algorithm.h"
#include "layers/layout.h"
#include "layers/mapping.h"

namespace strata {

// A violation that the author took on with unchecked(): the instances it was seen between.
// Later checks refuse only what lies outside.
struct Waiver {
  std::string command;
  Dependences violations;  // source -> sink
};

// Answers to questions of legality (schedule/legality/proved.h).
struct Proved;

struct Program {
  std::shared_ptr<Session> session;
  std::string name;
  std::shared_ptr<const Algorithm> algorithm;
  Mapping mapping;
  Layout layout;
  std::vector<Waiver> waivers;
  bool scheduled = false;  // has a command changed it?
  // A log of the commands given so far, which replays (schedule/table/replay.h); nothing is decided by it.
  std::vector<std::string> history = {};
  // What was proved of this program, or of the one that the last commands began with; or null.
  std::shared_ptr<const Proved> proved = nullptr;
};

}  // namespace strata
