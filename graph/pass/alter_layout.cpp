#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "graph/builder/rewriter.h"
#include "graph/ir/known.h"
#include "graph/ir/likely.h"
#include "graph/ir/operator_types.h"
#include "graph/ir/purity.h"
#include "graph/ir/table.h"
#include "graph/ops/ops.h"
#include "graph/ops/registry.h"
#include "graph/pass/fusable.h"
#include "graph/pass/layout_plan.h"
#include "graph/pass/layout_wishes.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// The alterations of each operator, the highest level first.
using Alterations = std::unordered_map<std::string, std::vector<Alteration>>;

Alterations table_of(const std::vector<Alteration>& alterations, const Where& where) {
  Alterations table;
  for (const Alteration& a : alterations) {
    const Request request{"AlterOpLayout(" + a.callee + ")", where};
    find_operator(a.callee, where);
    if (!a.wanted)
      throw request.refused(Code::E0606_bad_context, "the alteration has no function", "give one");
    std::vector<Alteration>& row = table[a.callee];
    for (const Alteration& other : row)
      if (other.level == a.level)
        throw request.refused(Code::E0606_bad_context,
                              fmt::format("two alterations have level {}", a.level),
                              "give each a level of its own");
    row.push_back(a);
  }
  for (auto& [name, row] : table)
    std::sort(row.begin(), row.end(),
              [](const Alteration& a, const Alteration& b) { return a.level > b.level; });
  return table;
}

// The tensors among operands: a tuple stands for its fields.
Values tensors_in(const Values& operands) {
  Values tensors;
  for (const Value& operand : operands)
    if (const auto* tuple = operand.node()->as<TupleOf>())
      tensors.insert(tensors.end(), tuple->fields.begin(), tuple->fields.end());
    else
      tensors.push_back(operand);
  return tensors;
}

// The operands with these tensors, in the same order.
Values with_tensors(const Values& operands, const Values& tensors) {
  Values made;
  auto next = tensors.begin();
  for (const Value& operand : operands)
    if (const auto* tuple = operand.node()->as<TupleOf>()) {
      made.push_back(tuple_value(Values(next, next + std::ptrdiff_t(tuple->fields.size()))));
      next += std::ptrdiff_t(tuple->fields.size());
    } else {
      made.push_back(*next++);
    }
  return made;
}

// A call with layouts, and its tensors, which must be stored by these layouts.
struct Stored {
  OperatorCall call;
  Values tensors;
};

// What kernels wish, by calls; answers found so far.
using Wishes = Known<std::optional<LayoutWish>>;

// Layouts that authors want are taken as they are. If there are wishes, layouts are weighed.
class Altering {
 public:
  Altering(const Alterations& table, Wishes* wishes, const WrittenMemory& written)
      : table_(table), wishes_(wishes), written_(written) {}

  void operator()(Rewriter& r, const Binding& b) {
    const bool may_alter = r.is_dataflow() && !written_.has(b.value);
    const auto* call = may_alter ? b.as<OperatorCall>() : nullptr;
    auto stored = call && call->layouts.empty() ? stored_call(r, b, *call) : std::nullopt;
    if (stored) return bind(r, b, std::move(*stored));
    if (packed_.size() > 0)
      for (const Value& operand : operands_of(*b.definition)) need_logical(r, operand);
    r.keep(b);
  }

 private:
  // A variable of the program. At first only its packed form is computed; the variable itself is
  // bound when something needs it.
  struct Packed {
    Value value = {};
    Layout layout = {};
    Line where = {};
    bool is_bound = false;  // is the variable itself bound, too?
  };

  // ---- the layouts of a call ----

  std::optional<Stored> stored_call(const Rewriter& r, const Binding& b, const OperatorCall& call) {
    const auto row = table_.find(call.callee);
    if (row == table_.end() && packed_.size() == 0 && !wishes_) return std::nullopt;
    const Values tensors = tensors_in(call.arguments);
    for (const Value& tensor : tensors)
      if (!tensor.type().is_tensor()) return std::nullopt;
    if (row != table_.end())
      for (const Alteration& alteration : row->second)
        if (const auto wanted = alteration.wanted(call, b.value.type()))
          return altered(*wanted, tensors, b, call);
    if (wishes_)
      if (auto wished = wished_call(r, b, call, tensors)) return wished;
    for (const Value& tensor : tensors)
      if (const Packed* packed = find_packed(r, tensor))
        if (auto borne = planned(call, tensors, packed->layout))
          if (!wishes_ || pays(r, b, tensors, borne->call.layouts, 0)) return borne;
    return std::nullopt;
  }

