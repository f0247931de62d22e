"""Judges the inner loops of the benchmarks in llvm-mca's models of several CPUs.

    mca.py BUILD FOLDER [--cpu NAME].. [--only KERNEL].. [--details]
           [--openblas TRIPLE=LIBRARY]..

BUILD has the generators, which compile each kernel for each CPU into FOLDER/mca. Prints a table:
the cycles of a loop's multiply-adds alone, or of its loads alone and of its loads, arithmetic and
stores ("work"), over the cycles of the loop; and writes FOLDER/mca.json. Exit status 1 if a loop
could not be judged, 2 for an unknown name or if llvm-mca is missing.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import loop_text
from assembly import loop_called, loops_of_compiler, multiply_adds
from cpus import CPUS
from kernels import KERNELS, LOADS, MULTIPLY_ADDS, WORK
from model import (Model, ModelError, loads_alone, multiply_adds_alone, on_stack, program,
                   work_alone)
from peers import PeerError, onednn_loop, openblas_loop


class Missing(Exception):
    """A kernel cannot be judged for a CPU."""


def generated(kernel, cpu, build, folder):
    """The folder with the kernel's assembly and loop tree for the CPU."""
    place = folder / "mca" / kernel.name / cpu.name
    generator = build / kernel.folder / f"{kernel.function}_generator"
    written = place / f"{kernel.function}.s"
    if not generator.exists():
        raise Missing(f"{generator} is not built")
    if not written.exists() or written.stat().st_mtime < generator.stat().st_mtime:
        place.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([generator, place, f"target={cpu.name}", "outputs=assembly,loops"],
                              capture_output=True, text=True, check=False)
        if done.returncode or not written.exists():
            raise Missing(f"its generator failed: {done.stderr.strip()}")
    return place


def inner_loop(assembly, tree, sizes):
    """The loop of the machine code that executes most instances, and its share of them. LLVM may
    have unrolled a short loop altogether: then it is in the loop around it."""
    try:
        names, share = loop_text.hottest(tree, sizes)
    except loop_text.TextError as error:
        raise Missing(str(error)) from error
    loops = loops_of_compiler(assembly)
    for name in names:
        if loop := loop_called(loops, name):
            return loop, share
    raise Missing(f"the object has no innermost loop over {', '.join(names)}")


ALONE = {MULTIPLY_ADDS: multiply_adds_alone, LOADS: loads_alone, WORK: work_alone}


def judged(loop, measure, model):
    """The record of a loop."""
    part = ALONE[measure](loop.lines)
    if not part:
        raise Missing(f"its inner loop {loop.name} has no {measure}")
    cycles = model.cycles(loop.lines)
    return {"loop": loop.name, "instructions": len(loop.lines), "blocks": loop.blocks,
            "multiply_adds": multiply_adds(loop.lines), "loads": len(loads_alone(loop.lines)),
            "stack": sum(map(on_stack, loop.lines)),
            "cycles": round(cycles, 2), "least": model.throughput(loop.lines),
            "alone": model.throughput(part),
            "ratio": round(model.throughput(part) / cycles, 3)}


def judge(kernel, cpu, model, arguments):
    """The records of a kernel and of its peer for one CPU."""
    record = {"kernel": kernel.name, "cpu": cpu.name, "measure": kernel.measure}
    try:
        place = generated(kernel, cpu, arguments.build, arguments.folder)
        loop, share = inner_loop((place / f"{kernel.function}.s").read_text(),
                                 (place / f"{kernel.function}.txt").read_text(), kernel.sizes)
        for measure in (LOADS, WORK) if kernel.measure == LOADS else (kernel.measure,):
            yield {**record, "variant": "strata", "measure": measure, "share": round(share, 3),
                   **judged(loop, measure, model)}
    except (Missing, ModelError) as error:
        yield {**record, "variant": "strata", "missing": str(error)}
    for name, find in peers_of(kernel, cpu, arguments):
        try:
            yield {**record, "variant": name, **judged(find(), kernel.measure, model)}
        except (Missing, ModelError, PeerError) as error:
            yield {**record, "variant": name, "missing": str(error)}


