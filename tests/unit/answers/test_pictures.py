"""Pictures: what they are by their own bytes, and that they tell nothing but themselves (rule N1, N8)."""

import struct
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from chalicelib.answers.pictures import MAX_BYTES, read
from chalicelib.domain.errors import ImageRefused
from chalicelib.domain.pages import Orientation
from tests.pictures import SECRET, chunk, drawn, looked_at, png

pytestmark = pytest.mark.promise("N1")

KINDS = {
    "png": (drawn("PNG"), "image/png"),
    "png with transparency": (drawn("PNG", mode="RGBA"), "image/png"),
    "jpeg": (drawn("JPEG"), "image/jpeg"),
    "progressive jpeg": (drawn("JPEG", progressive=True), "image/jpeg"),
    "jpeg with restarts": (drawn("JPEG", (200, 100), restart_marker_blocks=2), "image/jpeg"),
    "jpeg in four colours": (drawn("JPEG", mode="CMYK"), "image/jpeg"),
    "webp": (drawn("WEBP"), "image/webp"),
    "webp without loss": (drawn("WEBP", lossless=True), "image/webp"),
    "webp with transparency": (drawn("WEBP", mode="RGBA"), "image/webp"),
    "webp, odd": (drawn("WEBP", (41, 23)), "image/webp"),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_picture_stays_what_it_is_and_loses_what_it_tells(name: str) -> None:
    content, media_type = KINDS[name]
    assert SECRET in content
    picture = read(content)
    assert picture.media_type == media_type
    assert SECRET not in picture.content
    size, pixels = looked_at(content)
    assert (picture.width, picture.height) == size
    assert looked_at(picture.content) == (size, pixels)
    assert read(picture.content) == picture


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_turned_photo_is_shown_as_before(turn: int) -> None:
    content = drawn("JPEG", (64, 32), turn)
    picture = read(content)
    assert SECRET not in picture.content
    assert looked_at(picture.content) == looked_at(content)
    assert (picture.width, picture.height) == ((64, 32) if turn < 5 else (32, 64))
    assert picture.orientation is (Orientation.LANDSCAPE if turn < 5 else Orientation.PORTRAIT)


@pytest.mark.parametrize(
    ("size", "orientation"),
    [
        ((100, 100), Orientation.SQUARE),
        ((100, 91), Orientation.SQUARE),
        ((100, 90), Orientation.LANDSCAPE),
        ((90, 100), Orientation.PORTRAIT),
        ((1, 8192), Orientation.PORTRAIT),
    ],
)
def test_the_orientation_is_that_of_the_longer_side(size: tuple[int, int], orientation: Orientation) -> None:
    assert read(png(*size)).orientation is orientation


def test_what_follows_a_picture_does_not_come_along() -> None:
    for content, _ in KINDS.values():
        assert SECRET not in read(content + SECRET).content
    assert b"<script" not in read(png() + b"<script>alert(1)</script>").content


def moving(kind: str) -> bytes:
    out = BytesIO()
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()


def _refused(content: bytes) -> str:
    with pytest.raises(ImageRefused) as refusal:
        read(content)
    return refusal.value.reason


def test_what_moves_is_refused() -> None:
    assert _refused(moving("PNG")) == "it moves"
    assert _refused(moving("WEBP")) == "it moves"
    assert "no PNG" in _refused(moving("GIF"))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"GIF89a" + b"\0" * 50,
        b"%PDF-1.7",
        b"<html>",
        b"BM" + b"\0" * 50,
        b"RIFF\x10\0\0\0WAVEfmt ",
        b"\xff\xd8",
    ],
)
def test_what_is_no_picture_of_ours_is_refused(content: bytes) -> None:
    assert "no PNG, JPEG or WebP" in _refused(content)


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    assert f"at most {MAX_BYTES}" in _refused(png() + b"\0" * MAX_BYTES)
    assert "8193 by 1 pixels" in _refused(png(8193, 1))
    huge = png()[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0)) + png()[33:]
    assert "pixels" in _refused(huge)
    assert "pixels" in _refused(png()[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 0, 5, 8, 2, 0, 0, 0)) + png()[33:])


@pytest.mark.parametrize("name", KINDS)
def test_a_file_that_was_cut_off_is_refused(name: str) -> None:
    content, _ = KINDS[name]
    whole = read(content).content
    for end in range(len(whole) - 1):
        if end < 200 or end % 7 == 0:
            _refused(whole[:end])


@pytest.mark.parametrize("name", KINDS)
def test_no_damage_breaks_anything(name: str) -> None:
    content, _ = KINDS[name]

    @given(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)), min_size=1, max_size=8))
    def damaged(changes: list[tuple[int, int]]) -> None:
        broken = bytearray(content)
        for place, byte in changes:
            broken[place] = byte
        try:
            read(bytes(broken))
        except ImageRefused:
            return

    damaged()


@given(st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\x20\0\0\0WEBP"]), st.binary(max_size=300))
def test_no_rubbish_breaks_anything(head: bytes, rest: bytes) -> None:
    try:
        read(head + rest)
    except ImageRefused:
        return
