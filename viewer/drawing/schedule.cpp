#include "viewer/drawing/schedule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/expr/expr_text.h"
#include "viewer/drawing/sizes.h"
#include "viewer/drawing/svg.h"

namespace strata {

namespace {

constexpr int padding = 10, gap = 8;
constexpr int head_height = 24;
constexpr int longest_definition = 52;
constexpr int lane_width = 9;

// How the boxes of a processor's loops look: the word in the head says it, too.
SvgAttributes look_of(Processor processor) {
  switch (processor) {
    case Processor::sequential: return {{"fill", "#f7f8fa"}};
    case Processor::parallel: return {{"fill", "#e4eefc"}, {"stroke-width", 3}};
    case Processor::vector:
      return {{"fill", "#e3f4e5"}, {"stroke-dasharray", "2 3"}, {"stroke-width", 2}};
    case Processor::unrolled: return {{"fill", "#fdf3d8"}, {"stroke-dasharray", "8 4"}};
    case Processor::block: return {{"fill", "#efe6fa"}, {"stroke-width", 3}};
    case Processor::thread: return {{"fill", "#fbe6ee"}, {"stroke-width", 2}};
    case Processor::node: return {{"fill", "#e2f3f6"}, {"stroke-width", 4}};
  }
  return {};
}

// ---- what boxes say ----

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// What follows a loop's name.
std::string head_text(const Program& program, const Loop& loop, const Path& path) {
  std::vector<std::string> words;
  if (loop.processor != Processor::sequential) words.push_back(to_string(loop.processor));
  const std::string range =
      loop.tile_size ? "tiles of " + *loop.tile_size : range_text(program, path);
  if (!range.empty()) words.push_back(range);
  if (!loop.partition.empty()) words.push_back("by " + loop.partition);
  for (const std::string& note : tag_notes(loop)) words.push_back(note);
  for (const Prefetch& p : loop.prefetches)
    words.push_back("prefetches " + p.array + " " + std::to_string(p.distance) + " ahead");
  for (const GivenCopy& copy : loop.copies)
    words.push_back(to_string(copy.direction) + " " + copy.array);
  if (loop.barrier) words.push_back("barrier at end");
  return joined(words, ", ");
}

struct LeafText {
  std::string head, value, whole;
};

LeafText leaf_text(const Definition& d, const Branch& branch) {
  LeafText text;
  text.head = name_of(branch) + "[" + joined(d.iterators, ", ") + "]";
  if (branch.asynchronous) text.head += ", async";
  if (branch.mma) text.head += ", mma " + to_string(*branch.mma);
  if (!d.value.defined()) return text;
  text.value = to_text(d.value);
  if (d.reduction)
    text.value =
        (d.reduction->kind ? to_string(*d.reduction->kind) : "reduction") + " of " + text.value;
  if (d.predicate.defined()) text.value += " where " + to_text(d.predicate);
  text.whole = text.head + " = " + text.value;
  text.value = "= " + shortened(text.value, longest_definition - 2);
  return text;
}

// ---- boxes and what they are joined with ----

enum class Tie { write, read, allocation };

// A box of the schedule that is joined with buffers.
struct Tied {
  PictureBox box;
  std::vector<std::pair<std::string, Tie>> ties;
};

class SchedulePicture {
 public:
  explicit SchedulePicture(const Program& program) : program_(program) {}

  std::string drawn() {
    const Algorithm& algorithm = *program_.algorithm;
    const std::string title =
        program_.name +
        (algorithm.parameters.empty() ? "" : "(" + joined(algorithm.parameters, ", ") + ")");
    svg_.text(picture_margin, picture_margin + text_size, title, {{"font-weight", "bold"}});
    const auto [width, height] = size_of(program_.mapping.roots, {});
    right_ = picture_margin + std::max(width, text_width(title));
    const int top = picture_margin + line_height + gap;
    draw_nodes(program_.mapping.roots, {}, {picture_margin, top, width, height});
    bottom_ = std::max(bottom_, top + height);
    draw_buffers(top);
    legend();
    return svg_.picture(right_ + picture_margin, bottom_ + picture_margin,
                        "The schedule of " + title);
  }

 private:
  struct Size {
    int width = 0, height = 0;
  };

  Size size_of(const std::vector<Node>& nodes, const Path& path) {
    Size size;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Path inner = path;
      inner.push_back(int(n));
      const Size one = sizes_[inner] =
          nodes[n].is_loop() ? size_of(nodes[n].loop(), inner) : size_of(nodes[n].branch());
      size.width = std::max(size.width, one.width);
      size.height += one.height + (n ? gap : 0);
    }
    return size;
  }

