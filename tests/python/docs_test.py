"""The programs of README and docs/python.md print what the pages say; examples run."""

import doctest
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import strata as st

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


def test_the_blur_reads_a_photograph(tmp_path):
    imageio = pytest.importorskip("imageio.v3")
    photo = tmp_path / "photo.jpg"
    imageio.imwrite(photo, np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8))
    told = printed("", EXAMPLES[0], photo, "out.png", folder=tmp_path)
    assert told == "out.png: 58 x 38 pixels\n"
    image = imageio.imread(photo).astype(int)
    sums = sum(image[di:38 + di, dj:58 + dj] for di in range(3) for dj in range(3))
    assert (imageio.imread(tmp_path / "out.png") == sums // 9).all()


def documented():
    """(name, docstring) of what the module and its classes have."""
    for name, value in sorted(vars(st).items()):
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("strata"):
            yield name, value.__doc__ or ""
            for method, member in sorted(vars(value).items()) if isinstance(value, type) else []:
                if not method.startswith("_"):
                    yield f"{name}.{method}", getattr(member, "__doc__", None) or ""


EXAMPLES_OF_DOCS = [(name, text) for name, text in documented() if ">>>" in text]


@pytest.mark.parametrize("name, text", EXAMPLES_OF_DOCS, ids=[name for name, _ in EXAMPLES_OF_DOCS])
def test_a_docstring_says_what_happens(name, text):
    if name.startswith("Computation."):
        text = st.Computation.__doc__ + "\n\n" + text
    test = doctest.DocTestParser().get_doctest(text, dict(vars(st)), name, None, 0)
    told = []
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=options).run(test, out=told.append)
    assert not told, "".join(told)


def test_commands_have_docstrings_and_examples():
    def is_described(text):
        return re.sub(r"^\w+\(self.*|^Overloaded function\.|^\d\. ``.*", "", text,
                      flags=re.MULTILINE).strip()

    commands = [(name, text) for name, text in documented()
                if re.match(r"(Computation|Function|Kernel)\.", name)
                and callable(getattr(getattr(st, name.split(".")[0]), name.split(".")[1]))]
    assert len(commands) > 60 and len(EXAMPLES_OF_DOCS) >= 20
    assert [name for name, text in commands if not is_described(text)] == []


def test_a_notebook_runs_and_shows_html(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(SOURCE / "examples/python/refusal.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3",
                            resources={"metadata": {"path": tmp_path}}).execute()
    shown = ["".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
             for cell in notebook.cells if cell.cell_type == "code"]
    assert "running_sum" in shown[0] and "Schedule" in shown[0]
    assert "E0202 dependence carried" in shown[1] and "s.parallelize(i)  # refused" in shown[1]
    assert notebook.cells[-1].outputs[0]["data"]["text/plain"] == "('s[0]', 's[1]', 2)"


def test_examples_and_the_package_have_types(tmp_path):
    pytest.importorskip("mypy")
    from mypy import api

    os.environ["MYPYPATH"] = os.environ["PYTHONPATH"]
    told, failed, status = api.run(["--strict", f"--cache-dir={tmp_path}",
                                    os.path.dirname(st.__file__), *map(str, EXAMPLES)])
    assert status == 0, told + failed
