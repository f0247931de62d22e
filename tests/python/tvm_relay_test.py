"""Relay's functions and passes, as programs for TVM write them: strata.tvm.relay and transform."""

import os
import pathlib
import re
import runpy

import numpy as np
import pytest

import strata as st
import strata.tvm as tvm
import strata.tvm.relay as relay
from graph_check import array
from strata.graph import ops
from strata.tvm._operator_rows import ROWS
from tvm_example import HEAD, SIZES, check, module, want

CONV = "nn.conv2d(%x, %w, padding=[0, 0, 0, 0])"
FOLDED = HEAD + f"""\
  %0 = {CONV};
  %1 = add(%0, meta[relay.Constant][0]);
  %2 = add(%1, meta[relay.Constant][1]);
  %3 = add(%1, meta[relay.Constant][1]);
  add(%2, %3)
}}
"""
SHARED = HEAD + f"""\
  %0 = {CONV};
  %1 = add(%0, meta[relay.Constant][0]);
  %2 = add(%1, meta[relay.Constant][1]);
  add(%2, %2)
}}
"""
UNFOLDED_SHARED = HEAD + f"""\
  %0 = add(meta[relay.Constant][0], meta[relay.Constant][0]);
  %1 = {CONV};
  %2 = multiply(%0, 2f);
  %3 = add(%1, %2);
  %4 = add(%3, meta[relay.Constant][0]);
  add(%4, %4)
}}
"""


def test_passes_by_hand():
    mod = module()
    fold = relay.transform.FoldConstant()
    folded = fold(mod)
    assert str(folded) == FOLDED and str(mod) == str(module())
    shared = relay.transform.EliminateCommonSubexpr()(folded)
    assert str(shared) == SHARED and shared.astext(show_meta_data=False) == SHARED
    for made in (mod, folded, shared):
        check(made)
    for keeps in (relay.transform.InferType(), relay.transform.ToANormalForm(),
                  relay.transform.DeadCodeElimination()):
        assert keeps(shared) == shared
    exempt = relay.transform.EliminateCommonSubexpr(fskip=lambda e: e.op.name == "add")
    assert exempt(folded) == folded


def test_a_sequence_and_its_contexts():
    seq = tvm.transform.Sequential([relay.transform.FoldConstant(),
                                    relay.transform.EliminateCommonSubexpr()])
    assert str(seq(module())) == FOLDED
    with tvm.transform.PassContext(opt_level=3):
        assert str(seq(module())) == SHARED
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["EliminateCommonSubexpr"]):
        assert str(seq(module())) == FOLDED
    with tvm.transform.PassContext(opt_level=3, disabled_pass=["FoldConstant"]):
        assert str(seq(module())) == UNFOLDED_SHARED
    with tvm.transform.PassContext(required_pass=["EliminateCommonSubexpr"]):
        assert str(seq(module())) == SHARED
    assert tvm.transform.PassContext.current().opt_level == 2
    with pytest.raises(st.Error, match="E0606"):
        with tvm.transform.PassContext(config={"relay.FuseOps.max": 3}):
            pass


@relay.transform.function_pass(opt_level=1)
class Scaled:
    """Each constant k becomes factor * k."""

    def __init__(self, factor):
        self.factor = factor

    def transform_function(self, func, mod, ctx):
        factor = self.factor

        class Scale(relay.ExprMutator):
            def visit_constant(self, const):
                return relay.multiply(factor, const)

        return Scale().visit(func)


def test_a_pass_of_an_author():
    scaled = Scaled(factor=relay.const(3, "float32"))
    assert scaled.info.name == "Scaled" and scaled.info.opt_level == 1
    assert isinstance(scaled.factor, relay.Constant)
    assert str(scaled(module())) == HEAD + f"""\
  %0 = multiply(3f, meta[relay.Constant][0]);
  %1 = add(%0, %0);
  %2 = multiply(3f, 2f);
  %3 = {CONV};
  %4 = multiply(%1, %2);
  %5 = add(%3, %4);
  %6 = add(%5, %0);
  %7 = add(%5, %0);
  add(%6, %7)
}}
"""

    @tvm.transform.module_pass(opt_level=3)
    def only_main(mod, ctx):
        return tvm.IRModule({"main": mod["main"]})

    assert only_main(module()) == module()
    with pytest.raises(st.Error, match="E0605"):
        tvm.transform.module_pass(lambda mod, ctx: None, opt_level=0, name="none")(module())


