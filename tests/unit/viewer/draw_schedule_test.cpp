#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/split.h"
#include "schedule/commands/loops/tile.h"
#include "schedule/commands/loops/vectorize.h"
#include "schedule/commands/order/compute_at.h"
#include "schedule/finish.h"
#include "tests/unit/programs.h"
#include "tests/unit/viewer/svg_elements.h"
#include "viewer/drawing/schedule.h"

namespace strata::test::draw_schedule_test {

namespace {

struct Box {
  std::string title;
  int x, y, right, bottom;

  bool contains(const Box& other) const {
    return x < other.x && y < other.y && other.right < right && other.bottom < bottom;
  }
  bool apart(const Box& other) const {
    return right <= other.x || other.right <= x || bottom <= other.y || other.bottom <= y;
  }
};

// The boxes with a title, in the order drawn.
std::vector<Box> boxes(const std::string& svg) {
  std::vector<Box> found;
  const auto all = svg_elements(svg);
  for (std::size_t n = 0; n + 1 < all.size(); ++n) {
    if (all[n].name != "rect" || all[n + 1].name != "title") continue;
    const int x = all[n].number("x"), y = all[n].number("y");
    found.push_back(
        {all[n + 1].text, x, y, x + all[n].number("width"), y + all[n].number("height")});
  }
  return found;
}

const Box& box(const std::vector<Box>& all, const std::string& beginning) {
  for (const Box& b : all)
    if (b.title.rfind(beginning, 0) == 0) return b;
  FAIL("no box " << beginning);
  throw;
}

bool says(const std::string& svg, const std::string& line) {
  const auto texts = svg_texts(svg);
  return std::count(texts.begin(), texts.end(), line) > 0;
}

// A blur of two stages in tiles, the first computed for each tile.
Program tiled_stencil() {
  Program program = stencil();
  program = split(program, {"Q", "i"}, 8, "i0", "i1");
  program = compute_at(program, "P", {{"Q", "i0"}});
  program = vectorize(program, {"Q", "i1"});
  return finished(parallelize(program, {"Q", "i0"}), {"Q"}, {});
}

}  // namespace

TEST_CASE("boxes of loops are inside each other, with leaves inside", "[drawing]") {
  const Program program =
      tile(grid(), {{"S", "i"}, {"S", "j"}}, {4, 8}, {"i0", "j0"}, {"i1", "j1"});
  const auto all = boxes(draw_schedule(program));
  const std::vector<std::string> nest = {"loop i0", "loop j0", "loop i1", "loop j1", "S[i, j]"};
  for (std::size_t n = 0; n + 1 < nest.size(); ++n)
    CHECK(box(all, nest[n]).contains(box(all, nest[n + 1])));
}

TEST_CASE("boxes that do not contain each other are apart", "[drawing]") {
  for (const Program& program : {tiled_stencil(), three_stages(), sums()}) {
    const auto all = boxes(draw_schedule(program));
    CHECK(all.size() >= 4);
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = a + 1; b < all.size(); ++b)
        CHECK((all[a].apart(all[b]) || all[a].contains(all[b])));
  }
}

TEST_CASE("loops show their processors and sizes", "[drawing]") {
  const std::string svg = draw_schedule(tiled_stencil());
  CHECK(says(svg, "parallel, 0 .. floor((N + 7) / 8) - 1"));
  CHECK(says(svg, "x 9"));  // P for 8 iterations of Q, which reads P(i) and P(i + 1)
  CHECK(says(svg, "vector, x 8"));
  CHECK(says(draw_schedule(grid()), "0 .. M - 1"));
}

TEST_CASE("buffers show their types, extents and places", "[drawing]") {
  const std::string svg = draw_schedule(tiled_stencil());
  CHECK(says(svg, "float32[9]"));
  CHECK(says(svg, "one for each i0"));
  CHECK(says(svg, "float32[N]"));
  CHECK(says(svg, "output"));
  const std::string inputs = draw_schedule(grid());
  CHECK(says(inputs, "float32[N, M]"));
  CHECK(says(inputs, "input"));
}

TEST_CASE("lines join leaves with what they write and read", "[drawing]") {
  const std::string svg = draw_schedule(tiled_stencil());
  const auto all = boxes(svg);
  const auto ends_at = [&](const Box& leaf, const Box& buffer, bool dashed) {
    int found = 0;
    for (const SvgElement& path : elements_named(svg, "path")) {
      int x0, y0, lane, y1, x1;
      REQUIRE(std::sscanf(path.attributes.at("d").c_str(), "M %d %d H %d V %d H %d", &x0, &y0,
                          &lane, &y1, &x1) == 5);
      const auto dash = path.attributes.find("stroke-dasharray");
      found += x0 == leaf.right && leaf.y < y0 && y0 < leaf.bottom && x1 == buffer.x &&
               buffer.y < y1 && y1 < buffer.bottom &&
               dashed == (dash != path.attributes.end() && dash->second == "6 3");
    }
    return found;
  };
  const Box p = box(all, "P[h]"), q = box(all, "Q[i]");
  const Box p_buffer = box(all, "buffer P"), q_buffer = box(all, "buffer Q");
  CHECK(ends_at(p, p_buffer, false) == 1);
  CHECK(ends_at(q, p_buffer, true) == 1);
  CHECK(ends_at(q, q_buffer, false) == 1);
  CHECK(ends_at(p, q_buffer, false) + ends_at(p, q_buffer, true) + ends_at(q, p_buffer, false) ==
        0);
  CHECK(elements_named(svg, "path").size() == 4);  // and the allocation of P
}

TEST_CASE("text is inside its box, and a long definition is cut", "[drawing]") {
  Var i = range("i", "N");
  Expr value = cast(f32, i + 0);
  for (int n = 0; n < 30; ++n) value = value + cast(f32, i * n);
  const Program program = define(empty_program({"N"}), "S", {i}, value);
  const std::string svg = draw_schedule(program);
  const auto all = boxes(svg);
  const Box leaf = box(all, "S[i]");
  CHECK(leaf.title.size() > 200);
  int lines = 0;
  for (const SvgElement& text : elements_named(svg, "text")) {
    const int x = text.number("x"), y = text.number("y");
    if (x < leaf.x || x > leaf.right || y < leaf.y || y > leaf.bottom) continue;
    ++lines;
    CHECK(text.text.size() < 80);
    CHECK(x + int(text.text.size()) * 12 * 0.6 < leaf.right + 12);  // "…" has three bytes
  }
  CHECK(lines == 2);
}

TEST_CASE("leaves carry the mark of their computation", "[drawing]") {
  const auto all = svg_elements(draw_schedule(three_stages()));
  std::map<std::string, int> marks;
  for (const SvgElement& element : all)
    if (element.attributes.count("data-mark")) ++marks[element.attributes.at("data-mark")];
  CHECK(marks == std::map<std::string, int>{{"c:P", 1}, {"c:Q", 1}, {"c:R", 1}});
}

TEST_CASE("a loop over tiles of a parametric size names the size", "[drawing]") {
  Program program = with_parameter(grid(), "T", asked);
  program = split(program, {"S", "i"}, Param("T"), "i0", "i1");
  CHECK(says(draw_schedule(program), "tiles of T"));
}

}  // namespace strata::test::draw_schedule_test
