// Functions: definitions, data, and what becomes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "automatic/report.h"
#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/tuple.h"
#include "core/floats.h"
#include "core/machine/machine.h"
#include "core/remark.h"
#include "core/stage.h"
#include "core/type.h"
#include "strata/codegen_options.h"
#include "strata/computation.h"
#include "strata/input.h"
#include "strata/jit_function.h"
#include "strata/kernel_buffer.h"
#include "strata/partition.h"
#include "strata/scalar.h"

namespace strata {

struct FunctionState;
struct Program;

// A set of instances in isl's notation: Domain("[N] -> { S[i, j] : 0 <= i <= j < N }"). Its
// dimensions name the iterators; its parameters must be declared on the function.
struct Domain {
  explicit Domain(std::string text) : text(std::move(text)) {}
  std::string text;
};

// An input or the values of a computation.
class ArrayName {
 public:
  ArrayName(const Input& input);
  ArrayName(const Computation& computation);

 private:
  friend class Function;
  std::string name_;
  Owner owner_;
};

// Options of Function::autoschedule.
struct AutoscheduleOptions {
  std::vector<Computation> leave = {};             // these stay as they are
  std::vector<Buffer> arguments = {};              // of the kernel: it keeps their values, and
                                                   // those of arrays that no other array reads
  std::map<std::string, std::int64_t> sizes = {};  // of parameters; others are taken as 1000, or
                                                   // less where assumed
  int threads = 0;                                 // that the kernel will have; 0: the cores
  Floats floats = Floats::fast;                    // of the codegen or jit that follows
};

class Function {
 public:
  // The name of the kernel, a C identifier (E0105). Names of parameters, inputs and computations
  // are identifiers too, each used once per function (E0104).
  explicit Function(const std::string& name, const Where& where = Where::here());

  Param param(const std::string& name, const Where& where = Where::here());
  // A parameter that is not an argument: the kernel reads it from "element" of an integer input, at
  // indices over earlier parameters.
  Param param(const std::string& name, const Expr& element, const Where& where = Where::here());
  Scalar scalar(const std::string& name, Type type, const Where& where = Where::here());
  // Elements 0 .. extent - 1 in each dimension; extents are affine in the parameters (E0111).
  Input input(const std::string& name, Type type, const std::vector<Expr>& extents,
              const Where& where = Where::here());

  // S(i, ..) = value for all iterators, of the value's type. Iterators without a range are
  // inferred from the readers. Every value read must exist (E0113, with an instance that does not)
  // and be computed earlier in the order of definition (E0206). The range of a reduced iterator
  // may depend on data, sum(Var("k", rows(i), rows(i + 1)), val(k) * x(col(k))): it is cut to the k
  // for which the affine reads, val(k), are in bounds (E0112 if none bounds it).
  Computation computation(const std::string& name, const Iterators& iterators, const Expr& value,
                          const Where& where = Where::here());
  Computation computation(const std::string& name, const Domain& domain, const Expr& value,
                          const Where& where = Where::here());
  // Values of several scalars (core/expr/tuple.h), with one name for each: names[0] is the
  // computation's name, and its handle reads the first scalar. Each scalar has a buffer of its own
  // name, with the places that store_in gives the first.
  Computation computation(const std::vector<std::string>& names, const Iterators& iterators,
                          const Tuple& values, const Where& where = Where::here());
  Computation computation(const std::vector<std::string>& names, const Domain& domain,
                          const Tuple& values, const Where& where = Where::here());
  // A computation whose value is given later (define), so that expressions can read it before,
  // including its own: x.define(b(i) - sum(j, L(i, j) * x(j))). A reduction inside such a value
  // becomes a computation of its own, x_sum, in the loops of x; to schedule it, declare both in
  // f.loop.
  Computation declare(const std::string& name, const Iterators& iterators, Type type,
                      const Where& where = Where::here());
  Computation declare(const std::string& name, const Domain& domain, Type type,
                      const Where& where = Where::here());
  Buffer buffer(const std::string& name) const;
  // A buffer with explicit extents, affine in the parameters (E0111), for store_in. Values stored
  // there must be in bounds (E0302); if it is an argument of the kernel, it must be at least as
  // large.
  Buffer buffer(const std::string& name, Type type, const std::vector<Expr>& extents,
                const Where& where = Where::here());

  // Definitions inside "body" share the loop k, in the order they are written.
  void loop(const Var& k, const std::function<void()>& body);
  // The commands inside "body" are checked once, at its end; if the check fails, all are undone.
  void together(const std::function<void()>& body, const Where& where = Where::here());
  // Adds an affine condition on the parameters to the context (E0111); the kernel checks it at
  // entry.
  void assume(const Expr& condition, const Where& where = Where::here());
  // The maximum work on integer sets for one command, or for loop generation (E0901), in units of
  // about 0.1 us (docs/semantics.md, section 4). Default: 4 * 10^7, which take about 2 s, and more
  // than all benchmarks need.
  void set_budget(std::int64_t work, const Where& where = Where::here());
  // The maximum size of a kernel after unrolling, in register operations (E0903;
  // docs/benchmarks.md). Default: 25,000, which compile within about 8 s.
  void set_code_limit(std::int64_t size, const Where& where = Where::here());

  // ---- memories of host and GPU ----
  // By default Strata derives each copy between them: where the dataflow asks for a copy, and not
  // more often (docs/gpu.md). communication() shows the copies. Each command is about the buffer of
  // an array.

