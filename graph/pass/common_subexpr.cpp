#include <fmt/format.h>

#include "core/record.h"
#include "core/text_scanner.h"
#include "graph/builder/rewriter.h"
#include "graph/ir/purity.h"
#include "graph/ir/table.h"
#include "graph/pass/passes.h"

namespace strata::graph {

namespace {

// A key: equal for operands with the same value, which are the same variable or equal constants.
std::string key_of(const Value& operand) {
  if (const auto* constant = operand.node()->as<ArrayConstant>();
      constant && constant->array.rank() == 0)
    return operand.type().text() + std::string(reinterpret_cast<const char*>(constant->array.raw()),
                                               constant->array.bytes());
  if (const auto* shape = operand.node()->as<ShapeLiteral>()) return text_of(shape->dims);
  if (const auto* global = operand.node()->as<GlobalName>()) return "@" + global->name;
  if (const auto* text = operand.node()->as<TextLiteral>()) return quoted_string(text->text);
  const auto* tuple = operand.node()->as<TupleOf>();
  if (!tuple) return fmt::format("{}", static_cast<const void*>(operand.node().get()));
  std::string text = "(";
  for (const Value& field : tuple->fields) text += key_of(field) + ",";
  return text + ")";
}

struct KeyHead {
  std::string operator()(const OperatorCall& d) const {
    return "operator " + d.callee + " " + d.attributes.text() + d.layouts.text();
  }
  std::string operator()(const FunctionCall& d) const { return "function " + d.callee; }
  std::string operator()(const KernelCall& d) const {
    std::string text = (d.is_packed ? "packed kernel " : "kernel ") + d.callee;
    for (const Type element : d.elements) text += " " + to_string(element);
    return text + " " + text_of(d.integers) + fmt::format(" {}", d.extents.size());
  }
  std::string operator()(const PackedCall& d) const { return "packed " + d.callee; }
  std::string operator()(const ShapeOf&) const { return "shape"; }
  std::string operator()(const FieldOf& d) const { return fmt::format("field {}", d.index); }
  std::string operator()(const Alias&) const { return ""; }
  std::string operator()(const MatchShape&) const { return ""; }
  std::string operator()(const Branch&) const { return ""; }
};

// A key: equal for bindings of the same value; empty if the binding cannot be shared.
std::string key_of(const Binding& b) {
  const std::string head = std::visit(KeyHead(), *b.definition);
  if (head.empty()) return head;
  std::string text = head + " : " + b.value.type().text();
  for_each_operand(*b.definition, [&](const Value& operand) { text += " " + key_of(operand); });
  return text;
}

}  // namespace

Pass eliminate_common_subexpr(const std::function<bool(const Binding&)>& is_exempt) {
  return Pass({"EliminateCommonSubexpr", 3, {}}, [=](const Module& module, const PassContext&) {
    const Effects effects = effects_of(module);
    return with_functions(module, [&](const GraphFunction& function) {
      const WrittenMemory written(function, effects);
      Table<std::uint64_t, Value> seen;  // by the hashes of keys
      int writes = 0;                    // impure calls so far
      return rewritten(function, module, [&](Rewriter& r, const Binding& b) {
        const bool acts = is_impure(*b.definition, effects.impure);
        writes += acts;
        const bool may_share = !acts && !written.has(b.value) && !(is_exempt && is_exempt(b));
        const std::string key = may_share ? key_of(b) : "";
        if (key.empty()) return r.keep(b);
        const int when = written.is_read_by(*b.definition) ? writes : 0;
        const auto [first, is_new] = seen.add(hash_of_text(key) + when, b.value);
        if (!is_new && r.sees(first) && key_of(*r.lookup(first)) == key)
          return r.replace(b.value, first);
        first = b.value;  // replaces one that is out of scope
        r.keep(b);
      });
    });
  });
}

}  // namespace strata::graph
