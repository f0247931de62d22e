#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "graph/builder/rewriter.h"
#include "graph/fuse/block_graph.h"
#include "graph/ir/table.h"
#include "graph/ops/ops.h"
#include "graph/pass/column_use.h"
#include "graph/pass/fusable.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// Calls of one operator that differ only in what they read by the columns of their results: in
// constants, or in members of another class, the nth of the nth.
struct Class {
  ColumnUse use;
  std::vector<const Binding*> members = {};
  std::vector<const Class*> operands = {};  // by arguments; null for constants and what is shared
  Value combined = {};                      // once it is emitted
  bool is_wanted = true;
};

struct Member {
  Class* of = nullptr;
  std::size_t number = 0;
};

std::optional<std::int64_t> columns(const Value& value, int dim) {
  return constant_dim((*value.type().dims())[std::size_t(dim)]);
}

// "float32 (384, *)": types that differ in the extent of one dimension have one key.
std::string type_without(const ValueType& type, int dim) {
  std::string text = to_string(*type.element()) + " (";
  for (int d = 0; d < int(type.dims()->rank()); ++d)
    text += (d == dim ? "*" : dim_text((*type.dims())[std::size_t(d)])) + ", ";
  return text + ")";
}

// The classes of a module's blocks. A class is of one block.
class Classes {
 public:
  void add(const Block& block) {
    by_key_.clear();
    for (const Binding& b : block.bindings) {
      for_each_operand(*b.definition, [&](const Value& operand) {
        for_each_variable(operand, [&](const Value& v) { readers_[v.node().get()].push_back(&b); });
      });
      add(b);
    }
  }

  // A class is combined if each member is read by members of combined classes, and by operators
  // that move elements: a kernel reads their part of the whole in place.
  void drop_unwanted() {
    for (bool changes = true; changes;) {
      changes = false;
      for (Class& c : all_)
        if (c.is_wanted && !is_worth_it(c)) {
          c.is_wanted = false;
          changes = true;
        }
    }
  }

  // The member that the variable is, if its class is combined.
  Member member(const Value& variable) const {
    const Member* found = members_.find(variable.node().get());
    return found && found->of->is_wanted ? *found : Member();
  }
  bool has_any() const {
    return std::ranges::any_of(all_, [](const Class& c) { return c.is_wanted; });
  }

 private:
  void add(const Binding& b) {
    const auto* call = b.as<OperatorCall>();
    if (!call || !call->layouts.empty() || !b.value.type().is_tensor()) return;
    const auto use = column_use(*call, b.where);
    if (!use || !b.value.type().dims() || !columns(b.value, use->axis)) return;
    std::string key = fmt::format("{} {} {}", call->callee, call->attributes.text(), use->axis);
    std::vector<const Class*> operands;
    std::optional<std::size_t> number;  // of the members of other classes that it reads
    for (std::size_t k = 0; k < call->arguments.size(); ++k) {
      const auto part = key_of(call->arguments[k], use->parts[k], number);
      if (!part) return;
      key += part->first;
      operands.push_back(part->second);
    }
    if (!number && !is_product(*use, *call)) return;
    Class*& found = by_key_[key];
    if (!found) found = &all_.emplace_back(*use, std::vector<const Binding*>(), operands);
    if (number && *number != found->members.size()) return;
    members_.set(b.value.node().get(), {found, found->members.size()});
    found->members.push_back(&b);
  }

  // A product of what all members share with constants. Other operators are not worth it alone.
  static bool is_product(const ColumnUse& use, const OperatorCall& call) {
    for (std::size_t k = 0; k < call.arguments.size(); ++k)
      if (use.sums && !use.parts[k] && call.arguments[k].is_variable()) return true;
    return false;
  }

  // A key of an argument, and its class. Nothing if it cannot be combined with others.
  std::optional<std::pair<std::string, const Class*>> key_of(const Value& argument,
                                                             const std::optional<int>& part,
                                                             std::optional<std::size_t>& number) {
    if (!part) return std::pair(fmt::format(" {}", fmt::ptr(argument.node().get())), nullptr);
    if (argument.node()->as<ArrayConstant>())
      return std::pair(" constant " + type_without(argument.type(), *part), nullptr);
    const Member* member = members_.find(argument.node().get());
    if (!member || member->of->use.axis != *part || (number && *number != member->number))
      return std::nullopt;
    number = member->number;
    return std::pair(fmt::format(" class {}", fmt::ptr(member->of)), member->of);
  }

  bool is_worth_it(const Class& c) const {
    if (c.members.size() < 2) return false;
    for (const Class* operand : c.operands)
      if (operand && (!operand->is_wanted || operand->members.size() != c.members.size()))
        return false;
    return std::ranges::all_of(c.members,
                               [&](const Binding* b) { return reads_in_place(c, b->value); });
  }
  bool reads_in_place(const Class& c, const Value& variable) const {
    const auto readers = readers_.find(variable.node().get());
    if (!variable.node()->variable().is_local || readers == readers_.end()) return false;
    return std::ranges::all_of(readers->second, [&](const Binding* reader) {
      if (const Class* of = member(reader->value).of)
        return std::ranges::find(of->operands, &c) != of->operands.end();
      const auto* call = reader->as<OperatorCall>();
      return call && call_kind(*call, reader->where).kind == FusionKind::injective;
    });
  }

  std::deque<Class> all_;
  std::map<std::string, Class*> by_key_;
  Table<const ValueNode*, Member> members_;
  std::map<const ValueNode*, std::vector<const Binding*>> readers_;
};

std::int64_t columns(const Class& c, std::size_t number) {
  return *columns(c.members[number]->value, c.use.axis);
}

// The call with the parts of all members, b being the first.
Value combined(Rewriter& r, const Binding& b, const Class& of) {
  OperatorCall all = *b.as<OperatorCall>();
  for (std::size_t k = 0; k < all.arguments.size(); ++k) {
    if (of.operands[k]) all.arguments[k] = of.operands[k]->combined;
    if (of.operands[k] || !of.use.parts[k]) continue;
    Values parts;
    for (const Binding* member : of.members)
      parts.push_back(member->as<OperatorCall>()->arguments[k]);
    const FirstAxisAttributes axis{*of.use.parts[k]};
    all.arguments[k] = r.emit(call("concatenate", {tuple_value(parts)}, attributes_of(axis)));
  }
  return unbound(std::move(all));
}

void combine(Rewriter& r, const Binding& b, const Member& member) {
  Class& of = *member.of;
  if (member.number == 0) of.combined = r.emit(combined(r, b, of), b.value.name() + "_all");
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < member.number; ++k) begin += columns(of, k);
  const StridedSliceAttributes part{
      {begin}, {begin + columns(of, member.number)}, {1}, {of.use.axis}};
  r.redefine(b.value, call("strided_slice", {of.combined}, attributes_of(part)));
}

}  // namespace

Pass combine_parallel_products() {
  return Pass(
      {"CombineParallelProducts", 2, {"InferType"}}, [](const Module& module, const PassContext&) {
        Classes classes;
        for_each_open_block(module, [&](const GraphFunction&, const Block& b) { classes.add(b); });
        classes.drop_unwanted();
        if (!classes.has_any()) return module;
        return rewritten(module, [&](Rewriter& r, const Binding& b) {
          const Member member = classes.member(b.value);
          member.of ? combine(r, b, member) : r.keep(b);
        });
      });
}

}  // namespace strata::graph
