// Puts allocations and frees where layer IV has them: before the first node that mentions a buffer,
// and after the last one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// A statement made for a node of the mapping's forest; a node with several copies of its nest has
// several.
struct NodeStmt {
  int node;  // its index among its siblings
  StmtPtr stmt;
};

// A buffer that lives from node "first" to node "last" (layers/flow/communication.h).
struct OwnBuffer {
  std::string buffer;
  int first, last;
  std::function<StmtPtr(const StmtPtr& body)> allocated;  // "body" in its allocation
};

// What a thread waits for: its asynchronous copies, and then the other threads of its block.
struct Pause {
  bool awaits_copies = false;
  std::optional<Fence> barrier = {};
};

// The statements with a pause after each node of "after" (by node): where a statement of a later
// node, or the end, follows one of that node or an earlier one.
std::vector<NodeStmt> with_pauses(const std::vector<NodeStmt>& statements,
                                  const std::map<int, Pause>& after);

// The statements in order, in the allocations of the buffers that some of them may touch. Each is
// freed after its last statement, if others follow.
StmtPtr with_own_buffers(const std::vector<NodeStmt>& statements,
                         const std::vector<OwnBuffer>& buffers);

}  // namespace strata
