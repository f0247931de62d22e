// The loop tree as C-like text.
#include "codegen/tree/c_text.h"

#include <string>

#include "codegen/tree/index_math.h"
#include "codegen/tree/launch_axes.h"
#include "core/expr/expr_text.h"

namespace strata {

namespace {

std::string list(const std::vector<Expr>& exprs) {
  std::string text;
  for (const Expr& e : exprs) text += (text.empty() ? "" : ", ") + to_text(e);
  return text;
}

// "a[l0 : u0, l1 : u1]"
std::string box(const std::string& name, const std::vector<Expr>& lowers,
                const std::vector<Expr>& uppers) {
  std::string text;
  for (std::size_t d = 0; d < lowers.size(); ++d)
    text += (text.empty() ? "" : ", ") + to_text(lowers[d]) + " : " + to_text(uppers[d]);
  return name + "[" + text + "]";
}

std::vector<Expr> uppers(const std::vector<Expr>& lowers, const std::vector<Expr>& extents) {
  std::vector<Expr> result;
  for (std::size_t d = 0; d < lowers.size(); ++d)
    result.push_back(simplified(lowers[d] + extents[d]));
  return result;
}

const char* word(Access access) {
  static const char* const words[] = {"read", "written", "read and written"};
  return words[int(access)];
}

// "/* loop i, guard */" after a loop; "" if there is nothing to say.
std::string note(const For& loop, bool with_extent) {
  std::vector<std::string> notes;
  if (loop.name != loop.variable) notes.push_back("loop " + loop.name);
  if (loop.extent && with_extent) notes.push_back("full " + std::to_string(*loop.extent));
  for (const std::string& tag : tag_notes(loop)) notes.push_back(tag);
  if (!loop.lockstep) notes.push_back("one lane at a time");
  std::string all;
  for (const std::string& one : notes) all += (all.empty() ? "" : ", ") + one;
  return all.empty() ? "" : " /* " + all + " */";
}

// "lower + blockIdx.x", the iterator of a loop of a launch.
std::string iterator_value(const For& loop) {
  const std::string index = loop.processor == Processor::block ? "blockIdx." : "threadIdx.";
  const Expr lower = simplified(loop.lower);
  const bool zero = lower.op() == Op::constant && lower.node().integer == 0;
  return (zero ? "" : to_text(lower) + " + ") + index + "xyz"[axis_of(loop)];
}

class Printer {
 public:
  std::vector<TreeLine> lines;

  void line(const std::string& content, TreeLine::About about = {}) {
    lines.push_back({depth_, content, about});
  }

  // "head {", the body indented one step, and "tail".
  void enclosed(const std::string& head, const StmtPtr& body, const std::string& tail = "}",
                TreeLine::About about = {}) {
    line(head + " {", about);
    inside(body);
    line(tail);
  }

  void inside(const StmtPtr& body) {
    ++depth_;
    print(body);
    --depth_;
  }

  void print(const StmtPtr& s) { std::visit(*this, *s); }

  void operator()(const For& loop) {
    if (launch_ && is_of_launch(loop.processor)) return launch_loop(loop);
    const bool sequential = loop.processor == Processor::sequential;
    const std::string head = (sequential ? "" : to_string(loop.processor) + " ") + "for " +
                             loop.variable + " in " + to_text(loop.lower) + " .. " +
                             to_text(loop.upper);
    enclosed(head + note(loop, true), loop.body, "}", &loop);
  }

  void operator()(const If& branch) {
    const std::string head = (branch.masks ? "mask (" : "if (") + to_text(branch.condition) + ")";
    if (!branch.otherwise) return enclosed(head, branch.then);
    enclosed(head, branch.then, "} else {");
    inside(branch.otherwise);
    line("}");
  }

  void operator()(const Block& block) {
    for (const StmtPtr& stmt : block.body) print(stmt);
  }

  void operator()(const Execute& execute) {
    const std::string how = execute.atomic ? "atomic " : execute.asynchronous ? "async " : "";
    const bool copies = execute.computation.empty();
    const std::string of = execute.computation + "(" + list(execute.instance) + ")";
    line(how + execute.buffer + "[" + list(execute.indices) + "] = " + to_text(execute.value) +
             (copies ? ";" : ";  // " + of),
         &execute);
    for (const Execute::Other& other : execute.others)
      line(other.buffer + "[" + list(execute.indices) + "] = " + to_text(other.value) +
               ";  // same instance",
           &execute);
  }

  void operator()(const PrefetchBox& s) {
    line("prefetch " + box(s.buffer, s.lowers, uppers(s.lowers, s.extents)) + ";");
  }

  void operator()(const Launch& launch) {
    std::string threads;
    for (const std::int64_t count : launch.threads)
      threads += (threads.empty() ? "" : ", ") + std::to_string(count);
    launch_ = &launch;
    enclosed(
        "launch " + launch.name + "<<<dim3(" + list(launch.grid) + "), dim3(" + threads + ")>>>",
        launch.body, "}", &launch);
    launch_ = nullptr;
  }

