from __future__ import annotations

import runpy
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

VOID = {"br", "img", "link", "meta"}


class Outline(HTMLParser):
    """Reads a page: open elements must be closed in order; keeps every tag, attribute and text."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.words, self.faults = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append((tag, self.getpos()))

    def handle_data(self, data):
        self.words.append(data)

    def attributes(self, name):
        return [attrs[name] for _, attrs in self.tags if name in attrs]


def read(html):
    outline = Outline()
    outline.feed(html)
    outline.close()
    assert outline.faults == []
    assert outline.open == []
    return outline


@pytest.fixture(scope="session")
def outline():
    return read


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
