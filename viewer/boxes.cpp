// The schedule as nested boxes: loops with what they run, and beside them the buffers that each of
// their iterations has.
#include "core/expr/expr_text.h"
#include "layers/flow/communication.h"
#include "layers/flow/initial_values.h"
#include "viewer/html.h"
#include "viewer/panes.h"

namespace strata::viewer {

namespace {

class Boxes {
 public:
  Boxes(const Page& page, const Marks& marks)
      : page_(page), program_(shown(page)), mapping_(program_.mapping), marks_(marks) {
    if (!page.ready) return;
    mapping_ = complete_mapping(program_);
    lifetimes_ = lifetimes(program_, mapping_);
  }

  std::string html() const {
    return element("div", "row", "", nodes(mapping_.roots, {}) + buffers({}));
  }

 private:
  std::string nodes(const std::vector<Node>& all, const Path& path) const {
    std::string html;
    for (std::size_t n = 0; n < all.size(); ++n) {
      Path inside = path;
      inside.push_back(int(n));
      html += all[n].is_loop() ? loop(all[n], inside) : branch(all[n].branch());
    }
    return element("div", "nodes", "", html);
  }

  std::string loop(const Node& node, const Path& path) const {
    const Loop& loop = node.loop();
    const std::vector<std::string> names = owners(node);
    const std::set<std::string> all(names.begin(), names.end());
    std::string head = "loop " + loop.name;
    if (loop.tile_size) head += ", over tiles of " + *loop.tile_size;
    std::string html = element("b", "", marks_.of_loop(node), escaped(head));
    if (loop.processor != Processor::sequential)
      html += element("span", "tag", "", escaped(to_string(loop.processor)));
    for (const std::string& note : tag_notes(loop))
      html += element("span", "tag", "", escaped(note));
    if (loop.barrier) html += element("span", "tag", "", "barrier");
    for (const Prefetch& p : loop.prefetches)
      html += element("span", "tag", "", escaped("prefetches " + p.array));
    html += remarks(all, loop.name);
    return folded("loop", html, element("div", "row", "", nodes(loop.body, path) + buffers(path)),
                  true);
  }

  // The kinds of the remarks on a loop.
  std::string remarks(const std::set<std::string>& owners, const std::string& loop) const {
    std::string html;
    for (const Remark& remark : page_.remarks)
      if (remark.loop == loop && owners.count(remark.computation))
        html += element("span", "tag", "", escaped("remark: " + remark.kind));
    return html;
  }

  std::string branch(const Branch& branch) const {
    const Definition& d = *program_.algorithm->find(branch.definition);
    std::string html = element("b", "", marks_.of_computation(d.name), escaped(name_of(branch)));
    if (branch.asynchronous) html += element("span", "tag", "", "async");
    if (branch.mma) html += element("span", "tag", "", "mma " + to_string(*branch.mma));
    if (d.is_atomic) html += element("span", "tag", "", "atomic");
    std::string iterators;
    for (const std::string& name : d.iterators) iterators += (iterators.empty() ? "" : ", ") + name;
    std::string value = d.name + "[" + iterators + "] ";
    value += d.reduction ? "takes " : "= ";
    value += d.value.defined() ? to_text(d.value) : "(no value yet)";
    return element("div", "computation", "",
                   html + element("code", "", "", marks_.linked(value, Marks::Names::values)));
  }

  std::string buffers(const Path& loop) const {
    std::string html;
    for (const LayoutBuffer& buffer : program_.layout.buffers)
      if (lives_in(buffer, loop)) html += box(buffer);
    return html.empty() ? "" : element("div", "buffers", "", html);
  }

  // Does each iteration of the loop (for an empty path: the kernel) have the buffer?
  bool lives_in(const LayoutBuffer& buffer, const Path& loop) const {
    for (const Lifetime& life : lifetimes_)
      if (life.buffer == buffer.name) return life.loop == loop;
    return loop.empty();
  }

  std::string box(const LayoutBuffer& buffer) const {
    std::string kind = to_string(buffer.type);
    if (buffer.role == BufferRole::input) kind += ", input";
    if (buffer.role == BufferRole::output) kind += ", output";
    if (buffer.memory != Memory::automatic) kind += ", " + traits(buffer.memory).place;
    std::string html =
        element("b", "", marks_.of_buffer(buffer.name), escaped(buffer.name)) + " " + escaped(kind);
    for (const std::string& array : arrays_in(program_.layout, buffer.name))
      if (array != buffer.name)
        html += " of " + element("i", "", marks_.of_value(array), escaped(array));
    return element("div", "buffer", "", html);
  }

  const Page& page_;
  const Program& program_;
  Mapping mapping_;  // of a finished program with initial values
  const Marks& marks_;
  std::vector<Lifetime> lifetimes_;
};

}  // namespace

std::string boxes_pane(const Page& page, const Marks& marks) {
  return pane("boxes", "Schedule: what runs where", Boxes(page, marks).html(), true);
}

}  // namespace strata::viewer
