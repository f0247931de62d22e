"""The tests that come with the package onnx, run by modules of the operator graph.

    python node_tests.py                    prints the names of those that pass
    python node_tests.py --part 1 2         checks the first half of them against passing.txt
    python node_tests.py NAME ..            prints what becomes of these

They are computed by the interpreter: their arrays are small, and kernels would have to be compiled.
"""

import pathlib
import sys

import numpy as np

try:
    import onnx
except ImportError:
    print("SKIPPED: the package onnx is not installed (tests/onnx/requirements.txt)")
    sys.exit()
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

import strata as st
from strata.graph import load_onnx, run

PASSING = pathlib.Path(__file__).parent / "passing.txt"
# Convolutions of several million products: by kernels.
LARGE = {"pytorch-operator:operator_conv",
         "pytorch-converted:MaxPool1d_stride_padding_dilation",
         "pytorch-converted:MaxPool2d_stride_padding_dilation"}
KINDS = ("node", "pytorch-converted", "pytorch-operator")


def cases():
    """Name -> test, of all kinds: without "test_", and with the kind in front if it is not "node"."""
    found = {}
    for kind in KINDS:
        for case in load_model_tests(kind=kind):
            name = case.name.removeprefix("test_")
            if kind != "node":
                name = f"{kind}:{name}"
            found[name] = case
    return found


def model_of(case):
    return case.model if case.model is not None else onnx.load(f"{case.model_dir}/model.onnx")


def read_value(path, of_type):
    if not of_type.HasField("tensor_type"):
        raise TypeError("a value that is not a tensor")
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(tensor)


def data_sets(case, model):
    """Pairs of inputs and expected outputs."""
    if case.data_sets is not None:
        return case.data_sets
    sets = []
    for folder in sorted(pathlib.Path(case.model_dir).glob("test_data_set_*")):
        sides = []
        for side, values in (("input", model.graph.input), ("output", model.graph.output)):
            count = len(list(folder.glob(f"{side}_*.pb")))
            sides.append([read_value(folder / f"{side}_{k}.pb", values[k].type)
                          for k in range(count)])
        sets.append(tuple(sides))
    return sets


def loaded(contents, inputs):
    """The module, and the names that are bound: shapes, axes and counts only where they must be."""
    small = {name: value for name, value in inputs.items() if np.ndim(value) <= 1}
    whole = {name: value for name, value in small.items() if value.dtype.kind in "iu"}
    refusal = None
    for bound in ({}, whole, small):
        try:
            return load_onnx(contents, bind=bound), bound
        except st.Error as error:
            refusal = refusal or error
    raise refusal


def require_close(case, got, want):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (
        f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}")
    if want.dtype.kind in "fV":
        got, want = got.astype("float64"), want.astype("float64")
    np.testing.assert_allclose(got, want, rtol=case.rtol, atol=case.atol)


def check(case, interpreted=True):
    """Raises if the test does not pass."""
    model = model_of(case)
    given = {tensor.name for tensor in model.graph.initializer}
    names = [value.name for value in model.graph.input if value.name not in given]
    for inputs, outputs in data_sets(case, model):
        arrays = dict(zip(names, inputs, strict=False))
        for value in list(arrays.values()) + list(outputs):
            if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.kind not in "biufV":
                raise TypeError("a value that is not a tensor of numbers")
        module, bound = loaded(model.SerializeToString(), arrays)
        arguments = [np.array(arrays[name]) for name in arrays if name not in bound]
        results = run(module, "main", *arguments, interpreted=interpreted)
        results = results if isinstance(results, tuple) else (results,)
        assert len(results) == len(outputs), f"{len(results)} results for {len(outputs)}"
        for got, want in zip(results, outputs, strict=True):
            require_close(case, got, want)


def outcome(name, case):
    """Nothing if the test passes, else why it does not."""
    try:
        check(case, interpreted=name not in LARGE)
    except (st.Error, AssertionError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return None


def check_part(part, parts):
    """The names of a part that do not do what passing.txt says."""
    listed, all_cases = set(PASSING.read_text().split()), cases()
    if part == 1:
        for name in sorted(listed - set(all_cases)):
            print(f"{name}: there is no such test")
    wrong = len(listed - set(all_cases))
    for name in sorted(all_cases)[part - 1::parts]:
        why = outcome(name, all_cases[name])
        if (why is None) != (name in listed):
            wrong += 1
            print(f"{name}: {why or 'it passes, and is not in passing.txt'}")
    return wrong


def main(arguments):
    if arguments[:1] == ["--part"]:
        return min(check_part(int(arguments[1]), int(arguments[2])), 1)
    all_cases = cases()
    for name in arguments:
        print(f"{name}: {outcome(name, all_cases[name]) or 'passes'}")
    if not arguments:
        for name in sorted(all_cases):
            if outcome(name, all_cases[name]) is None:
                print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
