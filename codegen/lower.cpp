#include "codegen/lower.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <set>

#include "codegen/loops/ast.h"
#include "codegen/memory/boxes.h"
#include "codegen/memory/prefetch.h"
#include "codegen/memory/scratch.h"
#include "codegen/memory/storage.h"
#include "codegen/nests/full_tiles.h"
#include "codegen/passes/code_limit.h"
#include "codegen/passes/passes.h"
#include "codegen/tree/allocate.h"
#include "codegen/tree/index_math.h"
#include "core/expr/expr_text.h"
#include "core/sets/relation_text.h"
#include "layers/flow/exact_reads.h"
#include "layers/flow/initial_values.h"

namespace strata {

namespace {

class Lowering {
 public:
  Lowering(const Program& program, const LowerOptions& options, StageTimes* times)
      : program_(program), options_(options), times_(times) {}

  Kernel kernel() {
    check_arguments();
    const Mapping mapping = complete_mapping(program_);
    TimeSpace space;
    timed("time space",
          [&] { space = time_space(*program_.algorithm, mapping, options_.request); });
    const std::vector<Nest> whole = nests(space, mapping);
    std::vector<Nest> nest;
    timed("full tiles", [&] { nest = with_full_tiles(whole, space); });
    Kernel result = signature();
    timed("ast", [&] { result.body = body(nest, space); });
    if (has_strides() && count(nest) > count(whole))
      timed("compact", [&] { result.compact = body(whole, space); });
    timed("boxes", [&] { add_buffers(result, space); });
    timed("passes", [&] { result = run_passes(result, options_.request); });
    require_small(result, program_.history, options_.code_limit, options_.request);
    return result;
  }

 private:
  template <typename Stage>
  void timed(const std::string& name, const Stage& stage) {
    const auto start = std::chrono::steady_clock::now();
    stage();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (times_) times_->emplace_back(name, seconds.count());
    if (asked_for("STRATA_TIME"))
      std::cerr << program_.name << ": " << name << " " << 1e3 * seconds.count() << " ms\n";
  }

  Error refused(Code code, const std::string& explanation) const {
    return options_.request.refused(code, explanation);
  }

  bool is_argument(const std::string& buffer) const {
    const auto& all = options_.arguments;
    return std::find(all.begin(), all.end(), buffer) != all.end();
  }

  void check_arguments() const {
    std::set<std::string> seen;
    for (const std::string& name : options_.arguments) {
      if (!program_.layout.find(name))
        throw refused(Code::E0115_unknown_buffer, "there is no buffer " + name);
      if (!seen.insert(name).second)
        throw refused(Code::E0116_wrong_argument_list, name + " is named twice");
    }
    for (const LayoutBuffer& buffer : program_.layout.buffers)
      if (buffer.role != BufferRole::temporary && !is_argument(buffer.name))
        throw refused(Code::E0116_wrong_argument_list,
                      buffer.name + " is an " +
                          (buffer.role == BufferRole::input ? "input" : "output") +
                          " and is missing from the arguments");
  }

  // Can an argument lie in memory in different ways?
  bool has_strides() const {
    const auto& all = options_.arguments;
    return std::any_of(all.begin(), all.end(), [&](const std::string& name) {
      return program_.layout.find(name)->dimensions > 0;
    });
  }

  Kernel signature() const {
    Kernel result;
    result.name = program_.name;
    add_parameters(result);
    add_assumptions(result);
    result.float_mode = options_.float_mode;
    for (const Waiver& waiver : program_.waivers) {
      result.waivers.push_back(waiver.command + ": " + isl_text(waiver.violations));
    }
    return result;
  }

  void add_parameters(Kernel& kernel) const {
    const Algorithm& algorithm = *program_.algorithm;
    std::set<std::string> read;
    for (const SizeParameter& size : algorithm.sizes) {
      const Expr& in = size.element;
      read.insert(size.name);
      kernel.sizes.push_back({size.name, cast(i64, load(in.name(), in.type(), in.args()))});
    }
    for (const std::string& name : algorithm.parameters)
      if (!read.count(name)) kernel.parameters.push_back(name);
  }

