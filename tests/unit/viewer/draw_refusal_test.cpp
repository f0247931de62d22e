#include <cmath>
#include <set>

#include "schedule/commands/loops/interchange.h"
#include "schedule/commands/loops/parallelize.h"
#include "schedule/commands/loops/reverse.h"
#include "schedule/commands/order/fuse.h"
#include "schedule/commands/storage/store_in.h"
#include "tests/unit/programs.h"
#include "tests/unit/viewer/svg_elements.h"
#include "viewer/drawing/refusal.h"

namespace strata::test::draw_refusal_test {

namespace {

std::string refused(const Program& program, const std::function<void()>& command) {
  return draw_refusal(program, refusal_of(command));
}

// The points of a computation, by their titles: "S, i = 0, j = 1".
std::map<std::string, SvgElement> points(const std::string& svg, const std::string& computation) {
  std::map<std::string, SvgElement> found;
  const auto all = svg_elements(svg);
  for (std::size_t n = 0; n + 1 < all.size(); ++n) {
    const auto mark = all[n].attributes.find("data-mark");
    if (mark == all[n].attributes.end() || mark->second != "c:" + computation) continue;
    REQUIRE(all[n + 1].name == "title");
    CHECK(found.emplace(all[n + 1].text, all[n]).second);
  }
  return found;
}

// The titles of the elements of a kind: "S[0, 1] to S[1, 0]" of a path.
std::vector<std::string> titles(const std::string& svg, const std::string& name) {
  std::vector<std::string> found;
  const auto all = svg_elements(svg);
  for (std::size_t n = 0; n + 1 < all.size(); ++n)
    if (all[n].name == name && all[n + 1].name == "title") found.push_back(all[n + 1].text);
  return found;
}

// The numbers of a path or polygon: x, y, x, y, ..
std::vector<double> numbers(std::string text) {
  for (char& c : text)
    if (c != '-' && (c < '0' || c > '9')) c = ' ';
  std::vector<double> found;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    found.push_back(std::stod(text.substr(at, end - at)));
    at = end;
  }
  return found;
}

double distance(const SvgElement& point, double x, double y) {
  return std::hypot(point.number("cx") - x, point.number("cy") - y);
}

bool says(const std::string& svg, const std::string& line) {
  const auto texts = svg_texts(svg);
  return std::count(texts.begin(), texts.end(), line) > 0;
}

// for i < n: for j <= i: S(i, j) = S(i - 1, j + 1) + 1, if that exists.
Program triangle(int n) {
  Var i("i", 0, n), j("j", 0, i + 1);
  return define(empty_program({}), "S", {i, j},
                select(i > 0 && j + 1 <= i - 1, at("S", {i - 1, j + 1}), 0.0f) + 1.0f);
}

Program three_deep() {
  Var t = range("t", "N"), i = range("i", "N"), j = range("j", "N");
  return define(empty_program({"N"}), "S", {t, i, j},
                select(t > 0 && i > 0 && j > 0, at("S", {t - 1, i - 1, j - 1}), 0.0f) +
                    select(j > 0, at("S", {t, i, j - 1}), 0.0f));
}

}  // namespace

