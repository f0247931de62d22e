#include "codegen/c/source.h"

#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "codegen/c/expressions.h"
#include "codegen/c/lines.h"
#include "codegen/c/loop_function.h"
#include "codegen/c/statements.h"
#include "codegen/c/types.h"
#include "codegen/entry/c_literals.h"
#include "codegen/entry/contract.h"
#include "codegen/entry/facts.h"
#include "codegen/refusal.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"
#include "core/expr/expr_sharing.h"

namespace strata::c {

namespace {

// gcc schedules code for x86 only after it has chosen registers. In a register tile that fills all
// registers, it then loads the operand of a row of sums again for each sum: 8 cycles instead of 6
// for 4 x 3 vectors of sums on Zen 3. When gcc 12 vectorizes a loop with a choice by masks, it
// takes wrong lanes of a 64-bit value that is narrowed: (int32_t)(which[i] & 1 ? most : a[i]).
const char* const beginning =
    R"(/* Made by Strata: C11. Link it with strata_runtime. For each kernel K:
 *   K          checks its arguments, and runs its loops
 *   K_dense    the loops for arguments whose elements lie beside each other in their last dimension
 *   K_any      the loops for others
 *   K_argv     K, with a pointer to each argument
 * The argument A has the address A[0] of its element with all indices 0, and A_d elements from one
 * index of its dimension d to the next. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("schedule-insns", "sched-pressure", "no-sched-interblock")
#pragma GCC optimize("no-tree-loop-if-convert")
#endif
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As in strata/runtime.h. */
struct halide_buffer_t;
typedef struct strata_dimension {
  int32_t min, extent, stride;
  uint32_t flags;
} strata_dimension;
typedef struct strata_buffer {
  uint64_t device;
  const void *device_interface;
  uint8_t *host;
  uint64_t flags;
  struct { uint8_t code, bits; uint16_t lanes; } type;
  int32_t dimensions;
  strata_dimension *dim;
  void *padding;
} strata_buffer;
int strata_check_arguments(const char *names, const int64_t *facts,
                           struct halide_buffer_t *const *buffers);
int strata_out_of_memory(const char *kernel, const char *buffer, int64_t bytes);
int strata_index_out_of_range(const char *kernel, const char *what, int64_t index, int64_t lower,
                              int64_t upper);

/* What goes wrong in a loop is noted, and returned when all loops have ended. */
#define STRATA_NOTHING_NOTED (-(INT64_C(1) << 62))

/* The number of elements from one index to the next: 1 where there is only one. */
static inline int64_t strata_stride(const strata_buffer *buffer, int d) {
  return d == 0 && buffer->dim[d].extent == 1 ? 1 : buffer->dim[d].stride;
}

/* The address of the element with all indices 0, which need not be there. */
static inline void *strata_origin(const strata_buffer *buffer, int64_t bytes) {
  uintptr_t at = (uintptr_t)buffer->host;
  for (int d = 0; d < buffer->dimensions; ++d)
    at -= (uintptr_t)(bytes * buffer->dim[d].min * strata_stride(buffer, d));
  return (void *)at;
}

/* The bytes of so many parts: at most 2^47; 0 for an extent below 0. */
static inline int64_t strata_times(int64_t bytes, int64_t extent) {
  const int64_t limit = INT64_C(1) << 47;
  if (extent <= 0) return 0;
  return bytes > limit / extent ? limit : bytes * extent;
}

/* NULL if there is none. */
static inline void *strata_allocated(int64_t bytes) {
  return aligned_alloc(64, (size_t)(bytes + 64) / 64 * 64);
}

)";

bool may_overlap(const Kernel& kernel, const std::string& buffer) {
  for (const auto& [a, b] : kernel.may_overlap)
    if (a == buffer || b == buffer) return true;
  return false;
}

// A string of several lines, in literals that fit into a line of the text.
std::string in_pieces(const std::string& text) {
  constexpr std::size_t longest = 60;
  std::string all, piece;
  const auto end_piece = [&] {
    if (!piece.empty()) all += (all.empty() ? "" : " ") + in_quotes(std::exchange(piece, {}));
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (piece.size() + line.size() > longest) end_piece();
    piece += line + "\n";
  }
  end_piece();
  return all.empty() ? in_quotes("") : all;
}

// One kernel: its entry, and its loops for dense arguments and for any.
class KernelSource {
 public:
  KernelSource(const Kernel& kernel, const Form& form, Helpers& helpers,
               std::map<std::string, std::string>& prototypes, std::set<std::string>& functions)
      : kernel_(kernel), form_(form), helpers_(helpers), prototypes_(prototypes) {
    scope_.helpers = &helpers;
    scope_.prototypes = &prototypes;
    scope_.names_of_functions = &functions;
    scope_.fast = kernel.floats == Floats::fast;
    dense_ = scope_.fresh_function(kernel.name + "_dense");
    any_ = scope_.fresh_function(kernel.name + "_any");
    name_arguments();
  }

