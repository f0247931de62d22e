#include "codegen/c/loop_function.h"

#include "codegen/c/expressions.h"
#include "codegen/c/types.h"
#include "codegen/entry/c_literals.h"

namespace strata::c {

namespace {

// Returns if something has been noted.
std::string failure(Scope& scope, const std::string& kernel, const Note& note) {
  const std::string start = "if (" + note.variable + " != STRATA_NOTHING_NOTED) return ";
  const std::string who = in_quotes(kernel) + ", " + in_quotes(note.what) + ", ";
  if (!note.upper.defined()) return start + "strata_out_of_memory(" + who + note.variable + ");";
  Expressions expressions(scope);
  return start + "strata_index_out_of_range(" + who + note.variable + ", " +
         expressions.text(note.lower) + ", " + expressions.text(note.upper) + ");";
}

}  // namespace

Lines body_of_function(const std::string& kernel, Scope& scope, const Lines& loops) {
  Lines out(1);
  for (const Note& note : *scope.notes)
    out.line("int64_t " + note.variable + " = STRATA_NOTHING_NOTED;");
  if (!scope.result->empty()) out.line("int " + *scope.result + " = 0;");
  out.add(loops);
  for (const Note& note : *scope.notes) out.line(failure(scope, kernel, note));
  out.line("return " + (scope.result->empty() ? "0" : *scope.result) + ";");
  return out;
}

}  // namespace strata::c
