#include "graph/text/parse.h"

#include <utility>

#include "core/expr/expr_text.h"
#include "graph/evaluate/element.h"
#include "graph/ir/derive.h"
#include "graph/text/constants.h"
#include "graph/text/kernel_text.h"
#include "graph/text/leaves.h"
#include "graph/text/reader.h"

namespace strata::graph {

namespace {

// The body of a function.
class BodyParser {
 public:
  BodyParser(TextScanner& scanner, const ExprNames& symbols, const Module& module,
             ArrayTable& arrays, const Request& request)
      : scanner_(scanner),
        symbols_(symbols),
        module_(module),
        request_(request),
        leaves_(scanner, symbols, arrays, scopes_),
        reader_(scanner, symbols) {
    reader_.variable = [this] { return leaves_.leaf(); };
  }

  Values parameters() {
    scanner_.expect("(");
    return read_list(scanner_, ")", [this] {
      const Token token = scanner_.peek();
      const std::string name = leaves_.variable_name();
      scanner_.expect(":");
      const Value parameter = variable(name, reader_.type());
      leaves_.define(token, name, parameter, body_);
      return parameter;
    });
  }

  ValueType type() { return reader_.type(); }

  // Reads after "{", up to and with "}".
  Body body() {
    if (++depth_ > most_nested_bodies) fail(scanner_.peek(), "branches are nested too deep");
    Body body;
    for (;;) {
      scanner_.accept(";");
      if (scanner_.accept_keyword("dataflow")) {
        body.blocks.push_back(dataflow());
      } else if (!statement(body)) {
        break;
      }
    }
    scanner_.expect("}");
    --depth_;
    return body;
  }

 private:
  [[noreturn]] void fail(const Token& token, const std::string& explanation) const {
    scanner_.fail(token, Code::E0108_unreadable_text, explanation);
  }

  // Reads a binding outside of dataflow, or else the result, which ends a body. True for a binding.
  bool statement(Body& body) {
    const Token token = scanner_.peek();
    if (scanner_.is_symbol("%")) {
      const std::string name = leaves_.variable_name();
      if (scanner_.is_symbol("=") || scanner_.is_symbol(":")) {
        if (body.blocks.empty() || body.blocks.back().is_dataflow) body.blocks.emplace_back();
        body.blocks.back().bindings.push_back(binding(token, name, body_));
        return true;
      }
      body.result = leaves_.find(token, name);
    } else {
      body.result = leaves_.leaf();
    }
    return false;
  }

  Block dataflow() {
    Block block{true, {}};
    const int scope = scopes_.begin();
    scanner_.expect("{");
    while (!scanner_.is_symbol("}") && !scanner_.is_keyword("output")) {
      const Token token = scanner_.peek();
      const std::string name = leaves_.variable_name();
      block.bindings.push_back(binding(token, name, scope));
      scanner_.accept(";");
    }
    if (scanner_.accept_keyword("output")) do {
        const Token token = scanner_.peek();
        const Value& output = leaves_.moved(token, leaves_.variable_name(), scope, body_);
        std::get<Variable>(std::const_pointer_cast<ValueNode>(output.node())->kind).is_local =
            false;
      } while (scanner_.accept(","));
    scanner_.expect("}");
    scopes_.end(scope);
    return block;
  }

  // Reads a binding. Its variable is local unless the scope is the body's.
  Binding binding(const Token& token, const std::string& name, int scope) {
    std::optional<ValueType> stated;
    if (scanner_.accept(":")) stated = reader_.type();
    scanner_.expect("=");
    auto definition = placed(
        scanner_, token, [&] { return std::make_shared<const Definition>(this->definition()); });
    const ValueType type =
        stated ? *stated
               : placed(scanner_, token, [&] { return derived(*definition, module_, request_); });
    Variable made{name, scope != body_, stated.has_value()};
    const Value value(std::make_shared<ValueNode>(ValueNode{std::move(made), type}));
    leaves_.define(token, name, value, scope);
    return {value, std::move(definition), request_.where};
  }

  Definition definition() {
    if (scanner_.accept_keyword("if")) return branch();
    if (scanner_.is_symbol("@")) return global();
    const bool is_name = scanner_.peek().kind == Token::Kind::name;
    if (is_name && !leaves_.begins_leaf()) return call();
    const Value of = leaves_.leaf();
    if (!scanner_.accept("[")) return Alias{of};
    const int index = leaves_.count();
    scanner_.expect("]");
    return FieldOf{of, index};
  }

