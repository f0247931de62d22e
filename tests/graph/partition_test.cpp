#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "graph/fuse/dominators.h"
#include "graph/fuse/partition.h"

namespace strata::test::partition_test {

using graph::FusionGraph;
using graph::FusionInput;
using graph::FusionKind;

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, by);) parts.push_back(part);
  return parts;
}
std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

// A line of fuse_cases.txt.
struct Case {
  std::string name;
  graph::PartitionOptions options;
  std::vector<FusionInput> nodes;
  std::vector<int> roots;
  std::set<std::set<std::string>> groups;

  explicit Case(const std::string& line) {
    const std::vector<std::string> parts = split(line, '|');
    name = words(parts[0])[0];
    options.level = std::stoi(words(parts[1])[0]);
    options.max_depth = std::stoi(words(parts[1])[1]);
    std::map<std::string, int> numbers;
    for (const std::string& node : split(parts[4], ';')) {
      const std::vector<std::string> items = words(node);
      FusionInput input{items[0], FusionKind(std::stoi(items[1]))};
      for (std::size_t k = 2; k < items.size(); ++k) {
        const std::vector<std::string> edge = split(items[k], ':');
        input.arguments.emplace_back(numbers.at(edge[0]), FusionKind(std::stoi(edge[1])));
      }
      numbers[input.name] = int(nodes.size());
      nodes.push_back(input);
    }
    for (const std::string& parameter : words(parts[2])) {
      nodes[std::size_t(numbers.at(parameter))].is_external = true;
      roots.push_back(numbers.at(parameter));
    }
    const int output = numbers.at(words(parts[3])[0]);
    nodes[std::size_t(output)].is_external = true;
    roots.push_back(output);
    for (const std::string& group : split(parts[5], ';')) {
      std::set<std::string> members;
      for (const std::string& member : words(split(group, ':')[1])) members.insert(member);
      groups.insert(members);
    }
  }

  // The groups that have an operator.
  std::set<std::set<std::string>> found() const {
    const FusionGraph graph = graph::fusion_graph(nodes, roots);
    const std::vector<int> root_of = graph::partition(graph, options);
    std::map<int, std::set<std::string>> members;
    std::set<int> with_operators;
    for (std::size_t n = 0; n < graph.size(); ++n) {
      members[root_of[n]].insert(graph[n].name);
      if (!nodes[std::size_t(graph[n].given)].arguments.empty()) with_operators.insert(root_of[n]);
    }
    std::set<std::set<std::string>> all;
    for (const int root : with_operators) all.insert(members[root]);
    return all;
  }
};

std::vector<Case> cases() {
  std::ifstream in(std::string(STRATA_TEST_GRAPHS) + "/fuse_cases.txt");
  std::vector<Case> all;
  for (std::string line; std::getline(in, line);)
    if (line[0] != '#') all.emplace_back(line);
  return all;
}

TEST_CASE("The groups of 149 graphs are those that TVM makes") {
  int count = 0;
  for (const Case& c : cases()) {
    INFO(c.name);
    CHECK(c.found() == c.groups);
    ++count;
  }
  CHECK(count == 149);
}

// data -> divide by c -> multiply by 2 -> relu -> max_pool2d -> relu -> max_pool2d -> relu
std::vector<FusionInput> pools() {
  using K = FusionKind;
  const K e = K::elementwise, b = K::broadcast, w = K::out_elementwise_fusable;
  return {{"data", K::opaque, true},
          {"C", K::opaque},
          {"divide", b, false, {{0, e}, {1, e}}},
          {"2.0", e},
          {"multiply", b, false, {{2, e}, {3, b}}},
          {"relu", e, false, {{4, e}}},
          {"max_pool2d", w, false, {{5, w}}},
          {"relu", e, false, {{6, e}}},
          {"max_pool2d", w, false, {{7, w}}},
          {"relu", e, true, {{8, e}}}};
}

