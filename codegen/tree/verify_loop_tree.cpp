#include "codegen/tree/verify_loop_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/tree/index_math.h"
#include "codegen/tree/launch_axes.h"
#include "codegen/tree/thread_variable.h"

namespace strata {

namespace {

class Verifier {
 public:
  Verifier(const Kernel& kernel, const StmtPtr& body) {
    parameters_.insert(kernel.parameters.begin(), kernel.parameters.end());
    for (const SizeRead& size : kernel.sizes) parameters_.insert(size.parameter);
    for (const KernelPartition& p : kernel.partitions) parameters_.insert({p.first, p.last});
    bound_ = parameters_;
    for (const ScalarArgument& scalar : kernel.scalars) {
      add_buffer(scalar.name, scalar.type, 0);
      scalars_.insert(scalar.name);
    }
    for (const ArgumentBuffer& buffer : kernel.buffers)
      add_buffer(buffer.name, buffer.type, buffer.lowers.size());
    for (const ArgumentBuffer& buffer : kernel.buffers) {
      indices(buffer.lowers, "the box of " + buffer.name);
      indices(buffer.uppers, "the box of " + buffer.name);
    }
    std::visit(*this, *body);
  }

  std::vector<std::string> found;

  void operator()(const For& loop) {
    const std::string where = "the loop " + loop.variable;
    indices({loop.lower, loop.upper}, where);
    const auto difference = constant_difference(loop.upper, loop.lower);
    if (difference && loop.extent != difference)
      broken("R605", where, "the extent differs from upper - lower");
    if (!loop.extent && loop.processor == Processor::thread)
      broken("R605", where, "the extent is not known");
    if (stored_.count(loop.variable) || !bound_.insert(loop.variable).second)
      broken("R601", where, "the name is taken");
    variables_.insert(loop.variable);
    const bool begins_block = loop.processor == Processor::block && !in_block_;
    for (std::size_t axis = 0; begins_block && axis < thread_axes; ++axis)
      variables_.insert(thread_variable(axis));
    const bool apart = is_concurrent(loop.processor) || has_lanes(loop.processor);
    const bool divides = apart && loop.processor != Processor::block && divided_by_.empty();
    if (divides) divided_by_ = loop.variable;
    const auto warp_before = enter_warp(loop);
    const auto iterations_before = enter_threads(loop);
    const bool before = std::exchange(in_block_, in_block_ || loop.processor == Processor::block);
    std::visit(*this, *loop.body);
    for (std::size_t axis = 0; begins_block && axis < thread_axes; ++axis)
      variables_.erase(thread_variable(axis));
    in_block_ = before;
    warp_ = warp_before;
    iterations_ = iterations_before;
    if (divides) divided_by_.clear();
    variables_.erase(loop.variable);
  }
  void operator()(const If& branch) {
    if (branch.condition.type() != boolean) broken("R603", "a guard", "not boolean");
    names(branch.condition, "a guard");
    const auto warp_before = warp_;
    if (parts_warp(branch.condition)) warp_.clear();
    std::visit(*this, *branch.then);
    if (branch.otherwise) std::visit(*this, *branch.otherwise);
    warp_ = warp_before;
  }
  void operator()(const Block& block) {
    for (const StmtPtr& stmt : block.body) std::visit(*this, *stmt);
  }
  void operator()(const Execute& execute) {
    const std::string where = "the execution of " + execute.computation;
    indices(execute.instance, where);
    indices(execute.indices, where);
    written(execute.buffer, execute.value.type(), execute.indices.size(), where);
    names(execute.value, where);
    for (const Execute::Other& other : execute.others) {
      written(other.buffer, other.value.type(), execute.indices.size(), where);
      names(other.value, where);
    }
    if (execute.atomic && !is_step(execute))
      broken("R606", where, "not an update step of its reduction");
    for (std::size_t axis = 0; axis < threads_.size(); ++axis)
      if (threads_[axis] > iterations_[axis])
        broken("R607", where, "threads that have no iteration of it run it");
  }
  void operator()(const PrefetchBox& s) {
    const std::string where = "the prefetch of " + s.buffer;
    indices(s.lowers, where);
    indices(s.extents, where);
    const auto known = buffers_.find(s.buffer);
    if (!in_memory(s.buffer) || known->second.rank != s.lowers.size() ||
        s.lowers.size() != s.extents.size())
      broken("R604", where, "there is no buffer of that name and rank here");
  }
  void operator()(const Launch& launch) {
    const std::string where = "the launch " + launch.name;
    indices(launch.grid, where);
    if (std::exchange(in_launch_, true)) broken("R607", where, "inside another launch");
    threads_ = launch.threads;
    iterations_.assign(threads_.size(), 1);
    std::visit(*this, *launch.body);
    threads_.clear();
    iterations_.clear();
    in_launch_ = false;
  }
  void operator()(const ThreadGuard& guard) {
    if (!in_launch_ || guard.counts.size() != threads_.size())
      return broken("R607", "a guard of threads", "in no launch with these axes");
    const bool was_in_guard = std::exchange(in_guard_, true);
    const std::vector<std::int64_t> before = threads_;
    for (std::size_t axis = 0; axis < guard.counts.size(); ++axis)
      threads_[axis] = std::min(threads_[axis], guard.counts[axis]);
    std::visit(*this, *guard.body);
    threads_ = before;
    in_guard_ = was_in_guard;
  }
  void operator()(const Barrier&) {
    if (!in_launch_ && !in_block_) broken("R607", "a barrier", "outside of all launches");
    if (in_guard_) broken("R607", "a barrier", "where a guard leaves threads out");
    if (!divided_by_.empty())
      broken("R607", "a barrier", "in the loop " + divided_by_ + ", of which a thread runs a part");
  }
  void operator()(const AwaitCopies&) {
    if (!in_launch_ && !in_block_) broken("R607", "a wait for copies", "outside of all launches");
  }
  void operator()(const Mma& s) {
    const std::string where = "the product " + s.computation;
    const auto depth = std::size_t(traits(s.shape).depth);
    if (warp_.size() != 2) broken("R608", where, "not where all threads of a warp come together");
    if (s.a.size() != depth / 2 || s.b.size() != depth / 4)
      broken("R608", where, "another number of values");
    for (const std::vector<Expr>* values : {&s.a, &s.b})
      for (const Expr& value : *values) {
        names(value, where);
        if (value.op() != Op::load || value.type() != traits(s.shape).operand)
          broken("R608", where, "not a load of " + to_string(traits(s.shape).operand));
      }
    for (const std::vector<Expr>& place : s.places) {
      indices(place, where);
      written(s.buffer, f32, place.size(), where);
    }
    std::visit(*this, *s.loops);
  }
  void operator()(const Agree&) {
    if (in_launch_) broken("R607", "the agreement of ranks", "inside a launch");
  }
  void operator()(const Exchange& s) {
    if (in_launch_) broken("R607", "message " + std::to_string(s.tag), "inside a launch");
    variables_.insert({s.block.first, s.block.last});
    bound_.insert({s.block.first, s.block.last});
    for (const Exchange::Elements& one : s.elements)
      for (const StmtPtr& side : {one.outgoing, one.incoming}) std::visit(*this, *side);
    variables_.erase(s.block.first);
    variables_.erase(s.block.last);
  }
  void operator()(const DeviceCopy& s) {
    if (in_launch_) broken("R607", "the copy of " + s.buffer, "inside a launch");
    if (!in_memory(s.buffer))
      broken("R604", "a copy to or from a device", "there is no buffer " + s.buffer + " here");
  }
  void operator()(const Free& s) {
    if (!allocated_.count(s.buffer) || !buffers_.erase(s.buffer))
      broken("R604", "a free", "there is no buffer " + s.buffer + " here to free");
  }
  void operator()(const Allocate& allocate) {
    indices(allocate.lowers, "the box of " + allocate.buffer);
    indices(allocate.extents, "the box of " + allocate.buffer);
    add_buffer(allocate.buffer, allocate.type, allocate.lowers.size());
    allocated_.insert(allocate.buffer);
    std::visit(*this, *allocate.body);
    allocated_.erase(allocate.buffer);
    buffers_.erase(allocate.buffer);
  }

