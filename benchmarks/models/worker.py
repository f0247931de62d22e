"""One variant of one model in a process of its own.

    python worker.py VARIANT MODEL.onnx INPUTS.npz THREADS

Prints what it took to prepare the model, as JSON. Then answers each line of standard input: for a
number k it runs the model for about k seconds, and prints the least wall time of a run in seconds;
for "result FILE" it writes the model's result to FILE.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

Run = Callable[[], np.ndarray]


def strata(fusion: str, path: str, inputs: dict[str, np.ndarray]) -> tuple[Run, int]:
    from strata import graph, vm
    from strata.graph import transform

    module = graph.load_onnx(path)
    if fusion not in ("bytes", "c"):
        for step in (transform.FoldConstant(), transform.EliminateCommonSubexpr(),
                     transform.ChooseLayouts(), transform.FoldConstant(),
                     transform.FuseOps(0 if fusion == "none" else -1)):
            module = step(module)
    built = graph.build(module)
    if fusion == "c":
        from library import library

        return library(built, list(inputs.values())), len(built.kernels)
    call = vm.VirtualMachine(built)["main"]
    arrays = list(inputs.values())

    def run() -> np.ndarray:
        result = call(*arrays)
        return np.asarray(result[0] if isinstance(result, tuple) else result)

    return run, len(built.kernels)


def onnxruntime(path: str, inputs: dict[str, np.ndarray], threads: int) -> tuple[Run, int]:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda: session.run(None, inputs)[0], 0


def openvino(path: str, inputs: dict[str, np.ndarray], threads: int) -> tuple[Run, int]:
    import openvino as ov

    model = ov.Core().compile_model(path, "CPU", {"INFERENCE_NUM_THREADS": threads,
                                                  "INFERENCE_PRECISION_HINT": "f32"})
    request = model.create_infer_request()
    return lambda: np.asarray(request.infer(inputs)[0]), 0


# Untuned: with the schedules of TVM's default pipeline.
def tvm(path: str, inputs: dict[str, np.ndarray], threads: int) -> tuple[Run, int]:
    os.environ["TVM_NUM_THREADS"] = str(threads)
    import onnx
    import tvm
    from tvm import relax
    from tvm.relax.frontend.onnx import from_onnx

    shapes = {name: list(array.shape) for name, array in inputs.items()}
    module = from_onnx(onnx.load(path), shape_dict=shapes)
    target = tvm.target.Target({"kind": "llvm", "mcpu": tvm.target.codegen.llvm_get_system_cpu()})
    call = relax.VirtualMachine(tvm.compile(module, target=target), tvm.cpu())["main"]
    arrays = [tvm.runtime.tensor(array) for array in inputs.values()]

    def run() -> np.ndarray:
        result = call(*arrays)
        return (result if isinstance(result, tvm.runtime.Tensor) else result[0]).numpy()

    return run, 0


def iree(path: str, inputs: dict[str, np.ndarray], threads: int) -> tuple[Run, int]:
    import iree.compiler as compiler
    import iree.runtime as runtime
    from iree.compiler.tools.import_onnx import __main__ as importer

    with tempfile.TemporaryDirectory() as folder:
        imported = os.path.join(folder, "model.mlir")
        importer.main(importer.parse_arguments([path, "-o", imported]))
        program = compiler.compile_file(
            imported, input_type="onnx", target_backends=["llvm-cpu"],
            extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
    runtime.flags.parse_flags(f"--task_topology_max_group_count={threads}")
    config = runtime.Config("local-sync" if threads == 1 else "local-task")
    module = runtime.load_vm_modules(
        runtime.VmModule.copy_buffer(config.vm_instance, program), config=config)[-1]
    call = next(getattr(module, name) for name in module.vm_module.function_names
                if not name.startswith("__") and not name.endswith("$async"))
    arrays = [runtime.asdevicearray(config.device, array) for array in inputs.values()]

    def run() -> np.ndarray:
        result = call(*arrays)
        return (result[0] if isinstance(result, tuple | list) else result).to_host()

    return run, 0


def prepared(variant: str, path: str, inputs: dict[str, np.ndarray],
             threads: int) -> tuple[Run, int]:
    os.environ["STRATA_THREADS"] = str(threads)
    if variant.startswith("strata"):
        return strata(variant.removeprefix("strata-"), path, inputs)
    return {"onnxruntime": onnxruntime, "openvino": openvino, "apache-tvm": tvm,
            "iree": iree}[variant](path, inputs, threads)


def least_time(run: Run, seconds: float) -> float:
    end = time.perf_counter() + seconds
    least = float("inf")
    while time.perf_counter() < end:
        begin = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - begin)
    return least


def main() -> None:
    variant, path, inputs_path, threads = sys.argv[1:]
    with np.load(inputs_path) as archive:
        inputs = dict(archive)
    begin = time.process_time()
    run, kernels = prepared(variant, path, inputs, int(threads))
    run()
    print(json.dumps({"prepare": time.process_time() - begin, "kernels": kernels}), flush=True)
    for line in sys.stdin:
        command, _, file = line.strip().partition(" ")
        if command == "result":
            np.save(file, run())
            print("done", flush=True)
        else:
            print(least_time(run, float(command)), flush=True)


if __name__ == "__main__":
    main()