TEST_CASE("A graph as text has the consumers of each node, with the kinds of the edges") {
  const FusionGraph graph = graph::fusion_graph(pools(), {0, 9});
  CHECK(graph::text_of(graph) ==
        "node[0] data outputs=[2:0, ]\n"
        "node[1] C outputs=[2:0, ]\n"
        "node[2] divide outputs=[4:0, ]\n"
        "node[3] 2.0 outputs=[4:1, ]\n"
        "node[4] multiply outputs=[5:0, ]\n"
        "node[5] relu outputs=[6:4, ]\n"
        "node[6] max_pool2d outputs=[7:0, ]\n"
        "node[7] relu outputs=[8:4, ]\n"
        "node[8] max_pool2d outputs=[9:0, ]\n"
        "node[9] relu outputs=[]\n");
  CHECK(graph::partition(graph) == std::vector<int>{0, 1, 5, 5, 5, 5, 7, 7, 9, 9});
}

TEST_CASE("Post-dominators are where all uses of a node meet") {
  const FusionGraph graph = graph::fusion_graph(pools(), {0, 9});
  CHECK(graph::text_of(graph::post_dominators(graph)) ==
        "0 (opaque)\n"
        "9 (opaque)\n"
        "  8 (elementwise)\n"
        "    7 (out_elementwise_fusable)\n"
        "      6 (elementwise)\n"
        "        5 (out_elementwise_fusable)\n"
        "          4 (elementwise)\n"
        "            2 (elementwise)\n"
        "              1 (elementwise)\n"
        "            3 (broadcast)\n");
}

// The nodes that all ways from the root to n pass, by leaving out each in turn.
std::set<int> dominators_by_removal(const std::vector<std::vector<int>>& predecessors, int n) {
  const auto is_reached = [&](int left_out) {
    std::vector<bool> reached(predecessors.size());
    reached[0] = left_out != 0;
    for (std::size_t v = 1; v < predecessors.size(); ++v)
      for (const int p : predecessors[v])
        reached[v] = reached[v] || (reached[p] && int(v) != left_out);
    return bool(reached[std::size_t(n)]);
  };
  std::set<int> all;
  for (int v = 0; v < n; ++v)
    if (!is_reached(v)) all.insert(v);
  return all;
}

TEST_CASE("Dominators of random graphs are those that leaving out each node shows") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const int size = 2 + int(random() % 14);
    std::vector<std::vector<int>> predecessors(1);
    for (int n = 1; n < size; ++n) {
      std::vector<int> of(1, int(random() % unsigned(n)));
      while (random() % 2) of.push_back(int(random() % unsigned(n)));
      predecessors.push_back(of);
    }
    const graph::DominatorTree tree = graph::dominators(predecessors);
    for (int n = 1; n < size; ++n) {
      std::set<int> above;
      for (int v = tree[std::size_t(n)].parent; v >= 0; v = tree[std::size_t(v)].parent)
        above.insert(v);
      CHECK(above == dominators_by_removal(predecessors, n));
      CHECK(tree[std::size_t(n)].depth == int(above.size()) + 1);
    }
  }
}

// A random graph of nodes of all kinds, whose last node is its root.
std::vector<FusionInput> random_nodes(std::mt19937& random) {
  const std::vector<FusionKind> kinds = {
      FusionKind::elementwise, FusionKind::elementwise, FusionKind::broadcast,
      FusionKind::injective,   FusionKind::reduction,   FusionKind::out_elementwise_fusable,
      FusionKind::tuple,       FusionKind::opaque};
  const int size = 2 + int(random() % 40);
  std::vector<FusionInput> nodes;
  for (int n = 0; n < size; ++n) {
    FusionInput node{"n" + std::to_string(n), n == 0 ? FusionKind::opaque : kinds[random() % 8]};
    node.is_external = n == 0 || n + 1 == size || random() % 20 == 0;
    const int back = 1 + int(random() % 6);
    for (int k = 0; n > 0 && k < 1 + int(random() % 3); ++k)
      node.arguments.emplace_back(
          std::max(0, n - 1 - int(random() % unsigned(back))),
          node.kind == FusionKind::tuple ? FusionKind::injective : node.kind);
    nodes.push_back(node);
  }
  return nodes;
}

// Groups as the nodes of a graph: is there a topological order?
bool is_acyclic(const FusionGraph& graph, const std::vector<int>& root_of) {
  std::map<int, std::set<int>> next;
  for (std::size_t n = 0; n < graph.size(); ++n)
    for (const auto& output : graph[n].outputs)
      if (root_of[std::size_t(output.consumer)] != root_of[n])
        next[root_of[n]].insert(root_of[std::size_t(output.consumer)]);
  std::map<int, int> state;  // 1: on the way, 2: done
  const std::function<bool(int)> visit = [&](int g) {
    if (state[g]) return state[g] == 2;
    state[g] = 1;
    for (const int other : next[g])
      if (!visit(other)) return false;
    state[g] = 2;
    return true;
  };
  for (const int root : root_of)
    if (!visit(root)) return false;
  return true;
}

