"""Passes in Python: decorators, contexts, instruments, rewriting."""

import os
import pathlib
import re

import numpy as np
import pytest

import strata as st
from strata.graph import (Binding, Block, GraphBuilder, Module, TensorKernel, ValueType, constant,
                          constants_of, ops, parse_module, run, te, to_html, transform, variable,
                          verify)

n = te.var("n")


def example():
    """y = (c + c) * 2 + x, and x + y twice."""
    b = GraphBuilder()
    x = variable("x", ValueType.tensor((n, 2), "float32"))
    c = constant(np.array([[1, 2]], np.float32))
    with b.function("main", [x]):
        with b.dataflow():
            y = b.emit(ops.add(ops.multiply(ops.add(c, c), np.float32(2)), x))
            z = b.emit_output(ops.add(ops.add(x, y), ops.add(x, y)))
        b.emit_function_output(z)
    return b.module()


def calls(module):
    """The operators of main, in order."""
    return [str(binding.definition).split("(")[0]
            for block in module.functions["main"].body.blocks for binding in block.bindings]


def value(module):
    return np.asarray(run(module, "main", np.array([[3, 5], [7, 11]], np.float32)))


def test_passes_of_the_library():
    module = example()
    assert calls(module) == ["add", "multiply", "add", "add", "add", "add"]
    wanted = 2 * (2 * np.array([[3, 5], [7, 11]]) + np.array([[4, 8]]))
    assert np.array_equal(value(module), wanted)
    folded = transform.FoldConstant()(module)
    assert calls(folded) == ["add", "add", "add", "add"]
    shared = transform.EliminateCommonSubexpr()(folded)
    assert calls(shared) == ["add", "add", "add"]
    for made in (folded, shared):
        verify(made)
        assert np.array_equal(value(made), wanted)
    skipped = transform.EliminateCommonSubexpr(fskip=lambda b: "add" in str(b.definition))(folded)
    assert skipped == folded
    assert transform.DeadCodeElimination()(shared) == shared
    assert transform.ToANormalForm()(shared) == transform.InferType()(shared) == shared
    assert calls(transform.FMARewrite()(module)) == ["add", "ewise_fma", "add", "add", "add"]


def test_fuse_ops_makes_functions_that_are_one_kernel():
    module = example()
    fused = transform.FuseOps()(module)
    verify(fused)
    assert sorted(fused.functions) == ["fused_add_multiply_add_add_add_add", "main"]
    assert calls(fused) == ["@fused_add_multiply_add_add_add_add"]
    assert np.array_equal(value(fused), value(module))
    assert transform.FuseOps()(fused) == fused
    alone = transform.FuseOps(0)(module)
    assert len(calls(alone)) == 6 and np.array_equal(value(alone), value(module))
    for name in ("FuseOps.max_depth", "relay.FuseOps.max_depth"):
        with transform.PassContext(config={name: 1}):
            assert len(calls(transform.FuseOps()(module))) == 6


def test_fuse_by_bytes_joins_groups():
    module = parse_module("""
def @main(%x: Tensor[(n, 64), float32], %w: Tensor[(96, 64), float32]) -> Tensor[(n, 96), float32] {
  dataflow {
    %lv = dense(%x, %w)
    %gv = softmax(%lv)
    output %gv
  }
  %gv
}""")
    assert calls(transform.FuseByBytes()(module)) == ["@fused_dense_softmax"]
    assert calls(transform.FuseOps()(module)) == ["@fused_dense", "@fused_softmax"]
    (group,) = transform.groups(module, by_bytes=True)
    assert "a cache" in group.edges and len(transform.groups(module)) == 2
    assert transform.text_of_groups(module, by_bytes=True).count(", root") == 1
    with transform.PassContext(config={"FuseByBytes.max_stages": 1}):
        assert len(transform.groups(module, by_bytes=True)) == 2


def test_a_text_shows_the_groups():
    text = transform.text_of_groups(example())
    assert text.count("# group 0, ") == 6 and text.count(", root") == 1
    assert transform.text_of_groups(example(), 0).count(", root") == 6
    assert parse_module(text, constants_of(example())) == example()


def test_groups_tell_why():
    [group] = transform.groups(example())
    assert group.function.name == "fused_add_multiply_add_add_add_add"
    assert group.edges.count(": fused, what is ") == 7
    assert group.edges.count(": from outside") == 5
    why = group.why()
    assert why.startswith("@fused_add_multiply_add_add_add_add\n  ")
    assert "\n  kernel of add, constant, multiply, " in why and ": inlined" in why
    assert all("level 0 fuses nothing" in alone.edges
               for alone in transform.groups(example(), 0))