def test_the_module_where_it_stands(capsys):
    seq = tvm.transform.Sequential([relay.transform.FoldConstant(), tvm.transform.PrintIR(),
                                    relay.transform.EliminateCommonSubexpr()])

    @tvm.instrument.pass_instrument
    class Before:
        def run_before_pass(self, mod, info):
            print("Running pass: {}", info)
            print(mod)

    with tvm.transform.PassContext(opt_level=3):
        seq(module())
    assert capsys.readouterr().out == f"PrintIR():\n{FOLDED}\n"
    with tvm.transform.PassContext(opt_level=3, instruments=[Before()]):
        with tvm.target.Target("llvm"):
            assert tvm.target.Target.current().kind == "llvm"
            seq(module())
    told = capsys.readouterr().out
    names = ["sequential", "FoldConstant", "PrintIR", "EliminateCommonSubexpr"]
    assert [line.split("pass name: ")[1].split(",")[0] for line in told.splitlines()
            if line.startswith("Running pass: {} The meta data of the pass - ")] == names
    assert told.count(str(module())) == 2 and told.count(FOLDED) == 3
    with pytest.raises(ValueError, match="no target cuda"):
        tvm.target.Target("cuda")


def test_instruments(capsys):
    from strata.tvm.ir.instrument import PassTimingInstrument, pass_instrument

    times, log = PassTimingInstrument(), []

    @pass_instrument
    class Counting:
        def __init__(self, name):
            self.name = name

        def enter_pass_ctx(self):
            log.append(f"{self.name} enter")

        def exit_pass_ctx(self):
            log.append(f"{self.name} exit")

        def should_run(self, mod, info):
            return info.name != "EliminateCommonSubexpr"

        def run_after_pass(self, mod, info):
            calls = {}

            def count(node):
                if isinstance(node, relay.expr.Call):
                    calls[node.op.name] = calls.get(node.op.name, 0) + 1

            relay.analysis.post_order_visit(mod["main"], count)
            log.append(f"{self.name} {info.name} {calls}")

    with tvm.transform.PassContext(opt_level=3, instruments=[times, Counting("a"), Counting("b")]):
        folded = relay.transform.FoldConstant()(module())
        assert relay.transform.EliminateCommonSubexpr()(folded) == folded
        assert times.render().startswith("FoldConstant: ")
    after = "FoldConstant {'nn.conv2d': 1, 'add': 4}"
    assert log == ["a enter", "b enter", f"a {after}", f"b {after}", "a exit", "b exit"]
    printing = tvm.instrument.PassPrintingInstrument(print_after_pass_names=["FoldConstant"])
    with tvm.transform.PassContext(instruments=[printing]):
        tvm.transform.Sequential([relay.transform.FoldConstant()])(module())
    assert capsys.readouterr().out == f"Print IR after: FoldConstant\n{FOLDED}\n"


@tvm.instrument.pass_instrument
class Noting:
    """Prints its calls, and throws at one of them."""

    def __init__(self, name, throws_at=None):
        self.name, self.throws_at = name, throws_at

    def enter_pass_ctx(self):
        self.note("enter_pass_ctx")

    def exit_pass_ctx(self):
        self.note("exit_pass_ctx")

    def run_before_pass(self, mod, info):
        self.note("run_before_pass")

    def note(self, what):
        print(self.name, what)
        if what == self.throws_at:
            raise ValueError(what)


def test_instruments_that_throw_and_others_from_now_on(capsys):
    def told():
        return capsys.readouterr().out.splitlines()

    infer = relay.transform.InferType()
    context = tvm.transform.PassContext(instruments=[
        Noting("a"), Noting("b", "enter_pass_ctx"), Noting("c")])
    with pytest.raises(ValueError):
        with context:
            infer(module())
    context.override_instruments([])
    assert told() == ["a enter_pass_ctx", "b enter_pass_ctx", "a exit_pass_ctx"]
    context = tvm.transform.PassContext(instruments=[
        Noting("a"), Noting("b", "run_before_pass"), Noting("c")])
    with pytest.raises(ValueError):
        with context:
            infer(module())
    assert told()[3:] == ["a run_before_pass", "b run_before_pass",
                          "a exit_pass_ctx", "b exit_pass_ctx", "c exit_pass_ctx"]
    context.override_instruments([])
    assert told() == ["a exit_pass_ctx", "b exit_pass_ctx", "c exit_pass_ctx"]
    current = tvm.transform.PassContext.current()
    times = tvm.instrument.PassTimingInstrument()
    current.override_instruments([times, Noting("a")])
    infer(module())
    assert times.render().startswith("InferType: ")
    current.override_instruments([])
    assert told() == ["a enter_pass_ctx", "a run_before_pass", "a exit_pass_ctx"]


