// Races between the threads of a launch: two threads touch one place, one of them writes, and no
// barrier is between.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/tree/loop_tree.h"
#include "reference/evaluate.h"

namespace strata::reference {

// Which threads may touch a memory: all of the grid, those of one block, or one.
enum class Sharing { all, block, thread };

class RaceLog {
 public:
  struct Access {
    std::int64_t thread;  // of its block; -1: all of them
    bool writes;
    bool atomic;  // two of these do not race
  };

  void begin_launch();
  void begin_block();
  // All threads have passed a barrier.
  void barrier(Fence fence);

  // What is wrong with an access, or "". Places of one room are told apart by "place".
  std::string note(Sharing sharing, const std::string& room, const Point& place,
                   const Access& access);

 private:
  using Places = std::map<std::pair<std::string, Point>, std::vector<Access>>;

  std::int64_t block_ = 0;
  Places shared_, global_;  // since the last barrier, by the threads of this block
  Places by_blocks_;        // of global memory, by blocks
  Places owned_;            // of memories of one thread
};

}  // namespace strata::reference