def test_stop_fusion_keeps_two_kernels_apart():
    b = GraphBuilder()
    x = variable("x", ValueType.tensor((n,), "float32"))
    with b.function("main", [x]):
        with b.dataflow():
            y = b.emit_output(ops.relu(ops.stop_fusion(ops.sqrt(x))))
        b.emit_function_output(y)
    fused = transform.FuseOps()(b.module())
    assert sorted(fused.functions) == ["fused_relu", "fused_sqrt", "main"]
    for module in (b.module(), fused):
        for interpreted in (False, True):
            result = run(module, "main", np.array([4, 9], np.float32), interpreted=interpreted)
            assert np.array_equal(np.asarray(result), [2, 3])


def test_a_context_gates_a_sequential():
    pipeline = transform.Sequential([transform.FoldConstant(), transform.EliminateCommonSubexpr()])
    module = example()
    assert len(calls(pipeline(module))) == 4
    with transform.PassContext(opt_level=3):
        assert len(calls(pipeline(module))) == 3
        with transform.PassContext(opt_level=3, disabled_pass=["FoldConstant"]):
            assert len(calls(pipeline(module))) == 5
    with transform.PassContext(required_pass=["EliminateCommonSubexpr"]) as context:
        assert context.opt_level == 2
        assert transform.PassContext.current().required_pass == ["EliminateCommonSubexpr"]
        assert len(calls(pipeline(module))) == 3
    assert transform.PassContext.current().required_pass == []


def test_options():
    assert transform.PassContext.current().option("FuseOps.max_depth") == 256
    with transform.PassContext(config={"FuseOps.max_depth": 10}):
        assert transform.PassContext.current().option("FuseOps.max_depth") == 10
    with pytest.raises(st.Error, match="E0606(.|\n)*write FuseOps.max_depth"):
        transform.PassContext(config={"FuseOps.max_dept": 10}).__enter__()
    with pytest.raises(st.Error, match=r"E0606(.|\n)*graph_passes_test\.py(.|\n)*is an integer"):
        with transform.PassContext(config={"FuseOps.max_depth": "ten"}):
            pass
    with pytest.raises(st.Error, match="E0606(.|\n)*innermost"):
        transform.PassContext().__exit__(None, None, None)


def test_decorators():
    seen = []

    @transform.module_pass(opt_level=3)
    def noting(module, context):
        seen.append((len(module.functions), context.opt_level))
        return module

    assert noting.info.name == "noting" and noting.info.opt_level == 3
    transform.Sequential([noting])(example())
    assert seen == []
    noting(example())
    assert seen == [(1, 2)]

    @transform.function_pass(opt_level=1, name="Scale")
    class Scale:
        """Each constant k becomes k * factor."""

        def __init__(self, factor):
            self.factor = factor

        def transform_function(self, function, module, context):
            def rewrite(r, binding):
                text = str(binding.definition)
                if text.startswith("multiply(") and "float32" not in text and self.factor != 1:
                    product = r.emit(binding.definition)
                    scaled = r.emit(ops.multiply(product, np.float32(self.factor)))
                    r.replace(binding.value, scaled)
                else:
                    r.keep(binding)

            return transform.rewritten(function, rewrite, module)

    scale = Scale(3)
    assert scale.info.name == "Scale"
    made = scale(example())
    verify(made)
    x = np.array([[3, 5], [7, 11]])
    assert np.array_equal(value(made), 2 * (2 * x + 3 * np.array([[4, 8]])))
    assert Scale(1)(example()) == example()

    lambda_pass = transform.module_pass(lambda module, context: Module(), name="empty")
    assert lambda_pass(example()) == Module()


def kernel_example():
    n = te.var("n")
    x = variable("x", ValueType.tensor((n,), "float32"))
    b = GraphBuilder()
    with b.function("main", [x]):
        with b.dataflow():
            once = b.emit_te(lambda a: te.compute(a.shape, lambda i: a[i] * 2.0), x)
            y = b.emit_output(ops.add(once, ops.negative(x)))
        b.emit_function_output(y)
    return b.module()