def shown(f, *shapes):
    """The lines of a function of parameters %a, %b, .."""
    params = [relay.var(name, shape=shape) for name, shape in zip("abc", shapes)]
    text = str(tvm.IRModule.from_expr(relay.Function(params, f(*params))))
    return [line.strip() for line in text.splitlines()[1:-1]]


def test_operators_have_relays_names_and_attributes():
    image, square = (2, 4, 6, 8), (4, 6)
    nn = relay.nn
    for f, shapes, lines in (
        (lambda a: nn.max_pool2d(a, pool_size=(2, 2), strides=(2, 2)), [image],
         "nn.max_pool2d(%a, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0])"),
        (lambda a: nn.avg_pool2d(a, 3, 1, padding=1, count_include_pad=True), [image],
         "nn.avg_pool2d(%a, pool_size=[3, 3], padding=[1, 1, 1, 1], count_include_pad=True)"),
        (lambda a, b: nn.conv2d(a, b, strides=2, padding=(1, 1), groups=2, channels=4,
                                kernel_size=(3, 3)), [image, (4, 2, 3, 3)],
         "nn.conv2d(%a, %b, strides=[2, 2], padding=[1, 1, 1, 1], groups=2, "
         "channels=4, kernel_size=[3, 3])"),
        (lambda a, b: nn.relu(nn.bias_add(a, bias=b)), [image, (4,)],
         "%0 = nn.bias_add(%a, %b); nn.relu(%0)"),
        (lambda a, b: nn.dense(a, b, units=5), [square, (5, 6)], "nn.dense(%a, %b, units=5)"),
        (lambda a, b: nn.dense(a, b), [square, (5, 6)], "nn.dense(%a, %b, units=None)"),
        (lambda a: nn.softmax(a), [square], "nn.softmax(%a)"),
        (lambda a: nn.softmax(a, axis=0), [square], "nn.softmax(%a, axis=0)"),
        (lambda a: nn.leaky_relu(a, alpha=0.25), [square], "nn.leaky_relu(%a, alpha=0.25f)"),
        (lambda a: nn.pad(a, ((0, 1), (2, 0))), [square],
         "nn.pad(%a, pad_width=[[0, 1], [2, 0]])"),
        (lambda a, b: nn.batch_matmul(a, b), [(2, 3, 4), (2, 5, 4)],
         "nn.batch_matmul(%a, %b, transpose_b=True)"),
        (lambda a: relay.cast(a, dtype="float16"), [square], 'cast(%a, dtype="float16")'),
        (lambda a: relay.clip(a, 0, 6), [square], "clip(%a, a_min=0f, a_max=6f)"),
        (lambda a: relay.reshape(a, (3, -1)), [square], "reshape(%a, newshape=[3, -1])"),
        (lambda a: relay.transpose(a, axes=[1, 0]), [square], "transpose(%a, axes=[1, 0])"),
        (lambda a: relay.mean(a, axis=1, keepdims=True), [square],
         "mean(%a, axis=[1], keepdims=True)"),
        (lambda a: relay.sum(a), [square], "sum(%a)"),
        (lambda a, b: relay.concatenate((a, b), axis=1), [square, square],
         "%0 = (%a, %b); concatenate(%0, axis=1)"),
        (lambda a: relay.split(a, 2, axis=1)[1], [square],
         "%0 = split(%a, indices_or_sections=2, axis=1); %0.1"),
        (lambda a: relay.layout_transform(a, "NCHW", "NCHW2c"), [image],
         'layout_transform(%a, src_layout="NCHW", dst_layout="NCHW2c")'),
        (lambda a: (a + 1.5) * a - 2.0 / a, [square],
         "%0 = add(%a, 1.5f); %1 = multiply(%0, %a); %2 = divide(2f, %a); subtract(%1, %2)"),
    ):
        assert "; ".join(line.rstrip(";") for line in shown(f, *shapes)) == lines


