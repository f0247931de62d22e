#include "codegen/lower.h"

#include <algorithm>
#include <ostream>
#include <set>

#include "codegen/exchange.h"
#include "codegen/loops/ast.h"
#include "codegen/memory/kernel_buffers.h"
#include "codegen/memory/prefetch.h"
#include "codegen/memory/rank_boxes.h"
#include "codegen/memory/scratch.h"
#include "codegen/memory/storage.h"
#include "codegen/nests/full_tiles.h"
#include "codegen/passes/code_limit.h"
#include "codegen/passes/passes.h"
#include "codegen/passes/unswitch.h"
#include "codegen/sections.h"
#include "codegen/signature.h"
#include "codegen/tree/code_size.h"
#include "codegen/tree/shared_memory.h"
#include "codegen/tree/touched_sides.h"
#include "codegen/tree/tree_names.h"
#include "core/sets/relation_text.h"
#include "layers/flow/initial_values.h"
#include "layers/flow/ranks.h"

namespace strata {

namespace {

Lowering with_mapping(Lowering state) {
  const Mapping complete = complete_mapping(*state.program);
  state.messages = messages_of(*state.program, complete, state.options->request);
  state.mapping = std::make_shared<const Mapping>(of_one_rank(complete));
  return state;
}

// The memory of a kernel on ranks is taken before its first message, so that all ranks have theirs
// or none goes on.
void live_throughout(std::vector<Lifetime>& lifetimes, const Mapping& mapping) {
  for (Lifetime& life : lifetimes)
    if (life.loop.empty()) {
      life.first = 0;
      life.last = int(mapping.roots.size());
    }
}

Lowering with_lifetimes(Lowering state) {
  state.lifetimes = lifetimes(*state.program, *state.mapping);
  if (has_ranks(*state.mapping)) live_throughout(state.lifetimes, *state.mapping);
  state.copies = coherence_copies(*state.program, *state.mapping, state.options->request);
  return state;
}

Lowering with_times(Lowering state) {
  state.space = time_space(*state.program->algorithm, *state.mapping, state.options->request);
  state.whole = nests(state.space, *state.mapping);
  state.message_definitions = std::make_shared<std::vector<Definition>>();
  add_messages(state.space, state.whole, *state.mapping, state.messages,
               *state.message_definitions);
  return state;
}

Lowering with_full_tiles_apart(Lowering state) {
  state.nests =
      with_full_tiles(state.whole, state.space, state.borders_apart, state.options->masks);
  return state;
}

Lowering with_boxes(Lowering state) {
  if (has_ranks(*state.mapping))
    state.lifetimes = with_heap_at_entry(std::move(state.lifetimes), *state.mapping, state.whole,
                                         state.space, *state.program, state.options->request);
  state.touched = boxes(*state.program, state.space, state.options->request);
  return state;
}

Lowering with_launch_barriers(Lowering state) {
  if (!state.messages.empty()) return state;  // launches are refused (require_on_ranks)
  state.barriers = launch_barriers(*state.program, *state.mapping, state.space, state.whole,
                                   state.lifetimes, state.options->request, state.own_boxes_found);
  return state;
}

Lowering with_signature(Lowering state) {
  const LowerOptions& options = *state.options;
  state.kernel = signature(*state.program, options.request);
  state.kernel.messages = int(state.messages.size());
  state.kernel.floats = options.floats;
  state.kernel.buffers = argument_buffers(state.program->layout, options.arguments, state.touched);
  if (!state.kernel.partitions.empty())
    add_rank_boxes(state.kernel.buffers, *state.program, state.space, options.request);
  return state;
}

// The copies between host and device in the body of a loop, or of the kernel.
std::vector<CoherenceCopy> copies_in(const Lowering& state, const Loop* loop) {
  std::vector<CoherenceCopy> all;
  for (const CoherenceCopy& copy : state.copies) {
    const bool there =
        copy.loop.empty() ? loop == nullptr : loop == &node_at(*state.mapping, copy.loop).loop();
    if (there) all.push_back(copy);
  }
  return all;
}

std::set<std::string> taken_names(const Program& program) {
  std::set<std::string> taken(program.algorithm->parameters.begin(),
                              program.algorithm->parameters.end());
  for (const LayoutBuffer& buffer : program.layout.buffers) taken.insert(buffer.name);
  return taken;
}

// "taken" are names that no loop gets.
StmtPtr body(const Lowering& state, const std::vector<Nest>& nests,
             const std::set<std::string>& taken, bool masks) {
  const Program& program = *state.program;
  const Request& request = state.options->request;
  const Storage storage(program, state.space, request);
  std::set<std::string> taken_in_messages = taken;
  const auto execution = [&](const TimeBranch& branch, const std::vector<Expr>& instance,
                             const isl::set& times) {
    if (branch.message)
      return exchange(state.messages[std::size_t(*branch.message)], *branch.message, instance,
                      program, storage, taken_in_messages, request);
    const Storage::Executed there{branch, instance, decided(branch.choices, times)};
    const StmtPtr always = make_stmt(storage.execution(there));
    const Expr predicate = storage.predicate(there);
    return predicate.defined() ? make_stmt(If{predicate, always, nullptr}) : always;
  };
  FoundBoxes known = state.own_boxes_found;
  const TreeParts parts{execution,
                        kernel_buffers(program.layout, state.lifetimes, state.touched, request),
                        [&](const Nest& loop) {
                          const auto lives =
                              lifetimes_in(loop.loop(), *state.mapping, state.lifetimes);
                          return own_boxes(loop, lives, state.space, program, request, known);
                        },
                        [&](const Loop* loop) { return copies_in(state, loop); },
                        [&](const Nest& loop, const isl::set& context) {
                          return prefetch_boxes(loop, context, state.space, program, request);
                        },
                        state.barriers,
                        masks,
                        !state.kernel.partitions.empty()};
  return loop_tree(nests, state.space, taken, parts, request);
}

Lowering with_body(Lowering state) {
  state.kernel.body =
      body(state, state.nests, taken_names(*state.program), state.options->masks == Masks::all);
  if (!state.kernel.partitions.empty()) require_on_ranks(state.kernel, state.options->request);
  return state;
}

// Does any argument have strides? All except scalars have.
bool has_strides(const Kernel& kernel) {
  return std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                     [](const ArgumentBuffer& b) { return !b.lowers.empty(); });
}

// No two loops of a kernel have the same variable, so that their machine code can be told apart.
Lowering with_fallback_body(Lowering state) {
  if (has_strides(state.kernel) && !is_dense_on_device(state.kernel) &&
      count(state.nests) > count(state.whole)) {
    std::set<std::string> taken = taken_names(*state.program);
    add_variables(*state.kernel.body, taken);
    state.kernel.fallback = body(state, state.whole, taken, false);
  }
  return state;
}

void print(const Lowering& state, std::ostream& out) {
  if (state.kernel.body) {
    out << to_c_text(state.kernel);
    return;
  }
  for (const TimeBranch& branch : state.space.branches)
    out << branch.definition->name << " at " << isl_text(branch.times) << "\n";
}

// The program that one rank runs.
Program of_one_block(const Program& program, const Request& request) {
  Program result = program;
  const std::set<std::string> partitions = partitions_in(program.mapping);
  if (partitions.size() > 1)
    throw request.refused(Code::E0402_not_on_ranks,
                          "loops are distributed by " + *partitions.begin() + " and by " +
                              *partitions.rbegin() +
                              ", and a kernel cannot have two partitions yet",
                          "distribute all loops by one partition");
  if (!partitions.empty())
    result.algorithm =
        std::make_shared<const Algorithm>(with_block_bounds(*program.algorithm, partitions));
  return result;
}

Watch<Lowering> watch_of_lowering(const Request& request) {
  return {print,
          [watch = watch_of_trees(request)](const Lowering& state, const std::string& stage) {
            if (state.kernel.body) watch.verify(state.kernel, stage);
          }};
}

Generated generated(Generated state, bool borders_apart) {
  const Request& request = state.options->request;
  Lowering start{state.program, state.options};
  start.space.context = state.program->algorithm->context;
  start.borders_apart = borders_apart;
  state.lowering = state.stages->run("loops", loop_stages(), start, watch_of_lowering(request));
  state.kernel = run_passes(state.lowering.kernel, request, *state.stages);
  return state;
}

bool is_small(const Kernel& kernel, const LowerOptions& options) {
  return code_size(kernel).units <= options.code_limit;
}

Generated with_borders_together(Generated state) {
  return is_small(state.kernel, *state.options) ? state : generated(std::move(state), false);
}

Generated with_profile(Generated state) {
  if (state.options->profile) state.kernel = with_sections(state.lowering, state.kernel);
  return state;
}

Generated with_guards_decided(Generated state) {
  Kernel decided = unswitch(state.kernel);
  if (is_small(decided, *state.options)) state.kernel = std::move(decided);
  return state;
}

Generated with_shared_memory_checked(Generated state) {
  require_shared_memory(state.kernel, state.options->request);
  return state;
}

Generated with_size_checked(Generated state) {
  require_small(state.kernel, state.program->history, state.options->code_limit,
                state.options->request);
  return state;
}

Kernel made(const Program& program, const LowerOptions& options, StageRun& stages) {
  const Watch<Kernel> trees = watch_of_trees(options.request);
  const Watch<Generated> watch{
      [&](const Generated& state, std::ostream& out) { trees.print(state.kernel, out); },
      [&](const Generated& state, const std::string& stage) { trees.verify(state.kernel, stage); }};
  Generated first = generated({&program, &options, &stages}, true);
  return stages.run("loops", kernel_stages(), std::move(first), watch).kernel;
}

}  // namespace

