// The history as steps: each command, and the lines of the program's text that it removed and
// added.
#include <sstream>

#include "layers/text/text.h"
#include "schedule/edit/command_operands.h"
#include "schedule/table/command_text.h"
#include "schedule/table/replay.h"
#include "viewer/changes.h"
#include "viewer/html.h"
#include "viewer/panes.h"

namespace strata::viewer {

namespace {

// The commands that were given at once: one, or a group.
std::vector<Lines> groups_of(const std::vector<std::string>& history) {
  std::vector<Lines> groups;
  bool inside = false;
  for (const std::string& line : history) {
    if (!inside) groups.push_back({});
    groups.back().push_back(line);
    inside = (inside || line == group_begin) && line != group_end;
  }
  return groups;
}

Lines layers_of(const Program& program) {
  const TextParts parts = parts_of(program);
  std::istringstream text(parts.algorithm + parts.schedule + parts.layout);
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// What the operands of a command name. A new loop or computation is one of the first operand's.
std::string marks_of(const Command& command, const Marks& marks) {
  std::string all, first;
  for (const CommandOperand& operand : command.operands) {
    if (const auto* loop = std::get_if<LoopRef>(&operand.value())) {
      add_mark(all, "l:" + loop->definition + "." + loop->loop);
      if (first.empty()) first = loop->definition;
    } else if (const auto* branch = std::get_if<BranchRef>(&operand.value())) {
      add_mark(all, marks.of_computation(branch->definition));
    } else if (const auto* name = std::get_if<std::string>(&operand.value())) {
      const std::string value = marks.of_value(*name);
      add_mark(all, !value.empty() ? value : first.empty() ? "" : "l:" + first + "." + *name);
    }
  }
  return all;
}

std::string command_html(const std::string& line, const Algorithm& algorithm, const Marks& marks) {
  std::string own;
  try {
    own = marks_of(parse_command(line, algorithm), marks);
  } catch (const Error&) {  // the line that opens or closes a group
  }
  return own.empty() ? escaped(line) : element("b", "", own, escaped(line));
}

std::string changes_html(const std::vector<Change>& all, const Marks& marks) {
  if (all.empty()) return "<p>No line of the layers changes.</p>";
  std::string html;
  for (const Change& change : all)
    html += element(change.kind == '-' ? "del" : "ins", "", "",
                    change.kind + (" " + marks.linked(change.line, Marks::Names::values))) +
            "\n";
  return element("pre", "", "", html);
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

std::string history_pane(const Page& page, const Marks& marks) {
  if (!page.reference || page.program.history.empty()) return "";
  Program program = *page.reference;
  Lines before = layers_of(program);
  std::string html;
  for (const Lines& group : groups_of(page.program.history)) {
    std::string head;
    for (const std::string& line : group)
      head += (head.empty() ? "" : "<br>") + command_html(line, *program.algorithm, marks);
    std::string content;
    try {
      // What was legal when it was given is not proved again.
      program = replayed(program, joined(group), {{}, Check::deferred});
      const Lines after = layers_of(program);
      content = changes_html(changes(before, after), marks);
      before = after;
    } catch (const Error& error) {
      content = element("pre", "", "",
                        escaped("This command does not replay on the program before "
                                "all commands, so the rest is not shown.\n" +
                                std::string(error.what())));
      html += element("li", "", "", folded("step", head, content));
      break;
    }
    html += element("li", "", "", folded("step", head, content));
  }
  return pane("history", "History: what each command changed", element("ol", "steps", "", html));
}

}  // namespace strata::viewer
