from __future__ import annotations

import html
import struct
import zlib
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sparsespan.errors import InvalidInput
from sparsespan.report.markup import coordinate, data_uri, join, tag, text
from sparsespan.report.png import png_bytes


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"])))
def test_text_reads_back(words):
    assert html.unescape(text(words)) == words
    assert not set("<>\"'") & set(text(words))


@given(st.text(st.characters()))
def test_any_text_makes_well_formed_elements(words):
    element = ET.fromstring(tag("a", text(words), title=words))
    assert element.get("title") is not None
    text(words).encode("utf-8")


def test_tag_writes_attributes():
    assert tag("rect", x=1.0, y=0.123456, class_="a b", stroke_width=2, href=None) == (
        '<rect x="1" y="0.12" class="a b" stroke-width="2"/>'
    )
    assert tag("p") == "<p></p>"
    assert tag("circle", tag("title", text("a<b"))) == "<circle><title>a&lt;b</title></circle>"
    assert join([tag("p"), tag("p")], "<") == "<p></p>&lt;<p></p>"


@given(st.floats(-1e6, 1e6))
def test_coordinates_keep_two_decimals(value):
    assert float(coordinate(value)) == pytest.approx(value, abs=0.00501)
    assert coordinate(value) != "-0"


def decode(png):
    """Unpack a PNG whose rows are not filtered."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        data, (check,) = png[at + 8 : at + 8 + size], struct.unpack(">I", png[at + 8 + size : at + 12 + size])
        assert check == zlib.crc32(kind + data)
        chunks[kind], at = data, at + 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape((height, width) if colour == 0 else (height, width, 3))


@given(hnp.arrays(np.uint8, st.one_of(hnp.array_shapes(min_dims=2, max_dims=2), st.just((4, 5, 3)))))
def test_png_reads_back(pixels):
    assert np.array_equal(decode(png_bytes(pixels)), pixels)
    assert np.array_equal(decode(png_bytes(pixels[:, ::-1])), pixels[:, ::-1])
    assert data_uri(pixels).startswith("data:image/png;base64,iVBOR")


@pytest.mark.parametrize("wrong", [np.zeros((2, 2)), np.zeros((2, 2, 2), np.uint8), np.zeros((0, 3), np.uint8)])
def test_png_refuses_other_arrays(wrong):
    with pytest.raises(InvalidInput, match="`pixels` must be a non-empty uint8 array"):
        png_bytes(wrong)
