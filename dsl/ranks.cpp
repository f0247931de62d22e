// Partitions, and the loops that ranks share.
#include "dsl/author.h"
#include "layers/define/build.h"

namespace strata {

Partition Function::partition(const std::string& name, const Expr& size, const Where& where) {
  FunctionState& state = Author::state(*this);
  const Request request{"partition(" + name + ")", where};
  guarded(request.text, where, [&] {
    state.take(with_partition(state.program, name, size, request));
    return 0;
  });
  return Partition(name, state.program.algorithm->owner);
}

Computation& Computation::distribute(const Var& i, const Partition& partition, const Where& where) {
  if (partition.owner() && partition.owner() != owner())
    throw Request{"distribute(" + name() + "." + i.name() + ", " + partition.name() + ")", where}
        .refused(Code::E0101_unknown_computation,
                 partition.name() + " is a partition of another function",
                 "make one with f.partition(name, size)");
  return Author::command(*this, where, "distribute", {Author::loop(*this, i), partition.name()});
}

}  // namespace strata
