#include "reference/loop_tree_races.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/points.h"

namespace strata::reference {

namespace {

// The first earlier access of another thread that races with this one; then notes this one.
const RaceLog::Access* racing(std::vector<RaceLog::Access>& earlier, const RaceLog::Access& now) {
  const auto same = [&](const RaceLog::Access& a) {
    return a.thread == now.thread && a.writes == now.writes && a.atomic == now.atomic;
  };
  const auto races = [&](const RaceLog::Access& a) {
    return a.thread != now.thread && (a.writes || now.writes) && !(a.atomic && now.atomic);
  };
  const auto other = std::find_if(earlier.begin(), earlier.end(), races);
  if (other != earlier.end()) return &*other;
  if (std::none_of(earlier.begin(), earlier.end(), same)) earlier.push_back(now);
  return nullptr;
}

}  // namespace

void RaceLog::begin_launch() {
  by_blocks_.clear();
  block_ = 0;
}

void RaceLog::begin_block() {
  ++block_;
  shared_.clear();
  global_.clear();
  owned_.clear();
}

void RaceLog::barrier(Fence fence) {
  if (fence != Fence::global) shared_.clear();
  if (fence != Fence::shared) global_.clear();
}

std::string RaceLog::note(Sharing sharing, const std::string& room, const Point& place,
                          const Access& access) {
  const std::pair key{room, place};
  if (sharing == Sharing::thread) {
    const Access touched{access.thread, true, false};
    const Access* other = racing(owned_[key], touched);
    return other ? fmt::format("threads {} and {} touch {}, which belongs to one thread",
                               other->thread, access.thread, reference::to_string(room, place))
                 : "";
  }
  Access by_block = access;
  by_block.thread = block_;
  if (sharing == Sharing::all && racing(by_blocks_[key], by_block))
    return "race: two blocks touch " + reference::to_string(room, place);
  const Access* other = racing((sharing == Sharing::all ? global_ : shared_)[key], access);
  return other ? fmt::format("race: threads {} and {} touch {}, and no barrier is between",
                             other->thread, access.thread, reference::to_string(room, place))
               : "";
}

}  // namespace strata::reference
