// The loop tree as C-like text.
#include <string>

#include "codegen/tree/index_math.h"
#include "codegen/tree/loop_tree.h"
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

class Printer {
 public:
  std::string text;

  void line(const std::string& content) { text += std::string(2 * depth_, ' ') + content + "\n"; }

  // "head {", the body indented one step, and "tail".
  void enclosed(const std::string& head, const StmtPtr& body, const std::string& tail = "}") {
    line(head + " {");
    inside(body);
    line(tail);
  }

  void inside(const StmtPtr& body) {
    ++depth_;
    std::visit(*this, *body);
    --depth_;
  }

  void operator()(const For& loop) {
    const bool sequential = loop.processor == Processor::sequential;
    const std::string head = (sequential ? "" : to_string(loop.processor) + " ") + "for " +
                             loop.variable + " in " + to_text(loop.lower) + " .. " +
                             to_text(loop.upper);
    std::vector<std::string> notes;
    if (loop.name != loop.variable) notes.push_back("loop " + loop.name);
    if (loop.extent) notes.push_back("full " + std::to_string(*loop.extent));
    for (const std::string& tag : tag_notes(loop)) notes.push_back(tag);
    if (!loop.lockstep) notes.push_back("one lane at a time");
    std::string note;
    for (const std::string& one : notes) note += (note.empty() ? "" : ", ") + one;
    enclosed(head + (note.empty() ? "" : " /* " + note + " */"), loop.body);
  }

  void operator()(const If& branch) {
    const std::string head = (branch.masks ? "mask (" : "if (") + to_text(branch.condition) + ")";
    if (!branch.otherwise) return enclosed(head, branch.then);
    enclosed(head, branch.then, "} else {");
    inside(branch.otherwise);
    line("}");
  }

  void operator()(const Block& block) {
    for (const StmtPtr& stmt : block.body) std::visit(*this, *stmt);
  }

  void operator()(const Execute& execute) {
    const std::string how = execute.atomic ? "atomic " : "";
    const bool copies = execute.computation.empty();
    const std::string of = execute.computation + "(" + list(execute.instance) + ")";
    line(how + execute.buffer + "[" + list(execute.indices) + "] = " + to_text(execute.value) +
         (copies ? ";" : ";  // " + of));
    for (const Execute::Other& other : execute.others)
      line(other.buffer + "[" + list(execute.indices) + "] = " + to_text(other.value) +
           ";  // same instance");
  }

  void operator()(const PrefetchBox& s) {
    line("prefetch " + box(s.buffer, s.lowers, uppers(s.lowers, s.extents)) + ";");
  }

  void operator()(const Launch& launch) {
    std::string threads;
    for (const std::int64_t count : launch.threads)
      threads += (threads.empty() ? "" : ", ") + std::to_string(count);
    enclosed("launch " + launch.name + "<<<(" + list(launch.grid) + "), (" + threads + ")>>>",
             launch.body);
  }

  void operator()(const Barrier& s) {
    static const char* const fences[] = {"shared", "global", "shared and global"};
    line("barrier;  // " + std::string(fences[int(s.fence)]));
  }

  void operator()(const DeviceCopy& s) {
    const bool to_host = s.direction == Transfer::to_host;
    line("copy " + s.buffer + " to the " + (to_host ? "host" : "device") + ";");
  }

  void operator()(const Free& s) { line("free " + s.buffer + ";"); }

  void operator()(const Allocate& allocate) {
    line("allocate " + to_string(allocate.type) + " " +
         box(allocate.buffer, allocate.lowers, uppers(allocate.lowers, allocate.extents)) +
         (allocate.memory == Memory::automatic ? "" : " on " + to_string(allocate.memory)) + ";");
    std::visit(*this, *allocate.body);
  }

 private:
  std::size_t depth_ = 0;
};

std::string signature(const Kernel& kernel) {
  std::string arguments;
  for (const std::string& name : kernel.parameters)
    arguments += (arguments.empty() ? "" : ", ") + ("int64 " + name);
  for (const ArgumentBuffer& buffer : kernel.buffers)
    arguments += (arguments.empty() ? "" : ", ") + (to_string(buffer.type) + " " + buffer.name);
  return kernel.name + "(" + arguments + ")";
}

}  // namespace

std::string to_c_text(const Kernel& kernel) {
  Printer printer;
  for (const ArgumentBuffer& buffer : kernel.buffers)
    printer.line("// " + std::string(word(buffer.access)) + " " +
                 box(buffer.name, buffer.lowers, buffer.uppers));
  for (const SizeRead& size : kernel.sizes)
    printer.line("// " + size.parameter + " is " + to_text(size.value));
  for (const Assumption& assumption : kernel.assumptions)
    printer.line("// assumed " + assumption.text);
  printer.enclosed(signature(kernel), kernel.body);
  return printer.text;
}

}  // namespace strata
