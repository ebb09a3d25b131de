from __future__ import annotations

import struct
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparsespan.errors import InvalidInput, MissingExtra
from sparsespan.experiments.images import read_folder, read_image
from sparsespan.experiments.pgm_file import write_pgm

DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def nearest(left, above, corner):
    guess = left + above - corner
    return min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))[2]


def filtered(rows, kinds, step):
    """Scalar PNG filters, byte by byte, as the format describes them."""
    out, last = b"", [0] * len(rows[0])
    for row, kind in zip(rows, kinds, strict=True):
        row = list(row)
        out += bytes([kind])
        for i, byte in enumerate(row):
            left = row[i - step] if i >= step else 0
            above, corner = last[i], last[i - step] if i >= step else 0
            guess = [0, left, above, (left + above) // 2, nearest(left, above, corner)][kind]
            out += bytes([(byte - guess) % 256])
        last = row
    return out


def packed(samples, depth):
    """Samples (H, W·C) of a bit depth as rows of bytes."""
    if depth == 16:
        return [row.astype(">u2").tobytes() for row in samples]
    if depth == 8:
        return [row.astype(np.uint8).tobytes() for row in samples]
    bits = (samples[:, :, None] >> np.arange(depth - 1, -1, -1)) & 1
    return [np.packbits(row.reshape(-1)).tobytes() for row in bits.astype(np.uint8)]


def png(samples, depth, colour, kinds=None, palette=None, interlaced=0):
    height, width = samples.shape[0], samples.shape[1] // CHANNELS[colour]
    step = max(1, CHANNELS[colour] * depth // 8)
    body = filtered(packed(samples, depth), kinds if kinds is not None else [0] * height, step)
    middle = [] if palette is None else [chunk(b"PLTE", np.asarray(palette, dtype=np.uint8).tobytes())]
    half = len(packed_body := zlib.compress(body)) // 2
    return b"".join(
        [
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced)),
            chunk(b"tEXt", b"Comment\0nothing"),
            *middle,
            chunk(b"IDAT", packed_body[:half]),
            chunk(b"IDAT", packed_body[half:]),
            chunk(b"IEND", b""),
        ]
    )


LUMA = np.array([0.299, 0.587, 0.114])


def expected(samples, depth, colour, palette=None):
    planes = samples.reshape(samples.shape[0], -1, CHANNELS[colour])
    if colour == 3:
        return np.asarray(palette)[planes[..., 0]] @ LUMA / 255
    planes = planes / (2**depth - 1)
    grey = planes[..., :3] @ LUMA if colour in (2, 6) else planes[..., 0]
    return grey * planes[..., -1] if colour in (4, 6) else grey


kinds_of_png = st.sampled_from(
    [(colour, depth) for colour in (0, 2, 3, 4, 6) for depth in (1, 2, 4, 8, 16) if depth in DEPTHS[colour]]
)


@settings(max_examples=80, deadline=None)
@given(kinds_of_png, st.integers(1, 9), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_every_kind_of_png_under_every_filter(tmp_path_factory, kind, height, width, seed):
    colour, depth = kind
    rng = np.random.default_rng(seed)
    samples = rng.integers(0, 2**depth, (height, width * CHANNELS[colour]))
    palette = rng.integers(0, 256, (2**depth, 3)) if colour == 3 else None
    path = tmp_path_factory.mktemp("png") / "image.png"
    path.write_bytes(png(samples, depth, colour, rng.integers(0, 5, height), palette))
    np.testing.assert_allclose(read_image(path), expected(samples, depth, colour, palette), atol=1e-12)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "P", "1", "LA"])
def test_png_written_by_pillow(mode, tmp_path):
    Image = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(0)
    smooth = np.cumsum(rng.integers(-3, 4, (40, 31, 3)), axis=0).clip(0, 90).astype(np.uint8)
    picture = Image.fromarray(smooth, "RGB").convert(mode)
    picture.save(tmp_path / "a.png", optimize=True)
    reference = np.asarray(picture.convert("RGB"), dtype=float) @ LUMA / 255
    np.testing.assert_allclose(read_image(tmp_path / "a.png"), reference, atol=1e-9)


@pytest.mark.parametrize("bits", [8, 16])
def test_pgm_there_and_back(bits, tmp_path):
    image = np.random.default_rng(0).random((7, 5))
    write_pgm(tmp_path / "a.pgm", image, bits=bits)
    np.testing.assert_allclose(read_image(tmp_path / "a.pgm"), image, atol=0.5 / (2**bits - 1) + 1e-12)


