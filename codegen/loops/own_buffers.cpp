#include "codegen/loops/own_buffers.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace strata {

namespace {

// The first and the last statement in a buffer's life.
struct Span {
  const OwnBuffer* buffer;
  std::size_t first, last;
};

std::vector<Span> spans(const std::vector<NodeStmt>& statements,
                        const std::vector<OwnBuffer>& buffers) {
  std::vector<Span> all;
  for (const OwnBuffer& buffer : buffers) {
    const auto inside = [&](const NodeStmt& s) {
      return buffer.first <= s.node && s.node <= buffer.last;
    };
    const auto first = std::find_if(statements.begin(), statements.end(), inside);
    const auto last = std::find_if(statements.rbegin(), statements.rend(), inside);
    if (first != statements.end())
      all.push_back({&buffer, std::size_t(first - statements.begin()),
                     std::size_t(statements.rend() - last) - 1});
  }
  return all;
}

// The pause between a statement of node "from" and a statement of node "to", and the last node that
// a part of this pause follows.
struct Between {
  Pause pause;
  int node;
};
std::optional<Between> between(const std::map<int, Pause>& after, int from, int to) {
  std::optional<Between> found;
  for (const auto& [node, pause] : after) {
    if (node < from || node >= to) continue;
    Pause all = found ? found->pause : pause;
    all.awaits_copies |= pause.awaits_copies;
    if (pause.barrier)
      all.barrier = !all.barrier || all.barrier == pause.barrier ? pause.barrier : Fence::both;
    found = Between{all, node};
  }
  return found;
}

}  // namespace

std::vector<NodeStmt> with_pauses(const std::vector<NodeStmt>& statements,
                                  const std::map<int, Pause>& after) {
  if (statements.empty()) return {};
  std::vector<NodeStmt> result;
  const auto add = [&](int from, int to) {
    const auto here = between(after, from, to);
    if (!here) return;
    if (here->pause.awaits_copies) result.push_back({here->node, make_stmt(AwaitCopies{})});
    if (here->pause.barrier)
      result.push_back({here->node, make_stmt(Barrier{*here->pause.barrier})});
  };
  int node = -1;
  for (const NodeStmt& statement : statements) {
    add(node, statement.node);
    result.push_back(statement);
    node = statement.node;
  }
  add(node, std::numeric_limits<int>::max());
  return result;
}

StmtPtr with_own_buffers(const std::vector<NodeStmt>& statements,
                         const std::vector<OwnBuffer>& buffers) {
  const std::vector<Span> lives = spans(statements, buffers);
  Block rest;  // from statement n on
  for (std::size_t n = statements.size(); n-- > 0;) {
    for (const Span& life : lives)
      if (life.last == n && n + 1 < statements.size())
        rest.body.insert(rest.body.begin(), make_stmt(Free{life.buffer->buffer}));
    rest.body.insert(rest.body.begin(), statements[n].stmt);
    for (auto life = lives.rbegin(); life != lives.rend(); ++life)
      if (life->first == n) rest = Block{{life->buffer->allocated(make_stmt(std::move(rest)))}};
  }
  return make_stmt(std::move(rest));
}

}  // namespace strata
