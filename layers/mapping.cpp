#include "layers/mapping.h"

#include <isl/map.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/sets/coalesce.h"

namespace strata {

namespace {

// Appends the branches of the definitions that "wanted" accepts.
template <typename Wanted>
void collect(const std::vector<Node>& nodes, Path& path, std::vector<const Loop*>& loops,
             const Wanted& wanted, std::vector<Placed>& found) {
  for (int position = 0; position < int(nodes.size()); ++position) {
    const Node& node = nodes[position];
    path.push_back(position);
    if (node.is_loop()) {
      loops.push_back(&node.loop());
      collect(node.loop().body, path, loops, wanted, found);
      loops.pop_back();
    } else if (wanted(node.branch().definition)) {
      found.push_back({path, loops, &node.branch()});
    }
    path.pop_back();
  }
}

template <typename Wanted>
std::vector<Placed> branches_if(const Mapping& mapping, const Wanted& wanted) {
  std::vector<Placed> found;
  Path path;
  std::vector<const Loop*> loops;
  collect(mapping.roots, path, loops, wanted, found);
  return found;
}

void collect_owners(const Node& node, std::vector<std::string>& names) {
  if (!node.is_loop()) {
    const auto& name = node.branch().definition;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    return;
  }
  for (const Node& inner : node.loop().body) collect_owners(inner, names);
}

void collect_allocating(const std::vector<Node>& nodes, Path& path, const std::string& buffer,
                        std::vector<Path>& found) {
  for (int position = 0; position < int(nodes.size()); ++position) {
    if (!nodes[position].is_loop()) continue;
    const Loop& loop = nodes[position].loop();
    path.push_back(position);
    const auto& own = loop.allocations;
    if (std::find(own.begin(), own.end(), buffer) != own.end()) found.push_back(path);
    collect_allocating(loop.body, path, buffer, found);
    path.pop_back();
  }
}

// { [t0, .., t(d-1)] -> [b0, t0, b1, .., t(d-1), bd, 0, ..] }
isl::multi_aff interleaved(const isl::space& time, const Path& path, int dimensions) {
  const int depth = int(path.size()) - 1;
  const int size = std::max(dimensions, 2 * depth + 1);
  auto iterators = time.identity_multi_aff_on_domain();
  auto result = time.add_unnamed_tuple(size).zero_multi_aff();
  for (int level = 0; level <= depth; ++level) {
    result = result.set_at(2 * level, result.at(2 * level).add_constant(path[level]));
    if (level < depth) result = result.set_at(2 * level + 1, iterators.at(level));
  }
  return result;
}

}  // namespace

bool is_inside(const Path& path, const Path& loop) {
  return path.size() > loop.size() && std::equal(loop.begin(), loop.end(), path.begin());
}

Path prefix(const Path& path, std::size_t count) {
  return Path(path.begin(), path.begin() + long(count));
}

std::vector<Placed> branches(const Mapping& mapping) {
  return branches_if(mapping, [](const std::string&) { return true; });
}

std::vector<Placed> branches_of(const Mapping& mapping, const std::string& definition) {
  return branches_if(mapping, [&](const std::string& name) { return name == definition; });
}

std::vector<Placed> branches_of(const Mapping& mapping, const std::set<std::string>& definitions) {
  return branches_if(mapping, [&](const std::string& name) { return definitions.count(name) > 0; });
}

std::vector<Path> allocating_loops(const Mapping& mapping, const std::string& buffer) {
  std::vector<Path> found;
  Path path;
  collect_allocating(mapping.roots, path, buffer, found);
  return found;
}

std::vector<const Loop*> loops_along(const Mapping& mapping, const Path& path) {
  std::vector<const Loop*> loops;
  const std::vector<Node>* nodes = &mapping.roots;
  for (const int position : path) {
    loops.push_back(&(*nodes)[std::size_t(position)].loop());
    nodes = &loops.back()->body;
  }
  return loops;
}

std::string name_of(const Branch& branch) {
  return branch.piece.empty() ? branch.definition : branch.definition + "." + branch.piece;
}

namespace {

void name_branches(const std::vector<Branch*>& pieces) {
  if (pieces.size() == 1) return pieces.front()->piece.clear();
  std::set<std::string> taken;
  for (const Branch* piece : pieces) taken.insert(piece->piece);
  int number = 1;
  for (Branch* piece : pieces) {
    while (piece->piece.empty())
      if (const std::string name = "p" + std::to_string(number++); taken.insert(name).second)
        piece->piece = name;
  }
}

}  // namespace

void name_pieces(Mapping& mapping) {
  std::map<std::string, std::vector<Branch*>> by_definition;
  for (Node& root : mapping.roots)
    for_each_branch(root, [&](Branch& b) { by_definition[b.definition].push_back(&b); });
  for (const auto& [definition, pieces] : by_definition) name_branches(pieces);
}

std::set<std::string> pieces_of(const Mapping& mapping, const std::string& definition) {
  std::set<std::string> names;
  for (const Placed& placed : branches_of(mapping, definition)) names.insert(placed.branch->piece);
  return names;
}

std::vector<std::string> owners(const Node& node) {
  std::vector<std::string> names;
  collect_owners(node, names);
  return names;
}

Node in_loops(std::vector<Loop> loops, Branch branch) {
  Node node{std::move(branch)};
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    loop->body.push_back(std::move(node));
    node = Node{std::move(*loop)};
  }
  return node;
}

