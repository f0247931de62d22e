#include "graph/builder/rewriter.h"

#include <algorithm>

#include "graph/ir/derive.h"
#include "graph/ir/purity.h"

namespace strata::graph {

Rewriter::Rewriter(const Module& module, const GraphFunction& function, const Rewrite& rewrite,
                   const Where& where)
    : module_(module), function_(function), rewrite_(rewrite), where_(where) {}

Error Rewriter::broken(const std::string& explanation) const {
  return Request{"rewriting @" + function_.name, where_}.refused(
      Code::E0605_pass_broke_contract, explanation, "mend the function of the rewriter");
}

namespace {

// How many match_shapes have each symbol as a dim.
std::map<std::string, int> matches_in(const Body& body) {
  std::map<std::string, int> matches;
  for_each_binding(body, [&](const Binding& b) {
    if (const auto* match = b.as<MatchShape>())
      for (const Expr& dim : match->pattern)
        if (dim.op() == Op::parameter) ++matches[dim.name()];
  });
  return matches;
}

}  // namespace

GraphFunction Rewriter::function(const std::unordered_map<const ValueNode*, ValueType>& types) {
  GraphFunction made = function_;
  for (Value& parameter : made.parameters) {
    if (const auto type = types.find(parameter.node().get()); type != types.end())
      parameter = successor(parameter, parameter.name(), type->second);
    visible_.insert(parameter.node().get());
    ++names_[parameter.name()];
    for (const Expr& dim : dims_in(parameter.type()))
      if (dim.op() == Op::parameter) symbols_.insert(dim.name());
  }
  for_each_binding(function_.body, [&](const Binding& b) { ++names_[b.value.name()]; });
  matches_ = matches_in(function_.body);
  body(function_.body);
  made.body = std::move(bodies_.back());
  bodies_.pop_back();
  const ValueType type = without_variables(made.body.result.type());
  if (belongs_to(type, made.result) == Answer::no) made.result = type;
  return made;
}

void Rewriter::body(const Body& body) {
  bodies_.emplace_back();
  for (const Block& b : body.blocks) block(b);
  auto& blocks = bodies_.back().blocks;
  std::erase_if(blocks, [](const Block& b) { return b.bindings.empty(); });
  bodies_.back().result = current(body.result);
}

void Rewriter::block(const Block& block) {
  const std::size_t mark = visible_since_.size();
  is_dataflow_ = block.is_dataflow;
  bodies_.back().blocks.push_back({block.is_dataflow, {}});
  for (const Binding& b : block.bindings) {
    const Binding made = renewed(b);
    rewrite_(*this, made);
  }
  is_dataflow_ = false;
  if (block.is_dataflow) hide_locals(mark);
}

void Rewriter::hide_locals(std::size_t since) {
  for (std::size_t k = since; k < visible_since_.size(); ++k)
    if (visible_since_[k]->variable().is_local) visible_.erase(visible_since_[k]);
}

// ---- what a binding is now ----

Value Rewriter::current(const Value& leaf) const {
  return with_variables(leaf, [&](const Value& variable) {
    Value now = variable;  // then its successor, then what replaces that
    for (auto found = now_.find(now.node().get()); found != now_.end();
         found = now_.find(now.node().get()))
      now = found->second;
    return now;
  });
}

Value Rewriter::successor(const Value& variable, const std::string& name, const ValueType& type) {
  Variable successor = variable.node()->variable();
  successor.name = name;
  const Value made(std::make_shared<const ValueNode>(ValueNode{std::move(successor), type}));
  now_[variable.node().get()] = made;
  return made;
}

namespace {

// The same variables, bound to the same nodes.
bool is_same(const Body& a, const Body& b) {
  const auto same_binding = [](const Binding& x, const Binding& y) {
    return x.value == y.value && x.definition == y.definition;
  };
  const auto same_block = [&](const Block& x, const Block& y) {
    return x.is_dataflow == y.is_dataflow &&
           std::equal(x.bindings.begin(), x.bindings.end(), y.bindings.begin(), y.bindings.end(),
                      same_binding);
  };
  return a.result == b.result &&
         std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(), same_block);
}

constexpr std::int64_t most_bindings = 10'000'000;

}  // namespace

Binding Rewriter::renewed(const Binding& b) {
  bool changed = false;
  Definition definition = with_operands(*b.definition, [&](const Value& operand) {
    const Value now = current(operand);
    changed |= now != operand;
    return now;
  });
  if (auto* branch = std::get_if<Branch>(&definition))
    for (auto* side : {&branch->then, &branch->otherwise}) {
      const std::size_t mark = visible_since_.size();
      body(**side);
      if (!is_same(bodies_.back(), **side)) {
        *side = std::make_shared<const Body>(std::move(bodies_.back()));
        changed = true;
      }
      bodies_.pop_back();
      for (; visible_since_.size() > mark; visible_since_.pop_back())
        visible_.erase(visible_since_.back());
    }
  const ValueType stated =
      with_extents(b.value.type(), [&](const Value& extents) { return current(extents); });
  if (!changed && extents_in(stated) == extents_in(b.value.type())) return b;
  const ValueType type = derived(definition, module_, {"rewriting @" + function_.name, b.where});
  const bool fits = belongs_to(stated, type) == Answer::yes &&
                    (b.value.node()->variable().is_stated || stated == type);
  const ValueType renewed = fits ? stated : type;
  const Value value = renewed == b.value.type() && extents_in(renewed).empty()
                          ? b.value
                          : successor(b.value, b.value.name(), renewed);
  return {value, std::make_shared<const Definition>(std::move(definition)), b.where};
}

