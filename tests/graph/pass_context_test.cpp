// Which passes run, and who is told.
#include "tests/graph/programs.h"

namespace strata::test::pass_context_test {

using namespace strata::graph;

struct Author : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A pass that notes that it ran.
Pass noting(std::vector<std::string>& log, const PassInfo& info) {
  return Pass(info, [&log, info](const Module& module, const PassContext&) {
    log.push_back(info.name);
    return module;
  });
}

TEST_CASE("the level, required and disabled passes decide", "[graph]") {
  std::vector<std::string> log;
  const Pass all = sequential(
      {noting(log, {"zero", 0, {}}), noting(log, {"two", 2, {}}), noting(log, {"three", 3, {}})});
  const auto ran = [&](const PassContext& context) {
    log.clear();
    within(context, [&] { all(Module()); });
    std::string names;
    for (const std::string& name : log) names += name + " ";
    return names;
  };
  CHECK(ran({}) == "zero two ");
  CHECK(ran({.opt_level = 0}) == "zero ");
  CHECK(ran({.opt_level = 3}) == "zero two three ");
  CHECK(ran({.required_pass = {"three"}}) == "zero two three ");
  CHECK(ran({.disabled_pass = {"two"}}) == "zero ");
  CHECK(ran({.required_pass = {"three"}, .disabled_pass = {"three"}}) == "zero two ");
  log.clear();
  noting(log, {"ten", 10, {}})(Module());  // directly
  CHECK(log == std::vector<std::string>{"ten"});
}

TEST_CASE("a Sequential runs what a pass requires, and nests", "[graph]") {
  static std::vector<std::string> log;
  log.clear();
  static const bool registered = [] {
    register_pass(noting(log, {"test.needed", 9, {}}));
    return true;
  }();
  CHECK(registered);
  const Pass needs = noting(log, {"needs", 1, {"test.needed"}});
  const Pass inner = sequential({needs}, {"inner", 2, {}});
  sequential({inner, noting(log, {"last", 0, {}})})(Module());
  CHECK(log == std::vector<std::string>{"test.needed", "needs", "last"});
  log.clear();
  within({.opt_level = 1}, [&] { sequential({inner})(Module()); });
  CHECK(log.empty());
  CHECK(why([&] { sequential({noting(log, {"wrong", 0, {"FoldConstnt"}})})(Module()); }) ==
        "E0603 there is no pass FoldConstnt");
}

TEST_CASE("contexts are scoped, and an inner one shadows", "[graph]") {
  CHECK(PassContext::current().opt_level == 2);
  within({.opt_level = 3}, [] {
    within({.opt_level = 1}, [] { CHECK(PassContext::current().opt_level == 1); });
    CHECK(PassContext::current().opt_level == 3);
  });
  CHECK(PassContext::current().opt_level == 2);
  CHECK_THROWS_AS(within({.opt_level = 3}, [] { throw Author("no"); }), Author);
  CHECK(PassContext::current().opt_level == 2);
}

TEST_CASE("options have types and defaults", "[graph]") {
  CHECK(std::get<std::int64_t>(PassContext().option("FuseOps.max_depth")) == 256);
  within({.config = {{"FuseOps.max_depth", std::int64_t{10}}}}, [] {
    CHECK(std::get<std::int64_t>(PassContext::current().option("FuseOps.max_depth")) == 10);
  });
  CHECK(why([] { within({.config = {{"FuseOps.max_dept", true}}}, [] {}); }) ==
        "E0606 there is no option FuseOps.max_dept");
  within({.config = {{"relay.FuseOps.max_depth", std::int64_t{10}}}}, [] {
    CHECK(std::get<std::int64_t>(PassContext::current().option("FuseOps.max_depth")) == 10);
    CHECK(std::get<std::int64_t>(PassContext::current().option("relay.FuseOps.max_depth")) == 10);
  });
  CHECK(why([] { within({.config = {{"relay.FuseOps.depth", true}}}, [] {}); }) ==
        "E0606 there is no option relay.FuseOps.depth");
  CHECK(why([] { within({.config = {{"FuseOps.max_depth", true}}}, [] {}); }) ==
        "E0606 FuseOps.max_depth is an integer, and a boolean is given");
}

// An instrument that notes its calls, and throws at one of them.
std::shared_ptr<Instrument> noted(std::vector<std::string>& log, const std::string& name,
                                  const std::string& throws_at = "", bool runs = true) {
  auto made = std::make_shared<Instrument>();
  made->name = name;
  const auto note = [&log, name, throws_at](const std::string& what) {
    log.push_back(name + " " + what);
    if (what == throws_at) throw Author(name + " " + what);
  };
  made->enter_pass_ctx = [note] { note("enter"); };
  made->exit_pass_ctx = [note] { note("exit"); };
  made->should_run = [note, runs](const Module&, const PassInfo&) {
    note("should");
    return runs;
  };
  made->run_before_pass = [note](const Module&, const PassInfo&) { note("before"); };
  made->run_after_pass = [note](const Module&, const PassInfo&) { note("after"); };
  return made;
}

// The calls of two instruments around one pass; the second one throws there.
std::vector<std::string> calls(const std::string& throws_at, bool runs = true,
                               const std::vector<std::string>& required = {}) {
  std::vector<std::string> log;
  PassContext context;
  context.required_pass = required;
  context.instruments = {noted(log, "a"), noted(log, "b", throws_at, runs), noted(log, "c")};
  const auto act = [&] {
    within(context, [&] {
      Pass({"pass", 0, {}}, [&](const Module& module, const PassContext&) {
        log.push_back("pass");
        if (throws_at == "pass") throw Author("pass");
        return module;
      })(Module());
      log.push_back(std::to_string(PassContext::current().instruments.size()) + " instruments");
    });
  };
  if (throws_at.empty())
    act();
  else
    CHECK_THROWS_AS(act(), Author);
  return log;
}

TEST_CASE("instruments are called in order, also when one throws", "[graph]") {
  using Log = std::vector<std::string>;
  const Log enter{"a enter", "b enter", "c enter"}, exit{"a exit", "b exit", "c exit"};
  const auto around = [&](const Log& inside) {
    Log all = enter;
    all.insert(all.end(), inside.begin(), inside.end());
    all.insert(all.end(), exit.begin(), exit.end());
    return all;
  };
  const Log should{"a should", "b should", "c should"};
  const auto with = [](Log first, const Log& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  };
  CHECK(calls("") == around(with(should, {"a before", "b before", "c before", "pass", "a after",
                                          "b after", "c after", "3 instruments"})));
  CHECK(calls("", false) == around(with(should, {"3 instruments"})));
  CHECK(calls("", false, {"pass"}) == around({"a before", "b before", "c before", "pass", "a after",
                                              "b after", "c after", "3 instruments"}));
  CHECK(calls("enter") == Log{"a enter", "b enter", "a exit"});
  CHECK(calls("should") == around({"a should", "b should"}));
  CHECK(calls("before") == around(with(should, {"a before", "b before"})));
  CHECK(calls("pass") == around(with(should, {"a before", "b before", "c before", "pass"})));
  CHECK(calls("after") ==
        around(with(should, {"a before", "b before", "c before", "pass", "a after", "b after"})));
  Log exits = calls("exit");
  CHECK(exits.back() == "b exit");  // c is not called
}

TEST_CASE("exits and entries that throw empty the list", "[graph]") {
  std::vector<std::string> log;
  for (const char* place : {"enter", "exit"}) {
    PassContext context;
    context.instruments = {noted(log, "a"), noted(log, "b", place)};
    CHECK_THROWS_AS(([&] {
                      enter_context(context);
                      leave_context(context);
                    }()),
                    Author);
    CHECK(context.instruments.empty());
    CHECK(PassContext::current().opt_level == 2);
  }
}

TEST_CASE("other instruments watch from now on", "[graph]") {
  using Log = std::vector<std::string>;
  Log log;
  const Pass pass = noting(log, {"pass", 0, {}});
  PassContext& current = PassContext::current();
  current.override_instruments({noted(log, "a")});
  pass(Module());
  current.override_instruments({noted(log, "b")});
  current.override_instruments({});
  pass(Module());
  CHECK(log == Log{"a enter", "a should", "a before", "pass", "a after", "a exit", "b enter",
                   "b exit", "pass"});
  for (const char* place : {"enter", "exit"}) {
    log.clear();
    current.override_instruments({noted(log, "a")});
    const auto next = [&] {
      current.override_instruments({noted(log, "b", place)});
      current.override_instruments({});
    };
    CHECK_THROWS_AS(next(), Author);
    CHECK(current.instruments.empty());
    CHECK(log.back() == std::string("b ") + place);
  }
  CHECK(why([&] { current.override_instruments({nullptr}); }) ==
        "E0606 an instrument is undefined");
}

TEST_CASE("an instrument may replace those that watch", "[graph]") {
  std::vector<std::string> log;
  const auto once = std::make_shared<Instrument>();
  once->run_before_pass = [&](const Module&, const PassInfo& info) {
    log.push_back(info.name);
    PassContext::current().override_instruments({});
  };
  PassContext context;
  context.instruments = {once, once};
  within(context, [&] { noting(log, {"pass", 0, {}})(Module()); });
  CHECK(log == std::vector<std::string>{"pass", "pass", "pass"});
}

TEST_CASE("times are a tree, and rendering forgets them", "[graph]") {
  PassTimes times;
  std::string names;
  PassContext context;
  context.instruments = {times.instrument(),
                         print_names([&](const std::string& name) { names += name; })};
  within(context, [&] { sequential({fold_constant(), dead_code_elimination()})(Module()); });
  CHECK(names == "sequential\nFoldConstant\nDeadCodeElimination\n");
  const std::string text = times.render();
  CHECK(text.starts_with("sequential: 0."));
  CHECK(text.find("\n  FoldConstant: 0.") != std::string::npos);
  CHECK(times.render().empty());
}

TEST_CASE("times of passes that throw have no lines below them", "[graph]") {
  PassTimes times;
  PassContext context;
  context.instruments = {times.instrument()};
  const auto throwing = [](const Module& module, const PassContext&) -> Module {
    CHECK_THROWS(
        sequential({Pass({"inner", 0, {}}, [](const Module&, const PassContext&) -> Module {
          throw std::runtime_error("inner");
        })})(module));
    fold_constant()(module);
    throw std::runtime_error("outer");
  };
  within(context, [&] {
    CHECK_THROWS(Pass({"outer", 0, {}}, throwing)(Module()));
    dead_code_elimination()(Module());
  });
  std::string names = times.render();
  for (std::size_t at; (at = names.find(": ")) != names.npos;)
    names.erase(at, names.find('\n', at) - at);
  CHECK(names == "outer\n  sequential\n    inner\n  FoldConstant\nDeadCodeElimination\n");
}

TEST_CASE("a dataflow pass keeps outputs and symbols", "[graph]") {
  GraphBuilder b;
  const Param n("n");
  const Value x = variable("x", ValueType::tensor(1, Type::float32));
  b.function("main", {x}, [&] {
    Value y;
    b.dataflow([&] { y = b.emit_output(call("exp", {b.match_shape(x, {n})})); });
    b.emit_function_output(y);
  });
  const auto act = [&](auto change) {
    return why([&] {
      dataflow_pass({"pass", 0, {}}, [&](Block block, const Module&, const PassContext&) {
        change(block);
        return block;
      })(b.module());
    });
  };
  CHECK(act([](Block&) {}) == "nothing was refused");
  CHECK(act([](Block& block) { block.bindings.pop_back(); }) ==
        "E0605 a dataflow block has other outputs");
  CHECK(act([](Block& block) { block.bindings.erase(block.bindings.begin()); }) ==
        "E0605 a dataflow block defines other symbols");
  CHECK(act([](Block& block) { block.is_dataflow = false; }) ==
        "E0605 a dataflow block is none any more");
}

TEST_CASE("a dataflow pass visits blocks in branches, too", "[graph]") {
  GraphBuilder b;
  const Value x = variable("x", f32_tensor({4})),
              c = variable("c", ValueType::tensor(Shape(), boolean));
  const auto side = [&] {
    Value y;
    b.dataflow([&] { y = b.emit_output(call("exp", {x})); });
    return y;
  };
  b.function("main", {x, c}, [&] { b.emit_function_output(b.emit_branch(c, side, side)); });
  int blocks = 0;
  const Module made =
      dataflow_pass({"count", 0, {}}, [&](const Block& block, const Module&, const PassContext&) {
        ++blocks;
        return block;
      })(checked(b.module()));
  CHECK(blocks == 2);
  CHECK(is_equal(made, b.module()));
}

}  // namespace strata::test::pass_context_test
