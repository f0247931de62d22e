#include "graph/text/print.h"

#include <fmt/format.h>

#include "graph/text/constants.h"
#include "graph/text/kernel_text.h"

namespace strata::graph {

namespace {

class ModulePrinter {
 public:
  explicit ModulePrinter(Note note = {}) : note_(std::move(note)) {}

  std::string module(const Module& module) {
    for (const auto& [name, global] : module.globals())
      if (const auto* kernel = std::get_if<TensorKernel>(global.get())) text_ += text_of(*kernel);
    for (const auto& [name, global] : module.globals())
      if (const auto* f = std::get_if<GraphFunction>(global.get())) function(*f);
    list_constants();
    return std::move(text_);
  }

  std::vector<NDArray> arrays(const Module& m) {
    module(m);
    return constants_.arrays();
  }

  std::string only(const Value& value) { return leaf(value); }

  std::string only(const GraphFunction& f) {
    function(f);
    list_constants();
    return std::move(text_);
  }

 private:
  void line(const std::string& text) {
    text_.append(2 * depth_, ' ');
    text_ += text;
    text_ += '\n';
  }

  void function(const GraphFunction& f) {
    std::string head = "def @" + quoted_name(f.name) + "(";
    for (const Value& parameter : f.parameters)
      head += (parameter == f.parameters[0] ? "" : ", ") + leaf(parameter) + ": " +
              parameter.type().text();
    head += ") -> " + f.result.text();
    if (const std::string attributes = f.attributes.text(); !attributes.empty())
      head += " with (" + attributes + ")";
    line(head + " {");
    body(f.body);
    line("}");
  }

  void body(const Body& body) {
    ++depth_;
    for (const Block& b : body.blocks) block(b);
    line(leaf(body.result));
    --depth_;
  }

  void block(const Block& block) {
    if (!block.is_dataflow) {
      for (const Binding& b : block.bindings) binding(b);
      return;
    }
    line("dataflow {");
    ++depth_;
    std::string outputs;
    for (const Binding& b : block.bindings) {
      binding(b);
      if (!b.value.node()->variable().is_local)
        outputs += (outputs.empty() ? "" : ", ") + leaf(b.value);
    }
    if (!outputs.empty()) line("output " + outputs);
    --depth_;
    line("}");
  }

  void binding(const Binding& b) {
    std::string head = leaf(b.value);
    if (b.value.node()->variable().is_stated) head += ": " + b.value.type().text();
    head += " = ";
    if (const auto* branch = b.as<Branch>()) {
      line(head + "if (" + leaf(branch->condition) + ") {");
      body(*branch->then);
      line("} else {");
      body(*branch->otherwise);
      line("}");
    } else {
      line(head + std::visit([&](const auto& d) { return text(d); }, *b.definition) + comment(b));
    }
  }

  std::string comment(const Binding& b) const {
    const std::string note = note_ ? note_(b) : "";
    return note.empty() ? "" : "  # " + note;
  }

  std::string text(const OperatorCall& d) {
    const std::string attributes = d.attributes.text();
    const std::string arguments = list(d.arguments);
    return quoted_name(d.callee) + "(" + arguments +
           (arguments.empty() || attributes.empty() ? "" : ", ") + attributes + ")" +
           (d.layouts.empty() ? "" : " layouts " + d.layouts.text());
  }
  std::string text(const FunctionCall& d) {
    return "@" + quoted_name(d.callee) + "(" + list(d.arguments) + ")";
  }
  std::string text(const KernelCall& d) {
    std::string text = "call_kernel(";
    text += d.extents.size() == 1 ? leaf(d.extents[0]) : "[" + list(d.extents) + "]";
    text += d.is_packed ? ", " + quoted_string(d.callee) : ", @" + quoted_name(d.callee);
    text += ", (" + list(d.arguments) + ")";
    if (!d.integers.empty()) text += ", integers=" + text_of(d.integers);
    std::vector<std::string> elements;
    for (const Type element : d.elements) elements.push_back(to_string(element));
    if (d.is_packed) text += fmt::format(", types=[{}]", fmt::join(elements, ", "));
    return text + ")";
  }
  std::string text(const PackedCall& d) {
    return "call_packed(" + quoted_string(d.callee) + ", (" + list(d.arguments) + ")" +
           (d.is_pure ? ", pure" : "") + ")";
  }
  std::string text(const ShapeOf& d) { return "shape_of(" + leaf(d.of) + ")"; }
  std::string text(const FieldOf& d) { return leaf(d.of) + "[" + std::to_string(d.index) + "]"; }
  std::string text(const Alias& d) { return leaf(d.of); }
  std::string text(const MatchShape& d) {
    return "match_shape(" + leaf(d.of) + ", " + text_of(d.pattern) + ")";
  }
  // A short form: in the text of a function, a branch has lines of its own.
  std::string text(const Branch& d) { return "if (" + leaf(d.condition) + ") { .. } else { .. }"; }

