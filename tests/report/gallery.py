"""Every block and chart on one page, from made-up data: `python tests/report/gallery.py OUT.html`."""

from __future__ import annotations

import sys

import numpy as np

from sparsespan.experiments.face_sources import one_person
from sparsespan.experiments.face_study import WAYS, face_space
from sparsespan.experiments.reproductions import expectations, named
from sparsespan.experiments.reproductions.page import page, verdicts
from sparsespan.experiments.trial import Row as Done
from sparsespan.experiments.trial import Trial
from sparsespan.report import (
    Card,
    Cards,
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
    faces_page,
    found_page,
)  # fmt: skip
from sparsespan.report.charts import CriticalPoint, Series, bars, disc, dots, heatmap, lines, sphere, stems
from sparsespan.report.numbers import seconds
from sparsespan.report.portraits import grey
from sparsespan.result import Certificate, Run, SparseVector, Status

CERTIFICATE = Certificate(96, 1753, 95, 1.5e-16, 1.4e-13, 1e12, 0.287, 0.554, 7.3e-17, chance=0.0)


def gallery(seed=0):
    rng = np.random.default_rng(seed)
    drawn = [draw(rng) for draw in (vectors, starts, phases, comparison, landscape, faces)]
    lead = "Every block and every chart of a report, from made-up data. No figure on this page was measured."
    return Page(
        "Gallery of the report",
        lead,
        [cards(), *drawn, prose()],
        Footer("python tests/report/gallery.py OUT"),
    )


def found(seed=0, size=2191):
    rng = np.random.default_rng(seed)
    vector, truth = planted(rng, size)
    zeros = int(np.sum(vector == 0))
    runs = [Run("mean", float(np.abs(vector).sum()), zeros, 38, 310)]
    for k in range(40):
        runs.append(Run(f"row {k}", 25.2 + 0.1 * k, 95, int(rng.integers(20, 100)), int(rng.integers(1, 30))))
    result = SparseVector(vector, np.ones(96), CERTIFICATE, Status.FOUND, tuple(runs), "made up", "made up", 0.00441)
    more = {"seed": seed, "nonzeros planted": int(np.sum(truth != 0))}
    return found_page(result, title="A planted vector, found again", truth=truth, command="make demo", parameters=more)


def planted(rng, size):
    truth = rng.standard_normal(size) * (rng.random(size) < 0.2)
    truth /= np.linalg.norm(truth)
    return truth + (truth != 0) * rng.normal(0, 1e-16, size), truth


def album():
    """The page of a folder of pictures, of an invented face of few pixels."""
    space = face_space(one_person("synthetic", 4), robust=True)
    basis = WAYS["greedy"].search(space.subspace, 4, seed=0)
    kinds = {"picture": space.images.images, "low-rank part": space.low_rank, "sparse part": space.sparse}
    inputs = [[Picture(grey(kinds[kind][k]), space.images.names[k], kind) for k in (0, 21, 42, 63)] for kind in kinds]
    title, shape = "Sparse directions of a synthetic face", space.images.shape
    return faces_page(basis, shape, title=title, told=space.told, inputs=inputs, command="sparsespan faces --robust")


def reproduced():
    """The page of Fig. 4, of an invented face of few pixels."""
    light = named("faces-light")
    trials = [Trial(light.name, {"source": "synthetic", "step": 4, "count": 4}, 0, method) for method in light.methods]
    rows = [Done(trial, light.run(trial), 1.0) for trial in trials]
    findings = light.findings(rows, "small")
    held = verdicts(expectations(light.name), findings.measured, "small")
    counts = len(rows), len(trials)
    return page(
        light, findings, held, scale="small", trials=counts, spent=6.0, command="sparsespan reproduce faces-light"
    )


def cards():
    good = Card("relative error", 3.141e-15, "against the truth", "good")
    bad = Card("cells that failed", 3, "of 120", "bad")
    time = Card("time", seconds(0.0044), "method `auto`")
    return Cards((good, Card("exact zeros", 1753, "of 2,191"), time, bad))


def vectors(rng):
    vector, truth = planted(rng, 20000)
    part = Figure(stems(vector[:60], truth[:60], title="A part"))
    return Section("A vector", [Figure(stems(vector, truth), "A long vector."), part])


def starts(rng):
    values, weights = np.r_[23.4, 25.2 + rng.gamma(2, 0.8, 40), np.nan], np.r_[310, rng.integers(1, 30, 41)]
    chart = dots(values, weights, [f"row {k}" for k in range(42)])
    proof = Certificate(96, 95, 94, 1.5e-16, 1.4e-13, 1e9, np.inf, 0.0, np.inf)
    return Section("Starts and certificate", [Figure(chart, "Merged runs."), certificate_panel(proof)])


