#include "codegen/c/statements.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "codegen/c/lanes.h"
#include "codegen/c/types.h"
#include "codegen/entry/c_literals.h"
#include "codegen/refusal.h"
#include "codegen/tree/index_math.h"
#include "codegen/tree/operations.h"
#include "codegen/tree/realization.h"

namespace strata::c {

namespace {

Error not_on_cpu(const std::string& what) {
  return refused(Code::E0502_code_generation_failed, "the C back end has no " + what,
                 "leave out the commands for a GPU or for ranks, or take the back end of Halide");
}

// Does each lane allocate memory of its own inside, or run a loop whose bounds differ between
// lanes?
bool differs_by_lane(const StmtPtr& s, const std::string& lane) {
  if (std::holds_alternative<Allocate>(*s)) return true;
  if (const auto* loop = std::get_if<For>(s.get()))
    if (depends_on(loop->lower, lane) || depends_on(loop->upper, lane)) return true;
  bool found = false;
  for_each_inside(*s, [&](const StmtPtr& part) { found = found || differs_by_lane(part, lane); });
  return found;
}

// Is there a vector loop with a condition on its lanes? Copies of a loop around it take a compiler
// long: borders of register tiles have dozens, each with its vectors and its loop over lanes.
bool has_conditions_on_lanes(const StmtPtr& s, const std::vector<std::string>& lanes = {}) {
  std::vector<std::string> inside = lanes;
  if (const auto* loop = std::get_if<For>(s.get()))
    if (loop->processor == Processor::vector) inside.push_back(loop->variable);
  if (const auto* branch = std::get_if<If>(s.get()))
    for (const std::string& lane : lanes)
      if (depends_on(branch->condition, lane)) return true;
  bool found = false;
  for_each_inside(
      *s, [&](const StmtPtr& part) { found = found || has_conditions_on_lanes(part, inside); });
  return found;
}

void add_computations(const StmtPtr& s, std::vector<std::string>& names) {
  if (const auto* execute = std::get_if<Execute>(s.get())) {
    const std::string& name = execute->computation;
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  }
  for_each_inside(*s, [&](const StmtPtr& part) { add_computations(part, names); });
}

// "bx, by": what a nest of loops computes.
std::string computations_in(const StmtPtr& s) {
  std::vector<std::string> names;
  add_computations(s, names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

void Statements::write(const StmtPtr& s) {
  if (begins_function(s)) return outlined(s);
  std::visit([&](const auto& statement) { write(statement); }, *s);
}

Expr Statements::here(const Expr& e) const {
  if (values_.empty() || !e.defined()) return e;
  return substitute(e, [&](const std::string& name) {
    const auto found = values_.find(name);
    return found == values_.end() ? Expr() : found->second;
  });
}

std::vector<Expr> Statements::here(const std::vector<Expr>& list) const {
  std::vector<Expr> out;
  for (const Expr& e : list) out.push_back(here(e));
  return out;
}

void Statements::definitions(Expressions& from) {
  for (const std::string& one : from.definitions()) out_.line(one);
}

Expr Statements::simple(const Expr& e) const { return simplified(here(e)); }

// The text of a value. Its shared parts get names first.
std::string Statements::text_of(const Expr& value) {
  Expressions expressions(scope_);
  expressions.share({value});
  std::string text = expressions.text(value);
  definitions(expressions);
  return text;
}

std::string Statements::bound(const Expr& e) { return text_of(simple(e)); }

// The first value of a loop. It is written out, so that places are as simple as they can be, and
// the C compiler keeps constant places in registers. If it depends on data it gets a name, since
// the body may change the data.
Expr Statements::first_of(const For& loop) {
  const Expr first = simple(loop.lower);
  return depends_on_data(first) ? named(loop.variable + "_first", first) : first;
}

// The value itself, if it is a name or a number, else a constant with this value.
Expr Statements::named(const std::string& stem, const Expr& value) {
  if (value.args().empty()) return value;
  const std::string text = text_of(value), name = scope_.fresh(stem);
  out_.line("const int64_t " + name + " = " + text + ";");
  scope_.types[name] = "int64_t ";
  return scope_.in_c(name);
}

void Statements::write(const For& loop) {
  if (loop.extent && *loop.extent <= 0) return;
  if (loop.extent && *loop.extent > std::numeric_limits<std::int32_t>::max())
    throw cannot_generate("the loop " + loop.name + " has " + std::to_string(*loop.extent) +
                          " iterations, but the maximum is 2^31 - 1; split it");
  if (depth_ == 0) {
    count_loops(loop);
    out_.line("/* Computes " + computations_in(loop.body) + ". */");
  }
  ++depth_;
  loop.section ? recorded(loop) : write_loop(loop);
  --depth_;
}

// With its time and its bytes (runtime/profile.h).
void Statements::recorded(const For& loop) {
  const Section& section = *loop.section;
  scope_.declare_profile();
  const std::string start = scope_.fresh("start");
  out_.line("const int64_t " + start + " = strata_profile_begin();");
  write_loop(loop);
  out_.line("(void)strata_profile_end(" + in_quotes(kernel_) + ", " + in_quotes(section.name) +
            ", " + start + ", " + (section.bytes.defined() ? bound(section.bytes) : "0") + ");");
}

void Statements::write_loop(const For& loop) {
  switch (loop.processor) {
    case Processor::parallel: return parallel(loop);
    case Processor::unrolled:
      return loop.extent && form_.dense && !has_conditions_on_lanes(loop.body) ? copies(loop)
                                                                               : counted(loop, "");
    case Processor::vector:
      return is_vector(loop) && form_.dense && !lanes_ && !differs_by_lane(loop.body, loop.variable)
                 ? lanes(loop)
                 : counted(loop, "");
    case Processor::sequential:
      return loop.extent && *loop.extent == 1 ? copies(loop) : counted(loop, "");
    default: throw not_on_cpu("loops over " + to_string(loop.processor) + "s");
  }
}

// for (int64_t i = lower; i < upper; ++i) { .. }
template <typename Inside>
void Statements::loop_over(const std::string& variable, const std::string& lower,
                           const std::string& upper, const Inside& inside) {
  const std::string name = scope_.fresh(variable);
  scope_.names[variable] = name;
  scope_.types[name] = "int64_t ";
  out_.block(
      "for (int64_t " + name + " = " + lower + "; " + name + " < " + upper + "; ++" + name + ")",
      inside);
  scope_.names.erase(variable);
  scope_.types.erase(name);
  scope_.taken.erase(name);
}

void Statements::counted(const For& loop, const std::string& directive) {
  const std::string lower = bound(loop.lower);
  const std::string upper = bound(loop.extent ? loop.lower + *loop.extent : loop.upper);
  if (!directive.empty()) out_.directive(directive);
  counted_from(loop, lower, upper);
}

void Statements::counted_from(const For& loop, const std::string& lower, const std::string& upper) {
  loop_over(loop.variable, lower, upper, [&] { write(loop.body); });
}

// for i in l .. l + n:  the body with i = l, l + 1, ..
void Statements::copies(const For& loop) {
  const std::int64_t count = *loop.extent;
  const Expr first = first_of(loop);
  for (std::int64_t n = 0; n < count; ++n) {
    values_[loop.variable] = simplified(first + n);
    write(loop.body);
  }
  values_.erase(loop.variable);
}

void Statements::lanes(const For& loop) {
  first_lane_ = first_of(loop);
  lanes_ = &loop;
  write(loop.body);
  lanes_ = nullptr;
}

void Statements::lane_after_lane(const StmtPtr& s) {
  const For* const loop = std::exchange(lanes_, nullptr);
  Expressions expressions(scope_);
  const std::string first = expressions.text(first_lane_);
  const std::string last = expressions.text(simplified(first_lane_ + *loop->extent));
  loop_over(loop->variable, first, last, [&] { write(s); });
  lanes_ = loop;
}

void Statements::write(const If& s) {
  if (lanes_ && depends_on(s.condition, lanes_->variable)) return masked(s);
  const std::string condition = text_of(here(s.condition));
  out_.open("if (" + condition + ")");
  write(s.then);
  if (s.otherwise) {
    out_.otherwise();
    write(s.otherwise);
  }
  out_.close();
}

void Statements::write(const Block& s) {
  for (auto part = s.body.begin(); part != s.body.end(); ++part) {
    if (part != s.body.begin() && is_full()) return write(make_stmt(Block{{part, s.body.end()}}));
    write(*part);
  }
}

void Statements::write(const Execute& s) {
  if (lanes_) return in_lanes(s);
  if (s.atomic) return atomic_step(s);
  if (!s.others.empty()) return tuple(s);
  store(s);
}

// The lines of vectors, each of a power of two of lanes. Nothing if a lane is left, or if vectors
// cannot execute it.
std::optional<std::vector<std::string>> Statements::in_vectors(const Execute& s) {
  Execute now = s;
  now.indices = here(s.indices);
  now.value = here(s.value);
  const int most = form_.vector_bytes / bytes(s.value.type());
  std::vector<std::string> all;
  const int count = int(*lanes_->extent);
  for (int done = 0, width = 0; done < count; done += width) {
    width = std::min(most, int(std::bit_floor(unsigned(count - done))));
    if (width < 2) return std::nullopt;
    const auto lines =
        store_of_lanes(scope_, {lanes_->variable, simplified(first_lane_ + done), width}, now);
    if (!lines) return std::nullopt;
    all.insert(all.end(), lines->begin(), lines->end());
  }
  return all;
}

void Statements::in_lanes(const Execute& s) {
  const auto lines = in_vectors(s);
  if (!lines) return lane_after_lane(make_stmt(s));
  for (const std::string& line : *lines) out_.line(line);
}

// Vectors where the condition is true in all lanes, else lane after lane.
void Statements::masked(const If& s) {
  const auto* const execute = std::get_if<Execute>(s.then.get());
  const LaneRange range{lanes_->variable, first_lane_, int(*lanes_->extent)};
  const auto all = in_all_lanes(here(s.condition), range);
  const auto lines = execute && !s.otherwise && all ? in_vectors(*execute) : std::nullopt;
  if (!lines) return lane_after_lane(make_stmt(s));
  const std::string condition = text_of(*all);
  out_.open("if (" + condition + ")");
  for (const std::string& line : *lines) out_.line(line);
  out_.otherwise();
  lane_after_lane(make_stmt(s));
  out_.close();
}

std::string Statements::in_memory(Expressions& values, const Expr& value) {
  if (!is_half(value.type())) return values.text(value);
  const bool copy = value.op() == Op::load && !scope_.scalars.count(value.name());
  if (copy) return values.element(value.name(), value.args());
  return scope_.helpers->narrowed(value.type()) + "(" + values.text(value) + ")";
}

// If an index of the place is out of bounds, the code notes it and stores nothing.
void Statements::guarded(Expressions& places, const std::vector<Expr>& indices,
                         const std::string& statement) {
  std::string inside;
  for (const Expr& index : indices)
    visit(index, [&](const Expr& e) {
      if (e.op() != Op::checked) return;
      const std::string found = places.operand(e.args()[0]);
      inside += (inside.empty() ? "" : " && ") + places.operand(e.args()[1]) + " <= " + found +
                " && " + found + " < " + places.operand(e.args()[2]);
    });
  definitions(places);
  if (inside.empty()) return out_.line(statement);
  // This check notes the index.
  for (const Expr& index : indices)
    visit(index, [&](const Expr& e) {
      if (e.op() == Op::checked) out_.line("(void)" + places.text(e) + ";");
    });
  out_.block("if (" + inside + ")", [&] { out_.line(statement); });
}

void Statements::store(const Execute& s) {
  Expressions expressions(scope_);
  const std::vector<Expr> indices = here(s.indices);
  const Expr value = here(s.value);
  expressions.share(indices);
  expressions.share({value});
  const std::string made = in_memory(expressions, value);
  const std::string place = expressions.element(s.buffer, indices);
  guarded(expressions, indices, place + " = " + made + ";");
}

// Computes all values before it stores any.
void Statements::tuple(const Execute& s) {
  out_.block("", [&] {
    Expressions expressions(scope_);
    std::vector<Execute::Other> all{{s.buffer, here(s.value)}};
    for (const Execute::Other& other : s.others) all.push_back({other.buffer, here(other.value)});
    const std::vector<Expr> indices = here(s.indices);
    expressions.share(indices);
    for (const Execute::Other& one : all) expressions.share({one.value});
    std::string stores;
    for (const Execute::Other& one : all) {
      const std::string name = scope_.fresh(one.buffer + "_new");
      const std::string made = in_memory(expressions, one.value);
      definitions(expressions);
      out_.line("const " + memory_type(one.value.type()) + " " + name + " = " + made + ";");
      stores += (stores.empty() ? "" : " ") + expressions.element(one.buffer, indices) + " = " +
                name + ";";
    }
    guarded(expressions, indices, stores);
  });
}

// Calls the runtime, since C11's atomics have no sums of floats.
void Statements::atomic_step(const Execute& s) {
  Expressions expressions(scope_);
  const std::vector<Expr> indices = here(s.indices);
  const Expr value = here(s.value.args()[1]);
  expressions.share(indices);
  expressions.share({value});
  const View& view = view_of(scope_, s.buffer);
  const std::string name = "strata_atomic_" + to_string(*s.atomic) + "_" + to_string(view.type);
  (*scope_.prototypes)[name] = "extern int " + name + "(" + memory_type(view.type) +
                               " *, int64_t, " + argument_type(value.type()) + ");";
  const std::string position = expressions.text(scope_.position(view, indices));
  const std::string call =
      name + "(" + view.name + ", " + position + ", " + expressions.text(value) + ");";
  guarded(expressions, indices, call);
}

View Statements::view_of_allocation(const Allocate& s) {
  View view{scope_.fresh(s.buffer), s.type, here(s.lowers), {}, is_on_stack(s)};
  view.strides.resize(s.extents.size());
  Expr stride = constant(Type::int64, 1);
  for (std::size_t d = s.extents.size(); d-- > 0;) {
    view.strides[d] = stride;
    stride = simplified(stride *
                        named(view.name + "_extent_" + std::to_string(d), simple(s.extents[d])));
  }
  return view;
}

void Statements::write(const Allocate& s) {
  for (const Packing& packing : s.packed)
    if (packing.period > 1) throw not_on_cpu("memory of single threads");
  const auto shadowed = scope_.buffers;
  out_.block("", [&] {
    const View view = view_of_allocation(s);
    scope_.buffers[s.buffer] = view;
    view.on_stack ? on_stack(s, view) : on_heap(s, view);
    scope_.types.erase(view.name);  // a later function may have memory of this name
  });
  scope_.buffers = shadowed;
}

void Statements::on_stack(const Allocate& s, const View& view) {
  const auto elements = constant_size(s);
  if (!elements)
    throw cannot_generate("the buffer " + s.buffer + " on the stack has no constant size");
  out_.line("_Alignas(64) " + memory_type(s.type) + " " + view.name + "[" +
            std::to_string(*elements) + "];");
  scope_.types[view.name] = memory_type(s.type) + " *restrict ";
  write(s.body);
}

void Statements::on_heap(const Allocate& s, const View& view) {
  std::string bytes = std::to_string(strata::bytes(s.type));
  for (std::size_t d = 0; d < s.extents.size(); ++d) {
    const std::string extent = bound(s.extents[d]);
    bytes = "strata_times(" + bytes + ", " + extent + ")";
  }
  const std::string size = scope_.fresh(view.name + "_bytes");
  const std::string type = memory_type(s.type), note = note_of(scope_, s.buffer, {}, {});
  out_.line("const int64_t " + size + " = " + bytes + ";");
  out_.line(type + " *restrict " + view.name + " = strata_allocated(" + size + ");");
  scope_.types[view.name] = type + " *restrict ";
  out_.open("if (!" + view.name + ")");
  out_.line(note + " = " + size + ";");
  out_.otherwise();
  write(s.body);
  out_.close();
  out_.line("free(" + view.name + ");");
}

void Statements::write(const Free& s) {
  const View& view = view_of(scope_, s.buffer);
  if (view.on_stack) return;
  out_.line("free(" + view.name + ");");
  const auto owner = scope_.owners.find(view.name);
  out_.line((owner == scope_.owners.end() ? view.name : "*" + owner->second) + " = NULL;");
}

void Statements::write(const Launch&) { throw not_on_cpu("launches"); }
void Statements::write(const ThreadGuard&) { throw not_on_cpu("threads of launches"); }
void Statements::write(const Barrier&) { throw not_on_cpu("barriers"); }
void Statements::write(const AwaitCopies&) { throw not_on_cpu("asynchronous copies"); }
void Statements::write(const DeviceCopy&) { throw not_on_cpu("copies to a device"); }
void Statements::write(const Mma&) { throw not_on_cpu("matrix products of a warp"); }
void Statements::write(const Exchange&) { throw not_on_cpu("messages between ranks"); }
void Statements::write(const Agree&) { throw not_on_cpu("agreement of ranks"); }

}  // namespace strata::c
