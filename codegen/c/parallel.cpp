// Parallel loops: for OpenMP a directive before the loop, for the runtime a function that runs a
// range of the loop's iterations.
#include "codegen/c/captured.h"
#include "codegen/c/statements.h"
#include "codegen/c/types.h"
#include "codegen/tree/index_math.h"

namespace strata::c {

namespace {

// What a text uses of a scope, with the addresses of notes.
std::vector<Captured> captured_with_notes(Scope& scope, const std::string& text) {
  const std::set<std::string> words = words_of(text);
  std::vector<Captured> all = captured(scope, words);
  for (const Note& note : *scope.notes)
    if (words.count(note.variable))
      all.push_back(
          {"int64_t *", scope.fresh("all_" + note.variable), "&" + note.variable, note.variable});
  return all;
}

// "struct NAME", with what the function NAME needs.
Lines members(const std::string& name, const std::vector<Captured>& needed) {
  Lines out;
  out.open("struct " + name);
  for (const Captured& one : needed) out.line(one.type + one.name + ";");
  out.close(";");
  return out;
}

// The function NAME: its parameters are restrict pointers, as those of the function around the
// loop. A note joins those of other ranges: the largest wins.
Lines range_function(const std::string& name, std::string parameters,
                     const std::vector<Captured>& needed, const Lines& body) {
  if (!needed.empty()) parameters += ", " + parameters_in_c(needed);
  Lines out;
  out.block("static void " + name + "(" + parameters + ")", [&] {
    for (const Captured& one : needed)
      if (!one.note.empty()) out.line("int64_t " + one.note + " = STRATA_NOTHING_NOTED;");
    out.add(body);
    for (const Captured& one : needed)
      if (!one.note.empty())
        out.line("if (" + one.note + " != STRATA_NOTHING_NOTED) (void)strata_atomic_max_int64(" +
                 one.name + ", 0, " + one.note + ");");
  });
  return out;
}

// NAME_range has the type that strata_run_ranges calls.
Lines range_entry(const std::string& name, const std::vector<Captured>& needed) {
  std::string arguments = "first, end";
  for (const Captured& one : needed) arguments += ", loop->" + one.name;
  Lines out;
  out.block("static int " + name + "_range(void *members, int64_t first, int64_t end)", [&] {
    out.line("const struct " + name + " *const loop = members;");
    out.line(name + "(" + arguments + ");");
    out.line("return 0;");
  });
  return out;
}

void declare_threads(std::map<std::string, std::string>& prototypes) {
  prototypes["strata_run_ranges"] =
      "extern int strata_run_ranges(int (*)(void *, int64_t, int64_t), int64_t, int64_t, void *, "
      "double);";
  prototypes["strata_atomic_max_int64"] =
      "extern int strata_atomic_max_int64(int64_t *, int64_t, int64_t);";
}

}  // namespace

void Statements::parallel(const For& loop) {
  if (in_parallel_ || lanes_) return counted(loop, "");
  in_parallel_ = true;
  form_.threads == Threads::openmp ? by_openmp(loop) : by_runtime(loop);
  in_parallel_ = false;
}

// A reduction joins the notes of the iterations: the largest of each note.
void Statements::by_openmp(const For& loop) {
  note_what_fails(loop);
  std::string notes;
  for (const Note& note : *scope_.notes) notes += (notes.empty() ? "" : ", ") + note.variable;
  counted(loop, "#pragma omp parallel for schedule(static)" +
                    (notes.empty() ? "" : " reduction(max : " + notes + ")"));
}

// Finds the notes that the body makes: a trial writes the body, and throws the text away.
void Statements::note_what_fails(const For& loop) {
  const Scope before = scope_;
  Lines unused;
  Statements trial(scope_, unused, kernel_, form_);
  trial.values_ = values_;
  trial.in_parallel_ = true;
  trial.depth_ = depth_;
  trial.counted(loop, "");
  scope_ = before;
  for (const Note& note : *scope_.notes) scope_.taken.insert(note.variable);
}

Lines Statements::body_of_range(const For& loop, const std::string& first,
                                const std::string& end) const {
  Scope scope = scope_;
  Lines lines(1);
  Statements inside(scope, lines, kernel_, form_);
  inside.values_ = values_;
  inside.in_parallel_ = true;
  inside.depth_ = depth_;
  inside.counted_from(loop, first, end);
  return lines;
}

void Statements::by_runtime(const For& loop) {
  const std::string lower = bound(loop.lower);
  const std::string upper = bound(loop.extent ? loop.lower + *loop.extent : loop.upper);
  const std::string name =
      scope_.fresh_function(kernel_ + (form_.dense ? "_dense_" : "_any_") + loop.variable);
  const std::string first = scope_.fresh("first"), end = scope_.fresh("end");
  const Lines body = body_of_range(loop, first, end);
  for (const Note& note : *scope_.notes) scope_.taken.insert(note.variable);
  const std::vector<Captured> needed = captured_with_notes(scope_, body.text());
  declare_threads(*scope_.prototypes);
  *scope_.functions +=
      members(name, needed).text() + "\n" +
      range_function(name, "int64_t " + first + ", int64_t " + end, needed, body).text() + "\n" +
      range_entry(name, needed).text() + "\n";
  out_.block("", [&] {
    const std::string estimate = work(loop), members = scope_.fresh("loop");
    out_.line("struct " + name + " " + members + " = {" + values_in_c(needed) + "};");
    out_.line("(void)strata_run_ranges(" + name + "_range, " + lower + ", " + upper + ", &" +
              members + ", " + estimate + ");");
  });
}

// The time of all iterations, in the units of runtime/threads.h.
std::string Statements::work(const For& loop) {
  const Work work = work_of(loop, form_.machine);
  return is_unknown(work) ? "INFINITY" : text_of(total(work));
}

Expr Statements::total(const Work& work) {
  Expr sum;
  const auto add = [&](const Expr& more) { sum = sum.defined() ? sum + more : more; };
  for (const RepeatedWork& part : work.loops) add(repeated(part));
  for (const ConditionalWork& part : work.conditions)
    add(select(here(part.condition), total(part.then), total(part.otherwise)));
  if (work.cycles > 0 || !sum.defined())
    add(real_constant(Type::float64, work.cycles / form_.machine.parallel_start));
  return sum;
}

// All iterations take as long as the one in the middle.
Expr Statements::repeated(const RepeatedWork& work) {
  const For& loop = *work.loop;
  const Expr first = simple(loop.lower);
  const Expr count = loop.extent
                         ? constant(Type::int64, *loop.extent)
                         : named(loop.variable + "_count",
                                 max(simplified(here(loop.upper) - first), std::int64_t{0}));
  values_[loop.variable] = simplified(first + count / 2);
  const Expr inside = total(work.inside);
  values_.erase(loop.variable);
  return cast(Type::float64, count) * inside;
}

}  // namespace strata::c
