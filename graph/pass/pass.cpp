#include "graph/pass/pass.h"

#include <cstdlib>
#include <mutex>
#include <set>

#include "graph/ir/verify.h"
#include "graph/operator/names.h"
#include "graph/pass/context.h"
#include "graph/pass/passes.h"
#include "graph/vm/by_name.h"

namespace strata::graph {

namespace {

bool verifies() {
  static const bool verifies = [] {
    const char* const value = std::getenv("STRATA_VERIFY");
    return value && *value && std::string(value) != "0";
  }();
  return verifies;
}

thread_local int running = 0;

// Counts a pass while it lives.
class Running {
 public:
  Running() { ++running; }
  ~Running() { --running; }
  Running(const Running&) = delete;
};

Error broken(const PassInfo& info, const std::string& explanation, const Where& where) {
  return Request{info.name, where}.refused(Code::E0605_pass_broke_contract, explanation);
}

}  // namespace

int running_passes() { return running; }

Module Pass::operator()(const Module& module, const Where& where) const {
  const Running counted;
  PassContext& context = PassContext::current();
  if (!context.before(module, info())) return module;
  const Module made = run(module, context, where);
  if (verifies()) {
    try {
      verify(made, where);
    } catch (const Error& error) {
      throw broken(info(), "its result is malformed: " + error.refusal().explanation, where);
    }
  }
  context.after(made, info());
  return made;
}

// Runs the pass. A broken contract of a kind of passes is reported at the author's call.
Module Pass::run(const Module& module, const PassContext& context, const Where& where) const try {
  if (!*run_) throw broken(info(), "it has no function", where);
  return (*run_)(module, context);
} catch (const Error& error) {
  if (error.code() != Code::E0605_pass_broke_contract || !error.refusal().where.file.empty()) throw;
  Refusal refusal = error.refusal();
  refusal.where = where;
  throw Error(refusal);
}

// ---- kinds of passes ----

namespace {

bool is_only_declared(const GraphFunction& f) { return !f.body.result.defined(); }
bool is_only_declared(const TensorKernel&) { return false; }

// The module with run(global) instead of each global of one kind.
template <typename Kind, typename Run>
Module each(const PassInfo& info, const Module& module, const PassContext& context,
            const Run& run) {
  if (!run) throw broken(info, "it has no function", {});
  Module made = module;
  for (const auto& [name, global] : module.globals()) {
    const auto* one = std::get_if<Kind>(global.get());
    if (!one || is_only_declared(*one)) continue;
    Kind result = run(*one, module, context);
    if (result.name != name) throw broken(info, "@" + name + " has become @" + result.name, {});
    made.set(std::move(result));
  }
  return made;
}

// The symbols that a block defines, and then the variables that are seen outside of it.
std::set<std::string> symbols_matched(const Block& block) {
  std::set<std::string> symbols;
  for (const Binding& b : block.bindings)
    if (const auto* match = b.as<MatchShape>())
      for (const Expr& dim : match->pattern)
        if (dim.op() == Op::parameter) symbols.insert(dim.name());
  return symbols;
}
std::set<Value> outputs_of(const Block& block) {
  std::set<Value> outputs;
  for (const Binding& b : block.bindings)
    if (!b.value.node()->variable().is_local) outputs.insert(b.value);
  return outputs;
}

// The body with f(block) for each dataflow block, also in branches.
Body with_dataflow_blocks(const Body& body, const std::function<Block(const Block&)>& f) {
  Body made = body;
  for (Block& block : made.blocks) {
    if (block.is_dataflow) block = f(block);
    for (Binding& b : block.bindings)
      if (const auto* branch = b.as<Branch>()) {
        Branch other = *branch;
        for (auto* side : {&other.then, &other.otherwise})
          *side = std::make_shared<const Body>(with_dataflow_blocks(**side, f));
        b.definition = std::make_shared<const Definition>(std::move(other));
      }
  }
  return made;
}

}  // namespace

Pass function_pass(const PassInfo& info,
                   const std::function<GraphFunction(const GraphFunction&, const Module&,
                                                     const PassContext&)>& run) {
  return Pass(info, [info, run](const Module& module, const PassContext& context) {
    return each<GraphFunction>(info, module, context, run);
  });
}

Pass kernel_pass(const PassInfo& info,
                 const std::function<TensorKernel(const TensorKernel&, const Module&,
                                                  const PassContext&)>& run) {
  return Pass(info, [info, run](const Module& module, const PassContext& context) {
    return each<TensorKernel>(info, module, context, run);
  });
}

Pass dataflow_pass(
    const PassInfo& info,
    const std::function<Block(const Block&, const Module&, const PassContext&)>& run) {
  const auto checked = [info, run](const Block& block, const Module& module,
                                   const PassContext& context) {
    if (!run) throw broken(info, "it has no function", {});
    const Block made = run(block, module, context);
    if (!made.is_dataflow) throw broken(info, "a dataflow block is none any more", {});
    if (outputs_of(made) != outputs_of(block))
      throw broken(info, "a dataflow block has other outputs", {});
    if (symbols_matched(made) != symbols_matched(block))
      throw broken(info, "a dataflow block defines other symbols", {});
    return made;
  };
  const auto each_block = [checked](const GraphFunction& f, const Module& module,
                                    const PassContext& context) {
    GraphFunction made = f;
    made.body = with_dataflow_blocks(
        f.body, [&](const Block& block) { return checked(block, module, context); });
    return made;
  };
  return function_pass(info, each_block);
}

Pass sequential(const std::vector<Pass>& passes, const PassInfo& info) {
  return Pass(info, [passes](Module module, const PassContext& context) {
    for (const Pass& pass : passes) {
      if (!context.enabled(pass.info())) continue;
      for (const std::string& name : pass.info().required) module = find_pass(name)(module);
      module = pass(module);
    }
    return module;
  });
}

// ---- passes by name ----

namespace {

ByName<Pass>& pass_table() {
  static ByName<Pass> table;
  static std::once_flag once;
  std::call_once(once, [] {
    for (const Pass& pass : all_passes()) table.add(pass.info().name, pass);
  });
  return table;
}

}  // namespace

void register_pass(const Pass& pass, const Where& where) {
  if (!pass_table().add(pass.info().name, pass))
    throw Request{"register_pass(" + pass.info().name + ")", where}.refused(
        Code::E0104_name_taken, "there is a pass of this name", "give it another name");
}

const Pass& find_pass(const std::string& name, const Where& where) {
  if (const auto pass = pass_table().find(name)) return *pass;
  throw unknown_name(name, pass_table().names(), Code::E0603_unknown_operator,
                     "there is no pass " + name, "register_pass(..)",
                     {"find_pass(" + name + ")", where});
}

}  // namespace strata::graph
