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
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] != "style":
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
    assert "loop i_lane vector" in seen.text and '<span class="tag">vector</span>' in page
    for title in ("Algorithm", "Schedule", "Buffers", "History"):
        assert title in seen.text
    assert "vectorize(y.i, 8)" in seen.text and "reference" not in seen.text
    assert "script" not in seen.tags


def test_tags_are_marked_where_they_are_tags():
    f = st.Function("f")
    vector = st.Var("vector", 0, f.param("N"))  # a name, not a tag
    i = st.Var("i", 0, 4)
    y = f.computation("y", [vector, i], vector + i)
    z = f.computation("z", [vector, i], y[vector, i])
    z.unroll(i).split(vector, 8).parallelize("vector")
    y.set_memory(st.Memory.heap)
    page = f._repr_html_()
    for marked in ['loop i <span class="tag">unrolled</span> {', '  on <span class="tag">heap',
                   'loop vector <span class="tag">parallel</span> {', "loop vector_in {",
                   "<pre>unroll(z.i)\n"]:
        assert marked in page
    assert page.count('class="tag"') == 3


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