def test_pgm_writer_clips(tmp_path):
    write_pgm(tmp_path / "a.pgm", [[-1.0, 2.0]])
    assert read_image(tmp_path / "a.pgm").tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize(
    ("image", "bits", "message"),
    [
        (np.zeros(3), 8, r"`image` must be a finite \(H, W\) array; got shape \(3,\)"),
        (np.full((2, 2), np.nan), 8, r"`image` must be a finite"),
        (np.zeros((2, 2)), 12, r"`bits` must be 8 or 16; got 12"),
    ],
)
def test_pgm_writer_refuses(image, bits, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        write_pgm(tmp_path / "a.pgm", image, bits=bits)


@pytest.mark.parametrize(
    ("data", "grey"),
    [
        (b"P2\n# made by hand\n3 2 # wide and high\n4\n0 1 2\n3 4 0\n", [[0, 0.25, 0.5], [0.75, 1, 0]]),
        (b"P2 1 1 9 9", [[1.0]]),
        (b"P5 2 1 255\n\x00\xff", [[0.0, 1.0]]),
        (b"P5\n2\n1\n255\n\n\x20", [[10 / 255, 32 / 255]]),  # a pixel may look like white space
        (b"P5 1 2 65535\n\x00\x00\xff\xff", [[0.0], [1.0]]),
        (b"P5 1 1 100\n\x32", [[0.5]]),
    ],
)
def test_pgm_forms(data, grey, tmp_path):
    path = tmp_path / "a.pgm"
    path.write_bytes(data)
    np.testing.assert_allclose(read_image(path), grey)


good = png(np.arange(12).reshape(3, 4), 8, 0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (b"GIF89a", "it begins like none of the three"),
        (b"P6 1 1 255\n\0\0\0", "it begins like none of the three"),
        (b"P5", "header does not give width, height and white level"),
        (b"P5 2 x 255\n", "header does not give width, height and white level"),
        (b"P5 9999999999 1 255\n", "header does not give width, height and white level"),
        (b"P5 0 3 255\n", r"header is not valid \(0×3, white at 255\)"),
        (b"P5 2 2 70000\n", "white at 70000"),
        (b"P5 2 2 255\n\0\0\0", "it holds 3 of the 4 pixels announced"),
        (b"P2 2 2 255 1 2 3", "it holds 3 of the 4 pixels announced"),
        (b"P2 2 1 255 1 x", "its pixels are not all numbers"),
        (b"P2 2 1 9 1 12", "a value of 12 outside 0…9"),
        (b"P2 2 1 9 1 -1", "a value of -1 outside 0…9"),
        (b"P2 2 1 9 1 nan", "its pixels are not all numbers"),
        (b"P5 1 1 9\n\x0c", "a value of 12 outside 0…9"),
        (good[:30], "IHDR chunk is cut off or damaged"),
        (good[:55], "cut off or damaged"),
        (good[:-12], "the file ends early"),
        (good[:8], "the file ends early"),
        (good[:50] + b"?" + good[51:], "chunk is cut off or damaged"),
        (good[:8] + chunk(b"IEND", b""), "it does not begin with a header"),
        (png(np.zeros((2, 2), int), 8, 0, interlaced=1), "it is interlaced"),
        (png(np.full((1, 2), 5), 8, 3, palette=[[0, 0, 0]]), "colour 5 of a palette of 1"),
        (png(np.full((1, 2), 0), 8, 3), "colour 0 of a palette of 0"),
        (
            good[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 3, 3, 0, 0, 0, 0)) + chunk(b"IEND", b""),
            r"header is not valid \(colour type 0, 3 bits, 4×3\)",
        ),
        (
            good[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 1 << 30, 1 << 30, 8, 0, 0, 0, 0)) + chunk(b"IEND", b""),
            "more than the 268435456 read here",
        ),
        (
            good[:33] + chunk(b"IDAT", b"no zlib") + chunk(b"IEND", b""),
            "its pixels cannot be decompressed",
        ),
        (
            good[:33] + chunk(b"IDAT", zlib.compress(b"\0" * 9)) + chunk(b"IEND", b""),
            "it holds 9 bytes of pixels where 15 are announced",
        ),
        (
            good[:33] + chunk(b"IDAT", zlib.compress(b"\0" * 16)) + chunk(b"IEND", b""),
            "it holds 16 bytes of pixels where 15 are announced",
        ),
        (
            good[:33] + chunk(b"IDAT", zlib.compress(b"\7" * 15)) + chunk(b"IEND", b""),
            "it names an unknown filter, 7",
        ),
        (b"\xff\xd8\xff\xe0 no jpeg", "Pillow cannot decode it"),
    ],
    ids=lambda value: "" if isinstance(value, bytes) else value,
)
def test_damaged_files_are_named_with_the_reason(data, message, tmp_path):
    if data.startswith(b"\xff\xd8"):
        pytest.importorskip("PIL")
    path = tmp_path / "broken.png"
    path.write_bytes(data)
    with pytest.raises(
        InvalidInput, match=rf"must be a readable PNG, JPEG or PGM file; got '.*broken.png': .*{message}"
    ):
        read_image(path)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=80),
    st.sampled_from([b"P2", b"P5", b"P5 2 2 255\n", b"P2 2 1 9 ", good[:8], good[:33], good[:41]]),
)
def test_any_bytes_are_an_image_or_an_error(tmp_path_factory, tail, head):
    path = tmp_path_factory.mktemp("fuzz") / "x"
    path.write_bytes(head + tail)
    try:
        image = read_image(path)
    except InvalidInput:
        return
    assert np.isfinite(image).all()
    assert image.ndim == 2


