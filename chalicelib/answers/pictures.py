"""Pictures as they were uploaded: what they are, by their own bytes, and the same without what nobody sees.

A photo of a telephone says where and when it was taken, and by whom. Only what is needed to show it is kept: of PNG,
JPEG and WebP the containers are read part by part, and all parts that are not of the picture are left out; its data is
not touched. Sources: W3C, Portable Network Graphics (third edition); ITU-T T.81 (JPEG), JFIF 1.02 and Exif 2.32
(orientation); RFC 9649 (WebP).
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from chalicelib.domain.errors import ImageRefused
from chalicelib.domain.pages import Orientation

MAX_BYTES = 5 * 1024 * 1024
MAX_SIDE = 8192
"""Pixels of the longer side."""
MEDIA_TYPES = ("image/png", "image/jpeg", "image/webp")
EXTENSIONS = dict(zip(MEDIA_TYPES, ("png", "jpg", "webp"), strict=True))
_ALIKE = 0.1
"""Sides that differ by less than this share of the longer one make a square."""

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    (
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"cHRM",
        b"gAMA",
        b"iCCP",
        b"sRGB",
        b"sBIT",
        b"cICP",
        b"bKGD",
        b"pHYs",
    )
)
_PNG_ANIMATED = frozenset((b"acTL", b"fcTL", b"fdAT"))
_WEBP_KEPT = frozenset((b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ICCP"))
_WEBP_ANIMATED = frozenset((b"ANIM", b"ANMF"))
_JPEG_FRAMES = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)))
_JPEG_BARE = frozenset((0x01, *range(0xD0, 0xD8)))
"""Markers without a length."""
_TURNED = 0x0112
"""The tag of Exif that says how a picture is to be turned."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that may be shown."""

    media_type: str
    width: int
    """Pixels, as it is seen: turned as its file says."""
    height: int
    content: bytes

    @property
    def orientation(self) -> Orientation:
        """Which side is longer."""
        if abs(self.width - self.height) < _ALIKE * max(self.width, self.height):
            return Orientation.SQUARE
        return Orientation.LANDSCAPE if self.width > self.height else Orientation.PORTRAIT


def read(content: bytes) -> Picture:
    """The picture in a file, without metadata.

    Raises:
        ImageRefused: it is none of the kinds that are taken, damaged, moving, or too large.
    """
    if len(content) > MAX_BYTES:
        raise ImageRefused(reason=f"it has {len(content)} bytes, and at most {MAX_BYTES} are taken")
    try:
        picture = _read(content)
    except (IndexError, ValueError, struct.error):
        raise ImageRefused(reason="the file is damaged") from None
    if not (0 < picture.width <= MAX_SIDE and 0 < picture.height <= MAX_SIDE):
        sides = f"{picture.width} by {picture.height}"
        raise ImageRefused(reason=f"it has {sides} pixels, and its sides may have 1 to {MAX_SIDE}")
    return picture


def _read(content: bytes) -> Picture:
    if content.startswith(_PNG):
        return _png(content)
    if content.startswith(b"\xff\xd8\xff"):
        return _jpeg(content)
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return _webp(content)
    raise ImageRefused(reason="its content is no PNG, JPEG or WebP picture, whatever its name says")


