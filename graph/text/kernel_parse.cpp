#include <map>
#include <utility>

#include "core/expr/expr_text.h"
#include "graph/text/kernel_text.h"
#include "graph/text/reader.h"

namespace strata::graph {

namespace {

// While this lives, names of iterators do not mean symbols, and names of tensors have types.
class NamesOfValues {
 public:
  NamesOfValues(ExprNames& names, decltype(ExprNames::type_of) type_of)
      : names_(names), outside_(std::exchange(names.type_of, std::move(type_of))) {}
  ~NamesOfValues() {
    names_.type_of = outside_;
    names_.parameters.insert(hidden_.begin(), hidden_.end());
  }
  NamesOfValues(const NamesOfValues&) = delete;
  NamesOfValues& operator=(const NamesOfValues&) = delete;

  void hide(const std::string& iterator) {
    if (names_.parameters.erase(iterator)) hidden_.push_back(iterator);
  }

 private:
  ExprNames& names_;
  decltype(ExprNames::type_of) outside_;
  std::vector<std::string> hidden_ = {};
};

class KernelParser {
 public:
  KernelParser(TextScanner& scanner, ExprNames& symbols, const Where& where)
      : scanner_(scanner), symbols_(symbols), reader_(scanner, symbols), where_(where) {}

  TensorKernel kernel() {
    scanner_.expect("@");
    const std::string name = scanner_.expect_name("the name of a kernel");
    scanner_.expect("(");
    std::vector<Tensor> inputs;
    while (!scanner_.is_symbol(")") && !scanner_.is_symbol(";")) {
      if (!inputs.empty()) scanner_.expect(",");
      inputs.push_back(input());
    }
    std::vector<std::string> integers;
    if (scanner_.accept(";"))
      integers = read_some(scanner_, [this] { return scanner_.expect_name("a symbol"); });
    scanner_.expect(")");
    scanner_.expect("{");
    while (!scanner_.accept_keyword("return")) operation();
    const auto outputs = read_some(scanner_, [this] { return tensor(); });
    scanner_.expect("}");
    TensorKernel made = tensor_kernel(name, inputs, outputs, where_);
    require_integers(made, integers);
    return made;
  }

 private:
  [[noreturn]] void fail(const Token& token, const std::string& explanation) const {
    scanner_.fail(token, Code::E0108_unreadable_text, explanation);
  }

  // The order of the integers is part of the kernel: calls give their values in this order.
  void require_integers(TensorKernel& kernel, const std::vector<std::string>& integers) const {
    const std::set<std::string> needed(kernel.integers.begin(), kernel.integers.end());
    if (needed != std::set<std::string>(integers.begin(), integers.end()) ||
        needed.size() != integers.size())
      fail(scanner_.peek(), "the symbols after ';' are not those that the kernel needs");
    kernel.integers = integers;
  }

  void define(const Token& token, const std::string& name, const Tensor& t) {
    if (!tensors_.emplace(name, t).second) fail(token, "there are two tensors " + name);
  }

  Tensor input() {
    const Token token = scanner_.peek();
    const std::string name = scanner_.expect_name("the name of an input");
    scanner_.expect(":");
    const ValueType type = tensor_type();
    const Tensor t = placeholder(name, *type.element(), *type.dims(), where_);
    define(token, name, t);
    return t;
  }

  ValueType tensor_type() {
    const Token token = scanner_.peek();
    const ValueType type = reader_.type();
    if (!type.is_tensor() || !type.dims() || !type.element())
      fail(token, "a kernel has tensors of known extents and elements");
    return type;
  }

  Tensor tensor() {
    const Token token = scanner_.peek();
    const std::string name = scanner_.expect_name("the name of a tensor");
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail(token, "there is no tensor " + name);
    return found->second;
  }

  void operation() {
    const Token token = scanner_.peek();
    placed(scanner_, token, [&] { operation(token); });
  }

  void operation(const Token& token) {
    const std::string name = scanner_.expect_name("the name of a tensor");
    ComputeForm form;
    scanner_.expect("(");
    form.iterators =
        read_list(scanner_, ")", [this] { return scanner_.expect_name("an iterator"); });
    scanner_.expect(":");
    const std::vector<ValueType> types = output_types(token);
    if (int(form.iterators.size()) != *types[0].rank())
      fail(token, "there is not one iterator for each dimension");
    scanner_.expect("=");
    form.is_view = scanner_.accept_keyword("view");
    NamesOfValues names(symbols_, [this](const std::string& name) { return type_of(name); });
    for (const std::string& iterator : form.iterators) names.hide(iterator);
    const Tuple value = value_of(types.size(), names);
    if (scanner_.accept_keyword("assuming")) form.assumptions = expressions();
    const std::vector<Tensor> made =
        compute_tuple(*types[0].dims(), form, [&](const Indices&) { return value; }, name, where_);
    require_types(token, made, types);
    for (const Tensor& t : made) define(token, t.name(), t);
  }