 private:
  struct Shape {
    Type type;
    std::size_t rank;
  };

  // Notes the loops of a warp, once "loop" is around; returns what it knew before.
  std::vector<std::string> enter_warp(const For& loop) {
    const std::vector<std::string> before = warp_;
    if (parts_warp(loop.lower) || parts_warp(loop.upper)) warp_.clear();
    if (loop.processor != Processor::thread) return before;
    const std::size_t axis = axis_of(loop);
    const bool fits = axis < 2 && loop.extent == (axis ? 8 : 4) && as_constant(loop.lower) == 0;
    if (axis == 1) warp_.clear();
    if (fits) warp_.push_back(loop.variable);
    return before;
  }

  // Notes a loop over threads, once it is around; returns what was known before.
  std::vector<std::int64_t> enter_threads(const For& loop) {
    const std::vector<std::int64_t> before = iterations_;
    const std::size_t axis = loop.processor == Processor::thread ? axis_of(loop) : threads_.size();
    if (axis < threads_.size() && loop.extent) iterations_[axis] = *loop.extent;
    return before;
  }

  bool parts_warp(const Expr& e) const {
    const auto names = free_variables(e);
    return std::any_of(warp_.begin(), warp_.end(),
                       [&](const std::string& name) { return names.count(name) != 0; });
  }

