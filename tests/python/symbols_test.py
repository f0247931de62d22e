"""The module defines one symbol for others: its entry."""

import pathlib
import subprocess

import strata._strata


def symbols(*options):
    module = pathlib.Path(strata._strata.__file__)
    listed = subprocess.run(["nm", "-D", *options, module], check=True, capture_output=True,
                            text=True).stdout
    return [line.split()[-1].split("@")[0] for line in listed.splitlines()]


def test_nothing_but_the_entry_is_defined():
    assert symbols("--defined-only") == ["PyInit__strata"]


def test_halide_is_found_beside_the_package(halide):
    assert any("Halide" in name for name in symbols("--undefined-only"))
