#include "tests/fuzz/draw.h"

#include <algorithm>
#include <numeric>

#include "layers/flow/reads.h"

namespace strata::fuzz {

std::optional<Site> Draw::site() {
  std::vector<Site> all;
  for (const Placed& placed : branches(program_.mapping)) {
    Site site{placed.branch->definition, placed.path, {}, placed.branch->piece};
    for (const Loop* loop : placed.loops) site.loops.push_back(loop->name);
    if (!site.loops.empty()) all.push_back(std::move(site));
  }
  if (all.empty()) return std::nullopt;
  Site chosen = one_of(all);
  if (!chosen.piece.empty() && chance(10)) chosen.piece.clear();
  return chosen;
}

std::vector<LoopRef> Draw::band(const Site& site, std::size_t count) {
  const auto last = std::max<std::size_t>(site.loops.size(), count) - count;
  const auto first = std::size_t(between(0, std::int64_t(last)));
  std::vector<LoopRef> band;
  for (std::size_t n = first; n < std::min(first + count, site.loops.size()); ++n)
    band.push_back({site.definition, site.loops[n], site.piece});
  return band;
}

LoopRef Draw::inner_loop(const Site& site) {
  return {site.definition, chance(60) ? site.loops.back() : one_of(site.loops), site.piece};
}

BranchRef Draw::branch() {
  const std::string name = definition().name;
  const auto pieces = pieces_of(program_.mapping, name);
  if (pieces.size() < 2 || chance(10)) return name;
  return {name, one_of(std::vector<std::string>(pieces.begin(), pieces.end()))};
}

const Definition& Draw::definition() {
  std::vector<const Definition*> all;
  for (const Definition& d : program_.algorithm->definitions)
    if (!d.is_initial) all.push_back(&d);
  return *one_of(all);
}

std::vector<const Definition*> Draw::reductions() const {
  std::vector<const Definition*> all;
  for (const Definition& d : program_.algorithm->definitions)
    if (d.reduction) all.push_back(&d);
  return all;
}

std::vector<std::string> Draw::producers(const std::string& reader, bool inputs) const {
  std::vector<std::string> all;
  for (const Read& read : program_.algorithm->find(reader)->reads) {
    const Definition* d = program_.algorithm->find(read.producer);
    if (d ? !d->is_initial && d->name != reader : inputs) all.push_back(read.producer);
  }
  return all;
}

std::optional<std::string> Draw::read_by(const std::string& reader) {
  const auto read = producers(reader, true);
  if (read.empty()) return std::nullopt;
  const std::string& producer = one_of(read);
  const Definition* d = program_.algorithm->find(producer);
  return d ? d->array : producer;
}

std::string Draw::new_array(const std::string& letter) const {
  return letter + std::to_string(program_.algorithm->definitions.size());
}

std::vector<std::string> Draw::new_iterators(const std::string& letter,
                                             const std::string& array) const {
  std::vector<std::string> iterators;
  for (unsigned n = 0; n < rank_of(*program_.algorithm, array); ++n)
    iterators.push_back(letter + std::to_string(n));
  return iterators;
}

bool Draw::has_tile_sizes() const {
  const auto& names = program_.algorithm->parameters;
  return std::find(names.begin(), names.end(), "T") != names.end();
}

namespace {

std::vector<CommandKind> kinds_for(Hardware hardware) {
  std::vector<CommandKind> all;
  const auto add = [&](const std::vector<CommandKind>& part) {
    all.insert(all.end(), part.begin(), part.end());
  };
  add(commands_on_loops());
  add(commands_on_order());
  add(commands_on_places());
  if (hardware == Hardware::gpu) {
    add(commands_on_launches());
    add(commands_on_memories());
  }
  return all;
}

const std::vector<CommandKind>& kinds(Hardware hardware) {
  static const std::vector<CommandKind> cpu = kinds_for(Hardware::cpu);
  static const std::vector<CommandKind> gpu = kinds_for(Hardware::gpu);
  return hardware == Hardware::cpu ? cpu : gpu;
}

// In place of some interchanges, from a random stream of its own: all other programs are the same
// with and without it.
std::optional<DrawnCommand> drawn_instead(const DrawnCommand& drawn, Random from_here,
                                          const Program& program, Hardware hardware) {
  if (drawn.kind != "interchange") return std::nullopt;
  Random own(from_here());
  if (!chance(own, 40)) return std::nullopt;
  Draw draw(own, program);
  for (const CommandKind& kind : kinds(hardware)) {
    if (kind.name != "reorder") continue;
    if (auto command = kind.draw(draw)) return DrawnCommand{kind.name, std::move(*command)};
  }
  return std::nullopt;
}

const CommandKind& draw_kind(Random& random, const std::vector<CommandKind>& kinds) {
  int total = 0;
  for (const CommandKind& kind : kinds) total += kind.weight;
  std::int64_t left = between(random, 0, total - 1);
  for (const CommandKind& kind : kinds)
    if ((left -= kind.weight) < 0) return kind;
  return kinds.back();
}

}  // namespace

std::vector<std::string> command_kinds(Hardware hardware) {
  std::vector<std::string> names;
  for (const CommandKind& kind : kinds(hardware))
    if (std::find(names.begin(), names.end(), kind.name) == names.end()) names.push_back(kind.name);
  return names;
}

DrawnCommand draw_command(Random& random, const Program& program, Hardware hardware) {
  Draw draw(random, program);
  while (true) {
    const CommandKind& kind = draw_kind(random, kinds(hardware));
    if (auto command = kind.draw(draw)) {
      const DrawnCommand drawn{kind.name, std::move(*command)};
      return drawn_instead(drawn, random, program, hardware).value_or(drawn);
    }
  }
}

}  // namespace strata::fuzz
