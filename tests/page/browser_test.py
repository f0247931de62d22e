"""Pages in a browser.

    browser_test.py TEST CHROMIUM FOLDER MAKER

MAKER TEST FILE writes a page; then the function TEST of this file tries it. The page and a
screenshot of it stay in the folder.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from devtools import Browser

LARGEST = 1_000_000  # bytes of a page
LONGEST = 1.0        # seconds until it is drawn

DRAWN = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(
    () => done(performance.now() / 1000))))"""
UNFOLDED = """(() => {
    const begin = performance.now();
    for (const one of document.querySelectorAll("details")) one.open = true;
    document.body.getBoundingClientRect();
    return (performance.now() - begin) / 1000;
})()"""


def marked(browser, pane):
    """The texts of what is marked in a pane."""
    return browser.value(f"""[...document.querySelectorAll("section.{pane} .marked")]
        .map((one) => one.textContent)""")


def unfold(browser, *panes):
    for pane in panes:
        browser.click(f"section.{pane} > details > summary")
        assert browser.value(f"document.querySelector('section.{pane} > details').open"), pane


def open_page(browser, path):
    """Opens a page, and checks its size, what it asks for and how long it takes to be drawn."""
    size = path.stat().st_size
    assert size < LARGEST, f"{path.name} has {size} bytes"
    browser.open(path)
    seconds = browser.value(DRAWN)
    print(f"{path.name}: {size} bytes, drawn after {seconds:.3f} s")
    assert seconds < LONGEST, f"{path.name} is drawn after {seconds} s"
    assert browser.requests() == [f"file://{path}"], browser.requests()


def blur(browser):
    opens = browser.value("""[...document.querySelectorAll("section > details[open]")]
        .map((one) => one.parentElement.className)""")
    assert opens == ["boxes"], opens

    # A computation.
    browser.click("section.boxes [data-mark='c:bx']")
    assert marked(browser, "boxes")[0] == "bx"
    assert browser.value("document.querySelector('section.loops .count').textContent").endswith(" marked")
    unfold(browser, "loops", "algorithm", "assembly", "history", "storage", "movement", "schedule")
    lines = marked(browser, "loops")
    assert lines and all(line.startswith("bx[") and "// bx(" in line for line in lines), lines
    assert any(line.startswith("computation bx of bx") for line in marked(browser, "algorithm"))
    assert marked(browser, "assembly")
    assert "bx" in marked(browser, "schedule")
    assert any("compute_at(bx, by.j0)" in step for step in marked(browser, "history"))

    # A loop of the tree: the machine code of that loop is marked as the same.
    browser.click("section.loops [data-mark~='v:j0']")
    assert marked(browser, "boxes") == ["loop j0"]
    exact = browser.value("""[...document.querySelectorAll("section.assembly .exact")]
        .map((one) => one.textContent)""")
    assert exact == [], exact  # the loops over k1 are inside
    browser.click("section.loops [data-mark~='v:k1']")
    exact = browser.value("""[...document.querySelectorAll("section.assembly .exact")]
        .map((one) => one.textContent)""")
    assert exact and all("_for_step.k1" in one for one in exact), exact
    assert marked(browser, "boxes") == ["loop k1"]
    assert not any("bx" in line for line in marked(browser, "algorithm"))

    # A buffer, by the keyboard.
    browser.value("document.querySelector(\"section.boxes [data-mark='b:bx']\").focus()")
    browser.press("Enter", 13, "\r")
    assert marked(browser, "boxes") == ["bx"]
    assert any(line.startswith("allocate float32 bx[") for line in marked(browser, "loops"))
    assert any(line.startswith("buffer bx") for line in marked(browser, "storage"))
    assert marked(browser, "movement")
    style = browser.value("""(() => {
        const style = getComputedStyle(document.querySelector("section.loops .marked"));
        return style.outlineStyle + " " + style.fontWeight; })()""")
    assert style == "solid 700", style  # seen without colours
    browser.press("Tab", 9)
    assert browser.value("document.activeElement.dataset.mark !== undefined")
    browser.press("Escape", 27)
    assert browser.value("document.querySelectorAll('.marked').length") == 0

    # The history, step by step.
    said = "document.querySelector('.bar span').textContent"
    step = "document.querySelector('.steps .current')?.textContent ?? ''"
    for number, command in enumerate(["tile(by.k, by.j, 8, 16", "compute_at(bx, by.j0)",
                                      "parallelize(by.k0)", "vectorize(by.j1)"], 1):
        browser.click(".next")
        assert browser.value(said) == f"step {number} of 4"
        assert command in browser.value(step)
    assert "loop j1 vector" in browser.value(step)
    browser.click(".previous")
    assert "parallelize(by.k0)" in browser.value(step)
    changes = browser.value("[...document.querySelectorAll('.current del, .current ins')]"
                            ".map((one) => one.textContent.split(/\\s+/).join(' '))")
    assert changes == ["- loop k0 {", "+ loop k0 parallel {"], changes
    assert browser.value("document.querySelectorAll('.steps details[open]').length") == 1


    narrow_and_printed(browser)