  std::vector<ValueType> output_types(const Token& token) {
    if (!scanner_.accept("(")) return {tensor_type()};
    const auto types = read_some(scanner_, [this] { return tensor_type(); });
    scanner_.expect(")");
    for (const ValueType& type : types)
      if (!(ValueType::tensor(*type.dims(), f32) == ValueType::tensor(*types[0].dims(), f32)))
        fail(token, "the outputs of an operation have one shape");
    return types;
  }

  void require_types(const Token& token, const std::vector<Tensor>& made,
                     const std::vector<ValueType>& types) const {
    for (std::size_t k = 0; k < types.size(); ++k)
      if (made.size() != types.size() || made[k].type() != *types[k].element())
        fail(token, "the value is not of the type that is stated");
  }

  // The type of a name in a value; nothing if the name is neither a tensor nor an operand of a
  // step.
  std::optional<Type> type_of(const std::string& name) const {
    if (const auto operand = operands_.find(name); operand != operands_.end())
      return operand->second;
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? std::nullopt : std::optional(found->second.type());
  }

  Tuple value_of(std::size_t outputs, NamesOfValues& names) {
    if (scanner_.accept_keyword("reduce")) return reduction(outputs, names);
    if (outputs == 1) return strata::tuple({expression()});
    return strata::tuple(list());
  }

  Tuple reduction(std::size_t outputs, NamesOfValues& names) {
    const Token token = scanner_.peek();
    if (token.kind != Token::Kind::string) scanner_.fail_expecting("the name of a reducer");
    scanner_.next();
    scanner_.expect("(");
    const auto over = read_some(scanner_, [&] { return reduced(names); });
    scanner_.expect(")");
    const std::vector<Expr> contribution = list();
    scanner_.expect_keyword("from");
    const std::vector<Expr> identities = list();
    scanner_.expect_keyword("by");
    for (std::size_t k = 0; k < identities.size(); ++k)
      for (const Expr& operand :
           {left_operand(k, identities[k].type()), right_operand(k, identities[k].type())})
        operands_[operand.name()] = operand.type();
    const std::vector<Expr> steps = list();
    operands_.clear();
    if (contribution.size() != outputs || identities.size() != outputs || steps.size() != outputs)
      fail(token, "a reduction has one contribution, identity and step for each output");
    const Reducer reducer(token.text, identities, [&](const auto&, const auto&) { return steps; });
    return reduce(reducer, over, contribution);
  }

  Var reduced(NamesOfValues& names) {
    const std::string name = scanner_.expect_name("an iterator");
    scanner_.expect_keyword("in");
    scanner_.expect("[");
    const Expr lower = expression();
    scanner_.expect(",");
    const Expr upper = expression();
    scanner_.expect(")");
    names.hide(name);
    return Var(name, lower, upper);
  }

  std::vector<Expr> list() {
    scanner_.expect("(");
    std::vector<Expr> values = expressions();
    scanner_.expect(")");
    return values;
  }
  std::vector<Expr> expressions() {
    return read_some(scanner_, [this] { return expression(); });
  }

  Expr expression() {
    return rewrite(parse_expr(scanner_, symbols_), [&](const Expr& part) {
      if (operands_.contains(part.name())) return Expr();
      if (part.op() == Op::access) return tensors_.at(part.name())(Indices(part.args()));
      if (part.op() != Op::array) return Expr();
      const Tensor& t = tensors_.at(part.name());
      return array_argument(t.name(), t.type(), t.shared_op());
    });
  }

  TextScanner& scanner_;
  ExprNames& symbols_;
  Reader reader_;
  Where where_;
  std::map<std::string, Tensor> tensors_ = {};
  std::map<std::string, Type> operands_ = {};  // of a reduction's steps; they are accesses, too
};

}  // namespace

TensorKernel read_kernel(TextScanner& scanner, ExprNames& symbols, const Where& where) {
  return KernelParser(scanner, symbols, where).kernel();
}

}  // namespace strata::graph