void check_groups(const FusionGraph& graph, const std::vector<int>& root_of, int max_depth) {
  std::map<int, std::vector<int>> members;
  for (std::size_t n = 0; n < graph.size(); ++n) members[root_of[n]].push_back(int(n));
  CHECK(is_acyclic(graph, root_of));
  for (const auto& [root, group] : members) {
    int anchors = 0;
    for (const int n : group) {
      const graph::FusionNode& node = graph[std::size_t(n)];
      anchors += node.kind == FusionKind::out_elementwise_fusable;
      if (node.kind == FusionKind::opaque) CHECK(group.size() == 1);
      if (n == root) continue;
      CHECK(!node.is_external);  // the root is the one exit
      for (const auto& output : node.outputs) CHECK(root_of[std::size_t(output.consumer)] == root);
    }
    CHECK(anchors <= 1);
    CHECK((int(group.size()) <= max_depth || group.size() == 1));
  }
}

// The graph whose nodes are the groups: what fusing a fused program sees.
std::vector<FusionInput> contracted(const FusionGraph& graph, const std::vector<int>& root_of) {
  std::map<int, int> numbers;
  std::vector<FusionInput> nodes;
  for (std::size_t n = 0; n < graph.size(); ++n)
    if (root_of[n] == int(n)) {
      numbers[int(n)] = int(nodes.size());
      nodes.push_back({graph[n].name, FusionKind::opaque, graph[n].is_external});
    }
  for (std::size_t n = 0; n < graph.size(); ++n)
    for (const auto& output : graph[n].outputs) {
      const int to = root_of[std::size_t(output.consumer)];
      if (to != root_of[n])
        nodes[std::size_t(numbers[to])].arguments.emplace_back(numbers[root_of[n]],
                                                               FusionKind::opaque);
    }
  return nodes;
}

TEST_CASE("Groups of 20,000 random graphs are convex, with one exit and one anchor") {
  std::mt19937 random(11);
  for (int round = 0; round < 20000; ++round) {
    const std::vector<FusionInput> nodes = random_nodes(random);
    const int max_depth = 1 + int(random() % 20);
    const FusionGraph graph = graph::fusion_graph(nodes, {int(nodes.size()) - 1});
    const std::vector<int> root_of = graph::partition(graph, {2, max_depth});
    check_groups(graph, root_of, max_depth);
    const std::vector<FusionInput> again = contracted(graph, root_of);
    const FusionGraph groups = graph::fusion_graph(again, {int(again.size()) - 1});
    const std::vector<int> stay = graph::partition(groups);
    for (std::size_t n = 0; n < stay.size(); ++n) CHECK(stay[n] == int(n));
  }
}

TEST_CASE("A chain of 300 becomes groups of at most so many nodes, a long one takes no stack") {
  for (const auto& [length, max_depth, first] : {std::tuple{300, 256, 256}, {20, 10, 10}}) {
    std::vector<FusionInput> nodes{{"x", FusionKind::opaque, true}};
    for (int n = 1; n <= length; ++n)
      nodes.push_back(
          {"exp", FusionKind::elementwise, n == length, {{n - 1, FusionKind::elementwise}}});
    const FusionGraph graph = graph::fusion_graph(nodes, {length});
    const std::vector<int> root_of = graph::partition(graph, {2, max_depth});
    CHECK(std::count(root_of.begin(), root_of.end(), first) == first);
    CHECK(std::count(root_of.begin(), root_of.end(), length) == length - first);
  }
  std::vector<FusionInput> nodes{{"x", FusionKind::opaque, true}};
  for (int n = 1; n <= 100000; ++n)
    nodes.push_back(
        {"exp", FusionKind::elementwise, n == 100000, {{n - 1, FusionKind::elementwise}}});
  CHECK(graph::partition(graph::fusion_graph(nodes, {100000})).size() == 100001);
}

}  // namespace strata::test::partition_test