def phases(rng):
    x, y = np.arange(5, 100, 5), np.arange(20, 620, 20)
    limits = [Series("ℓ¹-optimality", x, 6.2 * x), Series("another", x, 60 + 0.03 * x**2)]
    charts = []
    for title, slope in (("paper", 3.4), ("auto", 5.9)):
        shares = rng.binomial(10, 1 / (1 + np.exp((y[:, None] - slope * x) / 14))) / 10
        shares[-4:, :2] = np.nan
        charts.append(heatmap(shares, x, y, trials=10, curves=limits, xlabel="n", ylabel="k", title=title))
    grid, theta = rng.random((4, 9)).round(1), np.arange(1, 10) / 10
    small = heatmap(grid, theta, (30, 40, 157, 391), trials=10, xlabel="θ", ylabel="p", title="Few cells")
    return Section("Phase diagrams", [Row([Figure(chart) for chart in charts]), Figure(small)])


def comparison(rng):
    p, steps = np.geomspace(300, 30000, 9), np.arange(5000)
    growths = (("auto", 2e-6, 1.1), ("paper", 1e-7, 2.1), ("l1-linf", 3e-8, 2.6))
    noisy = [Series(name, p, c * p**e * rng.lognormal(0, 0.15, 9), power=True) for name, c, e in growths]
    growth = lines(noisy, xlabel="p", ylabel="seconds", xlog=True, ylog=True, title="Growth of time")
    falls = [(k, 23 + k * 0.998**steps) for k in (4, 7)]
    falls = [Series(f"start {k}", steps, f, f - 0.1 * k, f + 0.1 * k, dashed=k == 7) for k, f in falls]
    descent = lines(falls, xlabel="step", ylabel="‖Yq‖₁", title="Descent")
    names = ("auto", "spectral", "trust-region", "l1-linf", "sos", "paper")
    times = [0.0044, 0.013, 1.2, 31, None, 240]
    low, high = ([t and t * f for t in times] for f in (0.7, 1.5))
    time = bars(names, times, low, high, log=True, best=0, xlabel="seconds", shown=seconds, title="Time")
    theta = bars(names, (0.6, 0.3, 0.4, 0.2, None, 0.3), best=0, xlabel="θ", title="Largest θ recovered")
    return Section("Comparison", [*map(Figure, (growth, time, descent)), Row([Figure(time), Figure(theta)])])


def landscape(rng):
    signs = [np.array([a, b, 1.0]) for a in (-1, 1) for b in (-1, 1)]
    points = [CriticalPoint(tuple(sign * row), "minimum") for row in np.eye(3) for sign in (1, -1)]
    points += [CriticalPoint(tuple(one), "maximum") for one in signs]
    points += [CriticalPoint(tuple(one * (np.arange(3) != k)), "saddle") for one in signs for k in range(3)]
    charts = [draw(lambda q: np.abs(q).sum(axis=1), points, label="‖q‖₁") for draw in (sphere, disc)]
    return Section("A landscape", [Row([Figure(chart, "The ℓ¹ norm.") for chart in charts])])


def faces(rng):
    down, right = np.mgrid[-1:1:192j, -1:1:168j]
    inside = np.clip(1 - down**2 - 1.3 * right**2, 0, 1)
    shades = [np.sqrt(inside) * np.clip(0.6 + a * right + b * down, 0, 1) for a, b in rng.normal(size=(4, 2))]
    pictures = [
        Picture((255 * shade / shade.max()).astype(np.uint8), f"vector {k + 1}", f"ℓ¹/ℓ² {103 + 6.1 * k:.1f}")
        for k, shade in enumerate(shades)
    ]
    return Section("Pictures", [Pictures(pictures)])


def prose():
    rows = [
        ["time", 600.0, 412.7, Mark("met", "good")],
        ["cells", 120, 117, Mark("differs", "bad")],
        ["a long name for a figure that nobody measured", None, 31, Mark("open")],
    ]
    table = Table(("figure", "expected", "measured", "verdict"), rows, "Expected and measured", best=(0,))
    wide = Table([f"column {k}" for k in range(14)], [[k * 1234.5 for k in range(14)]], "A wide table")
    words = Prose("Text with `code` in it.\n\nA second paragraph.")
    return Section("Words", [words, table, wide, Code("import sparsespan as ss\n" + "a_long_line = " * 16)])


if __name__ == "__main__":
    gallery().write(sys.argv[1])
    for extra in sys.argv[2:3]:
        found().write(extra)
