"""What all tests share: reproducible property tests, and the real data where it is at hand."""

from __future__ import annotations

import os
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "sparsespan",
    deadline=None,  # a slow machine is no failure
    derandomize=True,
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sparsespan")

DATA = Path(os.environ.get("SPARSESPAN_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; a test that asks for it is skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"no real data at {DATA}; set SPARSESPAN_DATA to its folder")
    return DATA


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SILENT = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)


@pytest.fixture(scope="module")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=SILENT.split())
        yield browser
        browser.close()


@pytest.fixture
def look(browser):
    """Open a page of ours; what it says on the console and asks of others is written down in ``heard``."""
    contexts = []

    def open_page(path, width, scheme="light", media="screen"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.emulate_media(media=media, color_scheme=scheme)
        page.heard = []
        page.on("console", lambda message: page.heard.append(message.text))
        page.on("pageerror", lambda error: page.heard.append(str(error)))
        page.on("request", lambda asked: page.heard.append(asked.url) if not asked.url.startswith("data:") else None)
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


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
