#include "graph/builder/rewriter.h"

#include <algorithm>
#include <utility>

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

// The number of match_shapes that have each symbol as a dim.
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

std::optional<GraphFunction> Rewriter::function(
    const std::unordered_map<const ValueNode*, ValueType>& types) {
  Values parameters = function_.parameters;
  body_ = scopes_.begin();
  for (Value& parameter : parameters) {
    if (const auto type = types.find(parameter.node().get()); type != types.end())
      parameter = successor(parameter, parameter.name(), type->second);
    bound_.push_back({parameter.node().get(), nullptr, body_});
    for (const Expr& dim : dims_in(parameter.type()))
      if (dim.op() == Op::parameter) symbols_.insert(dim.name());
  }
  std::size_t bindings = parameters.size();
  for (const Block& b : function_.body.blocks) bindings += b.bindings.size();
  bound_.reserve(bindings);
  const Draft draft = drafted(function_.body);
  if (parameters == function_.parameters && draft.is(function_.body)) return std::nullopt;
  const ValueType type = without_variables(draft.result.type());
  const bool fits = belongs_to(type, function_.result) != Answer::no;
  return GraphFunction{function_.name,       std::move(parameters),
                       draft.body(),         fits ? function_.result : type,
                       function_.attributes, function_.where};
}

Rewriter::Draft Rewriter::drafted(const Body& body) {
  drafts_.emplace_back();
  for (const Block& b : body.blocks) block(b);
  Draft draft = std::move(drafts_.back());
  drafts_.pop_back();
  std::erase_if(draft.blocks, [](const Draft::Part& b) { return b.bindings.empty(); });
  draft.result = current(body.result);
  return draft;
}

bool Rewriter::Draft::is(const Body& body) const {
  const auto same_binding = [](const Binding* x, const Binding& y) {
    return x == &y || (x->value == y.value && x->definition == y.definition);
  };
  const auto same_block = [&](const Part& x, const Block& y) {
    return x.is_dataflow == y.is_dataflow &&
           std::equal(x.bindings.begin(), x.bindings.end(), y.bindings.begin(), y.bindings.end(),
                      same_binding);
  };
  return result == body.result && std::equal(blocks.begin(), blocks.end(), body.blocks.begin(),
                                             body.blocks.end(), same_block);
}

Body Rewriter::Draft::body() const {
  Body made{{}, result};
  for (const Part& part : blocks) {
    made.blocks.push_back({part.is_dataflow, {}});
    made.blocks.back().bindings.reserve(part.bindings.size());
    for (const Binding* b : part.bindings) made.blocks.back().bindings.push_back(*b);
  }
  return made;
}

void Rewriter::block(const Block& block) {
  is_dataflow_ = block.is_dataflow;
  block_ = scopes_.begin();
  drafts_.back().blocks.push_back({block.is_dataflow, {}});
  drafts_.back().blocks.back().bindings.reserve(block.bindings.size());
  for (const Binding& b : block.bindings) {
    at_hand_ = &renewed(b);
    rewrite_(*this, *at_hand_);
  }
  is_dataflow_ = false;
  scopes_.end(block_);
}

// ---- what a binding is now ----

Value Rewriter::current(const Value& leaf) const {
  return with_variables(leaf, [&](const Value& variable) {
    const Value* now = &variable;  // then its successor, then what replaces that
    while (const Value* next = now_.find(now->node().get())) now = next;
    return *now;
  });
}

Value Rewriter::successor(const Value& variable, const std::string& name, const ValueType& type) {
  Variable successor = variable.node()->variable();
  successor.name = name;
  const Value made(std::make_shared<const ValueNode>(ValueNode{std::move(successor), type}));
  now_.set(variable.node().get(), made);
  return made;
}

namespace {

constexpr std::size_t most_bindings = 10'000'000;

}  // namespace

// Does another value stand for an operand of the binding, or for the extents of its type?
bool Rewriter::has_changed(const Binding& b) const {
  if (now_.size() == 0) return false;
  bool changed = false;
  const auto compare = [&](const Value& v) { changed = changed || current(v) != v; };
  for_each_operand(*b.definition, compare);
  for (const Value& extents : extents_in(b.value.type())) compare(extents);
  return changed;
}