def _png(content: bytes) -> Picture:
    kept: list[bytes] = [_PNG]
    size: tuple[int, int] | None = None
    seen_data = False
    for kind, chunk in _png_chunks(content):
        if kind in _PNG_ANIMATED:
            raise ImageRefused(reason="it moves")
        if size is None:
            if kind != b"IHDR" or len(chunk) != 25:  # noqa: PLR2004 - thirteen bytes in their frame
                raise ImageRefused(reason="the file is damaged")
            size = (int.from_bytes(chunk[8:12]), int.from_bytes(chunk[12:16]))
        seen_data = seen_data or kind == b"IDAT"
        if kind in _PNG_KEPT:
            kept.append(chunk)
    if size is None or not seen_data:
        raise ImageRefused(reason="the file is damaged")
    return Picture("image/png", *size, b"".join(kept))


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Kind and whole of each chunk, up to the end of the picture; what follows is none of it."""
    place = len(_PNG)
    while True:
        (length,) = struct.unpack_from(">I", content, place)
        kind, end = content[place + 4 : place + 8], place + 12 + length
        if end > len(content) or struct.unpack_from(">I", content, end - 4)[0] != zlib.crc32(
            content[place + 4 : end - 4]
        ):
            raise ImageRefused(reason="the file is damaged")
        yield kind, content[place:end]
        if kind == b"IEND":
            return
        place = end


def _jpeg(content: bytes) -> Picture:
    kept, size, turn = [b"\xff\xd8"], None, 1
    for marker, body, scan in _segments(content):
        if marker in _JPEG_FRAMES:
            size = struct.unpack_from(">HH", body, 3)
        if marker == 0xE1 and body[2:8] == b"Exif\0\0":  # noqa: PLR2004 - APP1
            turn = _turn(body[8:])
        elif _of_the_picture(marker, body):
            kept += [bytes((0xFF, marker)), body, scan]
    if size is None:
        raise ImageRefused(reason="the file is damaged")
    height, width = size
    if turn > 1:
        kept.insert(1, _turned(turn))
    if turn > 4:  # noqa: PLR2004 - by a quarter
        width, height = height, width
    return Picture("image/jpeg", width, height, b"".join([*kept, b"\xff\xd9"]))


def _segments(content: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """Marker and body of each segment, and of a scan its data, up to the end of the picture."""
    place = 2
    while True:
        marker, place = _marker(content, place)
        if marker == 0xD9:  # noqa: PLR2004 - the end of the picture
            return
        if marker in _JPEG_BARE:
            continue
        (length,) = struct.unpack_from(">H", content, place)
        body, begin = content[place : place + length], place + length
        if length < 2 or len(body) != length:  # noqa: PLR2004 - the length counts itself
            raise ImageRefused(reason="the file is damaged")
        place = _end_of_scan(content, begin) if marker == 0xDA else begin  # noqa: PLR2004
        yield marker, body, content[begin:place]


def _marker(content: bytes, place: int) -> tuple[int, int]:
    """The marker at a place, and where what it is about begins."""
    if content[place] != 0xFF:  # noqa: PLR2004 - what every marker begins with
        raise ImageRefused(reason="the file is damaged")
    while content[place] == 0xFF:  # noqa: PLR2004 - fill bytes
        place += 1
    return content[place], place + 1


def _of_the_picture(marker: int, body: bytes) -> bool:
    """Whether a segment says how to draw the picture: not comments, nor what applications add, but for colours."""
    if marker == 0xFE:  # noqa: PLR2004 - a comment
        return False
    if 0xE0 <= marker <= 0xEF:  # noqa: PLR2004 - of an application
        head = body[2:14]
        return head.startswith((b"JFIF\0", b"ICC_PROFILE\0", b"Adobe"))
    return True


def _end_of_scan(content: bytes, place: int) -> int:
    """Where the data of a scan ends: at a marker that is neither a stuffed byte nor a restart."""
    while True:
        place = content.index(b"\xff", place)
        following = content[place + 1]
        if following not in {0x00, 0xFF} and following not in _JPEG_BARE:
            return place
        place += 1 if following == 0xFF else 2  # noqa: PLR2004


def _turn(exif: bytes) -> int:
    """How the picture is to be turned, 1 to 8; 1 if Exif does not tell."""
    try:
        order = {b"II": "<", b"MM": ">"}[exif[:2]]
        (start,) = struct.unpack_from(f"{order}I", exif, 4)
        (entries,) = struct.unpack_from(f"{order}H", exif, start)
        for number in range(entries):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", exif, start + 2 + 12 * number)
            if tag == _TURNED:
                return value if 1 <= value <= 8 else 1  # noqa: PLR2004
    except (KeyError, struct.error):
        pass
    return 1


def _turned(turn: int) -> bytes:
    """A segment of Exif that says nothing but how the picture is to be turned."""
    body = b"Exif\0\0MM\0*" + struct.pack(">IHHHIHHI", 8, 1, _TURNED, 3, 1, turn, 0, 0)
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def _webp(content: bytes) -> Picture:
    kept: list[bytes] = []
    size: tuple[int, int] | None = None
    for kind, body in _webp_chunks(content):
        if kind in _WEBP_ANIMATED or (kind == b"VP8X" and body[0] & 0x02):
            raise ImageRefused(reason="it moves")
        if kind == b"VP8X":
            body = bytes((body[0] & 0x30,)) + body[1:]  # noqa: PLW2901 - colours and transparency are all that is left
        if kind not in _WEBP_KEPT:
            continue
        size = size or _webp_size(kind, body)
        kept.append(kind + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2))
    if size is None or not any(each[:3] == b"VP8" and each[:4] != b"VP8X" for each in kept):
        raise ImageRefused(reason="the file is damaged")
    data = b"WEBP" + b"".join(kept)
    return Picture("image/webp", *size, b"RIFF" + struct.pack("<I", len(data)) + data)


def _webp_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    (length,) = struct.unpack_from("<I", content, 4)
    end, place = 8 + length, 12
    if end > len(content):
        raise ImageRefused(reason="the file is damaged")
    while place + 8 <= end:
        (size,) = struct.unpack_from("<I", content, place + 4)
        if place + 8 + size > end:
            raise ImageRefused(reason="the file is damaged")
        yield content[place : place + 4], content[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == b"VP8X":
        return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
    if kind == b"VP8L":
        if body[0] != 0x2F:  # noqa: PLR2004 - its signature
            raise ImageRefused(reason="the file is damaged")
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        if body[3:6] != b"\x9d\x01\x2a":
            raise ImageRefused(reason="the file is damaged")
        width, height = struct.unpack_from("<HH", body, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None
