#include "tests/error/misuse.h"

namespace strata::test {

World::World() {
  for (Function* function : {&f, &other}) {
    const Param N = function->param("N"), M = function->param("M");
    const Var i("i", 0, N), j("j", 0, M), k("k", 0, M);
    const bool own = function == &f;
    const Input in = function->input("in", f32, {N, M}),
                at = function->input("at", own ? i32 : i64, {N});
    auto& made = own ? computations_ : foreign_;
    made.push_back(function->computation("s", {i, j}, in(i, j) * 2.0f));
    made.push_back(function->computation("t", {i, j}, made[0](i, j) + 1.0f));
    made.push_back(function->computation("r", {i}, sum(k, made[1](i, k))));
    made.push_back(function->computation("h", {i}, 0));
    made.push_back(made[3].update({i}, {clamp(at(i), 0, N - 1)}, 1));
    (own ? inputs_ : foreign_inputs_) = {in, at};
    for (const Expr& read : {Expr(N), in(i, j), Expr(at(i)), made[0](i, j), made[2](i)})
      reads_.push_back(read);
    function->set_budget(2'000'000);
  }
}

Computation& World::any(Draw& draw) { return computations_[draw.below(computations_.size())]; }

Computation& World::handle(Draw& draw) {
  return draw.one_in(3) ? foreign_[draw.below(foreign_.size())] : any(draw);
}

const Input& World::input(Draw& draw) {
  return draw.of(draw.one_in(3) ? foreign_inputs_ : inputs_);
}

std::vector<Buffer> World::buffers(Draw& draw) {
  return draw.list(4, [&]() -> Buffer {
    if (draw.one_in(4)) return Buffer(draw.name());
    return draw.one_in(2) ? input(draw).buffer() : handle(draw).buffer();
  });
}

// Defines a valid computation, except that its read may be by a handle of the other function.
void World::read(Draw& draw) {
  const Var i("i", 0, parameter("N")), j("j", 0, parameter("M"));
  const std::string name = "w" + std::to_string(draw.below(1000));
  computations_.push_back(f.computation(name, {i, j}, draw.of(reads_)));
}

void World::define(Draw& draw) {
  const auto keep = [&](const Computation& c) { computations_.push_back(c); };
  switch (draw.below(16)) {
    case 0: f.param(draw.name()); break;
    case 1: f.param(draw.name(), draw.expression(2)); break;
    case 2: inputs_.push_back(f.input(draw.name(), draw.type(), draw.expressions())); break;
    case 3: f.buffer(draw.name(), draw.type(), draw.expressions()); break;
    case 4: keep(f.computation(draw.name(), draw.iterators(), draw.expression(3))); break;
    case 5: keep(f.computation(draw.name(), Domain(draw.relation()), draw.expression(2))); break;
    case 6: {
      const auto names = draw.list(3, [&] { return draw.name(); });
      keep(f.computation(names, draw.iterators(), tuple(draw.expressions())));
      break;
    }
    case 7: {
      const auto names = draw.list(3, [&] { return draw.name(); });
      keep(f.computation(names, Domain(draw.relation()),
                         argmin(draw.iterators(), draw.expression(2))));
      break;
    }
    case 8: {
      const Reducer reducer(draw.name(), draw.expressions(),
                            [&](const auto&, const auto&) { return draw.expressions(); });
      keep(f.computation({draw.name(), draw.name()}, draw.iterators(),
                         reduce(reducer, draw.iterators(), draw.expressions())));
      break;
    }
    case 9: keep(f.declare(draw.name(), draw.iterators(), draw.type())); break;
    case 10: keep(f.declare(draw.name(), Domain(draw.relation()), draw.type())); break;
    case 11: any(draw).define(draw.expression(3)); break;
    case 12:
      keep(any(draw).update(draw.iterators(), draw.expressions(), draw.expression(2)));
      break;
    case 13: any(draw).where(draw.expression(2)); break;
    case 14: f.assume(draw.expression(2)); break;
    case 15: read(draw); break;
  }
}

void World::change_loops(Draw& draw) {
  Computation checked = any(draw);
  Computation c = draw.one_in(8) ? checked.unchecked() : checked;
  if (draw.one_in(4)) c = c.piece(draw.name());
  const auto v = [&] { return draw.loop(); };
  switch (draw.below(32)) {
    case 0: c.split(v(), draw.size()); break;
    case 1: c.split(v(), draw.size(), v(), v()); break;
    case 2: c.tile(v(), v(), draw.size(), draw.size()); break;
    case 3: c.tile(v(), v(), draw.size(), draw.size(), v(), v(), v(), v()); break;
    case 4: c.tile(v(), v(), v(), draw.size(), draw.size(), draw.size()); break;
    case 5:
      if (draw.one_in(3))
        c.collapse(v(), v(), v());
      else
        draw.one_in(2) ? c.reorder({v(), v(), v()}) : c.interchange(v(), v());
      break;
    case 6: c.shift(v(), draw.expression(2)); break;
    case 7: c.skew(v(), v(), draw.number(), draw.number()); break;
    case 8:
      c.skew(v(), v(), draw.number(), draw.number(), draw.number(), draw.number(), v(), v());
      break;
    case 9: c.reverse(v()); break;
    case 10: c.unroll(v()); break;
    case 11: c.unroll(v(), draw.number()); break;
    case 12: c.unroll(v(), draw.number(), v(), v()); break;
    case 13: c.vectorize(v()); break;
    case 14: c.vectorize(v(), draw.number()); break;
    case 15: c.vectorize(v(), draw.number(), v(), v()); break;
    case 16: c.parallelize(v()); break;
    case 17: c.separate(v()); break;
    case 18: c.guard(v()); break;
    case 19: c.mask(v()); break;
    case 20: c.peel(v(), draw.number()); break;
    case 21: c.peel(v(), draw.number(), draw.name()); break;
    case 22: c.gpu_blocks(v(), v()); break;
    case 23: c.gpu_threads(v()); break;
    case 24: c.gpu(v(), v()); break;
    case 25: c.gpu_tile(v(), draw.number()); break;
    case 26: c.gpu_tile(v(), v(), draw.number(), draw.number(), v(), v(), v(), v()); break;
    case 27: c.min_blocks(v(), draw.number()); break;
    case 28: c.deal({v(), v()}); break;
    case 29: c.cache_shared_at(handle(draw), v()); break;
    case 30: c.cache_local_at(handle(draw), v()); break;
    case 31: c.mma(draw.one_in(2) ? "tf32" : draw.name()); break;
  }
}

void World::change_order(Draw& draw) {
  Computation c = any(draw), d = handle(draw);
  if (draw.one_in(4)) c = c.piece(draw.name());
  if (draw.one_in(4)) d = d.piece(draw.name());
  switch (draw.below(11)) {
    case 0: c.after(d, draw.loop()); break;
    case 1: c.after(d); break;
    case 2: c.before(d, draw.loop()); break;
    case 3: c.before(d); break;
    case 4: c.then(d, draw.loop()); break;
    case 5: c.then(d); break;
    case 6: c.between(d, draw.loop(), handle(draw), std::nullopt); break;
    case 7: c.fuse(draw.loop(), d, draw.loop()); break;
    case 8:
      draw.one_in(2) ? c.distribute_loop(draw.loop())
                     : c.distribute(draw.loop(), Partition(draw.name()));
      break;
    case 9: c.set_schedule(draw.relation()); break;
    case 10:
      if (draw.one_in(4)) c.set_inline();
      break;
  }
}

void World::place(Draw& draw) {
  Computation c = any(draw);
  const auto keep = [&](const Computation& made) { computations_.push_back(made); };
  switch (draw.below(15)) {
    case 0: c.compute_at(handle(draw), draw.loop()); break;
    case 1: c.compute_at(draw.list(3, [&] { return std::pair(handle(draw), draw.loop()); })); break;
    case 2: c.compute_at(root); break;
    case 3: c.store_at(handle(draw), draw.loop()); break;
    case 4: c.store_at(root); break;
    case 5:
      keep(c.cache_at(draw.loop(), input(draw), draw.name(), draw.iterators(), draw.memory()));
      break;
    case 6:
      keep(c.cache_at(draw.loop(), handle(draw), draw.name(), draw.iterators(), draw.memory()));
      break;
    case 7: keep(c.rfactor(draw.loop(), draw.name())); break;
    case 8: c.atomic(); break;
    case 9: keep(c.component(draw.below(4))); break;
    case 10: c.prefetch(draw.loop(), input(draw), draw.number()); break;
    case 11: c.prefetch(draw.loop(), handle(draw), draw.number()); break;
    case 12: keep(c.copy_at(draw.loop(), draw.name(), draw.iterators(), draw.memory())); break;
    case 13: c.barrier_at(draw.loop()); break;
    case 14: c.async(); break;
  }
}

void World::change_storage(Draw& draw) {
  Computation c = any(draw);
  switch (draw.below(12)) {
    case 11: input(draw).buffer().set_memory(draw.memory()); break;
    case 0: c.store_in(draw.expressions()); break;
    case 1: c.store_in(Buffer(draw.name())); break;
    case 2: c.store_in(input(draw).buffer(), draw.expressions()); break;
    case 3: c.store_in(draw.relation()); break;
    case 4: c.set_size(draw.expressions()); break;
    case 5: c.set_memory(draw.memory()); break;
    case 6: c.allocate_at(handle(draw), draw.loop()); break;
    case 7: c.allocate_at(root); break;
    case 8: c.host_to_device(handle(draw), draw.loop()); break;
    case 9: c.device_to_host(); break;
    case 10: f.resident(c); break;
  }
}

void World::finish(Draw& draw) {
  CodegenOptions options;
  options.target = draw.of<std::string>({"", "nonsense", "x86-64-linux-sse41", "host", "arm",
                                         "x86-64-v3,x86-64", "x86-64-v3,haswell", "host,"});
  options.floats = draw.one_in(2) ? Floats::exact : Floats::fast;
  const std::string path = "/no such folder/f.o";
  switch (draw.below(4)) {
    case 0: f.loops(buffers(draw)); break;
    case 1: f.codegen(buffers(draw), path, options); break;
    case 2: f.codegen({computations_[0].buffer(), computations_[0].buffer()}, path, options); break;
    case 3:
      f.set_budget(draw.one_in(2) ? 2'000'000 : std::min<std::int64_t>(draw.number(), 0));
      break;
  }
}

// Groups, which leave nothing behind after a refusal, and loops around one call.
void World::nest(Draw& draw) {
  if (draw.one_in(2)) {
    f.loop(draw.loop(), [&] { act(draw); });
    return;
  }
  f.together([&] {
    for (std::size_t n = draw.below(4); n > 0; --n) act(draw);
  });
}

void World::act(Draw& draw) {
  using Act = void (World::*)(Draw&);
  static const std::vector<Act> acts = {
      &World::define, &World::change_loops, &World::change_order, &World::change_storage,
      &World::place,  &World::finish,       &World::nest};
  (this->*draw.of(acts))(draw);
}

}  // namespace strata::test
