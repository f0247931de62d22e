// The texts of refusals.
#pragma once

#include <catch2/catch.hpp>

#include <strata/strata.h>

#include <string>

namespace strata::test {

// The text of the refusal that "act" throws, with HERE in place of "where".
template <typename Act>
std::string told_at(const Where& where, Act act) {
  try {
    act();
  } catch (const Error& e) {
    std::string text = render(e.refusal());
    CHECK(std::string(e.what()) == text);
    const std::string place = where.file + ":" + std::to_string(where.line);
    const auto at = text.find(place);
    if (at != std::string::npos) text.replace(at, place.size(), "HERE");
    return text;
  }
  return "nothing was refused";
}

// The same for a call of the API: "act" must be on the line of the call of "told". If the program
// has changed, the text ends with a line that says so.
template <typename Act>
std::string told(const Function& f, Act act, const Where& where = Where::here()) {
  const std::string before = f.text();
  const std::vector<std::string> history = f.history();
  std::string text = told_at(where, act);
  if (f.text() != before || f.history() != history) text += "the program has changed\n";
  return text;
}

// A function of N and M with an input of N x M floats, and iterators over its rows and columns.
struct Grid {
  Function f{"f"};
  Param N = f.param("N"), M = f.param("M");
  Var i{"i", 0, N}, j{"j", 0, M}, k{"k", 0, N};
  Input in = f.input("in", f32, {N, M});

  Computation copy(const std::string& name) { return f.computation(name, {i, j}, in(i, j)); }
};

// s = in, t = s + 1.
struct Pair : Grid {
  Computation s = copy("s"), t = f.computation("t", {i, j}, s(i, j) + 1.0f);
  std::vector<Buffer> arguments() const { return {in.buffer(), t.buffer()}; }
};

}  // namespace strata::test
