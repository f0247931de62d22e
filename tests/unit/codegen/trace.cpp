#include "tests/unit/codegen/trace.h"

#include <algorithm>

#include "codegen/tree/verify_loop_tree.h"
#include "reference/evaluate.h"
#include "reference/executions.h"
#include "reference/initial_values.h"
#include "reference/loop_tree_interpreter.h"

namespace strata::test {

namespace {

class Tracer : public reference::Environment {
 public:
  explicit Tracer(const Parameters& parameters) : parameters_(parameters) {}

  std::int64_t variable(const std::string& name) override { return variables_.at(name); }
  std::int64_t parameter(const std::string& name) override { return parameters_.at(name); }

  void run(const StmtPtr& stmt) { std::visit(*this, *stmt); }

  void operator()(const For& loop) {
    const std::int64_t lower = value(loop.lower), upper = value(loop.upper);
    if (loop.extent) CHECK(upper - lower == *loop.extent);
    loops_.push_back({loop.name, loop.processor});
    for (std::int64_t i = lower; i < upper; ++i) {
      variables_[loop.variable] = i;
      iterators_.push_back(i);
      run(loop.body);
      iterators_.pop_back();
    }
    loops_.pop_back();
  }
  void operator()(const If& branch) {
    if (value(branch.condition))
      run(branch.then);
    else if (branch.otherwise)
      run(branch.otherwise);
  }
  void operator()(const Block& block) {
    for (const StmtPtr& stmt : block.body) run(stmt);
  }
  void operator()(const Execute& execute) {
    if (execute.computation.empty()) return;
    Point instance;
    for (const Expr& coordinate : execute.instance) instance.push_back(value(coordinate));
    found.push_back({execute.computation, instance, loops_});
  }
  void operator()(const Allocate& allocate) { run(allocate.body); }
  void operator()(const ThreadGuard& guard) { run(guard.body); }
  void operator()(const Free&) {}
  void operator()(const Barrier&) {}
  void operator()(const AwaitCopies&) {}
  void operator()(const DeviceCopy&) {}
  void operator()(const Mma& s) { run(s.loops); }
  void operator()(const Exchange&) {}
  void operator()(const Agree&) {}
  void operator()(const Launch& launch) { std::visit(*this, *launch.body); }
  void operator()(const PrefetchBox& s) {
    TracedPrefetch one{s.buffer, iterators_, {}, {}};
    for (const Expr& lower : s.lowers) one.lowers.push_back(value(lower));
    for (const Expr& extent : s.extents) one.extents.push_back(value(extent));
    prefetched.push_back(one);
  }

  std::vector<Traced> found;
  std::vector<TracedPrefetch> prefetched;

 private:
  std::int64_t value(const Expr& e) {
    return std::int64_t(reference::integer_of(reference::evaluate(e, *this)));
  }

  const Parameters& parameters_;
  std::map<std::string, std::int64_t> variables_;
  std::vector<TracedLoop> loops_;
  Point iterators_;
};

// Are the loops found a subsequence of those expected?
bool is_subsequence(const std::vector<TracedLoop>& found, const std::vector<const Loop*>& all) {
  auto next = all.begin();
  for (const TracedLoop& loop : found) {
    next = std::find_if(next, all.end(), [&](const Loop* l) {
      return l->name == loop.name && l->processor == loop.processor;
    });
    if (next++ == all.end()) return false;
  }
  return true;
}

template <typename Visitor>
void walk(const StmtPtr& stmt, std::vector<const For*>& around, const Visitor& visitor) {
  visitor(*stmt, around);
  const auto* loop = std::get_if<For>(stmt.get());
  if (loop) around.push_back(loop);
  for_each_inside(*stmt, [&](const StmtPtr& inside) { walk(inside, around, visitor); });
  if (loop) around.pop_back();
}

template <typename Visitor>
void walk(const StmtPtr& stmt, const Visitor& visitor) {
  std::vector<const For*> around;
  walk(stmt, around, visitor);
}

void compare(const std::vector<Traced>& found, const Mapping& mapping, const Algorithm& algorithm,
             const Parameters& parameters) {
  auto expected = reference::executions(mapping, algorithm, parameters);
  std::sort(expected.begin(), expected.end(),
            [](const auto& a, const auto& b) { return a.time() < b.time(); });
  REQUIRE(found.size() == expected.size());
  for (std::size_t n = 0; n < found.size(); ++n) {
    INFO("execution " << n << ": "
                      << reference::to_string(found[n].computation, found[n].instance));
    const reference::Scheduled& right = expected[n];
    REQUIRE(found[n].computation == algorithm.definitions[right.definition].name);
    REQUIRE(found[n].instance == right.instance);
    REQUIRE(is_subsequence(found[n].loops, right.around));
  }
}

}  // namespace

std::vector<Traced> trace(const Kernel& kernel, const Parameters& parameters) {
  Tracer tracer(parameters);
  tracer.run(kernel.body);
  return tracer.found;
}

std::vector<TracedPrefetch> prefetches(const Kernel& kernel, const Parameters& parameters) {
  Tracer tracer(parameters);
  tracer.run(kernel.body);
  return tracer.prefetched;
}

Kernel lowered(const Program& program, StageRun* stages) {
  LowerOptions options;
  for (const LayoutBuffer& buffer : program.layout.buffers)
    if (buffer.role != BufferRole::temporary) options.arguments.push_back(buffer.name);
  return stages ? lower(program, options, *stages) : lower(program, options);
}

void require_theta(const Program& program, const std::vector<Parameters>& sizes) {
  const Kernel kernel = lowered(program);
  INFO(to_c_text(kernel));
  for (const std::string& finding : findings(kernel)) FAIL_CHECK(finding);
  const Mapping mapping = reference::with_initial_values(program);
  for (const Parameters& parameters : sizes) {
    INFO(reference::to_string(parameters));
    for (const Kernel& version : reference::versions(kernel))
      compare(trace(version, parameters), mapping, *program.algorithm, parameters);
  }
}

std::vector<For> loops(const Kernel& kernel) {
  std::vector<For> found;
  walk(kernel.body, [&](const Stmt& stmt, const auto&) {
    if (const auto* loop = std::get_if<For>(&stmt)) found.push_back(*loop);
  });
  return found;
}

std::vector<std::vector<std::int64_t>> extents_around(const Kernel& kernel,
                                                      const std::string& computation) {
  std::vector<std::vector<std::int64_t>> found;
  walk(kernel.body, [&](const Stmt& stmt, const std::vector<const For*>& around) {
    const auto* execute = std::get_if<Execute>(&stmt);
    if (!execute || execute->computation != computation) return;
    found.emplace_back();
    for (const For* loop : around) found.back().push_back(loop->extent.value_or(0));
  });
  return found;
}

int count_executes(const Kernel& kernel) {
  int count = 0;
  walk(kernel.body,
       [&](const Stmt& stmt, const auto&) { count += std::holds_alternative<Execute>(stmt); });
  return count;
}

int count_ifs(const StmtPtr& stmt) {
  int count = 0;
  walk(stmt, [&](const Stmt& inner, const auto&) { count += std::holds_alternative<If>(inner); });
  return count;
}

bool has_min_or_max(const Expr& e) {
  bool found = false;
  visit(e, [&](const Expr& node) { found |= node.op() == Op::min || node.op() == Op::max; });
  return found;
}

}  // namespace strata::test