def test_a_kernel_pass():
    seen = []

    @transform.kernel_pass(opt_level=1)
    class Times:
        def __init__(self, factor):
            self.factor = factor

        def transform_kernel(self, kernel, module, context):
            seen.append((kernel.name, len(module.kernels), context.opt_level))
            [x] = kernel.inputs
            scaled = te.compute(x.shape, lambda i: x[i] * self.factor)
            return TensorKernel(kernel.name, [x], [scaled])

    module = kernel_example()
    made = Times(5.0)(module)
    verify(made)
    assert seen == [("te_func", 1, 2)]
    x = np.array([1, 2], np.float32)
    assert np.array_equal(run(made, "main", x), 4 * x)
    assert np.array_equal(run(module, "main", x), x)

    @transform.kernel_pass
    def renamed(kernel, module, context):
        return TensorKernel("other", kernel.inputs, kernel.outputs)

    with pytest.raises(st.Error, match="E0605(.|\n)*@te_func has become @other"):
        renamed(module)
    with pytest.raises(st.Error, match="E0602(.|\n)*is not an argument"):
        TensorKernel("k", [], module.kernels["te_func"].outputs)


def test_a_dataflow_pass():
    @transform.dataflow_pass(opt_level=2, required=["InferType"])
    def doubled(block, module, context):
        """-x becomes -(x + x)."""
        made = []
        for b in block.bindings:
            d = b.definition
            if d.kind == "operator" and d.name == "negative":
                [x] = d.operands
                twice = variable("twice", x.type, is_local=True)
                made += [Binding(twice, ops.add(x, x)), Binding(b.value, ops.negative(twice))]
            else:
                made.append(b)
        return Block(made)

    assert doubled.info.required == ["InferType"]
    module = kernel_example()
    made = doubled(module)
    verify(made)
    x = np.array([1, 2], np.float32)
    assert np.array_equal(run(made, "main", x), 0 * x)
    assert np.array_equal(run(module, "main", x), x)
    with pytest.raises(st.Error, match="E0605(.|\n)*other outputs"):
        transform.dataflow_pass(lambda block, m, c: Block(block.bindings[:-1]), name="p")(module)
    with pytest.raises(st.Error, match="E0605(.|\n)*none any more"):
        transform.dataflow_pass(lambda block, m, c: Block(block.bindings, False), name="p")(module)
    with pytest.raises(st.Error, match="E0605(.|\n)*returns None, and no Block"):
        transform.dataflow_pass(lambda block, m, c: None, name="p")(module)


def test_a_pass_that_returns_no_module_or_raises():
    nothing = transform.module_pass(lambda module, context: None, name="nothing")
    with pytest.raises(st.Error, match=r"E0605(.|\n)*in nothing at .*graph_passes_test\.py"):
        nothing(example())

    @transform.function_pass
    def raises(function, module, context):
        raise KeyError("mine")

    module = example()
    with pytest.raises(KeyError, match="mine"):
        raises(module)
    with pytest.raises(ZeroDivisionError):
        transform.rewritten(module, lambda r, b: 1 / 0)
    assert module == example()


def test_required_passes():
    ran = []
    needed = transform.module_pass(lambda m, c: ran.append("needed") or m, name="python.needed",
                                   opt_level=9)
    transform.register_pass(needed)
    needs = transform.module_pass(lambda m, c: ran.append("needs") or m, name="needs",
                                  required=["python.needed"])
    transform.Sequential([needs])(example())
    assert ran == ["needed", "needs"]
    assert transform.find_pass("FoldConstant").info.opt_level == 2
    with pytest.raises(st.Error, match="E0603(.|\n)*write FoldConstant"):
        transform.find_pass("FoldConstnt")


def instrument(log, name, throws_at=None, runs=True):
    @transform.pass_instrument
    class Noting:
        def __init__(self):
            self.enter_pass_ctx = lambda: self.note("enter")
            self.exit_pass_ctx = lambda: self.note("exit")
            self.run_before_pass = lambda module, info: self.note("before " + info.name)
            self.run_after_pass = lambda module, info: self.note("after " + info.name)

        def should_run(self, module, info):
            self.note("should")
            return runs

        def note(self, what):
            log.append(f"{name} {what}")
            if throws_at and what.startswith(throws_at):
                raise RuntimeError(what)

    return Noting()


def test_pages_of_modules():
    module = example()
    times = transform.PassTimingInstrument()
    with transform.PassContext(opt_level=3, instruments=[times]):
        less = transform.Sequential([transform.EliminateCommonSubexpr(),
                                     transform.DeadCodeElimination()])(module)
    page = to_html(module)
    assert page.startswith("<!DOCTYPE html>") and "passes" not in re.findall(r'section class="(\w+)"', page)
    assert "Kernel of @fused_add_multiply_add" in page and "elementwise" in page
    page = to_html(less, passes=times.render(), kernels=False, by_bytes=False)
    assert "EliminateCommonSubexpr: 0." in page and "Kernel of @" not in page
    both = to_html(module, less)
    assert "only here" in both and "differs" in both
    assert "only here" not in to_html(less, less)