  std::string text() {
    std::string loops = function(true, kernel_.body);
    if (!dense_condition().empty())
      loops += function(false, kernel_.fallback ? kernel_.fallback : kernel_.body);
    return loops + entry() + argument_list();
  }

 private:
  // A new name in C. "type" is its type in the list of a function's parameters.
  std::string named(const std::string& type, const std::string& stem) {
    const std::string name = scope_.fresh(stem);
    scope_.types[name] = type;
    return name;
  }

  void name_arguments() {
    for (const std::string& name : parameters_of(kernel_))
      scope_.parameters[name] = named("int64_t ", name);
    for (const ScalarArgument& s : kernel_.scalars)
      scope_.scalars[s.name] = named(value_type(s.type) + " ", s.name);
    for (const ArgumentBuffer& b : kernel_.buffers) {
      const std::string restricted = may_overlap(kernel_, b.name) ? "" : "restrict ";
      const std::string constant = b.access == Access::read ? "const " : "";
      View view{named(constant + memory_type(b.type) + " *" + restricted, b.name), b.type, {}, {}};
      for (std::size_t d = 0; d < b.lowers.size(); ++d)
        view.strides.push_back(scope_.in_c(named("int64_t ", view.name + "_" + std::to_string(d))));
      scope_.buffers[b.name] = view;
      arguments_[b.name] = scope_.fresh(view.name + "_argument");
      fields_[b.name] = scope_.fresh(view.name + "_fields");
    }
  }

  std::string name_of(const Expr& variable) const { return scope_.names.at(variable.name()); }

  // "in_1 == 1 && out_1 == 1"; "" if no argument has a dimension.
  std::string dense_condition() const {
    std::string all;
    for (const ArgumentBuffer& b : kernel_.buffers) {
      const View& view = scope_.buffers.at(b.name);
      if (!view.strides.empty())
        all += (all.empty() ? "" : " && ") + name_of(view.strides.back()) + " == 1";
    }
    return all;
  }

  // The numbers and pointers that the loops take, as "int64_t N, float *restrict in, ..", or their
  // names alone.
  std::string list_of_loops(bool with_types, bool dense) const {
    std::string list;
    const auto add = [&](const std::string& name) {
      list += (list.empty() ? "" : ", ") + (with_types ? scope_.types.at(name) : "") + name;
    };
    for (const std::string& name : parameters_of(kernel_)) add(scope_.parameters.at(name));
    for (const ScalarArgument& s : kernel_.scalars) add(scope_.scalars.at(s.name));
    for (const ArgumentBuffer& b : kernel_.buffers) {
      const View& view = scope_.buffers.at(b.name);
      add(view.name);
      for (std::size_t d = 0; d < view.strides.size(); ++d)
        if (!dense || d + 1 < view.strides.size()) add(name_of(view.strides[d]));
    }
    return list.empty() && with_types ? "void" : list;
  }

