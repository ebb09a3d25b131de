"""The comparison of methods: figures from the results themselves, errors as entries, best first."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import sparsespan as ss
from sparsespan.experiments.compare import compare

HIDDEN = ss.models.planted(120, 6, 20, "gaussian", seed=5)


def test_entries_are_the_results_of_the_methods():
    comparison = compare(HIDDEN.columns, ["sdp", "subgradient", "spectral"], seed=3)
    assert (comparison.size, comparison.dim) == (120, 6)
    for entry in comparison.entries:
        found = ss.sparsest(HIDDEN.columns, entry.method, seed=3)
        assert entry.l1 == found.l1
        assert (entry.nonzeros, entry.zeros) == (found.support.size, found.certificate.zeros) == (20, 100)
        assert entry.certified
        assert entry.status == "found"
        assert entry.options == found.method
        assert entry.notes == found.runs[0].notes
        assert entry.seconds > 0


def test_certified_and_fast_goes_first():
    generic = np.random.default_rng(0).standard_normal((60, 5))
    rows = compare(generic, ["spectral", "alternating-lp", "irls"]).entries
    norms = [round(entry.l1, 9) for entry in rows]  # equal but for rounding: the order is that of their times
    assert norms == sorted(norms)
    assert not any(entry.certified for entry in rows)
    planted = compare(HIDDEN.columns, ["er-spud", "spectral"]).entries
    assert [entry.method for entry in planted] == ["spectral", "er-spud"]


def test_what_cannot_run_says_why_and_comes_last(monkeypatch):
    monkeypatch.setitem(sys.modules, "scs", None)
    first, last = compare(HIDDEN.columns, ["sos", "spectral"]).entries
    assert first.method == "spectral"
    assert last.method == "sos"
    assert 'pip install "sparsespan[sos]"' in last.error
    assert last.seconds is None
    assert not last.certified


def test_methods_with_options_are_compared_too():
    from sparsespan.methods import as_method

    methods = [as_method("l1-linf", {"first": first}) for first in (True, False)]
    entries = compare(HIDDEN.columns, methods).entries
    assert len({entry.options for entry in entries}) == 2


def test_all_methods_by_default():
    from sparsespan.methods import available

    comparison = compare(HIDDEN.columns, deadline=20.0)
    assert sorted(entry.method for entry in comparison.entries) == list(available())


def test_no_methods_are_refused():
    with pytest.raises(ss.InvalidInput, match=r"`methods` must name at least one method; got \[\]"):
        compare(HIDDEN.columns, [])
    with pytest.raises(ss.InvalidInput, match="`method` must be one of"):
        compare(HIDDEN.columns, ["magic"])


def test_progress_covers_all_methods_and_interruption_ends_between_them():
    told: list[tuple[float, str]] = []
    compare(HIDDEN.columns, ["spectral", "sdp"], progress=lambda share, doing: told.append((share, doing)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert told[0][1].startswith("spectral: ")
    assert told[-1][1].startswith("sdp: ")
    asked = iter([False] + [True] * 1000)
    partial = compare(HIDDEN.columns, ["spectral", "irls", "l4"], interrupted=lambda: next(asked))
    assert [entry.method for entry in partial.entries] == ["spectral"]


def test_the_summary_is_plain():
    import json

    summary = compare(HIDDEN.columns, ["sdp"]).summary()
    assert json.loads(json.dumps(summary)) == json.loads(json.dumps(summary | {"entries": list(summary["entries"])}))
    assert summary["entries"][0]["notes"]["tight"] == 1.0


def test_the_page_shows_every_figure(tmp_path, monkeypatch):
    from sparsespan.report import compared_page

    monkeypatch.setitem(sys.modules, "scs", None)
    summary = compare(HIDDEN.columns, ["sdp", "spectral", "sos"]).summary()
    html = compared_page(summary, title="a < b", command="sparsespan compare x").html()
    assert "a &lt; b" in html
    assert "sparsespan compare x" in html
    for entry in summary["entries"]:
        assert entry["method"] in html
    assert "2 of 3" in html
    assert "1 could not run, see below" in html
    assert "1 more could not run here: sos." in html
    reason = html.split("Did not run")[1]
    assert "sos" in reason
    assert "pip install" in reason
    assert "time in seconds (s), logarithmic" in html
    assert "what else they found out" in html.lower()
    rows = html.split("All figures")[1].split("</table>")[0]
    for entry in summary["entries"]:
        assert entry["reference"].split(",")[0] not in rows  # long words have a table of their own
    assert "<script" not in html
    both = compared_page(compare(HIDDEN.columns, ["spectral", "adm"]).summary()).html()
    assert "2 of 2" in both
    assert "could not run" not in both
    nothing = compared_page(compare(HIDDEN.columns, ["sos"]).summary()).html()
    assert "0 methods" in nothing