  std::optional<Stored> wished_call(const Rewriter& r, const Binding& b, const OperatorCall& call,
                                    const Values& tensors) {
    const std::vector<ValueType> types = types_of(tensors);
    if (!are_known(types)) return std::nullopt;
    std::vector<bool> constants;
    std::string key = key_of(call, types);
    for (const Value& tensor : tensors) {
      constants.push_back(is_constant(tensor));
      key += constants.back() ? " constant" : " variable";
    }
    const std::optional<LayoutWish> wish =
        wishes_->get(key, [&] { return find_wish(call, types, constants, b.where); });
    if (!wish) return std::nullopt;
    std::vector<Layout> results;
    if (!wish->result.is_identity()) results = {wish->result};
    const Layouts layouts(wish->arguments, results);
    if (layouts.empty() || !pays(r, b, tensors, layouts, wish->cycles)) return std::nullopt;
    return Stored{{call.callee, call.arguments, call.attributes, layouts}, tensors};
  }

  // ---- weighing ----

  static bool is_constant(const Value& v) { return v.node()->as<ArrayConstant>() != nullptr; }

  // Does it cost at most "cycles" more to store the tensors by the layouts than to leave them as
  // they are? FoldConstant transforms constants.
  bool pays(const Rewriter& r, const Binding& b, const Values& tensors, const Layouts& layouts,
            double cycles) const {
    constexpr double bytes_per_cycle = 4;
    double stored = 0, plain = 0;
    std::set<const ValueNode*> counted;
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      if (is_constant(tensors[k]) || !counted.insert(tensors[k].node().get()).second) continue;
      const double bytes = likely_bytes(tensors[k].type());
      const Packed* packed = find_packed(r, tensors[k]);
      const bool is_plain = !packed || packed->is_bound;
      if (!is_plain) plain += bytes;
      const Layout& layout = layouts.argument(k);
      const bool is_there =
          layout.is_identity() ? is_plain : packed && packed->layout.text() == layout.text();
      if (!is_there) stored += bytes;
    }
    if (!layouts.result(0).is_identity() && !b.value.node()->variable().is_local)
      stored += likely_bytes(b.value.type());
    return stored <= plain + cycles * bytes_per_cycle;
  }

  std::optional<Stored> altered(const WantedLayouts& wanted, const Values& tensors,
                                const Binding& b, const OperatorCall& call) {
    std::vector<ValueType> types = types_of(tensors);
    std::string key = call.callee;
    for (const std::string& text : wanted.arguments) key += "," + text;
    key += " -> ";
    for (const std::string& text : wanted.results) key += "," + text;
    for (const ValueType& type : types) key += " " + type.text();
    const auto [found, fresh] = altered_.try_emplace(key + " : " + b.value.type().text());
    if (fresh) {
      const Request request{"AlterOpLayout(" + call.callee + ")", b.where};
      const std::vector<Layout> arguments = fitting(wanted.arguments, types, "argument", request);
      types = b.value.type().is_tuple() ? b.value.type().fields() : std::vector{b.value.type()};
      std::vector<Layout> results = fitting(wanted.results, types, "result", request);
      if (types.size() > 1) results.clear();
      found->second = Layouts(arguments, results);
    }
    if (found->second.empty()) return std::nullopt;
    return Stored{{call.callee, call.arguments, call.attributes, found->second}, tensors};
  }

  // The wanted layouts. A layout becomes the identity if a block does not divide its extent.
  static std::vector<Layout> fitting(const std::vector<std::string>& texts,
                                     const std::vector<ValueType>& types, const char* what,
                                     const Request& request) {
    const auto refused = [&](std::size_t k, const std::string& why) {
      return request.refused(
          Code::E0605_pass_broke_contract,
          fmt::format("the alteration wants {} for {} {}: {}", texts[k], what, k, why),
          "return a layout with an axis for each dimension, or nothing");
    };
    std::vector<Layout> layouts;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (k >= types.size()) throw refused(k, "there is none");
      Layout layout;
      try {
        if (!texts[k].empty()) layout = Layout::parsed(texts[k], request);
      } catch (const Error& error) {
        throw refused(k, error.refusal().explanation);
      }
      if (!layout.is_identity() && types[k].rank() && *types[k].rank() != int(layout.axes().size()))
        throw refused(k, "it is " + types[k].text());
      const bool fits = types[k].dims() && layout.fits(*types[k].dims());
      layouts.push_back(fits ? layout : Layout());
    }
    return layouts;
  }

  std::optional<Stored> planned(const OperatorCall& call, const Values& tensors,
                                const Layout& layout) {
    const std::vector<ValueType> types = types_of(tensors);
    std::string key = call.callee + "(" + call.attributes.text() + ")" + layout.text();
    for (const ValueType& type : types) key += " " + type.text();
    auto plan = plans_.find(key);
    if (plan == plans_.end()) plan = plans_.emplace(key, find_plan(call, types, layout)).first;
    if (!plan->second) return std::nullopt;
    const auto& [callee, attributes, expansions, layouts] = *plan->second;
    Values views = tensors;
    for (std::size_t k = 0; k < views.size(); ++k)
      for (const Attributes& axes : expansions[k])
        views[k] = graph::call("expand_dims", {views[k]}, axes);
    return Stored{{callee, call.arguments, attributes, layouts}, views};
  }

  // ---- bindings ----

  void bind(Rewriter& r, const Binding& b, Stored stored) {
    OperatorCall& call = stored.call;
    for (std::size_t k = 0; k < stored.tensors.size(); ++k)
      stored.tensors[k] = stored_tensor(r, stored.tensors[k], call.layouts.argument(k));
    call.arguments = with_tensors(call.arguments, stored.tensors);
    const Layout result = call.layouts.result(0);
    if (result.is_identity()) return r.bind(b.value, std::move(call), b.where);
    const Value packed = r.emit(unbound(std::move(call)));
    packed_.set(b.value.node().get(), {packed, result, b.where});
    if (!b.value.node()->variable().is_local) need_logical(r, b.value);
  }

  // The packed form of a tensor; null if there is none, or if it is local to another block.
  const Packed* find_packed(const Rewriter& r, const Value& tensor) const {
    const Packed* packed = packed_.find(tensor.node().get());
    return packed && r.sees(packed->value) ? packed : nullptr;
  }

  // Binds the variables in a leaf of which only packed forms are bound.
  void need_logical(Rewriter& r, const Value& leaf) {
    for_each_variable(leaf, [&](const Value& variable) {
      Packed* packed = packed_.find(variable.node().get());
      if (!packed || packed->is_bound) return;
      const Layout& layout = packed->layout;
      r.bind(variable, transform(packed->value, layout.text(), layout.axes()), packed->where);
      packed->is_bound = true;
    });
  }

  Value stored_tensor(Rewriter& r, const Value& tensor, const Layout& layout) {
    if (const auto* view = tensor.node()->as<Unbound>()) {
      const auto& call = std::get<OperatorCall>(*view->definition);
      const Value of = stored_tensor(r, call.arguments[0], {});
      return stored_tensor(r, once(r, {call.callee, {of}, call.attributes}), layout);
    }
    const Packed* packed = find_packed(r, tensor);
    if (packed && packed->layout.text() == layout.text()) return packed->value;
    if (packed && packed->layout.axes() == layout.axes() && !packed->is_bound)
      return once(r, transform(packed->value, packed->layout.text(), layout.text()));
    need_logical(r, tensor);
    return layout.is_identity() ? tensor : once(r, transform(tensor, layout.axes(), layout.text()));
  }

  static OperatorCall transform(const Value& x, const std::string& from, const std::string& to) {
    return {"layout_transform", {x}, attributes_of(LayoutAttributes{from, to})};
  }

  // The result of a call with one operand. Equal calls are bound once.
  Value once(Rewriter& r, const OperatorCall& call) {
    const std::string name = call.callee + "(" + call.attributes.text() + ")";
    Value& made = made_[{call.arguments[0].node().get(), name}];
    if (!made.defined() || !r.sees(made)) made = r.emit(unbound(call));
    return made;
  }

  const Alterations& table_;
  Wishes* wishes_;
  const WrittenMemory& written_;
  Table<const ValueNode*, Packed> packed_ = {};
  std::map<std::pair<const ValueNode*, std::string>, Value> made_ = {};
  // Answers found so far, by the operator and the types of its tensors.
  std::unordered_map<std::string, Layouts> altered_ = {};
  std::unordered_map<std::string, std::optional<LayoutPlan>> plans_ = {};
};

// Without wishes, functions for kernels and for other compilers are altered, too.
Module with_layouts(const Module& module, const Alterations& table, Wishes* wishes) {
  const Effects effects = effects_of(module);
  return with_functions(module, [&](const GraphFunction& function) -> std::optional<GraphFunction> {
    if (wishes && is_closed(function)) return std::nullopt;
    const WrittenMemory written(function, effects);
    Altering altering(table, wishes, written);
    return rewritten(function, module, [&](Rewriter& r, const Binding& b) { altering(r, b); });
  });
}

}  // namespace

Pass alter_op_layout(const std::vector<Alteration>& alterations, const Where& where) {
  return Pass({"AlterOpLayout", 3, {"InferType"}},
              [table = table_of(alterations, where)](const Module& module, const PassContext&) {
                return with_layouts(module, table, nullptr);
              });
}

Pass choose_layouts() {
  return Pass({"ChooseLayouts", 2, {"InferType"}}, [](const Module& module, const PassContext&) {
    Wishes wishes;
    return with_layouts(module, {}, &wishes);
  });
}

}  // namespace strata::graph