const Binding& Rewriter::renewed(const Binding& b) {
  bool changed = has_changed(b);
  if (!changed && !b.as<Branch>()) return b;
  Definition definition =
      with_operands(*b.definition, [&](const Value& operand) { return current(operand); });
  if (auto* branch = std::get_if<Branch>(&definition))
    for (auto* side : {&branch->then, &branch->otherwise}) {
      const int outside = std::exchange(body_, scopes_.begin());
      const Draft draft = drafted(**side);
      scopes_.end(std::exchange(body_, outside));
      if (draft.is(**side)) continue;
      *side = std::make_shared<const Body>(draft.body());
      changed = true;
    }
  if (!changed) return b;
  const ValueType stated =
      with_extents(b.value.type(), [&](const Value& extents) { return current(extents); });
  const ValueType type = derived(definition, module_, {"rewriting @" + function_.name, b.where});
  const bool fits = belongs_to(stated, type) == Answer::yes &&
                    (b.value.node()->variable().is_stated || stated == type);
  const ValueType renewed = fits ? stated : type;
  const Value value = renewed == b.value.type() && extents_in(renewed).empty()
                          ? b.value
                          : successor(b.value, b.value.name(), renewed);
  return stored({value, std::make_shared<const Definition>(std::move(definition)), b.where});
}

// ---- what the rewrite asks and does ----

const Rewriter::Bound* Rewriter::bound(const Value& variable) const {
  for (; looked_up_ < bound_.size(); ++looked_up_)
    table_.set(bound_[looked_up_].variable, bound_[looked_up_]);
  return table_.find(variable.node().get());
}

bool Rewriter::sees(const Value& leaf) const {
  bool all = true;
  for_each_variable(leaf, [&](const Value& variable) {
    const Bound* there = bound(variable);
    all = all && there && scopes_.is_open(there->scope);
  });
  return all;
}

const Binding* Rewriter::lookup(const Value& variable) const {
  const Bound* there = bound(variable);
  return there ? there->binding : nullptr;
}

const Binding& Rewriter::stored(Binding b) { return stored_.emplace_back(std::move(b)); }

// Keeps a pointer to the binding.
void Rewriter::push(const Binding& b) {
  if (!b.value.is_variable() || !b.definition)
    throw broken("a binding has no variable, or no definition");
  if (bound_.size() >= most_bindings)
    throw Request{"rewriting @" + function_.name, where_}.refused(
        Code::E0901_out_of_budget,
        "the function has more than " + std::to_string(most_bindings) + " bindings",
        "let the pass stop");
  auto& blocks = drafts_.back().blocks;
  if (blocks.empty() || blocks.back().is_dataflow != is_dataflow_)
    blocks.push_back({is_dataflow_, {}});
  const bool is_local = is_dataflow_ && b.value.node()->variable().is_local;
  bound_.push_back({b.value.node().get(), &b, is_local ? block_ : body_});
  blocks.back().bindings.push_back(&b);
}

void Rewriter::keep(const Binding& b) { push(&b == at_hand_ ? b : stored(b)); }

void Rewriter::replace(const Value& variable, const Value& given) {
  if (!variable.is_variable() || !given.defined() || given.node()->as<Unbound>())
    throw broken("only a variable can be replaced, and by a value that is not a call");
  const Value leaf = current(given);
  if (leaf == variable) return;
  if (!sees(leaf)) throw broken("%" + variable.name() + " is replaced by what is not seen there");
  // A variable that is seen outside of the block cannot become a local one.
  bool is_local = false;
  for_each_variable(leaf, [&](const Value& v) { is_local |= v.node()->variable().is_local; });
  if (is_local && !variable.node()->variable().is_local) return bind(variable, Alias{leaf}, line());
  now_.set(variable.node().get(), leaf);
}

const Where& Rewriter::line() const {
  const Where& at = at_hand_ ? static_cast<const Where&>(at_hand_->where) : where_;
  return at.file.empty() ? where_ : at;
}

void Rewriter::bind(const Value& variable, Definition definition, const Where& where) {
  push(stored({variable, std::make_shared<const Definition>(std::move(definition)), where}));
}

