// A program: the layers together, as one value.
//
// A command takes a Program and returns another; nothing is changed in place, so a refused
// command changes nothing.
#pragma once

#include <memory>

#include "core/session.h"
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

// A state of a program in which every question of legality was asked and found no violation.
struct Proved {
  std::shared_ptr<const Algorithm> algorithm;
  Mapping complete;  // with initial values
  Layout layout;
};

struct Program {
  std::shared_ptr<Session> session;
  std::string name;
  std::shared_ptr<const Algorithm> algorithm;
  Mapping mapping;
  Layout layout;
  std::vector<Waiver> waivers;
  bool scheduled = false;  // has a command changed it?
  // A log of the commands given so far, which replays (schedule/replay.h); nothing is decided by it.
  std::vector<std::string> history = {};
  // The last state before this one that was proved, or none (schedule/legality/unchanged.h).
  std::shared_ptr<const Proved> proved = nullptr;
};

}  // namespace strata
