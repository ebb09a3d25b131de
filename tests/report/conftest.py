from __future__ import annotations

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest


@pytest.fixture(scope="session")
def gallery():
    """The page builders of `gallery.py`, by name."""
    return runpy.run_path(str(Path(__file__).with_name("gallery.py")))


class Drawing:
    """An SVG drawing taken apart: elements by tag and class."""

    def __init__(self, svg):
        self.root = ET.fromstring(svg)  # a fault in the XML raises here

    def all(self, tag, class_=None):
        found = self.root.iter(tag)
        return [one for one in found if class_ is None or class_ in one.get("class", "").split()]

    def words(self, class_=None):
        return ["".join(one.itertext()) for one in self.all("text", class_)]

    def titles(self):
        return ["".join(one.itertext()) for one in self.all("title")][1:]  # the first names the drawing

    def numbers(self, tag, name, class_=None):
        return [float(one.get(name)) for one in self.all(tag, class_)]


@pytest.fixture
def draw():
    return lambda chart, width=None: Drawing(chart.svg(width))
