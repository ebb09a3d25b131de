from __future__ import annotations

import os
import re
import stat

import numpy as np
import pytest
from click.testing import CliRunner

import sparsespan as ss
from sparsespan.cli import main
from sparsespan.errors import InvalidInput
from sparsespan.report import (
    Card,
    Cards,
    Claim,
    Code,
    Figure,
    Footer,
    Mark,
    Page,
    Picture,
    Pictures,
    Prose,
    Row,
    Section,
    Table,
    certificate_panel,
    found_page,
)  # fmt: skip
from sparsespan.report.charts import bars, dots, stems
from sparsespan.result import Certificate, Status

HOSTILE = "<script>alert(1)</script>\"'& http://example.org \x00\ud800"
CERTIFICATE = Certificate(96, 1753, 95, 1.5e-16, 1.4e-13, 1e12, 0.287, 0.554, 7.3e-17, chance=0.0)


@pytest.fixture(scope="module")
def pages(gallery):
    return {"gallery": gallery["gallery"]().html(), "found": gallery["found"]().html()}


@pytest.mark.parametrize("name", ["gallery", "found"])
def test_page_is_well_formed_and_complete(pages, name, outline):
    page = outline(pages[name])
    tags = [tag for tag, _ in page.tags]
    assert pages[name].startswith("<!doctype html>")
    assert [tags.count(one) for one in ("html", "head", "main", "h1", "footer", "style")] == [1] * 6
    assert dict(page.tags)["html"]["lang"] == "en"
    assert all(attrs.get("alt") for tag, attrs in page.tags if tag == "img")
    drawings = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert drawings
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in drawings)
    assert tags.count("desc") == len(drawings)
    assert page.attributes("id") == []  # nothing can clash when pages are joined


