"""What tests of several files share."""

import os

import pytest


@pytest.fixture
def halide():
    """For tests of what only a build with Halide has."""
    if os.environ.get("STRATA_HAS_HALIDE") == "OFF":
        pytest.skip("this build has no Halide")


@pytest.fixture
def resident():
    """A function that returns how many bytes of memory this process holds."""
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("AddressSanitizer keeps freed memory for a while")

    def measured():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    return measured