def test_every_operator_is_one_of_strata():
    from strata._strata import _graph

    for row in ROWS.values():
        assert row.graph in ops.operators()
        assert row.takes_list or len(row.args) == len(_graph.operator_arguments(row.graph))
        known = _graph.operator_attributes(row.graph)
        given = {a.graph for a in row.attributes if a.graph and "." not in a.graph}
        assert given <= set(known), row.relay


def test_mistakes_name_the_line_and_the_argument():
    a = relay.var("a", shape=(2, 4, 6, 8))
    with pytest.raises(st.Error, match=r"E0602(.|\n)*tvm_relay_test\.py"):
        relay.add(a, relay.var("b", shape=(3,)))
    with pytest.raises(st.Error, match=r"E0603(.|\n)*tvm_relay_test\.py(.|\n)*write axis"):
        relay.nn.softmax(a, axes=1)
    with pytest.raises(st.Error, match=r"E0602(.|\n)*channels is 3, and the arguments have 4"):
        relay.nn.conv2d(a, relay.var("w", shape=(4, 4, 3, 3)), channels=3)
    with pytest.raises(st.Error, match=r"E0603(.|\n)*data_layout='NHWC' is not here"):
        relay.nn.conv2d(a, relay.var("w", shape=(4, 4, 3, 3)), data_layout="NHWC")
    with pytest.raises(TypeError, match="nn.bias_add takes data, bias: bias is missing"):
        relay.nn.bias_add(a)
    with pytest.raises(AttributeError, match="relay.nn has no conv2; instead: there is conv2d"):
        relay.nn.conv2
    with pytest.raises(IndexError, match="a tuple of 2 has no field 2"):
        relay.split(a, 2)[2]
    with pytest.raises(KeyError, match="no helper: there is main"):
        module()["helper"]
    b = relay.var("b", shape=(3,))
    with pytest.raises(st.Error, match=r"E0601(.|\n)*tvm_relay_test\.py(.|\n)*W1(.|\n)*%b"):
        relay.Function([a], relay.sum(b))
    with pytest.raises(TypeError, match="argmax needs axis"):
        relay.argmax(a)
    with pytest.raises(TypeError, match="operators and functions of the module are called"):
        relay.Call(a, [a])
    with pytest.raises(TypeError, match="'one' is not an expression"):
        relay.add(a, "one")
    with pytest.raises(TypeError, match="the pass FoldConstant takes an IRModule"):
        relay.transform.FoldConstant()(module()["main"])
    with pytest.raises(TypeError, match="is not a pass"):
        tvm.transform.Sequential([lambda mod: mod])


@pytest.mark.parametrize("value, dtype, text", [
    (2, None, "2"), (2, "int64", "2i64"), (True, None, "True"), (0.1, None, "0.1f"),
    (2, "float32", "2f"), (0.5, "float64", "0.5f64"), (-1e-10, None, "-1e-10f"),
    (7, "uint8", "7u8")])
def test_scalars(value, dtype, text):
    assert str(relay.const(value, dtype)) == text


def test_parts_of_functions():
    f = module()["main"]
    assert [v.name_hint for v in f.params] == ["x", "w"]
    assert f.body.op == relay.op.get("add") and f.ret_type == relay.TensorType(SIZES["c"])
    conv = f.body.args[0].args[0].args[0]
    assert dict(conv.attrs)["padding"] == [0, 0, 0, 0] and conv.attrs.data_layout == "NCHW"
    assert conv.checked_type.shape == SIZES["c"] and conv.checked_type.dtype == "float32"
    again = relay.Call(relay.op.get("nn.conv2d"), conv.args, conv.attrs)
    assert again.checked_type == conv.checked_type
    w = array(SIZES["w"])
    bound = relay.bind_params_by_name(f, {"w": w})
    x = array(SIZES["x"])
    got = relay.create_executor(mod=tvm.IRModule.from_expr(bound)).evaluate()(x)
    np.testing.assert_allclose(got, want(x, w), rtol=1e-4, atol=1e-4)
    assert tvm.ir.structural_equal(module(), module())
    with pytest.raises(AssertionError, match="these are not equal"):
        tvm.ir.assert_structural_equal(module()["main"], bound)