def test_instruments():
    log = []
    keep = transform.module_pass(lambda m, c: m, name="keep")
    with transform.PassContext(instruments=[instrument(log, "a"), instrument(log, "b")]):
        keep(example())
    assert log == ["a enter", "b enter", "a should", "b should", "a before keep", "b before keep",
                   "a after keep", "b after keep", "a exit", "b exit"]
    log.clear()
    with transform.PassContext(instruments=[instrument(log, "a", runs=False)]):
        keep(example())
    assert log == ["a enter", "a should", "a exit"]
    log.clear()
    context = transform.PassContext(instruments=[instrument(log, "a"),
                                                 instrument(log, "b", throws_at="enter")])
    with pytest.raises(RuntimeError):
        context.__enter__()
    assert log == ["a enter", "b enter", "a exit"] and context.instruments == []
    log.clear()
    with pytest.raises(RuntimeError, match="before keep"):
        with transform.PassContext(instruments=[instrument(log, "a", throws_at="before")]):
            keep(example())
    assert log[-1] == "a exit"
    assert transform.PassContext.current().opt_level == 2


def test_the_program_of_the_page():
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "graph.md").read_text(encoding="utf-8")
    program, dataflow = re.findall(r"```python\n(.*?)```", page[page.index("## Passes"):page.index("## Layouts")], re.DOTALL)
    names = {"transform": transform, "module": example(), "ops": ops, "variable": variable}
    exec(program, names)
    assert len(calls(names["module"])) == 5
    exec(dataflow, names)
    b = GraphBuilder()
    x = variable("x", ValueType.tensor((n,), "float32"))
    with b.function("main", [x]):
        with b.dataflow():
            y = b.emit_output(ops.tanh(b.emit(ops.tanh(x))))
        b.emit_function_output(y)
    made = names["tanh_by_exp"](b.module())
    verify(made)
    assert calls(made) == 2 * ["multiply", "sigmoid", "multiply", "subtract"]
    values = np.linspace(-2, 2, 9, dtype=np.float32)
    assert np.allclose(run(made, "main", values), np.tanh(np.tanh(values)), atol=1e-6)


def test_times_and_prints(capsys):
    times = transform.PassTimingInstrument()
    with transform.PassContext(instruments=[times]):
        transform.Sequential([transform.FoldConstant()])(example())
    assert times.render().startswith("sequential: 0.")
    assert times.render() == ""
    module = example()
    transform.PrintIR("here")(module)
    assert capsys.readouterr().out == f"here\n{module}"
    with transform.PassContext(instruments=[transform.PrintBeforeAll(), transform.PrintAfterAll()]):
        transform.FoldConstant()(module)
    assert capsys.readouterr().out == (f"# before FoldConstant\n{module}# after FoldConstant\n"
                                       f"{transform.FoldConstant()(module)}")


def test_other_instruments_from_now_on():
    log = []
    keep = transform.module_pass(lambda m, c: m, name="keep")
    context = transform.PassContext.current()
    context.override_instruments([instrument(log, "a")])
    keep(example())
    context.override_instruments([instrument(log, "b")])
    context.override_instruments([])
    assert log == ["a enter", "a should", "a before keep", "a after keep", "a exit", "b enter", "b exit"]
    log.clear()
    with transform.PassContext(instruments=[instrument(log, "a")]) as inner:
        inner.override_instruments([instrument(log, "b")])
    assert log == ["a enter", "a exit", "b enter", "b exit"]
    inner.override_instruments([])  # those of a context that is left are called once more
    assert log[4:] == ["b exit"] and inner.instruments == []
    log.clear()
    with pytest.raises(RuntimeError):
        context.override_instruments([instrument(log, "a"), instrument(log, "b", throws_at="enter")])
    context.override_instruments([])
    assert log == ["a enter", "b enter", "a exit"]


def test_an_instrument_that_replaces_itself():
    log = []

    class Once:
        def run_before_pass(self, module, info):
            log.append(info.name)
            transform.PassContext.current().override_instruments([])

    keep = transform.module_pass(lambda m, c: m, name="keep")
    with transform.PassContext(instruments=[Once(), Once()]):
        transform.Sequential([keep, keep])(example())
    assert log == ["sequential", "sequential"]