  Size size_of(const Loop& loop, const Path& path) {
    const std::string head = heads_[path] = head_text(program_, loop, path);
    const Size body = size_of(loop.body, path);
    const int width = text_width(loop.name + "  " + head);
    return {std::max(width, body.width) + 2 * padding, body.height + head_height + padding};
  }

  Size size_of(const Branch& branch) {
    const Definition* d = program_.algorithm->find(branch.definition);
    const LeafText text = d ? leaf_text(*d, branch) : LeafText{};
    const int width = std::max(text_width(text.head), text_width(text.value)) + 2 * padding;
    return {width, (text.value.empty() ? 1 : 2) * line_height + padding};
  }

  void draw_nodes(const std::vector<Node>& nodes, const Path& path, const PictureBox& into) {
    int y = into.y;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      Path inner = path;
      inner.push_back(int(n));
      const int height = sizes_.at(inner).height;
      const PictureBox box = {into.x, y, into.width, height};
      nodes[n].is_loop() ? draw(nodes[n].loop(), inner, box) : draw(nodes[n].branch(), box);
      y += height + gap;
    }
  }

  void draw(const Loop& loop, const Path& path, const PictureBox& box) {
    SvgAttributes look = {{"rx", 5}, {"stroke", faint_ink}};
    const SvgAttributes own = look_of(loop.processor);
    look.insert(look.end(), own.begin(), own.end());
    svg_.add("rect", attributes_of(box, look),
             "loop " + loop.name + ": " + to_string(loop.processor));
    const int base = box.y + 16;
    svg_.text(box.x + padding, base, loop.name, {{"font-weight", "bold"}});
    svg_.text(box.x + padding + text_width(loop.name + "  "), base, heads_[path]);
    Tied tied = {{box.x, box.y, box.width, head_height}, {}};
    for (const std::string& buffer : loop.allocations) {
      tied.ties.emplace_back(buffer, Tie::allocation);
      allocated_[buffer] = path;
    }
    if (!tied.ties.empty()) tied_.push_back(tied);
    draw_nodes(loop.body, path,
               {box.x + padding, box.y + head_height, box.width - 2 * padding,
                box.height - head_height - padding});
  }

  void draw(const Branch& branch, const PictureBox& box) {
    const Definition* d = program_.algorithm->find(branch.definition);
    if (!d) return;
    const LeafText text = leaf_text(*d, branch);
    svg_.add("rect",
             attributes_of(box, {{"fill", paper}, {"stroke", ink}, {"data-mark", "c:" + d->name}}),
             text.whole);
    svg_.text(box.x + padding, box.y + 17, text.head, {{"font-weight", "bold"}});
    if (!text.value.empty()) svg_.text(box.x + padding, box.y + 17 + line_height, text.value);
    Tied tied = {box, {}};
    std::set<std::string> read;
    for (const std::string& name : d->accessed) read.insert(buffer_of_scalar(name));
    for (const std::string& buffer : read) tied.ties.emplace_back(buffer, Tie::read);
    tied.ties.emplace_back(buffer_of(program_.layout, d->array), Tie::write);
    for (const Component& c : program_.algorithm->components_of(d->array))
      tied.ties.emplace_back(c.name, Tie::write);
    tied_.push_back(tied);
  }

  // ---- buffers ----

  // Further scalars of tuples have buffers of their own names.
  std::string buffer_of_scalar(const std::string& name) const {
    const bool of_tuple = program_.algorithm->array_of(name) != name;
    return of_tuple ? name : buffer_of(program_.layout, name);
  }

  // A buffer that is not in the layout has the name of its array.
  LayoutBuffer buffer_named(const std::string& name) const {
    if (const LayoutBuffer* known = program_.layout.find(name)) return *known;
    LayoutBuffer buffer{name, {}};
    if (const InputArray* input = program_.algorithm->find_input(name)) buffer.type = input->type;
    for (const Definition& d : program_.algorithm->definitions) {
      if (d.array == name) buffer.type = d.type;
      for (const Component& c : d.others)
        if (c.name == name) buffer.type = c.type;
    }
    return buffer;
  }

  std::vector<std::string> lines_of(const LayoutBuffer& buffer) const {
    const auto loop = allocated_.find(buffer.name);
    const Path path = loop == allocated_.end() ? Path{} : loop->second;
    std::vector<std::string> lines = {
        buffer.name, to_string(buffer.type) + extents_text(program_, buffer, path)};
    if (buffer.role != BufferRole::temporary)
      lines.push_back(buffer.role == BufferRole::input ? "input" : "output");
    if (buffer.memory != Memory::automatic) lines.push_back(traits(buffer.memory).place);
    if (!path.empty())
      lines.push_back("one for each " + loops_along(program_.mapping, path).back()->name);
    return lines;
  }