const std::vector<Stage<Lowering>>& loop_stages() {
  static const std::vector<Stage<Lowering>> table{
      {"mapping", with_mapping, "reductions get the time of their initial values"},
      {"lifetimes", with_lifetimes, "layer IV says where buffers are allocated, copied and freed"},
      {"time space", with_times, "loops are generated for times, not for instances"},
      {"full tiles", with_full_tiles_apart,
       "before loops are generated, which then have constant bounds in full tiles"},
      {"boxes", with_boxes, "needs the times; sizes of buffers follow from what is touched"},
      {"barriers", with_launch_barriers,
       "needs the origins of boxes; placed while loops are generated"},
      {"signature", with_signature, "its buffers have the boxes that the entry will check"},
      {"body", with_body, "needs the nests, and the boxes of the kernel's own buffers"},
      {"fallback body", with_fallback_body,
       "only where full tiles made copies, for arguments that may not be dense"},
  };
  return table;
}

const std::vector<Stage<Generated>>& kernel_stages() {
  constexpr bool optional = true;
  static const std::vector<Stage<Generated>> table{
      {"borders together", with_borders_together,
       "first: generates the loops again, where those split at borders are too much code"},
      {"profile", with_profile, "before guards are decided: a section is a loop of the mapping"},
      {"unswitch", with_guards_decided,
       "indices and conditions are final; only where the code stays small", optional},
      {"shared memory", with_shared_memory_checked, "buffers are final"},
      {"code size", with_size_checked, "last: what is refused is what would be compiled"},
  };
  return table;
}

Kernel lower(const Program& program, const LowerOptions& options, StageRun& stages) {
  Kernel kernel;
  try {
    const bool done = program.session->within_budget(
        [&] { kernel = made(of_one_block(program, options.request), options, stages); });
    if (done) return kernel;
  } catch (const Error& failure) {
    if (!failure.refusal().command.empty()) throw;
    throw options.request.refused(failure.code(), failure.refusal().explanation);
  } catch (const isl::exception& failure) {
    throw options.request.refused(Code::E0502_code_generation_failed,
                                  "isl reports: " + message_of(failure));
  }
  throw options.request.refused(Code::E0901_out_of_budget,
                                "generating the loops takes more than " +
                                    std::to_string(program.session->budget()) + " units of work",
                                "raise the budget with set_budget, or simplify the schedule");
}

Kernel lower(const Program& program, const LowerOptions& options) {
  StageRun stages(program.name);
  return lower(program, options, stages);
}

}  // namespace strata