  Definition branch() {
    scanner_.expect("(");
    const Value condition = leaves_.leaf();
    scanner_.expect(")");
    scanner_.expect("{");
    auto then = std::make_shared<const Body>(side());
    scanner_.expect_keyword("else");
    scanner_.expect("{");
    return Branch{condition, std::move(then), std::make_shared<const Body>(side())};
  }
  // Reads a side of a branch. Its names end with it.
  Body side() {
    const int outside = std::exchange(body_, scopes_.begin());
    Body made = body();
    scopes_.end(std::exchange(body_, outside));
    return made;
  }

  Definition global() {
    scanner_.expect("@");
    const std::string name = scanner_.expect_name("the name of a function");
    if (!scanner_.is_symbol("(")) return Alias{global_value(name)};
    return FunctionCall{name, leaves_.list()};
  }

  Definition call() {
    const Token token = scanner_.next();
    if (!token.quoted && token.text == "call_kernel") return kernel_call();
    if (!token.quoted && token.text == "call_packed") return packed_call();
    if (!token.quoted && token.text == "shape_of") return ShapeOf{one_argument()};
    if (!token.quoted && token.text == "match_shape") return match_shape();
    OperatorCall made{token.text, {}, {}};
    scanner_.expect("(");
    for (bool is_first = true; !scanner_.accept(")"); is_first = false) {
      if (!is_first) scanner_.expect(",");
      argument(made);
    }
    if (scanner_.accept_keyword("layouts")) made.layouts = layouts();
    return made;
  }

  Layouts layouts() {
    std::vector<Layout> arguments = layout_list();
    scanner_.expect("->");
    return Layouts(std::move(arguments), layout_list());
  }
  std::vector<Layout> layout_list() {
    std::vector<Layout> list;
    scanner_.expect("(");
    while (!scanner_.accept(")")) {
      if (!list.empty()) scanner_.expect(",");
      const Token token = scanner_.peek();
      const std::string text = scanner_.expect_name("a layout");
      try {
        list.push_back(Layout::parsed(text, request_));
      } catch (const Error& error) {
        fail(token, error.refusal().explanation);
      }
    }
    return list;
  }

  // Reads a leaf, or an attribute: a name before "=".
  void argument(OperatorCall& call) {
    if (scanner_.peek().kind != Token::Kind::name) {
      call.arguments.push_back(leaves_.leaf());
      return;
    }
    const Token name = scanner_.next();
    if (!scanner_.accept("="))
      call.arguments.push_back(leaves_.leaf_after(name));
    else
      call.attributes.set(name.text, read_attribute(scanner_, symbols_));
  }

  Value one_argument() {
    scanner_.expect("(");
    const Value argument = leaves_.leaf();
    scanner_.expect(")");
    return argument;
  }

  Definition match_shape() {
    scanner_.expect("(");
    const Value of = leaves_.leaf();
    scanner_.expect(",");
    const Shape pattern = reader_.dims();
    scanner_.expect(")");
    return MatchShape{of, pattern};
  }

  Definition packed_call() {
    scanner_.expect("(");
    PackedCall made{string("the name of a packed function"), {}, false};
    scanner_.expect(",");
    made.arguments = leaves_.list();
    if (scanner_.accept(",")) {
      scanner_.expect_keyword("pure");
      made.is_pure = true;
    }
    scanner_.expect(")");
    return made;
  }

  Definition kernel_call() {
    KernelCall made;
    scanner_.expect("(");
    if (scanner_.accept("["))
      made.extents = read_some(scanner_, [this] { return leaves_.leaf(); });
    else
      made.extents.push_back(leaves_.leaf());
    if (made.extents.size() > 1) scanner_.expect("]");
    scanner_.expect(",");
    made.is_packed = !scanner_.accept("@");
    made.callee = made.is_packed ? string("the name of a packed function or of a kernel")
                                 : scanner_.expect_name("the name of a kernel");
    scanner_.expect(",");
    made.arguments = leaves_.list();
    while (scanner_.accept(",")) kernel_option(made);
    scanner_.expect(")");
    return made;
  }

  void kernel_option(KernelCall& call) {
    if (scanner_.accept_keyword("integers")) {
      scanner_.expect("=");
      call.integers = reader_.dims();
      return;
    }
    scanner_.expect_keyword("types");
    scanner_.expect("=");
    scanner_.expect("[");
    call.elements = read_some(scanner_, [this] { return reader_.element(); });
    scanner_.expect("]");
  }

  std::string string(std::string_view what) {
    if (scanner_.peek().kind != Token::Kind::string) scanner_.fail_expecting(what);
    return scanner_.next().text;
  }