def test_the_programs_of_the_page(tmp_path):
    page = pathlib.Path(os.environ["STRATA_SOURCE"], "docs", "tvm.md").read_text(encoding="utf-8")
    names = {"c_data": np.ones(SIZES["c"], np.float32)}
    for program in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        file = tmp_path / "program.py"
        file.write_text(program)
        names = runpy.run_path(str(file), names)
    [text] = re.findall(r"```\n(def @main.*?)```", page, re.DOTALL)
    assert str(names["folded"]) == text
    assert 'data_layout="NCHW2c"' in str(names["packed"])
    assert np.array_equal(names["result"], np.ones(8, np.float32))


def test_a_long_chain():
    x = y = relay.var("x", shape=(3,))
    for _ in range(5000):
        y = relay.add(y, x)
    mod = tvm.IRModule.from_expr(y)
    assert str(mod).count("add(") == 5000
    assert relay.ExprMutator().visit(mod["main"]) == mod["main"]
    assert relay.transform.FoldConstant()(mod) == mod


def test_branches_and_calls_of_functions():
    x = relay.var("x", shape=(3,))
    k = relay.var("k", shape=())
    power = relay.GlobalVar("power")
    rest = power(x, relay.subtract(k, relay.const(1.0)))
    body = relay.If(relay.less(k, relay.const(1.0)), relay.divide(x, x), relay.multiply(x, rest))
    mod = tvm.IRModule({"power": relay.Function([x, k], body, relay.TensorType((3,)))})
    y = relay.var("y", shape=(3,))
    main = relay.Function([y], relay.add(power(y, relay.const(3.0)), y))
    with pytest.raises(st.Error, match="E0601(.|\n)*it calls @power(.|\n)*into an IRModule"):
        main.graph
    mod["main"] = main
    assert str(mod) == """\
def @main(%y: Tensor[(3), float32]) -> Tensor[(3), float32] {
  %0 = @power(%y, 3f);
  add(%0, %y)
}

def @power(%x: Tensor[(3), float32], %k: float32) -> Tensor[(3), float32] {
  %0 = less(%k, 1f);
  if (%0) {
    divide(%x, %x)
  } else {
    %1 = subtract(%k, 1f);
    %2 = @power(%x, %1);
    multiply(%x, %2)
  }
}
"""
    v = np.array([1, 2, 3], np.float32)
    for made in (mod, tvm.transform.Sequential([relay.transform.FoldConstant()])(mod)):
        got = relay.create_executor(mod=made).evaluate()(v)
        np.testing.assert_allclose(got, v**3 + v, rtol=1e-6)
    assert relay.ExprMutator().visit(mod["power"].body) == mod["power"].body
    assert isinstance(mod["power"].body, relay.If)
    again = tvm.IRModule({"main": main, "power": mod["power"]})
    assert again == mod
    with pytest.raises(st.Error, match="E0601(.|\n)*there is no function @power"):
        tvm.IRModule({"main": main})


def test_what_branches_read_is_computed_once_and_outside():
    c, x = relay.var("c", shape=(), dtype="bool"), relay.var("x", shape=(3,))
    shared, inner = relay.exp(x), relay.log(x)
    nested = relay.If(c, relay.add(inner, shared), relay.negative(inner))
    made = relay.If(c, relay.multiply(shared, shared), nested)
    f = relay.Function([c, x], relay.add(made, relay.abs(shared)))
    assert str(f) == """\
fn (%c: bool, %x: Tensor[(3), float32]) -> Tensor[(3), float32] {
  %0 = exp(%x);
  %2 = if (%c) {
    multiply(%0, %0)
  } else {
    %1 = log(%x);
    if (%c) {
      add(%1, %0)
    } else {
      negative(%1)
    }
  };
  %3 = abs(%0);
  add(%2, %3)
}
"""
    mod = tvm.IRModule.from_expr(f)
    v = np.array([1, 2, 3], np.float32)
    for condition, want in ((True, np.exp(v)**2), (False, -np.log(v))):
        got = relay.create_executor(mod=mod).evaluate()(np.array(condition), v)
        np.testing.assert_allclose(got, want + np.exp(v), rtol=1e-5)
