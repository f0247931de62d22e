
#include "core/expr/expr_text.h"
#include "core/sets/relation_text.h"
#include "layers/text/text.h"
#include "layers/text/text_reader.h"

namespace strata {

namespace {

std::string to_string(BufferRole role) {
  switch (role) {
    case BufferRole::input: return "input";
    case BufferRole::output: return "output";
    case BufferRole::temporary: return "temporary";
  }
  return "";
}

// Collects lines, each indented by its depth.
class Lines {
 public:
  void add(int depth, const std::string& line) {
    text_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + line + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_rule(Lines& lines, const ReductionRule& rule) {
  lines.add(1, "reduction " + (rule.kind ? to_string(*rule.kind) : "made") + " from " +
                   quoted_name(rule.initial) + " results " + std::to_string(rule.results));
  for (const Expr& step : rule.steps) lines.add(1, "step " + to_text(step));
}

void add_definition(Lines& lines, const Definition& d) {
  std::string iterators;
  for (const std::string& name : d.iterators)
    iterators += (iterators.empty() ? "" : ", ") + quoted_name(name);
  lines.add(0, "computation " + quoted_name(d.name) + " of " + quoted_name(d.array) + " " +
                   to_string(d.type) + " (" + iterators + ")");
  lines.add(1, "instances " + canonical_text(d.domain));
  lines.add(1, "defines " + canonical_text(d.defines));
  if (d.value.defined()) lines.add(1, "value " + to_text(d.value));
  for (const Component& c : d.others)
    lines.add(1, "component " + quoted_name(c.name) + " " + to_string(c.type) + " value " +
                     to_text(c.value));
  if (!d.element.empty()) {
    std::string indices;
    for (const Expr& index : d.element) indices += (indices.empty() ? "" : ", ") + to_text(index);
    lines.add(1, "element (" + indices + ")");
  }
  if (d.predicate.defined()) lines.add(1, "where " + to_text(d.predicate));
  if (d.reduction) add_rule(lines, *d.reduction);
  if (d.inferred) lines.add(1, "inferred");
  if (d.given_ranges) lines.add(1, "ranges " + canonical_text(*d.given_ranges));
  if (d.is_initial) lines.add(1, "initial");
  if (d.is_atomic) lines.add(1, "atomic");
  for (const Read& read : d.reads)
    lines.add(1, std::string(read.may ? "may reads " : "reads ") + quoted_name(read.producer) +
                     " " + canonical_text(read.relation));
}

void add_algorithm(Lines& lines, const Algorithm& algorithm) {
  for (const std::string& name : algorithm.parameters)
    lines.add(0, "parameter " + quoted_name(name));
  lines.add(0, "context " + canonical_text(algorithm.context));
  for (const Expr& condition : algorithm.assumed) lines.add(0, "assume " + to_text(condition));
  for (const InputArray& input : algorithm.inputs) {
    lines.add(0, "input " + quoted_name(input.name) + " " + to_string(input.type) +
                     (input.by_value ? " by_value" : ""));
    lines.add(1, "elements " + canonical_text(input.domain));
  }
  for (const RankPartition& p : algorithm.partitions)
    lines.add(0, "partition " + quoted_name(p.name) + " " + to_text(p.size));
  for (const SizeParameter& size : algorithm.sizes)
    lines.add(0, "size " + quoted_name(size.name) + " " + to_text(size.element));
  for (const Definition& d : algorithm.definitions)
    if (algorithm.definitions_of(d.array).front() == &d) {
      lines.add(0, "array " + quoted_name(d.array) + " " + to_string(d.type));
      for (const Component& c : d.others)
        lines.add(0, "array " + quoted_name(c.name) + " " + to_string(c.type));
    }
  for (const Definition& d : algorithm.definitions) add_definition(lines, d);
}

void add_nodes(Lines& lines, int depth, const std::vector<Node>& nodes);

void add_loop(Lines& lines, int depth, const Loop& loop) {
  std::string head = "loop " + quoted_name(loop.name);
  if (loop.processor != Processor::sequential) head += " " + to_string(loop.processor);
  for (const auto& tag : TextReader::tags())
    for (const std::string& text : tag.texts(loop)) head += " " + tag.word + " " + text;
  lines.add(depth, head + " {");
  for (const auto& belonging : TextReader::belongings())
    for (const std::string& text : belonging.texts(loop))
      lines.add(depth + 1, belonging.word + " " + text);
  add_nodes(lines, depth + 1, loop.body);
  lines.add(depth, "}");
}

void add_branch(Lines& lines, int depth, const Branch& branch) {
  const int placed = branch.reader_loops;
  lines.add(depth, "run " + quoted_name(branch.definition) +
                       (branch.piece.empty() ? "" : " piece " + quoted_name(branch.piece)) +
                       (placed > 0 ? " placed " + std::to_string(placed) : "") +
                       (branch.asynchronous ? " async" : "") +
                       (branch.mma ? " mma " + to_string(*branch.mma) : ""));
  lines.add(depth + 1, "at " + canonical_text(branch.time));
  lines.add(depth + 1, "for " + canonical_text(branch.instances));
}

void add_nodes(Lines& lines, int depth, const std::vector<Node>& nodes) {
  for (const Node& node : nodes)
    if (node.is_loop())
      add_loop(lines, depth, node.loop());
    else
      add_branch(lines, depth, node.branch());
}

void add_forest(Lines& lines, const std::string& title, const Mapping& mapping) {
  lines.add(0, title + " {");
  add_nodes(lines, 1, mapping.roots);
  lines.add(0, "}");
}

void add_layout(Lines& lines, const Layout& layout) {
  for (const LayoutBuffer& buffer : layout.buffers) {
    lines.add(0, "buffer " + quoted_name(buffer.name) + " " + to_string(buffer.type) + " " +
                     std::to_string(buffer.dimensions) + " " + to_string(buffer.role));
    if (buffer.memory != Memory::automatic) lines.add(1, "on " + to_string(buffer.memory));
    if (buffer.resident) lines.add(1, "resident");
    for (const Expr& extent : buffer.extents) lines.add(1, "extent " + to_text(extent));
  }
  for (const auto& [array, relation] : layout.store)
    lines.add(0, "store " + quoted_name(array) + " " + canonical_text(relation));
  for (const GivenCopy& copy : layout.copies)
    lines.add(0, to_string(copy.direction) + " " + quoted_name(copy.array));
}

}  // namespace

TextParts parts_of(const Program& program) {
  Lines algorithm, reference, schedule, layout, rest;
  add_algorithm(algorithm, *program.algorithm);
  add_forest(reference, "reference", program.algorithm->reference);
  add_forest(schedule, "schedule", program.mapping);
  add_layout(layout, program.layout);
  if (program.scheduled) rest.add(0, "scheduled");
  for (const Waiver& waiver : program.waivers) {
    rest.add(0, "waived " + quoted_string(waiver.command));
    rest.add(1, canonical_text(waiver.violations));
  }
  for (const std::string& command : program.history)
    rest.add(0, "command " + quoted_string(command));
  return {algorithm.text(), reference.text(), schedule.text(), layout.text(), rest.text()};
}

std::string to_text(const Program& program) {
  const TextParts parts = parts_of(program);
  return "program " + quoted_name(program.name) + "\n" + parts.algorithm + parts.reference +
         parts.schedule + parts.layout + parts.rest;
}

}  // namespace strata