  TextScanner& scanner_;
  const ExprNames& symbols_;
  const Module& module_;
  const Request& request_;
  Scopes scopes_ = {};
  int body_ = scopes_.begin();  // the innermost body
  Leaves leaves_;
  Reader reader_;
  int depth_ = 0;
};

// Every name in the text may be a symbol, unless it occurs only after "%", as a variable.
ExprNames symbols_in(std::string_view text) {
  ExprNames names;
  names.type_of = [](const std::string&) { return std::nullopt; };
  for (TextScanner all(text); !all.at_end();) {
    while (all.accept("%") && !all.at_end()) all.next();
    if (all.peek().kind == Token::Kind::name) names.parameters.insert(all.peek().text);
    all.next();
  }
  return names;
}

// Reads a whole module: first the heads of all functions, then the bodies, which may call any of
// them.
class ModuleParser {
 public:
  ModuleParser(std::string_view text, const std::vector<NDArray>& constants, const Where& where)
      : text_(text),
        symbols_(symbols_in(text)),
        arrays_(constants),
        request_{"parse_module", where} {}

  Module module() {
    arrays_.read(text_);
    Module::Map globals;
    TextScanner scanner(text_);
    while (!scanner.at_end()) {
      const Token token = scanner.peek();
      if (scanner.accept_keyword("kernel"))
        add(scanner, token, globals,
            placed(scanner, token, [&] { return read_kernel(scanner, symbols_, request_.where); }));
      else if (scanner.accept_keyword("def"))
        add(scanner, token, globals, placed(scanner, token, [&] { return head(scanner); }));
      else if (scanner.is_keyword("const"))
        arrays_.skip(scanner);
      else
        scanner.fail_expecting("'def', 'kernel' or 'const'");
    }
    const Module heads(globals);
    Module made = heads;
    for (const Occurrence& place : places_) made.set(whole(place, heads));
    return made;
  }

 private:
  struct Occurrence {
    std::size_t offset;
    TextPosition position;
  };

  static void add(const TextScanner& scanner, const Token& token, Module::Map& globals,
                  Global global) {
    const std::string name = name_of(global);
    if (!globals.emplace(name, std::make_shared<const Global>(std::move(global))).second)
      scanner.fail(token, Code::E0108_unreadable_text, "there are two globals @" + name);
  }

  GraphFunction head(TextScanner& scanner) {
    const std::size_t offset = scanner.peek().begin;
    // Searches from the last place on. From the beginning, the time would be quadratic.
    const Occurrence last = places_.empty() ? Occurrence{0, {}} : places_.back();
    const TextScanner since(text_.substr(last.offset), last.position);
    places_.push_back({offset, since.position(offset - last.offset)});
    const Module none;
    BodyParser body(scanner, symbols_, none, arrays_, request_);
    GraphFunction f = signature(scanner, body);
    for (int depth = 1; depth > 0;) {
      if (scanner.at_end()) scanner.fail_expecting("'}'");
      if (scanner.is_symbol("{")) ++depth;
      if (scanner.is_symbol("}")) --depth;
      scanner.next();
    }
    return f;
  }

  // Reads up to and with "{".
  GraphFunction signature(TextScanner& scanner, BodyParser& body) const {
    GraphFunction f;
    scanner.expect("@");
    f.name = scanner.expect_name("the name of a function");
    f.where = request_.where;
    f.parameters = body.parameters();
    scanner.expect("->");
    f.result = body.type();
    if (scanner.accept_keyword("with")) {
      scanner.expect("(");
      while (!scanner.accept(")")) {
        if (!f.attributes.entries().empty()) scanner.expect(",");
        const std::string name = scanner.expect_name("the name of an attribute");
        scanner.expect("=");
        f.attributes.set(name, read_attribute(scanner, symbols_));
      }
    }
    scanner.expect("{");
    return f;
  }

  GraphFunction whole(const Occurrence& place, const Module& heads) {
    TextScanner scanner(text_.substr(place.offset), place.position);
    BodyParser body(scanner, symbols_, heads, arrays_, request_);
    const Token token = scanner.peek();
    return placed(scanner, token, [&] {
      GraphFunction f = signature(scanner, body);
      f.body = body.body();
      return f;
    });
  }

  std::string_view text_;
  ExprNames symbols_;
  ArrayTable arrays_;
  Request request_;
  std::vector<Occurrence> places_;
};

}  // namespace

Module parse_module(std::string_view text, const std::vector<NDArray>& constants,
                    const Where& where) {
  try {
    return ModuleParser(text, constants, where).module();
  } catch (const Error& error) {
    if (error.code() != Code::E0108_unreadable_text) throw;
    throw Request{"parse_module", where}.refused(Code::E0604_unreadable_program,
                                                 error.refusal().explanation);
  }
}

}  // namespace strata::graph