def narrow_and_printed(browser):
    """Below a width buffers are under their loops; on paper nothing is cut off."""
    below = """(() => {
        const row = document.querySelector("section.boxes .row:has(> .buffers)");
        const box = (part) => row.querySelector(":scope > " + part).getBoundingClientRect();
        return box(".buffers").top >= box(".nodes").bottom; })()"""
    cut = """[...document.querySelectorAll("details[open] > .content")]
        .filter((one) => one.scrollHeight > one.clientHeight + 1
                         || one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.closest("section").className)"""
    browser.resize(420, 800)
    assert browser.value(below)
    assert browser.value(cut) != []
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert browser.value(cut) == [], browser.value(cut)
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.resize(1500, 1400)
    assert not browser.value(below)


def gpu(browser):
    """The machine code of a launch is PTX, and its loops are those of the tree."""
    unfold(browser, "loops", "assembly")
    browser.click("section.loops [data-mark~='v:k']")
    found = marked(browser, "assembly")  # also of the loop for tiles at the border
    assert all("_for_step.k" in one and one.endswith(" in product_launch_0") for one in found), found
    code = browser.value("document.querySelector('section.assembly .inner:has(.exact)').textContent")
    assert "fma.rn.f32" in code and "bra" in code, code
    assert marked(browser, "boxes") == ["loop k"]
    tags = browser.value("""[...document.querySelectorAll("section.boxes .tag")]
        .map((one) => one.textContent)""")
    assert tags.count("block") == 2 and tags.count("thread") == 2, tags


def refusal(browser):
    text = browser.value("document.querySelector('section.refusal').textContent")
    assert "error E0201 dependence reversed" in text and "interchange(s.i, s.j)" in text, text
    assert browser.value("document.querySelector('section.refusal > details').open")
    browser.click("section.refusal [data-mark='c:s']")
    assert marked(browser, "boxes")[0] == "s"
    unfold(browser, "algorithm")
    assert any(line.startswith("computation s of s") for line in marked(browser, "algorithm"))
    assert not browser.value("document.querySelector('section.loops') !== null")


def largest(browser):
    print(f"everything unfolded after {browser.value(UNFOLDED):.3f} s more")
    seconds = browser.value("""(() => {
        const begin = performance.now();
        document.querySelector("section.boxes [data-mark]").click();
        document.body.getBoundingClientRect();
        return (performance.now() - begin) / 1000;
    })()""")
    print(f"a click takes {seconds:.3f} s")
    assert seconds < LONGEST


# ---- pages of modules ----

def texts(browser, selector):
    return browser.value(f"""[...document.querySelectorAll({selector!r})]
        .map((one) => one.textContent.trim())""")


def operators(browser, inside=""):
    """The labels of the boxes in a graph."""
    return texts(browser, f"{inside} section.graph .operator text")