  std::string list(const Values& values) {
    std::string text;
    for (std::size_t k = 0; k < values.size(); ++k) text += (k ? ", " : "") + leaf(values[k]);
    return text;
  }

  std::string leaf(const Value& value, bool is_field = false) {
    if (!value.defined()) return "undefined";
    return std::visit([&](const auto& kind) { return text(kind, value, is_field); },
                      value.node()->kind);
  }
  std::string text(const Variable& v, const Value&, bool) { return "%" + variable_name(v.name); }
  std::string text(const ArrayConstant& c, const Value& value, bool is_field) {
    if (c.array.defined() && c.array.rank() == 0 && is_listed(c.array))
      return scalar_text(c.array, is_field);
    return "const[" + std::to_string(constants_.number_of(value)) + "]";
  }
  // A list in a list begins with a word, so that it cannot begin like a dim.
  std::string text(const ShapeLiteral& s, const Value&, bool is_field) {
    return (is_field ? "shape" : "") + text_of(s.dims);
  }
  std::string text(const TupleOf& t, const Value&, bool is_field) {
    std::string fields;
    for (const Value& field : t.fields) fields += (fields.empty() ? "" : ", ") + leaf(field, true);
    return (is_field ? "tuple(" : "(") + fields + (t.fields.size() < 2 ? ",)" : ")");
  }
  std::string text(const GlobalName& g, const Value&, bool) { return "@" + quoted_name(g.name); }
  std::string text(const TextLiteral& t, const Value&, bool) { return quoted_string(t.text); }
  // A call in a call is "..": one that occurs twice in each of many would have an endless text.
  std::string text(const Unbound& call, const Value&, bool) {
    if (depth_ > 0) return "..";
    ++depth_;
    const auto printed = std::visit([&](const auto& d) { return text(d); }, *call.definition);
    --depth_;
    return printed;
  }

  static std::string variable_name(const std::string& name) {
    const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == name.npos;
    return is_number ? name : quoted_name(name);
  }

  void list_constants() {
    for (std::size_t k = 0; k < constants_.arrays().size(); ++k) {
      const NDArray& array = constants_.arrays()[k];
      std::string value = "hash " + hash_text(array);
      if (is_listed(array)) {
        std::vector<std::string> elements;
        for (const Expr& e : elements_of(array, array.size())) elements.push_back(constant_text(e));
        value = fmt::format("[{}]", fmt::join(elements, ", "));
      }
      line(fmt::format("const[{}]: {} = {}", k, type_of(array).text(), value));
    }
  }

  Note note_;
  std::string text_;
  std::size_t depth_ = 0;
  Constants constants_;
};

}  // namespace

std::string text_of(const Module& module) { return ModulePrinter().module(module); }
std::string text_of(const Module& module, const Note& note) {
  return ModulePrinter(note).module(module);
}
std::vector<NDArray> constants_of(const Module& module) { return ModulePrinter().arrays(module); }
std::string text_of(const GraphFunction& function) { return ModulePrinter().only(function); }
std::string text_of(const Value& value) { return ModulePrinter().only(value); }

}  // namespace strata::graph
