"""The models of tools/bench --models compute what the reference of the package onnx computes.

    python benchmark_models.py benchmarks/models
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    import onnx.reference
except ImportError:
    print("SKIPPED: the package onnx is not installed")
    sys.exit(0)

FOLDER = Path(sys.argv[1])
sys.path.insert(0, str(FOLDER))

import cases  # noqa: E402

# Those that compile in about a second; together they have each operator of the others.
NAMES = ["add, layer_norm", "softmax", "perceptron, 1 row", "one token, 1024 keys",
         "depthwise conv, relu", "lstm, 100 steps"]


def check(name: str, fusion: str, folder: Path) -> None:
    model, inputs = folder / f"{name}.onnx", folder / f"{name}.npz"
    file = folder / "result.npy"
    done = subprocess.run(
        [sys.executable, "-B", str(FOLDER / "worker.py"), f"strata-{fusion}", str(model),
         str(inputs), "1"], input=f"result {file}\n0.001\n", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.splitlines()[2]) > 0
    with np.load(inputs) as archive:
        given = dict(archive)
    wanted = onnx.reference.ReferenceEvaluator(onnx.load(model)).run(None, given)[0]
    made = np.load(file)
    np.testing.assert_allclose(made.reshape(wanted.shape), wanted, rtol=0,
                               atol=1e-5 * np.abs(wanted).max(), err_msg=f"{name}, {fusion}")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in NAMES:
            cases.write(case, folder)
            check(case, "bytes", folder)
        check(NAMES[0], "none", folder)
        check(NAMES[3], "ops", folder)
        refused = subprocess.run([sys.executable, "-B", str(FOLDER / "bench.py"), "--only", "tea"],
                                 capture_output=True, text=True)
        assert refused.returncode == 2 and "there is no model tea; known: chain" in refused.stderr
    print("8 models are right")


if __name__ == "__main__":
    main()
