// Kernels of many loops as several functions.
//
// The time of gcc and Clang grows faster than the loops and failures of a function. So after some
// loops of a function, the rest becomes a function of its own, and so on:
//
//     S1; ..; S32; S33; ..; S70   ~>   kernel: S1; ..; S32; f()    f: S33; ..; S64; g()    g: ..
//
// Loops stay whole. What a function frees but does not allocate is a pointer of the function that
// allocates it, which is null from then on.
#include <set>

#include "codegen/c/captured.h"
#include "codegen/c/loop_function.h"
#include "codegen/c/statements.h"

namespace strata::c {

namespace {

constexpr int most_loops = 32;  // after which a function ends

// The loops that become code of the same function.
int loops_in(const Stmt& s) {
  const auto* loop = std::get_if<For>(&s);
  int count = loop ? 1 : 0;
  if (!loop || loop->processor != Processor::parallel)
    for_each_inside(s, [&](const StmtPtr& part) { count += loops_in(*part); });
  return count;
}

void add_freed(const StmtPtr& s, std::set<std::string>& inside, std::set<std::string>& freed) {
  const auto* allocation = std::get_if<Allocate>(s.get());
  const bool added = allocation && inside.insert(allocation->buffer).second;
  if (const auto* end = std::get_if<Free>(s.get()))
    if (!inside.count(end->buffer)) freed.insert(end->buffer);
  for_each_inside(*s, [&](const StmtPtr& part) { add_freed(part, inside, freed); });
  if (added) inside.erase(allocation->buffer);
}

// The names in C of the memory that "s" frees but does not allocate.
std::set<std::string> freed_in(const Scope& scope, const StmtPtr& s) {
  std::set<std::string> inside, buffers, names;
  add_freed(s, inside, buffers);
  for (const std::string& buffer : buffers)
    if (const View& view = view_of(scope, buffer); !view.on_stack) names.insert(view.name);
  return names;
}

}  // namespace

void Statements::count_loops(const For& nest) { loops_ += loops_in(nest); }

bool Statements::is_full() const { return depth_ == 0 && loops_ >= most_loops; }

bool Statements::begins_function(const StmtPtr& s) const { return is_full() && loops_in(*s) > 0; }

// The rest is a function of its own, whose notes and result are its own, too.
void Statements::outlined(const StmtPtr& s) {
  const std::string name =
      scope_.fresh_function(kernel_ + (form_.dense ? "_dense_rest" : "_any_rest"));
  if (scope_.result->empty()) *scope_.result = scope_.fresh("result");
  std::vector<Note> notes;
  std::string result;
  Scope scope = scope_;
  scope.notes = &notes;
  scope.result = &result;
  const std::set<std::string> freed = freed_in(scope_, s);
  for (const std::string& memory : freed)
    if (!scope.owners.count(memory)) scope.owners[memory] = scope.fresh(memory + "_owner");
  Lines lines(1);
  Statements(scope, lines, kernel_, form_).write(s);
  scope_.taken = scope.taken;
  const Lines body = body_of_function(kernel_, scope, lines);
  std::vector<Captured> needed = captured(scope_, words_of(body.text()));
  for (const std::string& memory : freed) {
    const std::string owner = scope.owners.at(memory);
    needed.push_back({"void **", owner, (scope_.owners.count(memory) ? "" : "&") + owner, ""});
  }
  Lines out;
  out.block("static __attribute__((noinline)) int " + name + "(" + parameters_in_c(needed) + ")",
            [&] { out.add(body); });
  *scope_.functions += out.text() + "\n";
  out_.block("", [&] { call_rest(name + "(" + values_in_c(needed) + ")", freed, scope.owners); });
}

void Statements::call_rest(const std::string& call, const std::set<std::string>& freed,
                           const std::map<std::string, std::string>& owners) {
  std::vector<std::string> own;
  for (const std::string& memory : freed)
    if (!scope_.owners.count(memory)) own.push_back(memory);
  for (const std::string& memory : own)
    out_.line("void *" + owners.at(memory) + " = " + memory + ";");
  const std::string ended = scope_.fresh("ended");
  out_.line("const int " + ended + " = " + call + ";");
  out_.line("if (" + ended + " != 0) " + *scope_.result + " = " + ended + ";");
  for (const std::string& memory : own)
    out_.line("if (!" + owners.at(memory) + ") " + memory + " = NULL;");
}

}  // namespace strata::c