def test_jpeg_through_pillow(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    grey = np.tile(np.linspace(0, 255, 32).astype(np.uint8), (24, 1))
    Image.fromarray(grey).save(tmp_path / "a.jpg", quality=95)
    read = read_image(tmp_path / "a.jpg")
    assert read.shape == (24, 32)
    np.testing.assert_allclose(read, grey / 255, atol=0.02)


def test_jpeg_turned_by_the_camera_is_turned_back(tmp_path):
    Image = pytest.importorskip("PIL.Image")
    picture = Image.fromarray(np.zeros((10, 20), dtype=np.uint8))
    exif = picture.getexif()
    exif[274] = 6  # orientation: turn a quarter to be upright
    picture.save(tmp_path / "a.jpg", exif=exif)
    assert read_image(tmp_path / "a.jpg").shape == (20, 10)


def test_jpeg_without_pillow_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(MissingExtra, match=r'pip install "sparsespan\[images\]"'):
        read_image(tmp_path / "a.jpg")


def test_missing_file(tmp_path):
    with pytest.raises(InvalidInput, match=r"`path` must be a readable .* got '.*none.png'"):
        read_image(tmp_path / "none.png")


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    for name in ("b.pgm", "a.PGM", "c.pgm"):
        write_pgm(tmp_path / name, rng.random((4, 3)))
    (tmp_path / "notes.txt").write_text("not a picture")
    (tmp_path / ".hidden.pgm").write_bytes(b"nothing")
    (tmp_path / "sub.png").mkdir()
    return tmp_path


def test_folder_is_read_in_order_of_names(folder):
    found = read_folder(str(folder))
    assert found.names == ("a.PGM", "b.pgm", "c.pgm")
    assert found.images.shape == (3, 4, 3)
    assert found.shape == (4, 3)
    assert found.columns.shape == (12, 3)
    np.testing.assert_array_equal(found.picture(found.columns[:, 1]), read_image(folder / "b.pgm"))
    assert not found.images.flags.writeable


def test_folder_of_mixed_sizes(folder):
    write_pgm(folder / "d.pgm", np.zeros((3, 4)))
    with pytest.raises(InvalidInput, match=r"images of one size; got a.PGM of 3×4 and d.pgm of 4×3 pixels"):
        read_folder(folder)


def test_folder_with_a_broken_file(folder):
    (folder / "d.png").write_bytes(b"P5 1")
    with pytest.raises(InvalidInput, match=r"d.png': its header does not give"):
        read_folder(folder)


def test_folder_without_pictures(tmp_path):
    (tmp_path / "notes.txt").write_text("")
    with pytest.raises(InvalidInput, match=r"`folder` must hold PNG, JPEG or PGM files; got 1 other entries"):
        read_folder(tmp_path)


def test_folder_that_is_none(tmp_path):
    with pytest.raises(InvalidInput, match=r"`folder` must be an existing folder; got '.*nowhere'"):
        read_folder(tmp_path / "nowhere")
