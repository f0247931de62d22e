// The run of a function on values whose numbers are not known yet.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/build/build.h"
#include "graph/library/traced.h"

namespace strata::graph {

class ModelTrace {
 public:
  ModelTrace(const CompiledModule& model, const std::string& name, const Where& where);
  CModel operator()();

  const CompiledModule& model() const { return model_; }
  const std::string& text_of(std::int64_t instruction) const {
    return texts_.at(std::size_t(instruction));
  }
  const std::map<std::string, ModuleKernel>& kernels() const { return made_.kernels; }
  CFunction& function(const std::string& name);
  // The constant in C, a strata_buffer.
  std::string constant(const NDArray& array);
  // A kernel that is not one of the module, kept as long as the model.
  const ModuleKernel& compiled(ModuleKernel kernel) {
    return made_.chosen.emplace_back(std::move(kernel));
  }
  // The kernel of a step of the kernel "name".
  const CKernel& kernel(const std::string& name, const ModuleKernel& kernel, std::size_t step);
  Error refused(const std::string& explanation, const std::string& mend) const;

 private:
  static std::vector<std::string> lines_of(const std::string& text);
  std::string name_in_c(const std::string& name);

  const CompiledModule& model_;
  Request request_;
  CModel made_ = {};
  std::vector<std::string> texts_ = {};  // of the instructions
  std::set<std::string> open_ = {};
  std::set<std::string> suffixed_ = {};
  std::map<const void*, std::size_t> kernels_ = {};
  CNames names_{{"open", "close", "arena"}}, kernel_names_{{}};
};

// One instruction after the other. Registers that two sides of a branch write have memory of their
// own for the descriptions of arrays.
class FunctionTrace {
 public:
  FunctionTrace(ModelTrace& model, const std::string& name);
  CFunction operator()();

 private:
  using Values = std::vector<CValue>;
  using Dims = std::map<std::string, Expr>;  // of symbols

  // ---- parameters and results (function_trace.cpp) ----
  CValue parameter(const ValueType& type, const std::string& name);
  CValue parameter_array(const ValueType& type, const std::string& name);
  static Expr parameter_dim(const GraphFunction& function, const ValueType& type, int d,
                            const std::string& name);
  void note_symbols(const Expr& dim, bool is_extent);
  void results(const CValue& value, const std::string& name);
  void place_results();

  // ---- instructions ----
  void instruction(std::int64_t pc);
  void call(const VmInstruction& i);
  void jump(std::int64_t to, const std::string& condition);
  std::string condition(const CValue& value);
  CValue argument(const VmOperand& operand);
  void write(VmWord destination, CValue value);
  CValue merged(const std::string& name, const CValue& value, const CValue* before);
  void use(const CValue& value);

  // ---- built-in functions (trace_builtins.cpp) ----
  bool is_builtin(const std::string& callee) const;
  CValue builtin(const std::string& callee, const Values& arguments);
  CValue alloc_tensor(const Values& a);
  CValue reshape(const Values& a);
  CValue tuple_field(const Values& a);
  CValue make_shape(const Values& a);
  void compute_shape(const Values& a);
  void match_shape(const Values& a);
  void check_tensor(const Values& a);
  Expr number(const CValue& code, const CValue& value);

  // ---- kernels and functions (trace_calls.cpp, trace_dispatched.cpp) ----
  CValue call_kernel(const std::string& name, const ModuleKernel& kernel, const Values& arguments);
  CValue call_dispatched(const GraphFunction& f, const Values& arguments);
  OperatorCall operator_call(const GraphFunction& f, const Values& arguments,
                             std::vector<CArray>& operands);
  CArray constant_array(const NDArray& array);
  CValue call_function(const CFunction& callee, const Values& arguments);
  std::vector<CArray> results_of(const ModuleKernel& kernel, const Dims& symbols);
  void run_kernel(const std::string& name, const ModuleKernel& kernel, const Dims& symbols,
                  std::map<Tensor, CArray>& values, const std::vector<CArray>& written);
  Dims symbols_of_call(const CFunction& callee, const Values& arguments,
                       const std::vector<CArray>& arrays);
  void run_step(const std::string& name, const ModuleKernel& kernel, std::size_t step,
                const Dims& symbols, std::map<Tensor, CArray>& arrays,
                const std::map<Tensor, CArray>& given);
  void match(const CArray& pattern, const CArray& given, const std::string& what, Dims& symbols);
  CValue with_memory(const CValue& pattern, const Dims& symbols, std::vector<CArray>& made);
  Expr substituted(const Expr& dim, const Dims& symbols) const;
  Shape substituted(const Shape& dims, const Dims& symbols) const;

  // ---- what is put out ----
  CArray new_array(const std::string& name, Type element, const Shape& dims);
  CArray view(const std::string& name, const CArray& of, const Shape& dims);
  CArray described(const std::string& name, const std::string& memory, Type element,
                   const Shape& dims);
  void statement(const std::string& text) { made_.lines.push_back({CLine::Kind::statement, text}); }
  // Code that ends the function where the call gives an error.
  void checked(const std::string& call) {
    statement("if ((error = " + call + ") != 0) return error;");
  }
  void require_extent(const Expr& found, const Expr& expected, std::size_t d,
                      const std::string& what);
  // Of two extents of operands.
  void require_equal(const Expr& found, const Expr& expected, const std::string& name);
  std::string unused_local(const std::string& wanted) { return locals_.unused(wanted); }
  std::string authors_name(const std::string& wanted);
  Expr bytes_of(const CArray& array) const;
  [[noreturn]] void refuse(const std::string& why, const std::string& mend = "") const;

  ModelTrace& model_;
  const Executable& executable_;
  const VmFunction& code_;
  const GraphFunction& function_;
  CFunction made_ = {};
  CNames locals_;
  std::int64_t pc_ = 0, end_ = 0;
  Values registers_ = {};
  std::vector<int> writes_ = {};             // how many instructions write the register
  std::set<std::int64_t> targets_ = {};      // of jumps
  std::map<std::int64_t, Expr> slots_ = {};  // of the heap
  bool has_returned_ = false;
};

bool is_same_dim(const Expr& a, const Expr& b);
// Calls f for the arrays in a value, in order.
template <typename F>
void for_each_array(const CValue& value, const F& f) {
  if (value.kind == CValue::Kind::array) f(value.array);
  for (const CValue& field : value.fields) for_each_array(field, f);
}

}  // namespace strata::graph
