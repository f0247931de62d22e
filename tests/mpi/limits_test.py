"""limits_test.py CTEST BUILD: no mpirun outlives its test.

If ctest ends a test at its time limit, it ends mpirun alone, and the ranks go on at full load. So
mpirun has a limit of its own, MPIEXEC_TIMEOUT, below that of the test.
"""
import json
import subprocess
import sys


def limits(test):
    """What mpirun and ctest allow a test, in seconds."""
    properties = {p["name"]: p["value"] for p in test.get("properties", [])}
    environment = dict(line.split("=", 1) for line in properties.get("ENVIRONMENT", []))
    return float(environment.get("MPIEXEC_TIMEOUT", "inf")), float(properties.get("TIMEOUT", "inf"))


def main(ctest, build):
    listed = subprocess.run([ctest, "--show-only=json-v1"], cwd=build, check=True,
                            capture_output=True, text=True).stdout
    tests = [test for test in json.loads(listed)["tests"]
             if any("mpirun" in word or "mpiexec" in word for word in test.get("command", []))]
    assert len(tests) > 40, f"only {len(tests)} tests run mpirun"
    for test in tests:
        mpirun, whole = limits(test)
        if not mpirun < whole:
            sys.exit(f"{test['name']}: mpirun has {mpirun} s, and the test {whole} s")


main(*sys.argv[1:])
