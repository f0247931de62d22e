#include "codegen/loops/own_buffers.h"

#include <algorithm>

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

}  // namespace

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