  void operator()(const ThreadGuard& guard) {
    std::string runs;
    for (std::size_t axis = guard.counts.size(); axis-- > 0;) {
      const std::int64_t count = guard.counts[axis];
      if (count < launch_->threads[axis])
        runs += (runs.empty() ? "" : " && ") + std::string("threadIdx.") + "xyz"[axis] +
                (count == 1 ? " == 0" : " < " + std::to_string(count));
    }
    enclosed("if (" + runs + ")", guard.body);
  }

  void operator()(const Barrier& s) {
    static const char* const fences[] = {"shared", "global", "shared and global"};
    line("__syncthreads();  // " + std::string(fences[int(s.fence)]));
  }

  void operator()(const AwaitCopies&) { line("__pipeline_wait_prior(0);"); }

  void operator()(const Agree&) { line("agree();"); }

  void operator()(const Exchange& s) {
    const std::string to =
        " rank with " + s.block.partition + " in [" + s.block.first + ", " + s.block.last + ")";
    for (const Exchange::Elements& one : s.elements) {
      const std::string values = "message " + std::to_string(s.tag) + " of " + one.buffer;
      enclosed("send " + values + " to each" + to + " {", one.outgoing, "}");
      enclosed("receive " + values + " from each" + to + " {", one.incoming, "}");
    }
  }

  void operator()(const Mma& s) {
    std::string sums;
    for (const std::vector<Expr>& place : s.places)
      sums += (sums.empty() ? "" : ", ") + s.buffer + "[" + list(place) + "]";
    line("mma_sync<16, 8, " + std::to_string(traits(s.shape).depth) + ", " + to_string(s.shape) +
         ">({" + sums + "}, {" + list(s.a) + "}, {" + list(s.b) + "});  // " + s.computation +
         " in a warp");
  }

  void operator()(const DeviceCopy& s) {
    const bool to_host = s.direction == Transfer::to_host;
    line("copy " + s.buffer + " to the " + (to_host ? "host" : "device") + ";");
  }

  void operator()(const Free& s) { line("free " + s.buffer + ";"); }

  void operator()(const Allocate& allocate) {
    const bool shared = launch_ && allocate.memory == Memory::shared;
    const bool said = shared || allocate.memory == Memory::automatic;
    line((shared ? "__shared__ " : "allocate ") + to_string(allocate.type) + " " +
             box(allocate.buffer, allocate.lowers, uppers(allocate.lowers, allocate.extents)) +
             gaps(allocate) + (said ? "" : " on " + to_string(allocate.memory)) + ";",
         &allocate);
    print(allocate.body);
  }

 private:
  // " /* 1 of 8, 2 of 8 */": how many of how many indices exist along each dimension.
  static std::string gaps(const Allocate& allocate) {
    std::string text;
    bool any = false;
    for (const Packing& packing : allocate.packed) {
      any = any || packing.period > 1;
      text += (text.empty() ? "" : ", ") + std::to_string(packing.width) + " of " +
              std::to_string(packing.period);
    }
    return any ? " /* " + text + " */" : "";
  }

  // Each block and each thread has one iteration.
  void launch_loop(const For& loop) {
    line(loop.variable + " = " + iterator_value(loop) + ";" + note(loop, false), &loop);
    print(loop.body);
  }

  std::size_t depth_ = 0;
  const Launch* launch_ = nullptr;  // the launch around
};

std::string signature(const Kernel& kernel) {
  std::string arguments;
  for (const std::string& name : kernel.parameters)
    arguments += (arguments.empty() ? "" : ", ") + ("int64 " + name);
  for (const ScalarArgument& scalar : kernel.scalars)
    arguments += (arguments.empty() ? "" : ", ") + (to_string(scalar.type) + " " + scalar.name);
  for (const ArgumentBuffer& buffer : kernel.buffers)
    arguments += (arguments.empty() ? "" : ", ") + (to_string(buffer.type) + " " + buffer.name);
  return kernel.name + "(" + arguments + ")";
}

}  // namespace

std::vector<TreeLine> lines_of(const Kernel& kernel) {
  Printer printer;
  for (const ArgumentBuffer& buffer : kernel.buffers)
    printer.line("// " + std::string(word(buffer.access)) + " " +
                 box(buffer.name, buffer.lowers, buffer.uppers) +
                 (buffer.constant ? ", in constant memory" : ""));
  for (const SizeRead& size : kernel.sizes)
    printer.line("// " + size.parameter + " is " + to_text(size.value));
  for (const Assumption& assumption : kernel.assumptions)
    printer.line("// assumed " + assumption.text);
  printer.enclosed(signature(kernel), kernel.body);
  return printer.lines;
}

std::string to_c_text(const Kernel& kernel) {
  std::string text;
  for (const TreeLine& line : lines_of(kernel))
    text += std::string(2 * line.depth, ' ') + line.text + "\n";
  return text;
}

}  // namespace strata