  // The buffers in the order of their first ties, each with the middle of its ties.
  std::vector<std::pair<std::string, int>> buffers_used() const {
    std::vector<std::pair<std::string, int>> used;
    std::map<std::string, std::pair<int, int>> sums;
    for (const Tied& tied : tied_)
      for (const auto& [buffer, tie] : tied.ties) {
        auto& [sum, count] = sums[buffer];
        sum += tied.box.y + tied.box.height / 2;
        ++count;
      }
    for (const auto& [buffer, sum] : sums) used.emplace_back(buffer, sum.first / sum.second);
    std::stable_sort(used.begin(), used.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
    return used;
  }

  void draw_buffers(int top) {
    const auto used = buffers_used();
    std::map<std::pair<std::string, Tie>, int> lanes;
    for (const auto& [buffer, middle] : used)
      for (const Tied& tied : tied_)
        for (const auto& tie : tied.ties)
          if (tie.first == buffer) lanes.emplace(tie, 0);
    int lane = right_ + 2 * lane_width;
    for (auto& [tie, x] : lanes) {
      x = lane;
      lane += lane_width;
    }
    const int left = lane + 2 * lane_width;
    int y = top;
    for (const auto& [name, middle] : used) {
      const std::vector<std::string> lines = lines_of(buffer_named(name));
      const int height = int(lines.size()) * line_height + padding;
      y = std::max(y, middle - height / 2);
      const PictureBox box = {left, y, width_of(lines), height};
      draw(lines, box);
      for (const Tied& tied : tied_) draw_ties(tied, name, box, lanes);
      right_ = std::max(right_, box.right());
      y = box.bottom() + gap;
    }
    bottom_ = std::max(bottom_, y - gap);
  }

  static int width_of(const std::vector<std::string>& lines) {
    int width = 0;
    for (const std::string& line : lines) width = std::max(width, text_width(line));
    return width + 2 * padding;
  }

  void draw(const std::vector<std::string>& lines, const PictureBox& box) {
    svg_.add("rect", attributes_of(box, {{"rx", 12}, {"fill", paper}, {"stroke", ink}}),
             "buffer " + joined(lines, ", "));
    int y = box.y + 17;
    for (const std::string& line : lines) {
      svg_.text(box.x + padding, y, line,
                y == box.y + 17 ? SvgAttributes{{"font-weight", "bold"}} : SvgAttributes{});
      y += line_height;
    }
  }

  // The lines from a box to a buffer: each kind has its lane, and its height at the buffer.
  void draw_ties(const Tied& tied, const std::string& buffer, const PictureBox& box,
                 const std::map<std::pair<std::string, Tie>, int>& lanes) {
    for (std::size_t k = 0; k < tied.ties.size(); ++k) {
      const auto& [name, tie] = tied.ties[k];
      if (name != buffer) continue;
      const int from = tied.box.y + tied.box.height * (int(k) + 1) / (int(tied.ties.size()) + 1);
      const int to = box.y + box.height * (int(tie) + 1) / 4;
      const int lane = lanes.at(tied.ties[k]), start = tied.box.right();
      const auto at = [](int x, int y) { return std::to_string(x) + " " + std::to_string(y); };
      SvgAttributes look = {{"d", "M " + at(start, from) + " H " + std::to_string(lane) + " V " +
                                      std::to_string(to) + " H " + std::to_string(box.x)},
                            {"fill", "none"},
                            {"stroke", ink}};
      if (tie == Tie::read) look.emplace_back("stroke-dasharray", "6 3");
      if (tie == Tie::allocation) look.emplace_back("stroke-dasharray", "1 3");
      svg_.add("path", look);
      if (tie == Tie::write) head(box.x, to, -7);
      if (tie == Tie::read) head(start, from, 7);
    }
  }

  // An arrowhead with its tip at x, y.
  void head(int x, int y, int back) {
    const auto at = [](int px, int py) { return std::to_string(px) + "," + std::to_string(py); };
    svg_.add("polygon",
             {{"points", at(x, y) + " " + at(x + back, y - 4) + " " + at(x + back, y + 4)}});
  }

  void legend() {
    bottom_ += gap + line_height;
    const std::string text = "lines to buffers: writes solid, reads dashed, allocates dotted";
    svg_.text(picture_margin, bottom_, text, {{"fill", faint_ink}});
    right_ = std::max(right_, picture_margin + text_width(text));
  }

  const Program& program_;
  Svg svg_;
  int right_ = 0, bottom_ = 0;
  std::map<Path, Size> sizes_;             // what the boxes need
  std::map<Path, std::string> heads_;      // of loops
  std::map<std::string, Path> allocated_;  // buffer -> the loop whose iterations have one each
  std::vector<Tied> tied_;
};

}  // namespace

std::string draw_schedule(const Program& program) { return SchedulePicture(program).drawn(); }

}  // namespace strata