  // The function of the loops, after those for parts of them. "dense": last dimensions have the
  // stride 1.
  std::string function(bool dense, const StmtPtr& body) {
    std::vector<Note> notes;
    std::string functions, result;
    Scope scope = scope_;
    scope.notes = &notes;
    scope.functions = &functions;
    scope.result = &result;
    if (dense)
      for (auto& [name, view] : scope.buffers)
        if (!view.strides.empty()) {
          scope.types.erase(name_of(view.strides.back()));
          view.strides.back() = constant(Type::int64, 1);
        }
    Form form = form_;
    form.dense = dense;
    Lines loops(1);
    Statements(scope, loops, kernel_.name, form).write(body);
    Lines out;
    out.block("static int " + (dense ? dense_ : any_) + "(" + list_of_loops(true, dense) + ")",
              [&] { out.add(body_of_function(kernel_.name, scope, loops)); });
    return functions + out.text() + "\n";
  }

  const std::string& argument_of(const std::string& buffer) const { return arguments_.at(buffer); }

  std::string parameters_in_c() const {
    std::string list;
    const auto add = [&](const std::string& one) { list += (list.empty() ? "" : ", ") + one; };
    for (const std::string& name : kernel_.parameters) add("int64_t " + scope_.parameters.at(name));
    for (const ScalarArgument& s : kernel_.scalars)
      add(value_type(s.type) + " " + scope_.scalars.at(s.name));
    for (const ArgumentBuffer& b : kernel_.buffers)
      add("struct halide_buffer_t *" + argument_of(b.name));
    return list.empty() ? "void" : list;
  }

  // Checks the arguments of "kernel": of this kernel, or of the reader of a size (reader_of).
  void check(Lines& out, const Kernel& kernel) {
    const EntryFacts facts = entry_facts(kernel, {});
    Expressions expressions(scope_, true);
    Sharing merged;
    std::vector<Expr> all;
    for (const Expr& e : facts.numbers) all.push_back(merged(simplified(e)));
    expressions.share(all);
    std::string numbers, buffers;
    for (const Expr& e : all) numbers += (numbers.empty() ? "" : ", ") + expressions.text(e);
    for (const ArgumentBuffer& b : kernel.buffers)
      buffers += (buffers.empty() ? "" : ", ") + argument_of(b.name);
    out.block("", [&] {
      out.line(
          "/* What strata_check_arguments compares, and the names for what it says. Sums wrap: no "
          "argument is checked yet. */");
      for (const std::string& line : expressions.definitions()) out.line(line);
      out.line("static const char names[] = " + in_pieces(facts.names) + ";");
      out.line("const int64_t facts[] = {" + numbers + "};");
      out.line("struct halide_buffer_t *const arguments[] = {" +
               (buffers.empty() ? "NULL" : buffers) + "};");
      out.line("const int checked = strata_check_arguments(names, facts, arguments);");
      out.line("if (checked != 0) return checked;");
    });
  }

  // Reads a parameter from an element of an argument, after it has checked that element.
  void read_size(Lines& out, const SizeRead& size) {
    const Kernel reader = reader_of(kernel_, size);
    check(out, reader);
    const ArgumentBuffer& b = reader.buffers.at(0);
    describe(out, b);
    Expressions expressions(scope_);
    out.line("const int64_t " + scope_.parameters.at(size.parameter) + " = " +
             expressions.text(size.value) + ";");
  }

  // The pointer and the strides of an argument.
  void describe(Lines& out, const ArgumentBuffer& b) {
    if (!described_.insert(b.name).second) return;
    const View& view = scope_.buffers.at(b.name);
    const std::string& fields = fields_.at(b.name);
    out.line("const strata_buffer *const " + fields + " = (const strata_buffer *)" +
             argument_of(b.name) + ";");
    const std::string constant = b.access == Access::read ? "const " : "";
    out.line(memory_type(b.type) + " *const " + view.name + " = strata_origin(" + fields + ", " +
             std::to_string(bytes(b.type)) + ");");
    for (std::size_t d = 0; d < view.strides.size(); ++d)
      out.line("const int64_t " + name_of(view.strides[d]) + " = strata_stride(" + fields + ", " +
               std::to_string(view.strides.size() - 1 - d) + ");");
  }

  void round_scalars(Lines& out) {
    for (const ScalarArgument& s : kernel_.scalars) {
      if (!is_half(s.type)) continue;
      const std::string name = scope_.scalars.at(s.name);
      out.line(name + " = " + helpers_.widened(s.type) + "(" + helpers_.narrowed(s.type) + "(" +
               name + "));");
    }
  }