@pytest.mark.parametrize("name", ["gallery", "found"])
def test_page_asks_nobody_for_anything(pages, name, outline):
    page = outline(pages[name])
    assert not re.search(r"https?:|//|url\(|@import", re.sub(r"base64,[\w+/=]+", "", pages[name]))
    for attribute in ("src", "href"):
        assert all(value.startswith("data:") for value in page.attributes(attribute))
    assert not {"script", "iframe", "object", "form"} & {tag for tag, _ in page.tags}
    policy = next(attrs["content"] for tag, attrs in page.tags if attrs.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")


def test_every_text_is_escaped(outline):
    picture = Picture(np.zeros((2, 2), np.uint8), HOSTILE, HOSTILE)
    blocks = [
        Cards([Card(HOSTILE, HOSTILE, HOSTILE)]),
        Section(HOSTILE, [Prose(HOSTILE), Code(HOSTILE)]),
        Table([HOSTILE], [[HOSTILE], [Mark(HOSTILE)]], HOSTILE),
        Row([Pictures([picture])]),
        Figure(bars([HOSTILE], [1.0], xlabel=HOSTILE, title=HOSTILE), HOSTILE),
        Figure(dots([1.0], labels=[HOSTILE], ylabel=HOSTILE)),
        certificate_panel(CERTIFICATE, Claim(Mark(HOSTILE), HOSTILE, HOSTILE, HOSTILE)),
    ]
    html = Page(HOSTILE, HOSTILE, blocks, Footer(HOSTILE, HOSTILE), HOSTILE).html()
    page = outline(html)
    assert "script" not in {tag for tag, _ in page.tags}
    assert sum("<script>alert(1)</script>" in words for words in page.words) > 20
    html.encode("utf-8")


def test_prose_has_paragraphs_and_code():
    html = Prose("one `a < b`\n\n two \n\n\n").html()
    assert html == "<p>one <code>a &lt; b</code></p><p>two</p>"


def test_table_aligns_numbers_marks_rows_and_names_columns(outline):
    table = Table(("name", "value", "text"), [("a", 1234.5, "x"), ("b", None, "y")], "About", best=(1,))
    page = outline(table.html())
    assert [attrs.get("class") for tag, attrs in page.tags if tag == "th"] == [None, "right", None, None, None]
    assert [attrs.get("class") for tag, attrs in page.tags if tag == "tr"] == [None, None, "best"]
    assert page.words == ["About", "name", "value", "text", "a", "1,234", "x", "b", "–", "y"]
    box = page.tags[0][1]
    assert (box["class"], box["tabindex"], box["aria-label"]) == ("scroll", "0", "About")
    assert "no rows" in Table(("a",), ()).html()
    assert 'class="right"' in Table(("a",), [("4 ms",)], align="r").html()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Table(("a", "b"), [(1, 2), (1,)]), "`rows` must have 2 cells each; row 1 has 1"),
        (lambda: Table(("a",), [], align="c"), "`align` must be 1 letters, each l or r; got 'c'"),
        (lambda: Picture(np.zeros(3), "x").html(), "`pixels` must be"),
    ],
)
def test_wrong_blocks_are_refused(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


def test_write_is_whole_or_not_at_all(tmp_path, monkeypatch):
    page, path = Page("title", "", []), tmp_path / "page.html"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        page.write(path)
    assert path.read_text() == "old"
    monkeypatch.undo()
    assert page.write(str(path)) == path
    assert path.read_text(encoding="utf-8") == page.html()
    assert [one.name for one in tmp_path.iterdir()] == ["page.html"]
    assert stat.S_IMODE(path.stat().st_mode) & 0o400


def test_write_refuses_places_that_are_not_files(tmp_path):
    page = Page("title", "", [])
    with pytest.raises(InvalidInput, match=r"`path` must lie in a folder that exists; got .*nowhere"):
        page.write(tmp_path / "nowhere" / "page.html")
    with pytest.raises(InvalidInput, match="`path` must name a file; got the folder"):
        page.write(tmp_path)


def verdicts(certificate, outline):
    page = outline(certificate_panel(certificate).html())
    classes = [attrs["class"] for tag, attrs in page.tags if tag == "span"]
    return list(zip(classes, [words for words in page.words if words[:1] in "✓✗○"], strict=True))


def test_certificate_says_what_is_proved_and_what_is_not(outline):
    yes, no, open_ = ("mark good", "✓ proved"), ("mark bad", "✗ not proved"), ("mark", "○ not proved")
    assert verdicts(CERTIFICATE, outline) == [yes, yes, yes, yes, open_]
    weak = Certificate(96, 95, 94, 1e-3, 1e-13, 1.0, np.inf, 0.0, np.inf)
    assert verdicts(weak, outline) == [no, no, no, no, open_]
    assert verdicts(Certificate(1, 0, 0, 0.0, 1e-14, np.inf, 0.0, 0.0, 0.0, forced=True), outline)[-1] == yes
    assert certificate_panel(CERTIFICATE).proved == 4
    extra = certificate_panel(CERTIFICATE, Claim(Mark("proved", "good"), "Significant", "p < 0.001"))
    assert [claim.title for claim in extra.claims][-2:] == ["Significant", "Sparsest of all"]


def test_page_of_a_search(outline):
    hidden = ss.models.planted(300, 20, 60, "gaussian", seed=1)
    found = ss.sparsest(hidden.columns)
    page = outline(found_page(found, truth=-3 * hidden.truth, command="make demo", parameters={"seed": 1}).html())
    words = "\n".join(page.words)
    assert "A vector with 60 nonzeros among 300 entries" in words
    assert "holds" in page.words
    assert "240" in page.words
    assert "by accident with probability below 10" in words
    assert Status.FOUND.meaning in words
    assert "make demo" in page.words
    error = float(re.search(r"distance from the planted vector is ([\d.]+)\u202f×", words)[1])
    assert 0 < error < 10
    assert "10⁻¹" in words


def test_page_of_a_search_without_success(outline):
    columns = np.random.default_rng(0).standard_normal((60, 6))
    found = ss.sparsest(columns)
    words = outline(found_page(found).html()).words
    assert "does not hold" in words
    assert not any("by accident" in one for one in words)  # a bound of 1 says nothing
    assert any("Try other starts" in one for one in words)
    assert any("different end" in one for one in words)
    assert not any("planted" in one for one in words)


def test_command_line_writes_the_page(tmp_path, outline):
    matrix, page = tmp_path / "basis.npy", tmp_path / "page.html"
    np.save(matrix, ss.models.planted(300, 20, 60, "gaussian", seed=1).columns)
    result = CliRunner().invoke(main, ["find", str(matrix), "--html", str(page), "--quiet"])
    assert result.exit_code == 0, result.output
    words = outline(page.read_text(encoding="utf-8")).words
    assert "basis.npy" in words
    assert "sparsespan find basis.npy --method auto --seed 0" in words


@pytest.mark.parametrize("truth", [np.zeros(60), np.ones(3), np.full(60, np.nan)])
def test_truth_must_fit(truth):
    found = ss.sparsest(np.random.default_rng(0).standard_normal((60, 1)))
    with pytest.raises(InvalidInput, match="`truth` must be a finite vector of 60 entries"):
        found_page(found, truth=truth)


def test_figure_has_a_drawing_for_each_room(outline):
    page = outline(Figure(stems([1.0, 0.0]), "text").html())
    assert [attrs["class"] for tag, attrs in page.tags if tag == "svg"] == ["wide", "narrow"]
