"""What notebooks show: well-formed, escaped, complete."""

import html.parser

import pytest

import strata as st


class Outline(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag in {"br", "meta"}:  # they have no end
            return
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in {"script", "style"}:
            self.text += data


def program():
    f = st.Function("f")
    i = st.Var("i", 0, f.param("N"))
    x = f.input("x", st.i32, [st.Param("N")])
    y = f.computation("y", [i], st.select((x[i] < 3) & (x[i] > 1), x[i], 0))
    return f, x, y


def test_a_function_shows_its_layers_and_history():
    f, x, y = program()
    y.vectorize("i", 8)
    page = f._repr_html_()
    seen = Outline(page)
    assert "x[i] < 3i32 && x[i] > 1i32" in seen.text and "&lt; 3i32 &amp;&amp;" in page
    assert '>loop i_lane</b><span class="tag">vector</span>' in page
    for title in ("Layer I: the algorithm", "Schedule", "Layer III", "History"):
        assert title in seen.text
    assert "vectorize(y.i, 8)" in seen.text and "script" not in seen.tags
    assert f.html() == page


def test_a_page_is_written(tmp_path):
    f, x, y = program()
    f.html(str(tmp_path / "f.html"), [x, y])
    page = (tmp_path / "f.html").read_text()
    assert "f(int64 N, int32 x, int32 y)" in Outline(page).text
    with pytest.raises(st.Error) as caught:
        f.html(str(tmp_path / "no" / "f.html"))
    assert caught.value.code is st.Code.E0503_cannot_write_file
    assert "No such file" in str(caught.value)


def test_the_page_of_a_refusal_has_the_whole_error(tmp_path):
    f = st.Function("f")
    i = st.Var("i", 1, f.param("N"))
    s = f.declare("s", [i], st.i32)
    s.define(st.select(i > 1, s[i - 1], 0))
    with pytest.raises(st.Error) as caught:
        s.parallelize(i)
    assert caught.value.witness is not None
    f.html(caught.value, str(tmp_path / "refused.html"))
    seen = Outline((tmp_path / "refused.html").read_text())
    assert str(caught.value) in seen.text
    with pytest.raises(TypeError):
        f.html(ValueError("x"), str(tmp_path / "refused.html"))


def test_an_error_shows_its_text_with_the_place_marked():
    f, x, y = program()
    with pytest.raises(st.Error) as caught:
        y.interchange("i", "<b>")
    page = caught.value._repr_html_()
    seen = Outline(page)
    assert "<b>" not in page.replace("&lt;b&gt;", "")
    for line in str(caught.value).splitlines():
        assert line in seen.text
    assert 'y.interchange("i", "<b>")' in seen.text
    assert '<span class="where">  in interchange(' in page
