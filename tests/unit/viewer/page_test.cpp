// Pages: complete, well-formed, escaped, self-contained.
#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "strata/buffer.h"
#include "strata/strata.h"
#include "tests/folder.h"
#include "viewer/html.h"

namespace strata::test::page_test {

using Set = std::set<std::string>;

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string page(const Function& f, const std::vector<Buffer>& arguments = {}) {
  const Folder folder;
  f.html(folder / "f.html", arguments);
  return contents(folder / "f.html");
}

std::string page(const Function& f, const Error& refused) {
  const Folder folder;
  f.html(refused, folder / "f.html");
  return contents(folder / "f.html");
}

// The part of a page from the section "name" to its end; empty if there is none.
std::string section(const std::string& html, const std::string& name) {
  const auto begin = html.find("<section class=\"" + name + "\">");
  if (begin == std::string::npos) return "";
  return html.substr(begin, html.find("</section>", begin) - begin);
}

Set marks_in(const std::string& html) {
  static const std::regex attribute("data-mark=\"([^\"]*)\"");
  Set marks;
  for (std::sregex_iterator at(html.begin(), html.end(), attribute), end; at != end; ++at) {
    std::istringstream words((*at)[1]);
    for (std::string mark; words >> mark;) marks.insert(mark);
  }
  return marks;
}

// The names of tags that are opened or closed in the wrong order, outside of the style and the
// script.
Set unbalanced(std::string html) {
  html = std::regex_replace(html, std::regex("<(style|script)>[^]*?</(style|script)>"), "");
  static const std::regex tag("<(/?)([a-z0-9]+)[^<>]*>");
  const Set alone = {"meta", "br"};
  std::vector<std::string> open;
  Set wrong;
  for (std::sregex_iterator at(html.begin(), html.end(), tag), end; at != end; ++at) {
    const std::string name = (*at)[2];
    if (alone.count(name)) continue;
    if ((*at)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      wrong.insert(name);
    } else {
      open.pop_back();
    }
  }
  wrong.insert(open.begin(), open.end());
  return wrong;
}

struct Blur {
  Function f{"blur"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, k{"k", 0, N - 2}, j{"j", 0, M - 2};
  Var k0{"k0"}, j0{"j0"}, k1{"k1"}, j1{"j1"};
  Input in = f.input("in", f32, {N, M});
  Computation bx = f.computation("bx", {i, j}, (in(i, j) + in(i, j + 1) + in(i, j + 2)) / 3.0f);
  Computation by = f.computation("by", {k, j}, (bx(k, j) + bx(k + 1, j) + bx(k + 2, j)) / 3.0f);

  void schedule() {
    by.tile(k, j, 8, 16, k0, j0, k1, j1);
    bx.compute_at(by, j0);
    by.parallelize(k0).vectorize(j1);
  }
};

TEST_CASE("a page has every computation, loop and buffer, in each part that is about it",
          "[page][halide]") {
  Blur blur;
  blur.schedule();
  const std::string html = page(blur.f, {blur.in.buffer(), blur.by.buffer()});
  const Set computations = {"c:bx", "c:by"}, buffers = {"b:in", "b:bx", "b:by"};
  const Set loops = {"l:bx.k0", "l:bx.j0", "l:bx.i",  "l:bx.j",
                     "l:by.k0", "l:by.j0", "l:by.k1", "l:by.j1"};
  const auto has = [&](const std::string& name, const Set& expected) {
    const Set found = marks_in(section(html, name));
    for (const std::string& mark : expected) {
      INFO(mark << " in " << name);
      CHECK(found.count(mark) == 1);
    }
  };
  for (const char* name : {"boxes", "loops", "history", "assembly"}) has(name, computations);
  for (const char* name : {"algorithm", "schedule"}) has(name, computations);
  for (const char* name : {"boxes", "loops", "schedule"}) has(name, loops);
  CHECK(std::regex_search(section(html, "schedule"),
                          std::regex("data-mark=\"l:bx.k0 l:by.k0\">loop k0 parallel")));
  for (const char* name : {"boxes", "loops", "storage"}) has(name, buffers);
  has("movement", {"b:bx"});
  has("history", {"l:by.k", "l:by.j0", "l:by.k0", "l:by.j1"});
  has("assembly", {"v:k1", "l:by.k1", "l:by.j1"});
  CHECK(html.find("remark: no vector") != std::string::npos);
  CHECK(section(html, "remarks").find("in computation bx, loop j, at ") != std::string::npos);
  CHECK(section(html, "profile").empty());
  CHECK(section(html, "refusal").empty());
}

TEST_CASE("the boxes have each buffer beside the loop whose iterations have it", "[page]") {
  Blur blur;
  blur.schedule();
  const std::string boxes = section(page(blur.f, {blur.in.buffer(), blur.by.buffer()}), "boxes");
  // bx is inside loop j0 after its nodes; in and by after all loops.
  const auto j0 = boxes.find("loop j0"), bx = boxes.find("data-mark=\"b:bx\"");
  const auto in = boxes.find("data-mark=\"b:in\">in</b> float32, input");
  const auto by = boxes.find("data-mark=\"b:by\">by</b> float32, output");
  REQUIRE(j0 < bx);
  const std::string between = boxes.substr(bx, in - bx);
  CHECK(std::regex_search(between, std::regex("</details>\\s*</div></div></details>")));
  CHECK(in < by);
}

TEST_CASE("a page is well-formed, needs no other file, and is folded", "[page]") {
  Blur blur;
  blur.schedule();
  const std::string html = page(blur.f, {blur.in.buffer(), blur.by.buffer()});
  CHECK(unbalanced(html).empty());
  CHECK(unbalanced("<p><b></p></b>") == Set{"p"});
  for (const char* reference : {"http", "src=", "href", "url(", "@import", "//cdn"}) {
    INFO(reference);
    CHECK(html.find(reference) == std::string::npos);
  }
  CHECK(html.size() < 100'000);
  for (const char* name : {"loops", "algorithm", "assembly", "history"})
    CHECK(section(html, name).find("<details class=\"pane\">") != std::string::npos);
}

TEST_CASE("a loop that computes nothing has its own mark alone", "[page]") {
  Function f("f");
  const Param N = f.param("N");
  const Var i("i", 0, N), j("j", 0, N), k("k", 0, N), i0("i0"), j0("j0"), i1("i1"), j1("j1");
  Input x = f.input("x", f32, {N, N});
  Computation y = f.computation("y", {i, j}, sum(k, x(i, k) * x(k, j)));
  y.tile(i, j, 4, 16, i0, j0, i1, j1).interchange(j1, k).interchange(i1, k);
  y.vectorize(j1, 8, j1, Var("lane")).unroll(j1).unroll(i1);  // a tile is kept around loop k
  const std::string html = page(f, {x.buffer(), y.buffer()});
  CHECK(std::regex_search(html, std::regex("data-mark=\"v:[a-z0-9_]*\"")));
  CHECK(!std::regex_search(html, std::regex("data-(mark|pick)=\"([^\"]* )?( [^\"]*)?\"")));
}

TEST_CASE("a notebook gets parts of a page, without a script", "[page]") {
  Blur blur;
  blur.schedule();
  const std::string html = blur.f.html();
  CHECK(unbalanced(html).empty());
  CHECK(html.find("<script") == std::string::npos);
  for (const char* name : {"boxes", "algorithm", "storage", "history"})
    CHECK(marks_in(section(html, name)).count("c:bx") == (name != std::string("storage") ? 1 : 0));
}

TEST_CASE("what authors write is escaped", "[page]") {
  CHECK(viewer::escaped("<a b=\"c\">&amp;") == "&lt;a b=&quot;c&quot;&gt;&amp;amp;");
  Function f("f");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  Input x = f.input("x", i32, {N});
  Computation y = f.computation("y", {i}, select(x(i) < 3 && x(i) > 1, x(i), 0));
  y.set_schedule("{ y[i] -> [0, -i, 0] }");
  const Where evil{"</pre><script>alert(\"&\")</script>.cpp", 7};
  std::string html;
  try {
    y.interchange(i, Var("<b>"), evil);
  } catch (const Error& refused) {
    html = page(f, refused);
  }
  CHECK(section(html, "refusal").find("&lt;/pre&gt;&lt;script&gt;alert(&quot;&amp;&quot;)") !=
        std::string::npos);
  CHECK(html.find("alert(\"") == std::string::npos);
  CHECK(html.find("set_schedule(y, &quot;{ y[i] -&gt; [0, -i, 0] }&quot;)") != std::string::npos);
  CHECK(html.find("< 3i32") == std::string::npos);
  CHECK(unbalanced(html).empty());
}

TEST_CASE("the history says which lines each command removes and adds", "[page]") {
  Function f("f");
  const Param N = f.param("N");
  const Var i("i", 0, N), i0("i0"), i1("i1");
  Input x = f.input("x", i32, {N});
  Computation y = f.computation("y", {i}, x(i) + 1);
  f.together([&] { y.split(i, 8, i0, i1).unroll(i1); });
  y.parallelize(i0);
  y.store_in({i + 1});
  const std::string history = section(page(f, {x.buffer(), y.buffer()}), "history");
  std::vector<std::string> steps;
  const std::regex step("<li>([^]*?)</li>");
  for (std::sregex_iterator at(history.begin(), history.end(), step), end; at != end; ++at)
    steps.push_back((*at)[1]);
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].find("together {<br>") != std::string::npos);
  CHECK(steps[0].find("<del>-   loop i {</del>") != std::string::npos);
  CHECK(steps[0].find("<ins>+   loop i0 {</ins>\n<ins>+     loop i1 unrolled {</ins>") !=
        std::string::npos);
  CHECK(steps[1].find("<del>-   loop i0 {</del>\n<ins>+   loop i0 parallel {</ins>\n</pre>") !=
        std::string::npos);
  CHECK(steps[2].find("<ins>+ store y ") != std::string::npos);
  CHECK(steps[2].find("del>") == std::string::npos);
}

TEST_CASE("a definition after the first command ends the history that can be shown", "[page]") {
  Function f("f");
  const Param N = f.param("N");
  const Var i("i", 0, N);
  Input x = f.input("x", i32, {N});
  Computation y = f.computation("y", {i}, x(i) + 1);
  y.parallelize(i);
  Computation z = f.computation("z", {i}, y(i) + 1);
  z.parallelize(i);
  const std::string html = page(f, {x.buffer(), z.buffer()});
  CHECK(section(html, "history").find("This command does not replay") != std::string::npos);
  CHECK(section(html, "history").find("parallelize(z.i)") != std::string::npos);
  CHECK(unbalanced(html).empty());
}

TEST_CASE("without arguments a page takes inputs and what nothing else reads, or the last ones",
          "[page]") {
  Blur blur;
  const std::string usual = page(blur.f);
  CHECK(section(usual, "loops").find("blur(int64 N, int64 M, float32 in, float32 by)") !=
        std::string::npos);
  CHECK(section(usual, "history").empty());
  blur.f.loops({blur.by.buffer(), blur.bx.buffer(), blur.in.buffer()});
  CHECK(section(page(blur.f), "loops").find("(int64 N, int64 M, float32 by, float32 bx, ") !=
        std::string::npos);
}

TEST_CASE("a page has the profile of a kernel that was called", "[page]") {
  Function f("profiled_for_a_page");
  const Var i("i", 0, 100);
  Computation y = f.computation("y", {i}, cast(i32, i) * 2);
  CodegenOptions options;
  options.profile = true;
  const JitFunction kernel = f.jit({y.buffer()}, options);
  CHECK(section(page(f), "profile").empty());
  Array<std::int32_t> out({100});
  REQUIRE(kernel({}, {out}) == 0);
  const std::string profile = section(page(f), "profile");
  CHECK(profile.find("data-mark=\"l:y.i\">i: y ") != std::string::npos);
}

TEST_CASE("a program whose loops are refused shows its layers and the refusal", "[page]") {
  const Function empty("empty");
  std::string said;
  try {
    empty.loops({});
  } catch (const Error& error) {
    said = to_string(error.code());
  }
  REQUIRE(!said.empty());
  CHECK(section(page(empty), "refusal").find("Refused: " + said) != std::string::npos);

  Blur blur;
  blur.schedule();
  blur.f.set_code_limit(1);
  const std::string html = page(blur.f, {blur.in.buffer(), blur.by.buffer()});
  CHECK(section(html, "refusal").find("error E0903 too much code") != std::string::npos);
  CHECK(marks_in(section(html, "boxes")).count("l:by.k0") == 1);
  CHECK(!section(html, "algorithm").empty());
  CHECK(!section(html, "history").empty());
  CHECK(section(html, "loops").empty());
  CHECK(section(html, "assembly").empty());
  CHECK(unbalanced(html).empty());
}

TEST_CASE("a page that cannot be written is an error with its path and the reason", "[page]") {
  const Blur blur;
  const std::string told = R"(error E0503 cannot write file
  in html(blur) at here.cpp:3
  the page /nowhere/f.html cannot be written: No such file or directory
  to fix it: name a file in a folder that exists and may be written to
)";
  try {
    blur.f.html("/nowhere/f.html", {}, {"here.cpp", 3});
    FAIL("it was written");
  } catch (const Error& error) {
    CHECK(error.what() == told);
  }
  const Folder folder;
  CHECK_THROWS_WITH(blur.f.html(folder.path.string()), Catch::Contains("Is a directory"));
}

}  // namespace strata::test::page_test
