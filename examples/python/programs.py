"""A program of operators on arrays whose extents only its call shows; prints it and its results."""

import numpy as np

import strata as st
from strata.graph import (GraphBuilder, Module, ValueType, call_packed, ops, register_packed, run,
                          te, variable, verify)


@register_packed("example.largest")
def largest(scores: st.Array) -> str:
    """A Python function that the program calls."""
    classes = ["cat", "dog", "bird"]
    return ", ".join(classes[k] for k in np.asarray(scores).argmax(axis=1))


def classifier() -> Module:
    """The class of each row of x (n, k), by weights w whose extents are known when it runs."""
    n, k, m = te.var("n"), te.var("k"), te.var("m")
    x = variable("x", ValueType.tensor((n, k), "float32"))
    w = variable("w", ValueType.tensor(dtype="float32"))
    b = GraphBuilder()
    with b.function("main", [x, w]):
        with b.dataflow():
            known = b.match_shape(w, (k, m))
            scores = b.emit_output(ops.softmax(ops.add(ops.matmul(x, known), 1.0)))
        b.emit_function_output(b.emit(call_packed("example.largest", [scores])))
    module = b.module()
    verify(module)
    return module


if __name__ == "__main__":
    module = classifier()
    print(module)
    w = np.eye(3, dtype=np.float32)
    print(run(module, "main", np.array([[0, 2, 1], [3, 0, 0]], np.float32), w))
    try:
        run(module, "main", np.ones((2, 4), np.float32), w)
    except st.Error as error:
        print(error.explanation)
