// A program: all layers as one value.
//
// A command takes a Program and returns another; nothing is changed in place, so a refused command
// changes nothing.
#pragma once

#include <memory>

#include "core/sets/session.h"
#include "layers/algorithm.h"
#include "layers/layout.h"
#include "layers/mapping.h"

namespace strata {

// Violations that the author accepted with unchecked(), as pairs of instances. Later checks refuse
// only pairs outside of them.
struct Waiver {
  std::string command;
  Dependences violations;  // source -> sink
};

// Memo of legality questions (schedule/legality/proofs.h).
struct Proofs;

struct Program {
  std::shared_ptr<Session> session;
  std::string name;
  std::shared_ptr<const Algorithm> algorithm;
  Mapping mapping;
  Layout layout;
  std::vector<Waiver> waivers;
  bool scheduled = false;  // a command has changed it
  // A log of the commands so far, which replays (schedule/table/replay.h); nothing depends on it.
  std::vector<std::string> history = {};
  // Proofs about this program, or about the one that the last commands started from; may be null.
  std::shared_ptr<const Proofs> proofs = nullptr;
};

}  // namespace strata
