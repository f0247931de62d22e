// Puts allocations and frees where layer IV has them: before the first node that mentions a buffer,
// and after the last node that does.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/tree/loop_tree.h"

namespace strata {

// A statement of a node of the mapping's forest. A node with several copies of its nest has several
// statements.
struct NodeStmt {
  int node;  // its index among its siblings
  StmtPtr stmt;
};

// A buffer that lives from node "first" to node "last" (layers/flow/communication.h).
struct OwnBuffer {
  std::string buffer;
  int first, last;
  std::function<StmtPtr(const StmtPtr& body)> allocated;  // "body" inside the allocation
};

// What a thread waits for: first its asynchronous copies, then the other threads of its block.
struct Pause {
  bool awaits_copies = false;
  std::optional<Fence> barrier = {};
};

// The statements, and the pauses after the nodes of "after" (by node). The pause after a node
// stands between a statement of this or an earlier node, and a statement of a later node or the
// end.
std::vector<NodeStmt> with_pauses(const std::vector<NodeStmt>& statements,
                                  const std::map<int, Pause>& after);

// The statements in order, inside the allocations of the buffers that some of them may touch. Each
// buffer is freed after its last statement, if others follow.
StmtPtr with_own_buffers(const std::vector<NodeStmt>& statements,
                         const std::vector<OwnBuffer>& buffers);

}  // namespace strata
