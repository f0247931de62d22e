#include <atomic>
#include <mutex>
#include <unordered_map>

#include "graph/fuse/block_graph.h"
#include "graph/fuse/operator_kind.h"
#include "graph/fuse/primitive.h"

namespace strata::graph {

namespace {

std::atomic<std::uint64_t> questions = 0;

// Kinds by operator, attributes and types of arguments.  It is emptied when it is full.
class KnownKinds {
 public:
  static constexpr std::size_t most_entries = 10000;

  template <typename Ask>
  CallKind get(const std::string& key, const Ask& ask) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = kinds_.find(key); found != kinds_.end()) return found->second;
    }
    const CallKind kind = ask();
    const std::lock_guard lock(mutex_);
    if (kinds_.size() >= most_entries) kinds_.clear();
    return kinds_.emplace(key, kind).first->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, CallKind> kinds_;
};

CallKind opaque(const OperatorCall& call) {
  return {FusionKind::opaque, std::vector<FusionKind>(call.arguments.size(), FusionKind::opaque)};
}

// By arguments, each of which may be several tensors.
std::vector<FusionKind> by_arguments(const OperatorCall& call,
                                     const std::vector<FusionKind>& of_tensors) {
  std::vector<FusionKind> kinds;
  std::size_t next = 0;
  for (const Value& argument : call.arguments) {
    const ValueType& type = argument.type();
    FusionKind kind = FusionKind::elementwise;
    for (std::size_t k = type.is_tuple() ? type.fields().size() : 1; k > 0; --k)
      kind = combined(kind, of_tensors[next++]);
    kinds.push_back(kind);
  }
  return kinds;
}

CallKind asked(const OperatorCall& call, const Where& where) {
  ++questions;
  try {
    const Applied made = applied(call, where);
    for (const Tensor& t : made.outputs)
      if (t.op().is_placeholder()) {
        CallKind border = opaque(call);
        border.computes_nothing = made.outputs.size() == 1;
        return border;
      }
    const OperatorKind kind = operator_kind(made.outputs, made.inputs, where);
    return {kind.kind, by_arguments(call, kind.edges)};
  } catch (const Error& error) {  // extents are not known, or may not fit
    if (error.code() != Code::E0602_does_not_fit) throw;
    return opaque(call);
  }
}

}  // namespace

CallKind call_kind(const OperatorCall& call, const Where& where) {
  static KnownKinds known;
  std::string key = call.callee + "(" + call.attributes.text() + ")" + call.layouts.text();
  for (const Value& argument : call.arguments) key += " " + argument.type().text();
  return known.get(key, [&] { return asked(call, where); });
}

std::uint64_t kind_questions() { return questions; }

}  // namespace strata::graph
