#include "layers/flow/atomic_step.h"
#include "layers/flow/reads.h"
#include "schedule/commands/storage/store_in.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/size_parameters.h"

namespace strata::fuzz {

namespace {

std::vector<Expr> indices_in(const Program& program, const std::string& array) {
  std::vector<Expr> indices;
  for (const Var& v : indices_of(*program.algorithm, array)) indices.push_back(v);
  return indices;
}

// The name contains the rank, since arrays that share a buffer must agree in it.
std::string draw_buffer(Draw& draw, const std::string& array, std::size_t places) {
  const std::string own = "b" + std::to_string(places) + "_" + array;
  return draw.one_of(std::vector<std::string>{own, own, "shared" + std::to_string(places), "in"});
}

Command stored(const std::string& array, const std::string& buffer,
               const std::vector<Expr>& places) {
  Command command{"store_in", {array, buffer}};
  command.operands.insert(command.operands.end(), places.begin(), places.end());
  return command;
}

// Dimensions swapped, dropped, folded together, or shifted.
std::optional<Command> draw_store_in(Draw& draw) {
  const std::string array = draw.definition().array;
  std::vector<Expr> places = indices_in(draw.program(), array);
  if (places.empty()) return std::nullopt;
  const auto at = std::size_t(draw.between(0, std::int64_t(places.size()) - 1));
  switch (draw.between(0, 5)) {
    case 0: std::swap(places.front(), places.back()); break;
    case 1: places.erase(places.begin() + std::ptrdiff_t(at)); break;
    case 2:
      if (places.size() > 1) places[0] = places[0] + places[1], places.erase(places.begin() + 1);
      break;
    case 3: places[at] = places[at] + 1; break;
    default: break;
  }
  return stored(array, draw_buffer(draw, array, places.size()), places);
}

// Contraction: a modulus in one or two dimensions.
std::optional<Command> draw_contraction(Draw& draw) {
  const std::string array = draw.definition().array;
  std::vector<Expr> places = indices_in(draw.program(), array);
  if (places.empty()) return std::nullopt;
  const auto at = std::size_t(draw.between(0, std::int64_t(places.size()) - 1));
  places[at] = places[at] % draw.between(1, 4);
  const std::string buffer = "m" + std::to_string(places.size()) + "_" + array;
  return stored(array, buffer, places);
}

std::optional<Command> draw_allocate_at(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const auto read = draw.producers(site->definition, false);
  const std::string array = read.empty() || draw.chance(30)
                                ? draw.definition().array
                                : draw.program().algorithm->find(draw.one_of(read))->array;
  std::optional<LoopRef> loop;
  if (draw.chance(85)) loop = draw.loop(*site);
  return Command{"allocate_at", {array, loop}};
}

std::optional<Command> draw_cache_at(Draw& draw) {
  const auto site = draw.site();
  const auto array = site ? draw.read_by(site->definition) : std::nullopt;
  if (!array) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  auto iterators = draw.new_iterators("c", *array);
  const Definition& reader = *draw.program().algorithm->find(site->definition);
  if (reader.array == *array && reader.name != *array) {  // an update: copies in each step
    const auto steps = draw.between(1, std::int64_t(reader.iterators.size()));
    for (std::int64_t n = 0; n < steps; ++n)
      iterators.push_back("c" + std::to_string(iterators.size()));
  }
  return Command{"cache_at", {loop, *array, draw.new_array("C"), iterators}};
}

// For an array with one definition. Prefers the outermost loop, which in a reduction usually
// iterates over results.
std::optional<Command> draw_copy_at(Draw& draw) {
  const auto site = draw.site();
  if (!site) return std::nullopt;
  const Algorithm& all = *draw.program().algorithm;
  const Definition& d = *all.find(site->definition);
  const std::size_t own = all.definitions_of(d.array).size() - (d.reduction ? 1 : 0);
  if (d.is_initial || d.is_atomic || !d.others.empty() || own > 1) return std::nullopt;
  const std::string loop = draw.chance(60) ? site->loops.front() : draw.one_of(site->loops);
  return Command{"copy_at",
                 {LoopRef{d.name, loop}, draw.new_array("V"), draw.new_iterators("v", d.array)}};
}

std::optional<Command> draw_prefetch(Draw& draw) {
  const auto site = draw.site();
  const auto array = site ? draw.read_by(site->definition) : std::nullopt;
  if (!array) return std::nullopt;
  const LoopRef loop = draw.loop(*site);
  const std::int64_t distance = draw.between(1, 5);
  return Command{"prefetch", {loop, *array, distance}};
}

std::optional<Command> draw_atomic(Draw& draw) {
  auto all = draw.reductions();
  for (const Definition& d : draw.program().algorithm->definitions)
    if (!d.is_initial && atomic_step(d)) all.push_back(&d);
  if (all.empty()) return std::nullopt;
  const std::string name = draw.one_of(all)->name;
  return Command{"atomic", {name}};
}

// Extents that are usually large enough.
std::optional<Command> draw_set_size(Draw& draw) {
  const Definition& d = draw.definition();
  const auto buffer = draw.program().layout.find(buffer_of(draw.program().layout, d.array));
  const auto rank = buffer ? std::size_t(buffer->dimensions)
                           : std::size_t(rank_of(*draw.program().algorithm, d.array));
  Command command{"set_size", {d.array}};
  for (std::size_t e = 0; e < rank; ++e)
    command.operands.push_back(draw.one_of(
        std::vector<Expr>{n + m + 3, n + m + 3, n + m + 3, n, m, Expr(draw.between(2, 4))}));
  return command;
}

std::optional<Command> draw_set_memory(Draw& draw) {
  const std::string array = draw.definition().array;
  const Memory memory = draw.chance(70) ? Memory::heap : Memory::stack;
  return Command{"set_memory", {array, memory}};
}

}  // namespace

std::vector<CommandKind> commands_on_places() {
  return {{"store_in", 6, draw_store_in},
          {"store_in with a remainder", 14, draw_contraction},
          {"allocate_at", 12, draw_allocate_at},
          {"cache_at", 4, draw_cache_at},
          {"copy_at", 3, draw_copy_at},
          {"prefetch", 2, draw_prefetch},
          {"atomic", 4, draw_atomic},
          {"set_size", 4, draw_set_size},
          {"set_memory", 2, draw_set_memory}};
}

}  // namespace strata::fuzz
