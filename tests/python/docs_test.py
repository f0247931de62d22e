"""The programs of README and docs/python.md print what the pages say; examples run."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(os.environ["STRATA_SOURCE"])
EXAMPLES = sorted((SOURCE / "examples/python").glob("*.py"))


def printed(program, *arguments, folder=None):
    run = subprocess.run([sys.executable, *arguments], input=program, capture_output=True,
                         text=True, cwd=folder)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("page, output", [("README.md", r"\n```text\n(.*?)```"),
                                          ("docs/python.md", r"\n((?:    [^\n]*\n)+)")])
def test_a_page_shows_what_its_program_prints(page, output):
    text = (SOURCE / page).read_text()
    match = re.search(r"```python\n(.*?)```\n" + output, text, re.DOTALL)
    assert printed(match[1], "-").strip() == match[2].strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(example, tmp_path):
    assert printed("", example, folder=tmp_path)


def test_examples_and_the_modules_interface_have_types(tmp_path):
    pytest.importorskip("mypy")
    from mypy import api

    os.environ["MYPYPATH"] = os.environ["PYTHONPATH"]
    told, failed, status = api.run(["--strict", f"--cache-dir={tmp_path}",
                                    *map(str, EXAMPLES)])
    assert status == 0, told + failed