TEST_CASE("the grid has the points of the domain", "[drawing]") {
  const Program program = triangle(6);
  const std::string svg = refused(program, [&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  const auto drawn = points(svg, "S");
  std::set<std::string> expected;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j)
      expected.insert("S, i = " + std::to_string(i) + ", j = " + std::to_string(j));
  std::set<std::string> found;
  for (const auto& [title, point] : drawn) found.insert(title);
  CHECK(found == expected);
  // Rows are below each other, columns beside each other.
  CHECK(drawn.at("S, i = 2, j = 1").number("cy") == drawn.at("S, i = 2, j = 0").number("cy"));
  CHECK(drawn.at("S, i = 3, j = 1").number("cy") > drawn.at("S, i = 2, j = 1").number("cy"));
  CHECK(drawn.at("S, i = 3, j = 2").number("cx") > drawn.at("S, i = 3, j = 1").number("cx"));
}

TEST_CASE("an arrow goes from the producer to the user", "[drawing]") {
  const Program program = antidiagonal();
  const std::string svg = refused(program, [&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  CHECK(titles(svg, "path") == std::vector<std::string>{"S[0, 1] to S[1, 0]"});
  const auto drawn = points(svg, "S");
  CHECK(drawn.size() == 4);
  const auto curve = numbers(elements_named(svg, "path").front().attributes.at("d"));
  const auto head = numbers(elements_named(svg, "polygon").front().attributes.at("points"));
  const double pitch =
      drawn.at("S, i = 0, j = 1").number("cx") - drawn.at("S, i = 0, j = 0").number("cx");
  CHECK(distance(drawn.at("S, i = 0, j = 1"), curve[0], curve[1]) < pitch / 2);
  CHECK(distance(drawn.at("S, i = 1, j = 0"), head[0], head[1]) < pitch / 2);
  CHECK(says(svg, "S[0, 1]"));
  CHECK(says(svg, "S[1, 0]"));
  CHECK(says(svg, "value"));
  CHECK(says(svg, "S[0, 1] at [0, 1, 0, 0, 0] computes the value that"));
}

TEST_CASE("points have their numbers in the order of the refused schedule", "[drawing]") {
  const Program program = triangle(4);
  const std::string svg = refused(program, [&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  const auto drawn = points(svg, "S");
  int number = 0;
  for (int j = 0; j < 4; ++j)
    for (int i = j; i < 4; ++i) {
      const SvgElement& point =
          drawn.at("S, i = " + std::to_string(i) + ", j = " + std::to_string(j));
      ++number;
      int found = 0;
      for (const SvgElement& text : elements_named(svg, "text"))
        found += text.number("x") == point.number("cx") &&
                 std::abs(text.number("y") - point.number("cy")) < 6 &&
                 text.text == std::to_string(number);
      CHECK(found == 1);
    }
}

TEST_CASE("iterations that run at the same time have no order", "[drawing]") {
  Var i = range("i", "N");
  const Program program =
      define(empty_program({"N"}), "S", {i}, select(i > 0, at("S", {i - 1}), 0.0f) + 1.0f);
  const std::string svg = refused(program, [&] { parallelize(program, {"S", "i"}); });
  const auto drawn = points(svg, "S");
  REQUIRE(drawn.size() == 2);
  CHECK(drawn.at("S, i = 0").number("cy") == drawn.at("S, i = 1").number("cy"));
  CHECK(svg.find("The numbers are") == std::string::npos);
  CHECK(says(svg, "i"));
}

TEST_CASE("two computations have grids side by side", "[drawing]") {
  const Program program = stencil();
  const std::string svg = refused(program, [&] { fuse(program, {"P", "h"}, {"Q", "i"}); });
  const auto p = points(svg, "P"), q = points(svg, "Q");
  REQUIRE(p.size() == 2);
  REQUIRE(q.size() == 1);
  for (const auto& [one, left] : p)
    for (const auto& [other, right] : q)
      CHECK(left.number("cx") + left.number("r") < right.number("cx") - right.number("r"));
  CHECK(titles(svg, "path").size() == 1);
}

TEST_CASE("what overwrites a value has a mark and a dashed line", "[drawing]") {
  Var i = range("i", "N"), j = range("j", "N");
  Program program = define(empty_program({"N"}), "P", {i}, cast(f32, i + 0));
  program = define(program, "Q", {j}, at("P", {j}));
  const std::string svg =
      refused(program, [&] { store_in(program, "P", "b", {Var("i")}, {Expr(0)}); });
  CHECK(titles(svg, "path") == std::vector<std::string>{"P[0] to Q[0]", "P[1] and P[0]"});
  CHECK(elements_named(svg, "path").front().attributes.count("stroke-dasharray") == 0);
  CHECK(elements_named(svg, "path").back().attributes.count("stroke-dasharray") == 1);
  CHECK(says(svg, "value in b[0]"));
  CHECK(says(svg, "overwrites"));
}

TEST_CASE("labels of executions are beside all marks and other labels", "[drawing]") {
  const Program program = antidiagonal();
  const std::string svg = refused(program, [&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  const auto drawn = points(svg, "S");
  // A label is the white rectangle behind its text.
  std::vector<SvgElement> labels;
  for (const SvgElement& rect : elements_named(svg, "rect"))
    if (rect.attributes.count("fill-opacity")) labels.push_back(rect);
  REQUIRE(labels.size() == 3);
  const auto apart = [](const SvgElement& a, int x, int y, int right, int bottom) {
    return a.number("x") + a.number("width") <= x || right <= a.number("x") ||
           a.number("y") + a.number("height") <= y || bottom <= a.number("y");
  };
  for (std::size_t n = 0; n < labels.size(); ++n) {
    for (std::size_t m = n + 1; m < labels.size(); ++m) {
      const int x = labels[m].number("x"), y = labels[m].number("y");
      CHECK(apart(labels[n], x, y, x + labels[m].number("width"), y + labels[m].number("height")));
    }
    for (const auto& [title, point] : drawn) {
      const int x = point.number("cx"), y = point.number("cy"), r = point.number("r");
      CHECK(apart(labels[n], x - r, y - r, x + r, y + r));
    }
  }
}

TEST_CASE("a large domain is cut around the witness", "[drawing]") {
  const Program program = triangle(100);
  Refusal refusal = refusal_of([&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  refusal.witness->executions = {{"S[60, 40]", ""}, {"S[61, 39]", ""}};
  const std::string svg = draw_refusal(program, refusal);
  const auto drawn = points(svg, "S");
  CHECK(drawn.size() <= 16 * 16);
  CHECK(drawn.count("S, i = 60, j = 40") == 1);
  CHECK(drawn.count("S, i = 61, j = 39") == 1);
  std::set<int> columns, rows;
  for (const auto& [title, point] : drawn) {
    columns.insert(point.number("cx"));
    rows.insert(point.number("cy"));
  }
  CHECK(columns.size() == 16);
  CHECK(rows.size() == 16);
  CHECK(says(svg, "cut: there are more points"));
}

TEST_CASE("a deep domain is drawn where the executions differ", "[drawing]") {
  const Program program = three_deep();
  const std::string svg = refused(program, [&] { reverse(program, {"S", "j"}); });
  const auto drawn = points(svg, "S");
  CHECK(drawn.count("S, t = 0, i = 0, j = 0") == 1);
  CHECK(drawn.count("S, t = 0, i = 0, j = 1") == 1);
  CHECK(says(svg, "where t = 0"));
}

TEST_CASE("executions that differ in three dimensions have a plane each", "[drawing]") {
  const Program program = three_deep();
  Refusal refusal = refusal_of([&] { reverse(program, {"S", "t"}); });
  refusal.witness->parameters = "N = 3";
  refusal.witness->executions = {{"S[0, 1, 0]", ""}, {"S[1, 2, 1]", ""}};
  const std::string svg = draw_refusal(program, refusal);
  const auto drawn = points(svg, "S");
  CHECK(drawn.size() == 2 * 3 * 3);
  for (const char* plane : {"where t = 0", "where t = 1"}) CHECK(says(svg, plane));
  const SvgElement &from = drawn.at("S, t = 0, i = 1, j = 0"),
                   &to = drawn.at("S, t = 1, i = 2, j = 1");
  CHECK(drawn.at("S, t = 0, i = 2, j = 2").number("cx") <
        drawn.at("S, t = 1, i = 0, j = 0").number("cx"));
  CHECK(titles(svg, "path") == std::vector<std::string>{"S[0, 1, 0] to S[1, 2, 1]"});
  const auto curve = numbers(elements_named(svg, "path").front().attributes.at("d"));
  const auto head = numbers(elements_named(svg, "polygon").front().attributes.at("points"));
  CHECK(distance(from, curve[0], curve[1]) < 30);
  CHECK(distance(to, head[0], head[1]) < 30);
}

TEST_CASE("executions that are far apart have a window each", "[drawing]") {
  const Program program = triangle(100);
  Refusal refusal = refusal_of([&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  refusal.witness->executions = {{"S[60, 0]", ""}, {"S[61, 39]", ""}};
  const std::string svg = draw_refusal(program, refusal);
  const auto drawn = points(svg, "S");
  CHECK(drawn.size() == 2 * 16 * 16);
  CHECK(drawn.count("S, i = 60, j = 0") == 1);
  CHECK(drawn.count("S, i = 61, j = 39") == 1);
  CHECK(titles(svg, "path") == std::vector<std::string>{"S[60, 0] to S[61, 39]"});
}

TEST_CASE("executions that cannot be read are told", "[drawing]") {
  const Program program = three_deep();
  Refusal refusal = refusal_of([&] { reverse(program, {"S", "j"}); });
  for (const char* other : {"S[0, ?, 1]", "T[0, 0, 1]", "S[1]", "S["}) {
    refusal.witness->executions = {{"S[0, 0, 0]", ""}, {other, ""}};
    const std::string svg = draw_refusal(program, refusal);
    CHECK(points(svg, "S").empty());
    CHECK(says(svg, std::string(other) + " uses"));
  }
}

TEST_CASE("an execution outside of its domain has a mark and no point", "[drawing]") {
  const Program program = antidiagonal();
  Refusal refusal = refusal_of([&] { interchange(program, {"S", "i"}, {"S", "j"}); });
  refusal.witness->executions = {{"S[1, 1]", ""}, {"S[1, 2]", ""}};
  refusal.witness->story = {"{0} reads", "{1}, which is outside S"};
  const std::string svg = draw_refusal(program, refusal);
  CHECK(points(svg, "S").size() == 4);
  CHECK(titles(svg, "path") == std::vector<std::string>{"S[1, 2] to S[1, 1]"});
  const auto rects = titles(svg, "rect");
  CHECK(std::count(rects.begin(), rects.end(), "S[1, 2]") == 1);
}

TEST_CASE("a refusal without a witness is a picture of its text", "[drawing]") {
  const Program program = grid();
  const std::string svg = draw_refusal(program, {Code::E0102_unknown_loop,
                                                 "store_in(\"{ S[i] -> b[i] : i < 2 & }\")",
                                                 "S has no loop <k>",
                                                 std::nullopt,
                                                 "name another",
                                                 {}});
  CHECK(points(svg, "S").empty());
  CHECK(says(svg, "E0102 unknown loop"));
  CHECK(says(svg, "in store_in(&quot;{ S[i] -&gt; b[i] : i &lt; 2 &amp; }&quot;)"));
  CHECK(says(svg, "to fix it: name another"));
}

}  // namespace strata::test::draw_refusal_test