std::vector<Node>& siblings_at(Mapping& mapping, const Path& path) {
  std::vector<Node>* nodes = &mapping.roots;
  for (std::size_t level = 0; level + 1 < path.size(); ++level)
    nodes = &(*nodes)[path[level]].loop().body;
  return *nodes;
}

Node& node_at(Mapping& mapping, const Path& path) {
  return siblings_at(mapping, path)[path.back()];
}

const Node& node_at(const Mapping& mapping, const Path& path) {
  return node_at(const_cast<Mapping&>(mapping), path);
}

void for_each_branch(Node& node, const std::function<void(Branch&)>& edit) {
  if (!node.is_loop()) return edit(node.branch());
  for (Node& inner : node.loop().body) for_each_branch(inner, edit);
}

isl::set running(const std::vector<Placed>& branches, const isl::set& domain) {
  isl::set all = isl::set::empty(domain.space());
  for (const Placed& placed : branches) all = all.unite(executions(*placed.branch).domain());
  return all;
}

isl::map executions(const Branch& branch) {
  const isl::map runs = branch.time.intersect_domain(branch.instances);
  // If both are unions, there is a disjunct for each pair, and most of them add nothing.
  return isl_map_n_basic_map(runs.get()) > 1 ? coalesced(runs) : runs;
}

isl::map one_level(const isl::map& time, unsigned level) {
  const unsigned depth = time.range_tuple_dim();
  isl_map* rest = isl_map_project_out(time.copy(), isl_dim_out, level + 1, depth - level - 1);
  return isl::manage(isl_map_project_out(rest, isl_dim_out, 0, level));
}

isl::map known_time(const isl::map& time, const std::vector<const Loop*>& loops) {
  isl_map* known = time.copy();
  for (std::size_t level = loops.size(); level-- > 0;)
    if (loops[level]->tile_size)
      known = isl_map_project_out(known, isl_dim_out, unsigned(level), 1);
  return isl::manage(known);
}

TimeMap theta(const Placed& placed, int dimensions) {
  const isl::map time = executions(*placed.branch);
  auto place = interleaved(time.space().range(), placed.path, dimensions);
  return TimeMap::from(time.apply_range(place.as_map()));
}

int max_depth(const Mapping& mapping) {
  int depth = 0;
  for (const Placed& placed : branches(mapping)) depth = std::max(depth, int(placed.loops.size()));
  return depth;
}

TimeMaps theta(const Mapping& mapping) {
  const auto all = branches(mapping);
  const int dimensions = 2 * max_depth(mapping) + 1;
  isl::union_map result;
  for (const Placed& placed : all) {
    isl::union_map one = isl::map(theta(placed, dimensions)).to_union_map();
    result = result.is_null() ? one : result.unite(one);
  }
  return TimeMaps::from(result);
}

void for_each_loop(Mapping& mapping, const std::function<void(Loop&)>& edit) {
  const std::function<void(std::vector<Node>&)> visit = [&](std::vector<Node>& nodes) {
    for (Node& node : nodes) {
      if (!node.is_loop()) continue;
      edit(node.loop());
      visit(node.loop().body);
    }
  };
  visit(mapping.roots);
}

}  // namespace strata