  std::string entry() {
    return function_of("int " + kernel_.name + "(" + parameters_in_c() + ")", [&](Lines& out) {
      for (const SizeRead& size : kernel_.sizes) read_size(out, size);
      check(out, kernel_);
      for (const ArgumentBuffer& b : kernel_.buffers) describe(out, b);
      round_scalars(out);
      call_loops(out);
    });
  }

  // The declaration and the definition of a function that other files call.
  template <typename Inside>
  static std::string function_of(const std::string& head, const Inside& inside) {
    Lines out;
    out.line(head + ";");
    out.block(head, [&] { inside(out); });
    return out.text() + "\n";
  }

  void call_loops(Lines& out) {
    const std::string dense = dense_condition();
    const std::string usual = dense_ + "(" + list_of_loops(false, true) + ")";
    const std::string other = any_ + "(" + list_of_loops(false, false) + ")";
    const std::string call = dense.empty() ? usual : dense + " ? " + usual + " : " + other;
    if (!kernel_.profiled) return out.line("return " + call + ";");
    scope_.declare_profile();
    out.line("const int64_t start_of_all = strata_profile_begin();");
    out.line("const int result_of_all = " + call + ";");
    out.line("(void)strata_profile_end(" + in_quotes(kernel_.name) + ", \"\", start_of_all, 0);");
    out.line("return result_of_all;");
  }

  // NAME_argv(list): a pointer to each number, and each buffer itself.
  std::string argument_list() const {
    std::string passed;
    int n = 0;
    const auto add = [&](const std::string& one) { passed += (passed.empty() ? "" : ", ") + one; };
    for (std::size_t k = 0; k < kernel_.parameters.size(); ++k)
      add("*(const int64_t *)list[" + std::to_string(n++) + "]");
    for (const ScalarArgument& s : kernel_.scalars)
      add("*(const " + value_type(s.type) + " *)list[" + std::to_string(n++) + "]");
    for (std::size_t k = 0; k < kernel_.buffers.size(); ++k)
      add("(struct halide_buffer_t *)list[" + std::to_string(n++) + "]");
    return function_of("int " + kernel_.name + "_argv(const void *const *list)", [&](Lines& out) {
      if (n == 0) out.line("(void)list;");
      out.line("return " + kernel_.name + "(" + passed + ");");
    });
  }

  const Kernel& kernel_;
  const Form& form_;
  Helpers& helpers_;
  std::map<std::string, std::string>& prototypes_;
  Scope scope_;
  std::string dense_, any_;                                // the functions of the loops
  std::map<std::string, std::string> arguments_, fields_;  // names in C, by buffer
  std::set<std::string> described_;
};

// The functions of a file that have their names from outside: the kernels, and the C functions that
// they call.
std::set<std::string> given_functions(const std::vector<Kernel>& kernels) {
  std::set<std::string> names;
  const std::function<void(const StmtPtr&)> add_calls = [&](const StmtPtr& s) {
    if (const auto* execute = std::get_if<Execute>(&*s))
      visit_values(*execute, [&](const Expr& e) {
        if (e.op() == Op::call) names.insert(e.name());
      });
    for_each_inside(*s, add_calls);
  };
  for (const Kernel& kernel : kernels) {
    names.insert({kernel.name, kernel.name + "_argv"});
    for (const StmtPtr& body : bodies(kernel)) add_calls(body);
  }
  return names;
}

}  // namespace

std::string source(const std::vector<Kernel>& kernels, const Form& form) {
  check_contract(kernels);
  Helpers helpers;
  std::map<std::string, std::string> prototypes;
  std::set<std::string> names = given_functions(kernels);
  std::string functions;
  for (const Kernel& kernel : kernels) {
    if (!kernel.partitions.empty())
      throw refused(Code::E0402_not_on_ranks, kernel.name + " runs on several ranks",
                    "take the back end of Halide for kernels on ranks");
    functions += KernelSource(kernel, form, helpers, prototypes, names).text();
  }
  std::string declared;
  for (const auto& [name, text] : prototypes) declared += text + "\n";
  return beginning + declared + (declared.empty() ? "" : "\n") + helpers.text() + functions;
}

}  // namespace strata::c
