// Remarks on memory: allocations, sums, loads.
#include <algorithm>
#include <cstdio>

#include "codegen/remarks/kinds.h"
#include "codegen/tree/realization.h"

namespace strata {

namespace {

bool same_place(const Expr& load, const Execute& execute) {
  return load.name() == execute.buffer &&
         std::equal(load.args().begin(), load.args().end(), execute.indices.begin(),
                    execute.indices.end(), same);
}

// x[e] = x[e] + ..
bool accumulates(const Execute& execute) {
  const std::vector<Expr> loads = loads_of(execute);
  return std::any_of(loads.begin(), loads.end(),
                     [&](const Expr& load) { return same_place(load, execute); });
}

// The outermost loop whose iterations contribute to the same element: its position.
std::optional<std::size_t> contributing_loop(const RemarkSite& site) {
  for (std::size_t n = 0; n < site.loops.size(); ++n)
    if (is_loop(*site.loops[n].loop) && site.loops[n].extent > 1 &&
        !depends_on(site.execute->indices, site.loops[n].loop->variable))
      return n;
  return std::nullopt;
}

// The vectors that lanes and copies inside the loop at position "inner" make of an element at these
// indices: those of different iterations are different elements.
double vectors_inside(const Tree& tree, const RemarkSite& site, std::size_t inner,
                      const std::vector<Expr>& indices, Type type) {
  double count = 1;
  for (std::size_t n = inner + 1; n < site.loops.size(); ++n) {
    const SiteLoop& around = site.loops[n];
    if (!depends_on(indices, around.loop->variable)) continue;
    const bool lanes = is_vector(*around.loop);
    count *=
        lanes ? std::max(1.0, around.extent / double(tree.machine.lanes(type))) : around.extent;
  }
  return count;
}

// The loops further in that are lanes or copies multiply the elements and the operations.
double elements_inside(const RemarkSite& site, std::size_t inner,
                       const std::vector<Expr>* indices) {
  double count = 1;
  for (std::size_t n = inner + 1; n < site.loops.size(); ++n)
    if (!indices || depends_on(*indices, site.loops[n].loop->variable))
      count *= site.loops[n].extent;
  return count;
}

std::string decimal(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

const std::vector<Expr>& place_of(const Execute& execute) {
  return execute.kept_place.empty() ? execute.indices : execute.kept_place;
}

// Repeated loads of a smaller share are not worth a remark.
constexpr double least_repeated = 0.2;

struct Traffic {
  double operations = 0, bytes = 0;
  double repeated_bytes = 0;  // loaded again by a loop further out
  double largest = 0;         // of the largest such load
  std::string repeated, by;   // its buffer, and that loop
};

void add_load(Traffic& traffic, const Look& at, std::size_t inner, const Expr& load) {
  const std::string& variable = at.site.loops[inner].loop->variable;
  if (!depends_on(load.args(), variable)) return;
  const double size = elements_inside(at.site, inner, &load.args()) * bytes(load.type());
  traffic.bytes += size;
  for (std::size_t n = inner; n-- > 0;) {
    const SiteLoop& around = at.site.loops[n];
    if (around.extent < 2 || depends_on(load.args(), around.loop->variable)) continue;
    if (!depends_on(place_of(*at.site.execute), around.loop->variable)) continue;
    if (bounds_change(at.site, n, inner)) continue;
    traffic.repeated_bytes += size;
    if (size <= traffic.largest) return;
    traffic.largest = size;
    traffic.repeated = load.name();
    traffic.by = around.loop->name;
    return;
  }
}

// What one iteration of the inner loop computes and loads for the statement.
Traffic traffic_of(const Look& at, std::size_t inner) {
  Traffic traffic;
  traffic.operations = arithmetic(*at.site.execute) * elements_inside(at.site, inner, nullptr);
  for (const Expr& load : loads_of(*at.site.execute)) add_load(traffic, at, inner, load);
  return traffic;
}

}  // namespace

std::optional<Finding> find_allocation(const Look& at) {
  for (const SiteAllocation& around : at.site.allocations) {
    const Allocate& what = *around.allocate;
    if (what.buffer != at.site.execute->buffer || around.depth == 0) continue;
    const auto size = constant_size(what);
    if (is_on_stack(size, what.type, what.memory)) continue;
    const For& loop = *at.site.loops[around.depth - 1].loop;
    const std::string bytes_text =
        size ? std::to_string(*size * bytes(what.type)) + " bytes" : "a size that varies";
    return Finding{loop.name,
                   "each iteration takes " + what.buffer + ", of " + bytes_text +
                       ", from the heap and gives it back",
                   "allocate it in a loop further out (allocate_at), or make it smaller, of "
                   "constant size (set_size), and set_memory(Memory::stack)",
                   {{"allocate_at(" + at.author + ", root)", at.author + ".allocate_at(root)"}}};
  }
  return std::nullopt;
}

std::optional<Finding> find_large_thread(const Look& at) {
  const auto& loops = at.site.loops;
  const auto thread = std::find_if(loops.begin(), loops.end(), [](const SiteLoop& around) {
    return around.loop->processor == Processor::thread;
  });
  if (thread == loops.end()) return std::nullopt;
  const auto outside = std::size_t(thread - loops.begin());
  constexpr std::int64_t register_bytes = 4;
  const std::int64_t room = at.tree.machine.device.registers * register_bytes;
  std::int64_t total = 0;
  std::string buffers;
  bool is_written = false;
  for (const auto& [what, depth] : at.site.allocations) {
    const auto size = constant_size(*what);
    if (!size || (depth <= outside && what->memory != Memory::local)) continue;
    total += *size * bytes(what->type);
    buffers += (buffers.empty() ? "" : ", ") + what->buffer;
    is_written = is_written || what->buffer == at.site.execute->buffer;
  }
  if (!is_written || total <= room) return std::nullopt;
  return Finding{thread->loop->name,
                 "each thread has " + std::to_string(total) + " bytes of its own, " + buffers +
                     ", more than its registers, " + std::to_string(room) +
                     " bytes; the rest is in the memory of the GPU",
                 "take smaller tiles in a thread, or share the data among the threads of the block "
                 "(compute_at or cache_at outside of the thread loops)"};
}

std::optional<Finding> find_sum_in_memory(const Look& at) {
  const auto inner = at.site.inner_loop(), sum = contributing_loop(at.site);
  if (!inner || !sum || at.site.execute->atomic || !accumulates(*at.site.execute))
    return std::nullopt;
  const Execute& execute = *at.site.execute;
  const For& loop = *at.site.loops[*inner].loop;
  if (depends_on(execute.indices, loop.variable))
    return Finding{
        loop.name,
        "loop " + loop.name + " runs over sums, inside loop " + at.site.loops[*sum].loop->name +
            " over their contributions: each contribution loads its sum from memory and "
            "stores it",
        "where dependences allow it, keep a tile of sums that fits the registers, made "
        "by unroll and vectorize, inside loop " +
            at.site.loops[*sum].loop->name + " (interchange; copy_at for a buffer of their own)"};
  const double vectors =
      vectors_inside(at.tree, at.site, *inner, execute.indices, execute.value.type());
  if (vectors <= double(at.tree.machine.vector_registers)) return std::nullopt;
  return Finding{loop.name,
                 decimal(vectors) + " vectors of sums do not fit in " +
                     std::to_string(at.tree.machine.vector_registers) + " registers",
                 "make the tile of unrolled and vector loops smaller"};
}

std::optional<Finding> find_operand_on_stack(const Look& at) {
  const auto inner = at.site.inner_loop();
  if (!inner || !at.site.lanes() || at.site.execute->atomic) return std::nullopt;
  const For& loop = *at.site.loops[*inner].loop;
  const double registers = double(at.tree.machine.vector_registers);
  double operands = 0, sums = 0;
  for (const Expr& load : loads_of(*at.site.execute)) {
    if (depends_on(load.args(), loop.variable)) continue;
    const double vectors = vectors_inside(at.tree, at.site, *inner, load.args(), load.type());
    operands += vectors;
    if (same_place(load, *at.site.execute)) sums += vectors;
  }
  constexpr double others = 2;  // what an instruction loads, and what it computes
  if (operands + others <= registers || sums > registers) return std::nullopt;
  return Finding{loop.name,
                 decimal(operands) + " vectors do not change in loop " + loop.name +
                     ", and the machine has " + decimal(registers) +
                     " registers: each iteration reads some of them from memory",
                 "take a smaller tile of unrolled and vector loops, or sum fewer terms at a time"};
}

std::optional<Finding> find_low_intensity(const Look& at) {
  const auto inner = at.site.inner_loop();
  if (!inner || !is_float(at.site.execute->value.type())) return std::nullopt;
  const Traffic traffic = traffic_of(at, *inner);
  const double machine = at.tree.machine.flops_per_byte(at.site.execute->value.type());
  if (traffic.repeated_bytes <= least_repeated * traffic.bytes ||
      traffic.operations >= machine * traffic.bytes)
    return std::nullopt;
  return Finding{
      at.site.loops[*inner].loop->name,
      "an iteration computes " + decimal(traffic.operations) + " operations on " +
          decimal(traffic.bytes) + " bytes loaded, " + decimal(traffic.operations / traffic.bytes) +
          " per byte; the machine computes " + decimal(machine) + " per byte it loads",
      "loop " + traffic.by + " loads the same of " + traffic.repeated +
          " again: unroll a few of its iterations inside loop " + at.site.loops[*inner].loop->name};
}

}  // namespace strata