  // What reads were derived from is exact, too: a further assumption where that needs one.
  void add_assumptions(Kernel& kernel) const {
    const Algorithm& algorithm = *program_.algorithm;
    ExactRange needed;
    for (const Definition& d : algorithm.definitions) {
      const auto range = exact_range(d, algorithm.context);
      if (!range)
        throw refused(Code::E0502_code_generation_failed,
                      "the arithmetic of an index or a condition of " + d.name +
                          " wraps whatever the parameters are");
      note(needed, *range, d.domain);
    }
    std::vector<Expr> all = algorithm.assumed;
    for (const Expr& condition : assumptions_of(needed)) all.push_back(condition);
    for (const Expr& condition : all) kernel.assumptions.push_back({condition, to_text(condition)});
  }

  StmtPtr body(const std::vector<Nest>& nest, const TimeSpace& space) const {
    const Storage storage(program_, space, options_.request);
    std::set<std::string> taken(program_.algorithm->parameters.begin(),
                                program_.algorithm->parameters.end());
    for (const LayoutBuffer& buffer : program_.layout.buffers) taken.insert(buffer.name);
    const auto execution = [&](const TimeBranch& branch, const std::vector<Expr>& instance) {
      const StmtPtr always = make_stmt(storage.execution(branch, instance));
      const Expr predicate = storage.predicate(branch, instance);
      return predicate.defined() ? make_stmt(If{predicate, always, nullptr}) : always;
    };
    const Request& request = options_.request;
    const IterationBoxes boxes_of{
        [&](const Nest& loop) { return scratch_boxes(loop, space, program_, request); },
        [&](const Nest& loop, const isl::set& context) {
          return prefetch_boxes(loop, context, space, program_, request);
        }};
    const StmtPtr result = loop_tree(nest, space, taken, execution, boxes_of, request);
    return result ? result : make_stmt(Block{});
  }

  static Access access_of(const Box& box) {
    if (!box.written) return Access::read;
    return box.initial_values_read ? Access::read_and_written : Access::written;
  }

  // Arguments in the author's order; every other buffer in use is allocated around the body.
  void add_buffers(Kernel& kernel, const TimeSpace& space) const {
    auto touched = boxes(program_, space, options_.request);
    for (const std::string& name : options_.arguments) {
      const LayoutBuffer& buffer = *program_.layout.find(name);
      Box& box = touched[name];
      box.lowers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
      box.uppers.resize(std::size_t(buffer.dimensions), constant(i64, 0));
      if (!buffer.extents.empty()) box = whole(buffer, box);
      kernel.buffers.push_back({name, buffer.type, access_of(box), box.lowers, box.uppers});
    }
    const auto& all = program_.layout.buffers;
    for (auto buffer = all.rbegin(); buffer != all.rend(); ++buffer)
      if (!is_argument(buffer->name) && touched.count(buffer->name) &&
          allocating_loops(program_.mapping, buffer->name).empty())
        kernel = with_bodies(kernel, [&](const StmtPtr& body) {
          return in_kernel(*buffer, touched.at(buffer->name), body);
        });
  }

  // The box of the extents that the author gave.
  static Box whole(const LayoutBuffer& buffer, Box box) {
    box.lowers.assign(buffer.extents.size(), constant(i64, 0));
    box.uppers = buffer.extents;
    return box;
  }

  StmtPtr in_kernel(LayoutBuffer buffer, const Box& box, const StmtPtr& body) const {
    std::vector<Expr> lowers = box.lowers, extents = buffer.extents;
    if (extents.empty())
      for (std::size_t d = 0; d < box.lowers.size(); ++d)
        extents.push_back(simplified(box.uppers[d] - box.lowers[d]));
    else
      lowers = whole(buffer, box).lowers;
    buffer.extents.clear();  // they were proved to hold all places
    return allocated(buffer, lowers, extents, body, options_.request);
  }

  const Program& program_;
  const LowerOptions& options_;
  StageTimes* times_;
};

}  // namespace

Kernel lower(const Program& program, const LowerOptions& options, StageTimes* times) {
  Kernel kernel;
  try {
    const bool done = program.session->within_budget(
        [&] { kernel = Lowering(program, options, times).kernel(); });
    if (done) return kernel;
  } catch (const Error& failure) {
    if (!failure.refusal().command.empty()) throw;
    throw options.request.refused(failure.code(), failure.refusal().explanation);
  } catch (const isl::exception& failure) {
    throw options.request.refused(Code::E0502_code_generation_failed,
                                  "the integer set library says: " + message_of(failure));
  }
  throw options.request.refused(Code::E0901_out_of_budget,
                                "generating the loops takes more than " +
                                    std::to_string(program.session->budget()) + " operations",
                                "raise the budget with set_budget, or simplify the schedule");
}

}  // namespace strata