// ---- what the rewrite asks and does ----

bool Rewriter::sees(const Value& leaf) const {
  bool all = true;
  for_each_variable(
      leaf, [&](const Value& variable) { all = all && visible_.contains(variable.node().get()); });
  return all;
}

const Binding* Rewriter::lookup(const Value& variable) const {
  const auto found = bindings_.find(variable.node().get());
  return found == bindings_.end() ? nullptr : &found->second;
}

void Rewriter::push(Binding b) {
  if (!b.value.is_variable() || !b.definition)
    throw broken("a binding has no variable, or no definition");
  if (++pushed_ > most_bindings)
    throw Request{"rewriting @" + function_.name, where_}.refused(
        Code::E0901_out_of_budget,
        "the function has more than " + std::to_string(most_bindings) + " bindings",
        "let the pass stop");
  auto& blocks = bodies_.back().blocks;
  if (blocks.empty() || blocks.back().is_dataflow != is_dataflow_)
    blocks.push_back({is_dataflow_, {}});
  bindings_[b.value.node().get()] = b;
  if (visible_.insert(b.value.node().get()).second) visible_since_.push_back(b.value.node().get());
  blocks.back().bindings.push_back(std::move(b));
}

void Rewriter::keep(const Binding& b) { push(b); }

void Rewriter::replace(const Value& variable, const Value& given) {
  if (!variable.is_variable() || !given.defined() || given.node()->as<Unbound>())
    throw broken("a variable is replaced by what is no leaf");
  const Value leaf = current(given);
  if (leaf == variable) return;
  if (!sees(leaf)) throw broken("%" + variable.name() + " is replaced by what is not seen there");
  // What is seen outside of the block cannot be a local variable.
  bool is_local = false;
  for_each_variable(leaf, [&](const Value& v) { is_local |= v.node()->variable().is_local; });
  if (is_local && !variable.node()->variable().is_local) return bind(variable, Alias{leaf}, where_);
  now_[variable.node().get()] = leaf;
}

void Rewriter::bind(const Value& variable, Definition definition, const Where& where) {
  push({variable, std::make_shared<const Definition>(std::move(definition)), where});
}

std::string Rewriter::fresh_name(bool is_local) {
  for (;;) {
    std::string name = (is_local ? "lv" : "gv") + std::to_string(given_++);
    if (++names_[name] == 1) return name;
  }
}

Value Rewriter::emit(const Value& value) {
  std::unordered_map<const ValueNode*, Value> made;
  return emit(value, made);
}

Value Rewriter::emit(const Value& value, std::unordered_map<const ValueNode*, Value>& bound) {
  if (!value.defined()) throw broken("an undefined value is bound");
  const auto* call = value.node()->as<Unbound>();
  if (!call) return value;
  if (const auto found = bound.find(value.node().get()); found != bound.end()) return found->second;
  Definition definition =
      with_operands(*call->definition, [&](const Value& operand) { return emit(operand, bound); });
  const bool is_stated = call->stated.kind() != ValueType::Kind::object;
  const ValueType type =
      is_stated ? call->stated
                : derived(definition, module_, {"rewriting @" + function_.name, where_});
  Variable made{fresh_name(is_dataflow_), is_dataflow_, is_stated};
  const Value variable(std::make_shared<const ValueNode>(ValueNode{std::move(made), type}));
  bind(variable, std::move(definition), where_);
  bound.emplace(value.node().get(), variable);
  return variable;
}

bool Rewriter::can_splice(const Body& body) const {
  for (const auto& [symbol, count] : matches_in(body)) {
    const auto all = matches_.find(symbol);
    if (!symbols_.contains(symbol) && (all == matches_.end() || all->second != count)) return false;
  }
  return true;
}

Value Rewriter::splice(const Body& body) {
  const bool was_dataflow = is_dataflow_;
  for (const Block& block : body.blocks) {
    const std::size_t mark = visible_since_.size();
    is_dataflow_ = block.is_dataflow;
    for (const Binding& b : block.bindings) {
      Binding made = renewed(b);
      // Two branches may have variables of one name.
      if (names_[b.value.name()] > 1)
        made.value = successor(b.value, fresh_name(is_dataflow_), made.value.type());
      push(std::move(made));
    }
    if (block.is_dataflow) hide_locals(mark);
  }
  is_dataflow_ = was_dataflow;
  return current(body.result);
}

GraphFunction rewritten(const GraphFunction& function, const Module& module,
                        const Rewriter::Rewrite& rewrite, const Where& where) {
  return Rewriter(module, function, rewrite, where).function();
}

Module rewritten(const Module& module, const Rewriter::Rewrite& rewrite, const Where& where) {
  Module made = module;
  for (const auto& [name, global] : module.globals())
    if (const auto* function = std::get_if<GraphFunction>(global.get()))
      if (function->body.result.defined()) made.set(rewritten(*function, module, rewrite, where));
  return made;
}

}  // namespace strata::graph
