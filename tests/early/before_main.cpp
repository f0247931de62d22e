// Public functions before main: this object is the first on the link line, so its static
// initializer runs before those of the library, which must need none.
#include <strata/runtime.h>
#include <strata/strata.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "tests/folder.h"

namespace strata::test::early {
namespace {

int bad = 0;

void expect(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "before main: %s\n", what.c_str());
  ++bad;
}

void ask_machines() {
  expect(machine().vector_bits > 0, "no vector bits of the machine at hand");
  expect(machine("skylake-avx512").vector_bits == 512, "skylake-avx512 has vectors of 512 bits");
  const std::string target = machine("x86-64-v3").target;
  expect(target.find("avx2") != std::string::npos, "the target of x86-64-v3: " + target);
  expect(parse_machine(to_text(machine("znver4"))).cpu == "znver4", "the text of a machine");
}

// scaled(i, j) = 3 in(i, j), then row sums, by many commands; as text, in process and as an object.
struct Program {
  Function f{"early"};
  Param N = f.param("N");
  Var i{"i", 0, N}, j{"j", 0, 16}, k{"k", 0, 16};
  Var i0{"i0"}, i1{"i1"}, j0{"j0"}, j1{"j1"};
  Input in = f.input("in", i32, {N, 16});
  Computation scaled = f.computation("scaled", {i, j}, in(i, j) * 3);
  Computation total = f.computation("total", {i}, sum(k, scaled(i, k)));

  void schedule() {
    scaled.tile(i, j, 4, 8, i0, j0, i1, j1).vectorize(j1).reorder({j0, i0}).parallelize(j0);
    total.split(i, 4, i0, i1).unroll(i1).guard(i1);
    scaled.buffer().set_memory(Memory::heap);
  }
};

void run_a_program() {
  Program p;
  p.schedule();
  Program again;
  std::string history;
  for (const std::string& line : p.f.history()) history += line + "\n";
  again.f.replay(history);
  expect(again.f.text() == p.f.text(), "a replayed history makes another program");
  expect(p.f.history_source().find("scaled.reorder({\"j0\", \"i0\"});") != std::string::npos,
         "the history in C++: " + p.f.history_source());
  expect(!p.f.loops({p.in.buffer(), p.total.buffer()}).empty(), "no loops");
  p.f.remarks({p.in.buffer(), p.total.buffer()});
  const Folder folder;
  p.f.codegen({p.in.buffer(), p.total.buffer()}, folder / "early.o");
  p.f.html(folder / "early.html", {p.in.buffer(), p.total.buffer()});
}

void launch_a_program() {
  Program p;
  p.scaled.gpu_tile(p.i, p.j, 8, 8, p.i0, p.j0, p.i1, p.j1);
  expect(p.f.text().find("block") != std::string::npos, "no block in the text of a launch");
}

void refuse_a_command() {
  Program p;
  try {
    p.scaled.split("nothing", 4);
    expect(false, "an unknown loop is not refused");
  } catch (const Error& e) {
    expect(e.code() == Code::E0102_unknown_loop, e.what());
  }
  try {
    p.f.replay("set_memory(scaled, nowhere)");
    expect(false, "an unknown memory is not refused");
  } catch (const Error& e) {
    expect(e.code() == Code::E0108_unreadable_text, e.what());
  }
}

// Calls all of this while the static objects of the program are initialised.
struct Early {
  Early() {
    try {
      expect(strata_last_code() == 0, std::string("the runtime: ") + strata_last_error());
      ask_machines();
      run_a_program();
      launch_a_program();
      refuse_a_command();
    } catch (const std::exception& e) {
      expect(false, e.what());
    }
  }
};
const Early early;

}  // namespace
}  // namespace strata::test::early

int main() { return strata::test::early::bad != 0; }