def fits(browser):
    """No window of these widths has to be scrolled sideways, and dark windows have dark pages."""
    for width in 390, 1280, 1920:
        browser.resize(width, 900)
        wide = browser.value("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} pixels in a window of {width}"
    lightness = """getComputedStyle(document.body).backgroundColor.match(/\\d+/g)
        .reduce((sum, part) => sum + Number(part), 0)"""
    for scheme, is_dark in ("light", False), ("dark", True):
        browser.call("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert (browser.value(lightness) < 300) == is_dark, scheme
    browser.resize(1500, 1400)


def module(browser):
    fits(browser)
    opens = browser.value("""[...document.querySelectorAll("main > .column > section")]
        .map((one) => one.className + " " + one.firstElementChild.open)""")
    assert opens == ["graph true", "program false", "dominators false", "groups true",
                     "passes false"], opens
    assert sorted(operators(browser)) == ["bias", "bias_add · 0", "dense · 0", "relu · 0",
                                          "sum · 1", "w", "x"], operators(browser)
    count = "document.querySelectorAll('section.graph path.{}').length"
    assert browser.value(count.format("fused")) == 2
    assert browser.value(count.format("apart")) == 4
    below = browser.value("""(() => {
        const top = (name) => [...document.querySelectorAll("section.graph .operator")]
            .find((one) => one.textContent.includes(name)).getBoundingClientRect().top;
        return ["x", "dense", "bias_add", "relu", "sum"].map(top); })()""")
    assert below == sorted(below) and len(set(below)) == 5, below

    # A group, in all parts.
    browser.click("section.groups [data-mark='g:0']")
    chosen = marked(browser, "graph")
    assert [one.split(" · ")[0].split()[-1] for one in chosen] == ["dense", "bias_add", "relu"], chosen
    assert [line.split()[0] for line in marked(browser, "program")] == ["%lv", "%lv1", "%lv2"]
    browser.click("section.graph [data-pick='n:main.lv1']")
    [line] = marked(browser, "program")
    assert line.strip() == "%lv1 = bias_add(%lv, %bias)  # group 0", line
    [row] = marked(browser, "dominators")
    assert row == "%lv1 (bias_add): all uses meet in %lv2 (relu), elementwise", row

    # Why; where the kernel computes what; what the operations are.
    browser.value("document.querySelector('.group').open = true")
    edges = texts(browser, ".group[open] .edges li")
    takes = "a product or window takes what is elementwise after it"
    only = "a product or window takes only what is elementwise after it, and that is reduction"
    assert edges[3:] == [f"%lv (dense) -> %lv1 (bias_add): fused, {takes}",
                         f"%lv1 (bias_add) -> %lv2 (relu): fused, {takes}",
                         f"%lv2 (relu) -> %gv (sum): apart, {only}"], edges
    [why] = texts(browser, ".group[open] .why")
    assert "kernel of dense, bias_add, relu" in why and "bias_add: inlined" in why, why
    browser.value("document.querySelector('.operation').open = true")
    assert texts(browser, ".operation[open] code") == ["dense(i0, i1): Tensor[(n, m), float32]"]
    assert texts(browser, ".operation[open] .tree span") == [
        "sum over k in [0, k)", "mul", "p0[i0, k]", "p1[i1, k]"]

    # The kernel's page has marks and a history of its own.
    browser.value("document.querySelector('.kernel').open = true")
    browser.click(".kernel[open] section.boxes [data-mark='c:dense']")
    scopes = browser.value("""[...new Set([...document.querySelectorAll(".marked")]
        .map((one) => one.closest("[data-scope]")?.dataset.scope))]""")
    assert scopes == ["k0.0"], scopes
    browser.click(".kernel[open] section.history > details > summary")
    browser.click(".kernel[open] .next")
    [said] = texts(browser, ".kernel[open] .bar span")
    assert said.startswith("step 1 of "), said

    times = texts(browser, "section.passes pre")[0].split("\n")
    assert [line.split(":")[0] for line in times] == ["sequential", "  FoldConstant",
                                                      "  DeadCodeElimination"], times


def fused(browser):
    """The module's primitive functions are groups; the calls of them have their numbers."""
    assert texts(browser, "section.graph h3") == ["@fused_dense_bias_add_relu", "@fused_sum", "@main"]
    found = operators(browser)
    for label in ("dense · 0", "relu · 0", "sum · 1", "@fused_dense_bias_add_relu · 0",
                  "@fused_sum · 1"):
        assert label in found, found
    assert not browser.value("document.querySelector('section.passes, .kernel') !== null")


def two(browser):
    fits(browser)
    lines = [" ".join(line.split()) for line in
             texts(browser, "section.difference del, section.difference ins")]
    assert lines == ["- %lv1 = exp(%x) # group 0", "- %lv2 = add(%lv1, 1.0f32) # group 0",
                     "+ %lv2 = add(%lv, 1.0f32) # group 0"], lines
    assert sorted(operators(browser, ".before")) == [
        "add · 0 · differs", "divide · 0", "exp · 0", "exp · 0 · only here", "x"]
    assert sorted(operators(browser, ".after")) == ["add · 0 · differs", "divide · 0", "exp · 0",
                                                    "x"]
    browser.click(".before [data-pick='n:main.lv2']")
    assert len(texts(browser, ".after section.graph .marked")) == 1


def encoder(browser):
    """A page of 140 operators."""
    print(f"everything unfolded after {browser.value(UNFOLDED):.3f} s more")
    assert len(texts(browser, ".group")) > 20
    # Equal layers share kernels.
    kernels = texts(browser, ".kernel > summary")
    assert 3 <= len(kernels) <= 8, kernels
    assert len(texts(browser, ".group")) - len(texts(browser, ".same")) <= 9
    overlaps = browser.value("""(() => {
        const boxes = [...document.querySelectorAll("section.graph .operator > rect")]
            .map((one) => one.getBoundingClientRect());
        return boxes.filter((a, n) => boxes.some((b, m) => n < m && a.left < b.right
            && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length; })()""")
    assert overlaps == 0, overlaps


TESTS = {"blur": blur, "gpu": gpu, "refusal": refusal, "largest": largest, "module": module,
         "fused": fused, "two": two, "encoder": encoder}


def main():
    name, chromium, folder, maker = sys.argv[1:]
    if not chromium or chromium.endswith("NOTFOUND"):
        print("SKIPPED: chromium was not found")
        return
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    page = folder / f"{name}.html"
    subprocess.run([maker, name, page], check=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        with Browser(chromium, profile) as browser:
            open_page(browser, page)
            try:
                TESTS[name](browser)
            finally:
                browser.screenshot(folder / f"{name}.png")


main()