Rewriter::Counts& Rewriter::counts() {
  if (!counts_) counts_.emplace(VariableNames(function_), matches_in(function_.body));
  return *counts_;
}

std::string Rewriter::fresh_name(bool is_local) {
  for (;;) {
    std::string name = (is_local ? "lv" : "gv") + std::to_string(given_++);
    if (counts().names.add(name)) return name;
  }
}

namespace {

bool is_stated(const Unbound& call) { return call.stated.kind() != ValueType::Kind::object; }

}  // namespace

Value Rewriter::emit(const Value& value, const std::string& name) {
  std::unordered_map<const ValueNode*, Value> made;
  return emit(value, name, made);
}

ValueType Rewriter::type_of_call(const Unbound& call, const Definition& definition) const {
  return is_stated(call) ? call.stated
                         : derived(definition, module_, {"rewriting @" + function_.name, line()});
}

Value Rewriter::emit(const Value& value, const std::string& name,
                     std::unordered_map<const ValueNode*, Value>& bound) {
  if (!value.defined()) throw broken("an undefined value is bound");
  const auto* call = value.node()->as<Unbound>();
  if (!call) return value;
  if (const auto found = bound.find(value.node().get()); found != bound.end()) return found->second;
  Definition definition = with_operands(
      *call->definition, [&](const Value& operand) { return emit(operand, "", bound); });
  const ValueType type = type_of_call(*call, definition);
  Variable made{name.empty() ? fresh_name(is_dataflow_) : counts().names.fresh(name), is_dataflow_,
                is_stated(*call)};
  const Value variable(std::make_shared<const ValueNode>(ValueNode{std::move(made), type}));
  bind(variable, std::move(definition), line());
  bound.emplace(value.node().get(), variable);
  return variable;
}

Value Rewriter::redefine(const Value& variable, const Value& value) {
  const auto* call = value.defined() ? value.node()->as<Unbound>() : nullptr;
  if (!call) throw broken("a variable is defined again by what is not a call");
  Variable made = variable.node()->variable();
  made.is_stated = is_stated(*call);
  const Value successor(std::make_shared<const ValueNode>(
      ValueNode{std::move(made), type_of_call(*call, *call->definition)}));
  now_.set(variable.node().get(), successor);
  bind(successor, *call->definition, line());
  return successor;
}

bool Rewriter::can_splice(const Body& body) {
  for (const auto& [symbol, count] : matches_in(body))
    if (!symbols_.contains(symbol) && counts().matches[symbol] != count) return false;
  return true;
}

Value Rewriter::splice(const Body& body) {
  const bool was_dataflow = is_dataflow_;
  const int outside = block_;
  for (const Block& block : body.blocks) {
    is_dataflow_ = block.is_dataflow;
    block_ = scopes_.begin();
    for (const Binding& b : block.bindings) {
      Binding made = renewed(b);
      // Two branches may have variables of one name.
      if (counts().names.count(b.value.name()) > 1)
        made.value = successor(b.value, fresh_name(is_dataflow_), made.value.type());
      push(stored(std::move(made)));
    }
    scopes_.end(block_);
  }
  is_dataflow_ = was_dataflow;
  block_ = outside;
  return current(body.result);
}

std::optional<GraphFunction> rewritten(const GraphFunction& function, const Module& module,
                                       const Rewriter::Rewrite& rewrite, const Where& where) {
  return Rewriter(module, function, rewrite, where).function();
}

Module with_functions(const Module& module,
                      const std::function<std::optional<GraphFunction>(const GraphFunction&)>& f) {
  Module made = module;
  for (const auto& [name, global] : module.globals()) {
    const auto* function = std::get_if<GraphFunction>(global.get());
    if (!function || !function->body.result.defined()) continue;
    if (auto other = f(*function)) made.set(std::move(*other));
  }
  return made;
}

Module rewritten(const Module& module, const Rewriter::Rewrite& rewrite, const Where& where) {
  return with_functions(module, [&](const GraphFunction& function) {
    return rewritten(function, module, rewrite, where);
  });
}

}  // namespace strata::graph