  void broken(const std::string& rule, const std::string& where, const std::string& what) {
    found.push_back(rule + " in " + where + ": " + what);
  }

  void add_buffer(const std::string& name, Type type, std::size_t rank) {
    if (bound_.count(name) || buffers_.count(name))
      broken("R601", "buffer " + name, "the name is taken");
    stored_.insert(name);
    buffers_.insert_or_assign(name, Shape{type, rank});
  }

  void indices(const std::vector<Expr>& exprs, const std::string& where) {
    for (const Expr& e : exprs) {
      if (e.type() != i64) broken("R603", where, "not int64");
      names(e, where);
    }
  }

  void names(const Expr& e, const std::string& where) {
    visit(e, [&](const Expr& node) {
      if (node.op() == Op::variable && !variables_.count(node.name()))
        broken("R602", where, node.name() + " is not a variable here");
      if (node.op() == Op::parameter && !parameters_.count(node.name()))
        broken("R602", where, node.name() + " is not a parameter");
      if (node.op() == Op::load) touched(node.name(), node.type(), node.args().size(), where);
    });
  }

  static bool is_step(const Execute& e) {
    if (e.value.args().size() != 2) return false;
    const Expr here = load(e.buffer, e.value.type(), e.indices);
    return same(e.value, make(*e.atomic, {here, e.value.args()[1]}));
  }

  // A scalar is read as a buffer of rank 0, and has no memory.
  bool in_memory(const std::string& buffer) const {
    return buffers_.count(buffer) && !scalars_.count(buffer);
  }

  void written(const std::string& buffer, Type type, std::size_t rank, const std::string& where) {
    if (scalars_.count(buffer)) broken("R604", where, "the scalar " + buffer + " is written");
    touched(buffer, type, rank, where);
  }

  void touched(const std::string& buffer, Type type, std::size_t rank, const std::string& where) {
    const auto known = buffers_.find(buffer);
    if (known == buffers_.end())
      broken("R604", where, "there is no buffer " + buffer + " here");
    else if (known->second.rank != rank || known->second.type != type)
      broken("R604", where, "buffer " + buffer + " has another rank or type");
  }

  bool in_launch_ = false;
  bool in_guard_ = false;
  bool in_block_ = false;  // in a block loop; launches are made of them by the last pass
  // On each axis of the launch around: how many threads come here, and how many have an iteration.
  std::vector<std::int64_t> threads_, iterations_;
  std::vector<std::string> warp_;  // the variables of a warp, all of whose threads come here
  std::string divided_by_;  // the outermost loop around whose iterations threads or lanes share
  std::set<std::string> parameters_, variables_;
  std::set<std::string> bound_, stored_;  // the names of all variables and parameters, and buffers
  std::set<std::string> allocated_;       // by an Allocate around
  std::map<std::string, Shape> buffers_;  // with the scalars
  std::set<std::string> scalars_;
};

}  // namespace

std::vector<std::string> findings(const Kernel& kernel) {
  std::vector<std::string> all;
  for (const StmtPtr& body : bodies(kernel))
    for (const std::string& finding : Verifier(kernel, body).found) all.push_back(finding);
  return all;
}

}  // namespace strata
