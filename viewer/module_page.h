// One HTML file about a program of operators: its graph, its groups with the reasons for them, and
// the kernel of each group. Or about two programs, side by side. It needs no other file.
//
// Elements about a value have the mark n:FUNCTION.VARIABLE, those about a group g:NUMBER.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/drawing/operators.h"
#include "viewer/page.h"

namespace strata {

struct ModulePage {
  // A line of text about something.
  struct Line {
    std::string text;
    std::string marks = {};
    std::string pick = {};  // what a click chooses; empty: the marks
  };
  struct Tree {
    Line line;
    std::vector<Tree> parts = {};
  };
  struct Row {
    Line line;
    int depth = 0;
  };
  // What fusion sees of one dataflow block. Nodes stand after those that they read.
  struct Graph {
    std::string function;
    std::vector<OperatorNode> nodes;
    std::vector<OperatorEdge> edges;
    std::vector<Row> dominators = {};  // each node above those that it post-dominates
  };
  // A tensor operation: "y(i): Tensor[(n), float32]", what it reads, and its body.
  struct Operation {
    std::string head;
    std::vector<std::string> reads;
    std::vector<Tree> body;
  };
  // A kernel: its page, or why there is none.
  struct Kernel {
    std::string title;
    std::optional<Page> page = {};
    std::string why = {};
  };
  struct Group {
    std::string name;
    std::vector<Line> edges = {};       // each with the reason why it is fused, or apart
    std::optional<int> same_as = {};    // the first group that computes the same; then no more
    std::vector<std::string> why = {};  // where the kernel computes each member
    std::vector<Operation> operations = {};
    std::vector<Kernel> kernels = {};
  };

  std::string name;
  std::vector<Graph> graphs = {};
  std::vector<Line> program = {};
  std::vector<Group> groups = {};
  std::string passes = {};  // the passes of a run, with their times; may be empty
};

std::string to_html(const ModulePage& page);
// The two side by side; what only one of them has is marked in the graphs and listed.
std::string to_html(const ModulePage& before, const ModulePage& after);

}  // namespace strata