def peers_of(kernel, cpu, arguments):
    """The libraries that have code for this kernel and CPU, with what finds its loop."""
    if kernel.openblas and cpu.openblas:
        library = dict(arguments.openblas).get(cpu.triple, "")
        yield "openblas", lambda: openblas_loop(library, kernel.openblas, cpu)
    if kernel.onednn and cpu.onednn:
        program_of = arguments.build / kernel.folder / f"{kernel.name}_onednn"
        yield "onednn", lambda: onednn_loop(program_of, kernel.onednn, cpu)


def cell(record):
    if record is None:
        return ""
    if "missing" in record:
        return "?"
    return f"{record['ratio']:.2f}" + ("*" if record["blocks"] > 1 else "")


def table(records, cpus):
    width = max(len(name) for name in cpus) + 2
    lines = ["cycles of an inner loop's multiply-adds (or loads, or loads, arithmetic and "
             "stores) alone / cycles of the loop, by llvm-mca",
             f"{'kernel':11}{'variant':10}{'of its':15}" + "".join(f"{c:>{width}}" for c in cpus)]
    found = {}
    for record in records:
        row = (record["kernel"], record["variant"], record["measure"])
        found.setdefault(row, {})[record["cpu"]] = record
    for (kernel, variant, measure), row in found.items():
        lines.append(f"{kernel:11}{variant:10}{measure:15}"
                     + "".join(f"{cell(row.get(c)):>{width}}" for c in cpus))
    if any(record.get("blocks", 1) > 1 for record in records):
        lines.append("* the loop has branches inside: all of its blocks are counted")
    reasons = {}
    for record in records:
        if "missing" in record:
            what = f"{record['variant']} of {record['kernel']}"
            reasons.setdefault((what, record["missing"]), []).append(record["cpu"])
    lines += [f"? {what}, {', '.join(cpus)}: {reason}" for (what, reason), cpus in reasons.items()]
    return "\n".join(lines)


def details(record):
    return (f"{record['kernel']} by {record['variant']}, {record['cpu']}: {record['loop']}, "
            f"{record['instructions']} instructions, {record['multiply_adds']} multiply-adds, "
            f"{record['loads']} loads, {record['stack']} on the stack, {record['cycles']} cycles "
            f"(at least {record['least']} by its resources), {record['alone']} of "
            f"{record['measure']} alone")


def parsed(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cpu", action="append", metavar="NAME", help="a CPU; repeatable")
    parser.add_argument("--only", action="append", metavar="KERNEL", help="a kernel; repeatable")
    parser.add_argument("--openblas", action="append", default=[], metavar="TRIPLE=LIBRARY",
                        type=lambda text: text.split("=", 1), help="OpenBLAS for a processor")
    parser.add_argument("--details", action="store_true", help="a line for each loop")
    return parser.parse_args(arguments)


def unknown(what, names, known):
    wrong = [name for name in names or [] if name not in known]
    return f"no such {what}: {', '.join(wrong)}; known: {', '.join(known)}" if wrong else ""


def main(arguments):
    arguments = parsed(arguments)
    error = unknown("CPU", arguments.cpu, CPUS) or unknown("kernel", arguments.only, KERNELS)
    try:
        program()
    except ModelError as missing:
        error = error or str(missing)
    if error:
        print(error, file=sys.stderr)
        return 2
    cpus = dict.fromkeys(arguments.cpu or CPUS)
    models = {name: Model(name, CPUS[name].triple) for name in cpus}
    records = []
    for kernel in dict.fromkeys(arguments.only or KERNELS):
        for name in cpus:
            for record in judge(KERNELS[kernel], CPUS[name], models[name], arguments):
                records.append(record)
                if arguments.details and "missing" not in record:
                    print(details(record), flush=True)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "mca.json").write_text(
        "[\n" + ",\n".join(json.dumps(record) for record in records) + "\n]\n")
    print(table(records, list(cpus)))
    ours = [record for record in records if record["variant"] == "strata"]
    return 1 if any("missing" in record for record in ours) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