  // The caller has this argument on the GPU, and finds it there afterwards: nothing of it is
  // copied, and its host pointer may be null.
  void resident(const ArrayName& array, const Where& where = Where::here());
  // The buffer is copied to the GPU when the kernel, or each iteration of a loop of "reader",
  // begins. These copies replace the derived ones in this direction; E0401 if a value is then read
  // on a side where it is not.
  void host_to_device(const ArrayName& array, const Where& where = Where::here());
  void host_to_device(const ArrayName& array, const Computation& reader, const Var& loop,
                      const Where& where = Where::here());
  // The same from the GPU, when the kernel or the iteration ends.
  void device_to_host(const ArrayName& array, const Where& where = Where::here());
  void device_to_host(const ArrayName& array, const Computation& reader, const Var& loop,
                      const Where& where = Where::here());

  // ---- ranks (docs/distributed.md) ----

  // "size" is affine in the parameters (E0111). The name is an argument of the kernel, the cuts:
  // E0104, E0105.
  Partition partition(const std::string& name, const Expr& size,
                      const Where& where = Where::here());

  // ---- code and texts ----

  // Writes an object file and a C header with
  //     int NAME(int64_t parameter.., TYPE scalar.., struct halide_buffer_t* buffer..);
  // Parameters and scalars are in order of declaration, buffers in the order of "arguments": every
  // input, and the buffer of every computation that is an output. NAME returns 0 or a negative
  // code (strata/runtime.h); codegen returns the CPU seconds of each stage (core/stage.h). Errors:
  // E0115, E0116 the arguments; E0112 an unbounded domain; E0204, E0304 an output that is not
  // computed or not kept; E0501 the target; E0503 the files; E0504 a reassociated float reduction
  // in the mode exact.
  StageTimes codegen(const std::vector<Buffer>& arguments, const std::string& object,
                     const CodegenOptions& options = {}, const Where& where = Where::here());
  // The same in this process, for this CPU.
  JitFunction jit(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                  StageTimes* times = nullptr, const Where& where = Where::here());

  // text: layers I to III as text that parses back; communication: layer IV, derived from them
  // (what is allocated, copied and freed, and when); loops: the generated loops in a C-like text.
  std::string text() const;
  std::string communication(const std::vector<Buffer>& arguments,
                            const Where& where = Where::here()) const;
  std::string loops(const std::vector<Buffer>& arguments, const Where& where = Where::here()) const;
  // The kernel as a file of C11, for the CPU of options.target (docs/c.md). E0402, E0501, E0502.
  std::string to_c(const std::vector<Buffer>& arguments, const CodegenOptions& options = {},
                   const Where& where = Where::here()) const;

  // Gives the commands, as one group, that make this function fast by an analytic model of the
  // machine (docs/automatic.md). They are ordinary commands, in history() and history_source(). The
  // same function and machine give the same commands everywhere. Computations with commands stay as
  // they are. Nothing changes if no candidate is faster by the model; the report says what was
  // tried. STRATA_AUTOSCHEDULE=off in the environment leaves all functions as they are, "plain"
  // gives only vectors and parallel loops. Errors: E0101 "leave" has a computation of another
  // function; E0106 impossible sizes or threads, a loop on a GPU or on ranks, or a call inside
  // together.
  Report autoschedule(const Machine& machine = strata::machine(),
                      const AutoscheduleOptions& options = {}, const Where& where = Where::here());

  // What may make the kernel slow, and what to do (core/remark.h; docs/remarks.md lists the kinds).
  // "sizes" are of parameters, by name; the others are taken as 1000, or less where assumed.
  Remarks remarks(const std::vector<Buffer>& arguments,
                  const std::map<std::string, std::int64_t>& sizes = {},
                  const Where& where = Where::here()) const;

  const std::string& name() const;
  const Program& program() const;
  // Definitions that may not do what the author meant: sums and products of integers below 32 bits
  // that wrap before they are divided, compared or widened. One text per such definition, with the
  // cast to write; codegen and jit print them once, before the first kernel.
  const std::vector<std::string>& notes() const;
  // A log of the commands so far, as they were given; nothing depends on it.
  const std::vector<std::string>& history() const;
  // Applies commands written as in history() ("split(S.i, 4)", "unchecked reverse(S.i)", "together
  // { .. }": schedule/table/command_text.h) in order, all or none. Replaying a history on a
  // function with the same definitions makes the same program. Errors name the line; E0108 if a
  // line is not a command.
  void replay(const std::string& commands, const Where& where = Where::here());
  // The history as C++ source, for handles named like their computations.
  std::string history_source() const;
  // The program before its first command, without definitions made after that.
  const Program& unscheduled() const;

  // ---- pages in HTML (docs/page.md) ----

  // Writes one HTML file, which needs no other: the layers, the schedule, the loops, the machine
  // code of inner loops for this CPU, what each command changed, remarks, and the profile of the
  // kernel if it was called with one. Without arguments: those of the last kernel, or else each
  // input and each array that no other computation reads. If the loops are refused the page has
  // the refusal. E0115 the arguments; E0503 the file.
  void html(const std::string& path, const std::vector<Buffer>& arguments = {},
            const Where& where = Where::here()) const;
  // The page of a refused command, with the layers of the program that it was given for.
  void html(const Error& refused, const std::string& path,
            const Where& where = Where::here()) const;
  // Parts of the page, for a notebook: the schedule, the algorithm, buffers and the history,
  // without a script.
  std::string html() const;

 private:
  friend struct Author;  // dsl/author.h

  // "reader" and "loop" may be null.
  void give_transfer(const std::string& name, const ArrayName& array, const Computation* reader,
                     const Var* loop, const Where& where);

  std::shared_ptr<FunctionState> state_;
};

}  // namespace strata
